// expect: gemv multiplies matrices and vectors of f64 or f32.
#include <teff/teff.hpp>

void misuse(teff::array<teff::i32, 1>& y, const teff::array<teff::i32, 2>& A,
            const teff::array<teff::i32, 1>& x) {
  teff::gemv(y, A, x);
}
