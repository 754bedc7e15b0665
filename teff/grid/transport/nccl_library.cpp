// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

#include <teff/grid/transport/nccl_library.hpp>

namespace teff::runtime {

namespace {

constexpr const char* nccl_file = "libnccl.so.2";

template <class F>
void look_up(void* library, const char* name, F*& function, std::string& missing) {
  function = reinterpret_cast<F*>(dlsym(library, name));
  if (function == nullptr && missing.empty()) missing = name;
}

std::string text_of_version(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

}  // namespace

std::string nccl_library::version_text() const {
  return text_of_version(version);
}

std::string why_not_that(const nccl_library& of, const std::string& missing) {
  if (of.version != 0 && of.version < least_nccl_version)
    return of.file + " is NCCL " + of.version_text() + ", but 2.18 or later is needed";
  if (of.version != 0 && missing.empty()) return "";
  return of.file + " is no NCCL of 2.18 or later: it has no " +
         (missing.empty() ? "version" : missing);
}

found_nccl load_nccl(const std::string& asked) {
  found_nccl found;
  if (asked == "off") return {{}, "TEFF_NCCL is off"};
  nccl_library& of = found.library;
  std::error_code none;
  of.file = asked.empty() ? nccl_file : asked;
  if (std::filesystem::is_directory(of.file, none)) of.file += std::string("/") + nccl_file;
  void* const library = dlopen(of.file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    found.why_not = "NCCL can not be loaded: " + std::string(why != nullptr ? why : of.file) +
                    " (TEFF_NCCL names the file)";
    return found;
  }
  std::string missing;
  int (*version)(int*) = nullptr;
  look_up(library, "ncclGetVersion", version, missing);
  look_up(library, "ncclGetErrorString", of.error_text, missing);
  look_up(library, "ncclGetLastError", of.last_error, missing);
  look_up(library, "ncclGetUniqueId", of.make_id, missing);
  look_up(library, "ncclCommInitRankConfig", of.begin, missing);
  look_up(library, "ncclCommFinalize", of.finalise, missing);
  look_up(library, "ncclCommDestroy", of.destroy, missing);
  look_up(library, "ncclCommAbort", of.abort, missing);
  look_up(library, "ncclCommGetAsyncError", of.state, missing);
  look_up(library, "ncclGroupStart", of.group_begin, missing);
  look_up(library, "ncclGroupEnd", of.group_end, missing);
  look_up(library, "ncclSend", of.send, missing);
  look_up(library, "ncclRecv", of.receive, missing);
  if (version != nullptr) (void)version(&of.version);
  found.why_not = why_not_that(of, missing);
  return found;
}

const found_nccl& this_nccl() {
  static const found_nccl found = [] {
    const char* const asked = std::getenv("TEFF_NCCL");
    return load_nccl(asked != nullptr ? asked : "");
  }();
  return found;
}

}  // namespace teff::runtime
