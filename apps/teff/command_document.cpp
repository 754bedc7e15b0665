// SPDX-License-Identifier: MIT
#include <teff/lab/machine.hpp>
#include <teff/lab/selection.hpp>

#include <apps/teff/cli/completion.hpp>
#include <apps/teff/cli/help.hpp>
#include <apps/teff/cli/option_tree.hpp>
#include <apps/teff/cli/output.hpp>
#include <apps/teff/cli/reference.hpp>
#include <apps/teff/commands.hpp>
#include <bench/cases.hpp>

namespace teff::app {

int run_completion(const arguments& all) {
  if (all.form.empty())
    throw error(failure::usage, "completion: expected a shell: teff completion bash|zsh|fish");
  to_stdout(completion_script(all.form, option_tree(), bench::cases()));
  return 0;
}

int run_document(const arguments& all) {
  const auto commands = option_tree();
  std::string text;
  if (all.form == "markdown")
    text = markdown_tables(commands);
  else if (all.form == "man")
    text = man_page(commands, lab::teff_version(), help_of(command::none), exit_statuses);
  else
    throw lab::unknown_name("document", all.form, {"man", "markdown"});
  to_stdout(text);
  return 0;
}

}  // namespace teff::app
