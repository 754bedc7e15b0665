// expect only: of two arrays, cell by cell, use maximum(A, B) or minimum(A, B).
#include <teff/algo/reduce.hpp>

auto misuse(const teff::array<double, 2>& A, const teff::array<double, 2>& B) {
  return teff::max(A, B);
}
