// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <limits>

#include <omp.h>

#include <teff/algo/blas/blas.hpp>
#include <teff/algo/blas/cublas.hpp>
#include <teff/algo/blas/shared_library.hpp>
#include <teff/base/bytes.hpp>
#include <teff/base/error.hpp>
#include <teff/base/free_memory.hpp>

namespace teff {

namespace detail {

shared_library::shared_library(std::initializer_list<std::string> names) {
  for (const std::string& name : names)
    if (handle_ == nullptr) handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
}

bool shared_library::has(const char* name) const {
  return handle_ != nullptr && dlsym(handle_, name) != nullptr;
}

void* shared_library::address_of(const char* name) const {
  void* const address = handle_ == nullptr ? nullptr : dlsym(handle_, name);
  if (address == nullptr) throw error(std::string("the BLAS library has no function ") + name);
  return address;
}

}  // namespace detail

namespace blas {

namespace {

/// Found when Teff was built, perhaps where the loader does not look.
#ifdef TEFF_OPENBLAS
constexpr const char* where_built = TEFF_OPENBLAS;
#else
constexpr const char* where_built = "libopenblas.so.0";
#endif

/// OpenBLAS reserves a buffer for each of its threads, and where `ulimit` leaves no room it tries
/// again without end, also when the program ends. @source OpenBLAS 0.3.21, blas_memory_alloc
std::string why_no_room() {
  constexpr std::size_t buffer_bytes = std::size_t{128} << 20,
                        library_bytes = std::size_t{48} << 20;
  const auto threads = static_cast<std::size_t>(omp_get_max_threads());
  const std::size_t needed = threads * buffer_bytes + library_bytes;
  const runtime::free_memory left = runtime::free_host_memory();
  if (!left.limit.starts_with("ulimit") || left.bytes >= needed) return "";
  return "OpenBLAS takes " + bytes_text(needed) + " on " + std::to_string(threads) +
         (threads == 1 ? " thread" : " threads") + ", free " + left.text() +
         "; raise that limit or lower OMP_NUM_THREADS";
}

/// CBLAS by its binary interface, so that no header is needed. @source netlib's cblas.h; omatcopy
/// from that of OpenBLAS
class c_blas {
 public:
  template <class T>
  using gemm_function = void(int order, int transpose_a, int transpose_b, int m, int n, int k,
                             T alpha, const T* a, int lda, const T* b, int ldb, T beta, T* c,
                             int ldc);
  template <class T>
  using gemv_function = void(int order, int transpose_a, int m, int n, T alpha, const T* a, int lda,
                             const T* x, int incx, T beta, T* y, int incy);
  template <class T>
  using omatcopy_function = void(int order, int transpose, int rows, int columns, T alpha,
                                 const T* a, int lda, T* b, int ldb);
  static constexpr int column_major = 102, as_it_is = 111, transposed = 112;

  /// @throws error where there is no such library
  static const c_blas& loaded() {
    if (!why_missing().empty())
      throw error(failure::no_device, "matrix products on the CPU: " + why_missing());
    return library();
  }
  static const std::string& why_missing() { return library().why_missing_; }

  template <class T>
  gemm_function<T>* gemm() const {
    return file_.function<gemm_function<T>>(sizeof(T) == 8 ? "cblas_dgemm" : "cblas_sgemm");
  }
  template <class T>
  gemv_function<T>* gemv() const {
    return file_.function<gemv_function<T>>(sizeof(T) == 8 ? "cblas_dgemv" : "cblas_sgemv");
  }
  bool has_omatcopy() const { return file_.has("cblas_domatcopy"); }
  template <class T>
  omatcopy_function<T>* omatcopy() const {
    return file_.function<omatcopy_function<T>>(sizeof(T) == 8 ? "cblas_domatcopy"
                                                               : "cblas_somatcopy");
  }

 private:
  c_blas() : why_missing_(why_no_room()) {
    if (!why_missing_.empty()) return;
    file_ = detail::shared_library{"libopenblas.so.0", "libopenblas.so", "libcblas.so.3",
                                   "libblas.so.3", where_built};
    if (!file_.is_there())
      why_missing_ = "no CBLAS was found; install OpenBLAS (Debian: libopenblas0)";
  }
  static const c_blas& library() {
    static const c_blas one;
    return one;
  }

  std::string why_missing_;
  detail::shared_library file_{};
};

int as_int(index_t n) {
  if (n > std::numeric_limits<int>::max())
    throw error("CBLAS takes extents and strides up to 2147483647, got " + std::to_string(n));
  return static_cast<int>(n);
}
template <class T>
int operation(const matrix<T>& m) {
  return m.is_transposed ? c_blas::transposed : c_blas::as_it_is;
}

}  // namespace

std::string why_missing(device_kind kind) {
  return kind == device_kind::cuda ? cuda::why_missing() : c_blas::why_missing();
}

bool has_transpose(device_kind kind) {
  if (!why_missing(kind).empty()) return false;
  return kind == device_kind::cuda || c_blas::loaded().has_omatcopy();
}

template <class T>
void gemm(const stream& on, index_t m, index_t n, index_t k, const matrix<const T>& A,
          const matrix<const T>& B, const matrix<T>& C) {
  if (on.dev().is_cuda()) return cuda::gemm(on, m, n, k, A, B, C);
  c_blas::loaded().gemm<T>()(c_blas::column_major, operation(A), operation(B), as_int(m), as_int(n),
                             as_int(k), T{1}, A.data, as_int(A.distance), B.data,
                             as_int(B.distance), T{}, C.data, as_int(C.distance));
}

template <class T>
void gemv(const stream& on, index_t m, index_t n, T alpha, const matrix<const T>& A, const T* x,
          T beta, T* y) {
  if (on.dev().is_cuda()) return cuda::gemv(on, m, n, alpha, A, x, beta, y);
  c_blas::loaded().gemv<T>()(c_blas::column_major, operation(A), as_int(m), as_int(n), alpha,
                             A.data, as_int(A.distance), x, 1, beta, y, 1);
}

template <class T>
void transpose(const stream& on, index_t m, index_t n, const T* A, T* B) {
  if (on.dev().is_cuda()) return cuda::transpose(on, m, n, A, B);
  c_blas::loaded().omatcopy<T>()(c_blas::column_major, c_blas::transposed, as_int(m), as_int(n),
                                 T{1}, A, as_int(m), B, as_int(n));
}

template void gemm(const stream&, index_t, index_t, index_t, const matrix<const double>&,
                   const matrix<const double>&, const matrix<double>&);
template void gemm(const stream&, index_t, index_t, index_t, const matrix<const float>&,
                   const matrix<const float>&, const matrix<float>&);
template void gemv(const stream&, index_t, index_t, double, const matrix<const double>&,
                   const double*, double, double*);
template void gemv(const stream&, index_t, index_t, float, const matrix<const float>&, const float*,
                   float, float*);
template void transpose(const stream&, index_t, index_t, const double*, double*);
template void transpose(const stream&, index_t, index_t, const float*, float*);

}  // namespace blas
}  // namespace teff
