// expect: av takes values of real type (f64 or f32).
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& mean, const teff::array<teff::i32, 2>& A) {
  mean = teff::fd2::av(A);
}
