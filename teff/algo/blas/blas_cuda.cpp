// SPDX-License-Identifier: MIT
#include <map>
#include <mutex>

#include <cuda_runtime_api.h>

#include <teff/algo/blas/cublas.hpp>
#include <teff/algo/blas/shared_library.hpp>
#include <teff/base/current_device.cuh>

namespace teff::blas::cuda {

namespace {

/// cuBLAS by its binary interface, so that a toolkit without it will do. @source cublas_api.h
class cublas {
 public:
  using handle = void*;
  template <class T>
  using gemm_function = int(handle, int operation_a, int operation_b, std::int64_t m,
                            std::int64_t n, std::int64_t k, const T* alpha, const T* a,
                            std::int64_t lda, const T* b, std::int64_t ldb, const T* beta, T* c,
                            std::int64_t ldc);
  template <class T>
  using gemv_function = int(handle, int operation_a, std::int64_t m, std::int64_t n, const T* alpha,
                            const T* a, std::int64_t lda, const T* x, std::int64_t incx,
                            const T* beta, T* y, std::int64_t incy);
  template <class T>
  using geam_function = int(handle, int operation_a, int operation_b, std::int64_t m,
                            std::int64_t n, const T* alpha, const T* a, std::int64_t lda,
                            const T* beta, const T* b, std::int64_t ldb, T* c, std::int64_t ldc);

  static const cublas& loaded() {
    static const cublas library;
    if (!library.file_.is_there())
      throw error(failure::no_device, "matrix products on a GPU: " + missing());
    return library;
  }
  static std::string soname() { return "libcublas.so." + std::to_string(CUDART_VERSION / 1000); }
  static std::string missing() {
    return soname() + " was not found; install cuBLAS, or put its folder into LD_LIBRARY_PATH";
  }

  /// The handle of a stream, made when it is first asked for. Its device must be current, also in
  /// the calls that take the handle. (One for each stream: the products of two streams must not
  /// share a workspace.) Handles live as long as the program.
  handle of(const stream& on) const {
    static std::mutex one_at_a_time;
    static std::map<std::pair<int, void*>, handle> handles;
    const std::lock_guard lock(one_at_a_time);
    handle& found = handles[{on.dev().ordinal(), on.native()}];
    if (found == nullptr) check(file_.function<int(handle*)>("cublasCreate_v2")(&found), "create");
    check(file_.function<int(handle, void*)>("cublasSetStream_v2")(found, on.native()),
          "set the stream");
    return found;
  }
  template <class T>
  gemm_function<T>* gemm() const {
    return file_.function<gemm_function<T>>(sizeof(T) == 8 ? "cublasDgemm_v2_64"
                                                           : "cublasSgemm_v2_64");
  }
  template <class T>
  gemv_function<T>* gemv() const {
    return file_.function<gemv_function<T>>(sizeof(T) == 8 ? "cublasDgemv_v2_64"
                                                           : "cublasSgemv_v2_64");
  }
  template <class T>
  geam_function<T>* geam() const {
    return file_.function<geam_function<T>>(sizeof(T) == 8 ? "cublasDgeam_64" : "cublasSgeam_64");
  }
  void check(int status, const char* what) const {
    if (status == 0) return;
    const char* const text = file_.function<const char*(int)>("cublasGetStatusString")(status);
    throw error(std::string("cuBLAS could not ") + what + ": " + text);
  }

 private:
  cublas() : file_{soname(), "/usr/local/cuda/lib64/" + soname()} {}
  detail::shared_library file_;
};

}  // namespace

std::string why_missing() {
  try {
    (void)cublas::loaded();
    return "";
  } catch (const error&) {
    return cublas::missing();
  }
}

template <class T>
void gemm(const stream& on, index_t m, index_t n, index_t k, const matrix<const T>& A,
          const matrix<const T>& B, const matrix<T>& C) {
  const runtime::cuda::current_device here(on.dev().ordinal());
  const cublas& library = cublas::loaded();
  const T one{1}, zero{};
  library.check(
      library.gemm<T>()(library.of(on), A.is_transposed, B.is_transposed, m, n, k, &one, A.data,
                        A.distance, B.data, B.distance, &zero, C.data, C.distance),
      "multiply the matrices");
}

template <class T>
void gemv(const stream& on, index_t m, index_t n, T alpha, const matrix<const T>& A, const T* x,
          T beta, T* y) {
  const runtime::cuda::current_device here(on.dev().ordinal());
  const cublas& library = cublas::loaded();
  library.check(library.gemv<T>()(library.of(on), A.is_transposed, m, n, &alpha, A.data, A.distance,
                                  x, 1, &beta, y, 1),
                "multiply matrix and vector");
}

template <class T>
void transpose(const stream& on, index_t m, index_t n, const T* A, T* B) {
  const runtime::cuda::current_device here(on.dev().ordinal());
  constexpr int as_it_is = 0, transposed = 1;
  const cublas& library = cublas::loaded();
  const T one{1}, zero{};
  // B = 1 A^T + 0 B: what is multiplied by zero is not read.
  library.check(
      library.geam<T>()(library.of(on), transposed, as_it_is, n, m, &one, A, m, &zero, B, n, B, n),
      "transpose the matrix");
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

}  // namespace teff::blas::cuda
