// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <teff/array/array.hpp>
#include <teff/base/config.hpp>
#include <teff/base/free_memory.hpp>

#include "../message.hpp"
#include "../temp_folder.hpp"

namespace fs = std::filesystem;
using namespace teff;
using namespace teff::test;

namespace {

/// A folder with made-up files of the kernel: 8000 kB are free, and nothing has a limit.
class made_up_machine {
 public:
  made_up_machine() {
    put("proc/meminfo", "MemTotal:       16000 kB\nMemFree:  10 kB\nMemAvailable:    8000 kB\n");
    limits("unlimited", "unlimited");
    put("proc/self/status", "Name:\tx\nVmPeak:\t 999 kB\nVmSize:\t    1000 kB\nVmData:\t 400 kB\n");
  }
  void put(const std::string& file, const std::string& content) const {
    fs::create_directories((folder_.path() / file).parent_path());
    std::ofstream(folder_ / file) << content;
  }
  void limits(const std::string& space, const std::string& data) const {
    put("proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units     \n"
        "Max data size             " +
            data +
            "                 unlimited            bytes     \n"
            "Max address space         " +
            space + "                unlimited            bytes     \n");
  }
  /// The limit and the use of a cgroup of version 2, of which so much is in cached files.
  void group2(const std::string& path, const std::string& most, const std::string& used,
              const std::string& cached = "0") const {
    put(path + "/memory.max", most + "\n");
    put(path + "/memory.current", used + "\n");
    put(path + "/memory.stat", "anon 5\ninactive_anon 7\ninactive_file " + cached + "\n");
  }
  void group1(const std::string& path, const std::string& most, const std::string& used,
              const std::string& cached = "0") const {
    put(path + "/memory.limit_in_bytes", most + "\n");
    put(path + "/memory.usage_in_bytes", used + "\n");
    put(path + "/memory.stat", "inactive_file 1\ntotal_inactive_file " + cached + "\n");
  }
  /// "2048000 the cgroup"
  std::string free() const {
    const auto found = runtime::free_host_memory(folder_.path().string());
    return std::to_string(found.bytes) + " " + found.limit;
  }

 private:
  temp_folder folder_;
};

constexpr const char* mount2 =
    "22 1 0:20 / /proc rw - proc proc rw\n"
    "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

}  // namespace

TEST_CASE("free memory: that of the machine where nothing limits the process") {
  const made_up_machine here;
  CHECK(here.free() == "8192000 ");
  const auto now = runtime::free_host_memory();
  CHECK(now.bytes > 0);
  CHECK(now.bytes ==
        doctest::Approx(static_cast<double>(describe(device::cpu()).free_bytes)).epsilon(0.5));
}

TEST_CASE("free memory: what ulimit -v and -d leave") {
  const made_up_machine here;
  here.limits("3000000", "unlimited");
  CHECK(here.free() == std::to_string(3'000'000 - 1'024'000) + " ulimit -v");
  here.limits("3000000", "1000000");
  CHECK(here.free() == std::to_string(1'000'000 - 409'600) + " ulimit -d");
  here.limits("99000000", "99000000");
  CHECK(here.free() == "8192000 ");
  here.limits("1000", "unlimited");  // which it had passed when the limit was set
  CHECK(here.free() == "0 ulimit -v");
}

TEST_CASE("free memory: the tightest cgroup of version 2, its own or one above; cached files") {
  const made_up_machine here;
  here.put("proc/self/mountinfo", mount2);
  here.put("proc/self/cgroup", "0::/user/job/step\n");
  const std::string top = "sys/fs/cgroup";
  here.group2(top + "/user/job/step", "max", "100");
  CHECK(here.free() == "8192000 ");
  here.group2(top + "/user/job/step", "6000000", "1000000");
  CHECK(here.free() == "5000000 the cgroup");
  here.group2(top + "/user/job/step", "6000000", "1000000", "400000");
  CHECK(here.free() == "5400000 the cgroup");
  here.group2(top + "/user/job", "4000000", "3000000", "250000");
  CHECK(here.free() == "1250000 the cgroup");
  here.group2(top + "/user", "4000000", "3900000");
  CHECK(here.free() == "100000 the cgroup");
  here.group2(top + "/user", "4000000", "5000000");
  CHECK(here.free() == "0 the cgroup");
  here.group2(top + "/other", "1", "1");
  here.group2(top + "/user", "4000000", "1000", "2000");  // counted at different moments
  CHECK(here.free() == "1250000 the cgroup");
  here.limits("1500000", "unlimited");
  CHECK(here.free() == "476000 ulimit -v");
}

TEST_CASE("free memory: in a container, whose cgroup is what is mounted") {
  const made_up_machine here;
  const std::string top = "sys/fs/cgroup";
  here.group2(top, "4000000", "1000000");
  here.group2(top + "/inner", "3500000", "1000000");
  here.put("proc/self/mountinfo", mount2);
  here.put("proc/self/cgroup", "0::/\n");
  CHECK(here.free() == "3000000 the cgroup");
  here.put("proc/self/mountinfo", "30 23 0:26 /docker/7f /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
  here.put("proc/self/cgroup", "0::/docker/7f\n");
  CHECK(here.free() == "3000000 the cgroup");
  here.put("proc/self/cgroup", "0::/docker/7f/inner\n");
  CHECK(here.free() == "2500000 the cgroup");
  here.put("proc/self/cgroup", "0::/../elsewhere\n");
  CHECK(here.free() == "3000000 the cgroup");
}

TEST_CASE("free memory: cgroups of version 1, beside those of version 2 without limits") {
  const made_up_machine here;
  here.put("proc/self/mountinfo",
           "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
           "35 31 0:32 / /my\\040groups/memory rw shared:9 - cgroup cgroup rw,hugetlb,memory\n"
           "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  here.put("proc/self/cgroup", "5:cpu:/tight\n4:hugetlb,memory:/a/b\n0::/tight\n");
  here.group1("my groups/memory", "9223372036854771712", "5000");
  here.group1("my groups/memory/a", "9223372036854771712", "5000");
  here.group1("sys/fs/cgroup/cpu/tight", "1", "1");
  CHECK(here.free() == "8192000 ");
  here.group1("my groups/memory/a/b", "5000000", "3000000", "1000000");
  CHECK(here.free() == "3000000 the cgroup");
  here.group1("my groups/memory/a", "2000000", "1500000");
  CHECK(here.free() == "500000 the cgroup");
}

TEST_CASE("free memory: files that are cut, empty or hold no numbers limit nothing") {
  const made_up_machine here;
  here.put("proc/self/mountinfo", std::string("x\n - cgroup\n - cgroup2 a b\n\\\n") + mount2);
  here.put("proc/self/cgroup", "0\n:\n0::/a\n");
  const std::string group = "sys/fs/cgroup/a";
  here.group2(group, "", "");
  CHECK(here.free() == "8192000 ");
  here.group2(group, "many", "few");
  CHECK(here.free() == "8192000 ");
  here.put("proc/self/limits", "Max address space \nMax data size");
  here.put("proc/self/status", "");
  CHECK(here.free() == "8192000 ");
}

#ifndef TEFF_UNDER_ASAN
TEST_CASE("free memory: a child under ulimit -v is told of it, and gets what is left") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    constexpr std::size_t room = std::size_t{200} << 20, slack = std::size_t{8} << 20;
    std::ifstream statm("/proc/self/statm");
    std::size_t pages = 0;
    statm >> pages;
    const std::size_t most = pages * static_cast<std::size_t>(getpagesize()) + room;
    const struct rlimit limit { most, most };
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(1);
    const auto left = runtime::free_host_memory();
    if (left.limit != "ulimit -v" || left.bytes > room || left.bytes < room - slack) _exit(2);
    const std::string said =
        message_of([] { array<u8, 1>(device::cpu(), {index_t{300} << 20}, "T"); });
    (void)!write(ends[1], said.data(), said.size());
    if (message_of([] { array<u8, 1>(device::cpu(), {index_t{150} << 20}, "T"); }) != "") _exit(3);
    _exit(0);
  }
  close(ends[1]);
  char said[500] = {};
  (void)!read(ends[0], said, sizeof said - 1);
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(contains(said, "asked 315 MB for array 'T', free 2"));
  CHECK(contains(said, " MB (ulimit -v); use smaller extents or f32"));
}
#endif
