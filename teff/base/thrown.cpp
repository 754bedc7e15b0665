// SPDX-License-Identifier: MIT
#include <exception>
#include <memory>
#include <string>

#include <teff/base/error.hpp>
#include <teff/base/thrown.hpp>

namespace teff::runtime {

void thrown_in_loop::keep(index_t i) noexcept {
  if (what_ != nullptr) return;
  what_ = new std::exception_ptr(std::current_exception());
  i_ = i;
}

namespace {

/// The exception, of which nothing is kept any more.
std::exception_ptr taken(void* what) {
  const std::unique_ptr<std::exception_ptr> kept(static_cast<std::exception_ptr*>(what));
  return *kept;
}

}  // namespace

void thrown_in_loop::throw_as_it_is() const {
  std::rethrow_exception(taken(what_));
}

void thrown_in_loop::throw_named(int rank, index_t j, index_t k) const {
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
