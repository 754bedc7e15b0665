// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/lab/merge.hpp>
#include <teff/lab/report_html.hpp>
#include <teff/lab/report_json.hpp>

#include <apps/teff/cli/output.hpp>
#include <apps/teff/commands.hpp>

namespace teff::app {

namespace {

constexpr std::size_t largest_picture = 16'000'000;

/// "wave_after_500_steps.png" -> "wave after 500 steps"
std::string caption_of(const std::string& path) {
  std::string caption = std::filesystem::path(path).stem().string();
  std::ranges::replace(caption, '_', ' ');
  return caption;
}

std::vector<lab::report_picture> read_pictures(const std::vector<std::string>& paths) {
  std::vector<lab::report_picture> all;
  for (const std::string& path : paths) {
    std::string png = io::read_file(path, largest_picture);
    if (!png.starts_with("\x89PNG\r\n\x1a\n"))
      throw error(failure::usage, "--picture: '" + path + "' is no PNG file");
    all.push_back({caption_of(path), std::move(png)});
  }
  return all;
}

std::vector<lab::report> read_all(const std::vector<std::string>& files) {
  std::vector<lab::report> runs;
  for (const std::string& file : files) runs.push_back(lab::read_report(file));
  return runs;
}

}  // namespace

int run_report(const arguments& all) {
  for (const std::vector<std::string>& inputs : {all.files, all.pictures, all.before})
    for (const std::string& file : inputs)
      if (std::error_code none; std::filesystem::equivalent(file, all.page, none))
        throw error(failure::usage, "--output: '" + all.page + "' would replace what is read");
  io::require_writable(all.page);
  const lab::report found = merge(read_all(all.files));
  lab::page_extras extras{.pictures = read_pictures(all.pictures)};
  const lab::report before = all.before.empty() ? lab::report{} : merge(read_all(all.before));
  if (!all.before.empty()) extras.before = &before;
  write_report(all.page, found, extras);
  to_stdout("wrote " + all.page + "\n");
  return status_of(found.results);
}

}  // namespace teff::app
