// SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

/// What the command writes about itself: completion scripts and the manual page. The shells judge
/// them, where they are there. Needs TEFF_COMMAND, the path of the built command.
namespace {

std::string command() {
  const char* path = std::getenv("TEFF_COMMAND");
  return path == nullptr ? "" : path;
}

bool is_there(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null").c_str()) == 0;
}

/// What a line of sh prints, errors too.
std::string output_of(const std::string& line) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("{ " + line + "; } 2>&1").c_str(), "r"),
                                                   pclose);
  REQUIRE(pipe != nullptr);
  std::string text;
  for (char part[512]; std::fgets(part, sizeof part, pipe.get()) != nullptr;) text += part;
  return text;
}

/// What bash offers at the end of `line`.
std::vector<std::string> completed(const std::string& line) {
  std::istringstream words(
      output_of("bash -c 'source <($0 completion bash); COMP_LINE=$1 COMP_POINT=${#1}; _teff; "
                "printf \"%s\\n\" \"${COMPREPLY[@]}\"' " +
                command() + " \"" + line + "\""));
  std::vector<std::string> offered;
  for (std::string word; words >> word;) offered.push_back(word);
  return offered;
}

}  // namespace

TEST_CASE("completion: bash offers commands, options and values") {
  if (command().empty() || !is_there("bash")) {
    MESSAGE("skipped: needs TEFF_COMMAND and bash");
    return;
  }
  using words = std::vector<std::string>;
  const struct {
    const char* line;
    words offered;
  } asked[] = {
      {"teff ben", {"bench"}},
      {"teff bench segm", {"segmented_sum"}},
      {"teff bench copy --mark", {"--markdown"}},
      {"teff bench copy --type i32,u", {"i32,u8"}},
      {"teff bench --type=i6", {"i64"}},
      {"teff bench copy --variant arr", {"array"}},
      {"teff bench diffusion2d --variant te", {"temporal"}},
      {"teff bench copy --variant te", {}},  // of another case
      {"teff bench --variant te", {"temporal"}},
      {"teff bench --cache ", {"warm", "cold"}},
      {"teff bench --device cp", {"cpu"}},
      {"teff bench --depth ", {}},
      {"teff solve wav", {"wave2d", "wave3d"}},
      {"teff solve wave2d --schedule te", {"temporal"}},
      {"teff solve wave2d --schedule fu", {"fused"}},
      {"teff info ", {"--quick", "--help"}},
      {"teff completion ", {"bash", "zsh", "fish"}},
      {"teff docu", {}},  // not for users
  };
  for (const auto& [line, offered] : asked) {
    CAPTURE(line);
    CHECK(completed(line) == offered);
  }
  for (const std::string& folder : completed("teff lab -o "))
    CHECK(!folder.starts_with("--"));  // not the options
}

TEST_CASE("completion: every shell reads its script") {
  if (command().empty()) return;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    CAPTURE(shell);
    const std::string script = command() + " completion " + shell;
    CHECK(output_of(script).find("segmented_sum") != std::string::npos);
    if (!is_there(shell)) {
      MESSAGE("its syntax is not checked: no such shell here");
      continue;
    }
    CHECK(output_of(script + " | " + shell + " -n /dev/stdin").empty());
  }
  CHECK(output_of(command() + " completion") ==
        "teff: completion: expected a shell: teff completion bash|zsh|fish\n");
  CHECK(output_of(command() + " completion bsh") ==
        "teff: unknown shell 'bsh'; did you mean 'bash'?\n");
}

TEST_CASE("manual: troff has nothing to complain about") {
  if (command().empty()) return;
  const std::string page = output_of(command() + " document man");
  CHECK(page.find(".SS teff bench [CASE...]") != std::string::npos);
  CHECK(page.find("\\fI\\fR") == std::string::npos);  // nothing in italics
  CHECK(page.find("\\fB\\-\\-csv\\fR\n") != std::string::npos);
  CHECK(page.find("\\fB\\-o, \\-\\-output\\fR \\fIFOLDER\\fR\n") != std::string::npos);
  if (!is_there("groff")) {
    MESSAGE("skipped: no groff here");
    return;
  }
  CHECK(
      output_of(command() + " document man | groff -man -Tutf8 -ww -rLL=100n >/dev/null").empty());
}
