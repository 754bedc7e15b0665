// SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstring>

#include <teff/algo/gemv.hpp>
#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/algo/segmented.hpp>

#include "../layout.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// FNV-1a of all bits.
template <class T>
std::uint64_t hash_of(const std::vector<T>& values) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const T& value : values) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  }
  return hash;
}

/// What a device gives for numbers that do round: every sum of random arrays, f64 and f32, of
/// extents that take every way.
class recorded_sums {
 public:
  explicit recorded_sums(device dev) : dev_(dev) {}

  template <class R>
  void check(const char* what, const std::vector<R>& got, std::uint64_t recorded) {
    const std::uint64_t hash = hash_of(got);
    if (hash != recorded)
      FAIL_CHECK(std::string(what) << " of " << std::string(type_name<R>()) << " on " << dev_.name()
                                   << ": hash 0x" << hex(hash) << ", recorded 0x" << hex(recorded));
  }
  /// `recorded`: of all cells, dot, norm2, mean; along each dim; the same of A * B + C; gemv, its
  /// transpose, bags.
  template <class T>
  void check_all(const std::uint64_t (&recorded)[14]) {
    const extents<3> e(333, 257, 37);
    const auto A = random<T>(dev_, {e[0], e[1], e[2]}, 1),
               B = random<T>(dev_, {e[0], e[1], e[2]}, 2),
               C = random<T>(dev_, {e[0], e[1], e[2]}, 3);
    int at = 0;
    const auto scalar = [&](const char* what, T value) { check<T>(what, {value}, recorded[at++]); };
    scalar("sum", sum(A));
    scalar("dot", dot(A, B));
    scalar("norm2", norm2(A));
    scalar("mean", mean(A * B + C));
    for (int d = 0; d < 3; ++d) check("sum along a dim", to_host(sum(A, d)), recorded[at++]);
    for (int d = 0; d < 3; ++d)
      check("sum of A * B + C along a dim", to_host(sum(A * B + C, d)), recorded[at++]);
    const auto M = random<T>(dev_, {900, 10007}, 4);
    const auto x = random<T>(dev_, {10007}, 5), z = random<T>(dev_, {900}, 6);
    array<T, 1> y(dev_, {900}), w(dev_, {10007});
    gemv(y, M, x);
    check("gemv", to_host(y), recorded[at++]);
    gemv(w, M.t(), z);
    check("gemv of the transpose", to_host(w), recorded[at++]);
    array<T, 2> bags(dev_, {900, 3});
    segmented_sum(bags, M, {range(0, 7), range(7, 207), range(207, 10007)});
    check("bags", to_host(bags), recorded[at++]);
    array<T, 2> flat(dev_, {10007, 2});
    segmented_sum(flat, M.t(), {range(0, 33), range(33, 900)});
    check("bags of the transpose", to_host(flat), recorded[at++]);
  }

 private:
  static std::string hex(std::uint64_t hash) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
  }
  device dev_;
};

}  // namespace

/// Whatever the device, the number of threads or the version.
TEST_CASE("sums have the recorded bits") {
  for (const device dev : test_devices()) {
    recorded_sums sums(dev);
    sums.check_all<f64>({0x68ab5eff199218b9u, 0x1e5ccbc3ddb24688u, 0x821c2b7dfa1f40bcu,
                         0x5ac12d00826b4f0fu, 0x4f7b7dad35244f5du, 0x09a6453fe2f6bd02u,
                         0xa1b7eb4f59a34c6du, 0x411ae25f577d78aeu, 0x9b2fd8ac1ee6d6e3u,
                         0xebaba448cd9ffe87u, 0xf624a2cc57a6f613u, 0x0682272322a3b646u,
                         0x6e16f76396c3180au, 0x6f96e70135e60c84u});
    sums.check_all<f32>({0xa4d3e5c0d7051921u, 0x1a5d71408967bad6u, 0xca5b9109892e6dceu,
                         0x29937b7d4eeb65bau, 0x1eaa559c53a9fa5bu, 0x1222a4f2558911c9u,
                         0x43af062f1b23fe51u, 0xc6498eb246fb07a1u, 0x75008c8f6773573eu,
                         0x9c5ca38bb3888959u, 0xf33a7509e2ce0591u, 0x35fd70c6ba67699cu,
                         0xcc34684fb40dd295u, 0x3aa6f8c9f0926357u});
  }
}
