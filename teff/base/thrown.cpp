// SPDX-License-Identifier: MIT
#include <exception>
#include <memory>
#include <new>
#include <string>

#include <teff/base/error.hpp>
#include <teff/base/thrown.hpp>

namespace teff::runtime {

void thrown_in_loop::keep(index_t i) noexcept {
  if (has_thrown_) return;
  static_assert(sizeof what_ == sizeof(std::exception_ptr));
  new (what_) std::exception_ptr(std::current_exception());
  has_thrown_ = true;
  i_ = i;
}

namespace {

/// The exception, of which nothing is kept any more.
std::exception_ptr taken(unsigned char* what) {
  auto* const kept = std::launder(reinterpret_cast<std::exception_ptr*>(what));
  std::exception_ptr result = *kept;
  std::destroy_at(kept);
  return result;
}

}  // namespace

void thrown_in_loop::throw_as_it_is() {
  std::rethrow_exception(taken(what_));
}

void thrown_in_loop::throw_named(int rank, index_t j, index_t k) {
  std::string cell = "cell (" + std::to_string(i_);
  if (rank > 1) cell += ", " + std::to_string(j);
  if (rank > 2) cell += ", " + std::to_string(k);
  cell += ")";
  if (rank == 0) cell = "cell " + std::to_string(i_) + ", counted x first";
  try {
    std::rethrow_exception(taken(what_));
  } catch (const error& e) {
    std::throw_with_nested(error(e.kind(), "a function threw at " + cell + ": " + e.what()));
  } catch (const std::exception& e) {
    std::throw_with_nested(error("a function threw at " + cell + ": " + e.what()));
  } catch (...) {
    std::throw_with_nested(error("a function threw at " + cell +
                                 " what is no std::exception; it is nested in this error"));
  }
}

}  // namespace teff::runtime
