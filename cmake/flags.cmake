# SPDX-License-Identifier: MIT
# The flags that Teff's promises rest on; users of teff::teff inherit them.
#  - nothing but the expression tree decides what becomes a fused multiply-add: no contraction
#  - an fma is one instruction: a CPU that has it (x86-64-v3; every arm64 does)
set(teff_cxx_flags -ffp-contract=off)
if(TEFF_NATIVE)
  list(APPEND teff_cxx_flags -march=native)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND teff_cxx_flags -march=x86-64-v3)
endif()

# CMake 3.25 can not ask nvcc 13 for C++20 and silently takes 17, so the flag is written out.
# FindOpenMP speaks to g++ only, so -fopenmp is repeated.
list(JOIN teff_cxx_flags "," host_flags)
set(teff_cuda_flags -std=c++20 --extended-lambda --expt-relaxed-constexpr
  -Xcompiler=-fopenmp,${host_flags})

if(TEFF_WERROR)
  # Off, because they speak of what is right: -Wrestrict, which g++ 12 and 13 report for every
  # "text" + std::string (GCC bug 105651); -Wmissing-field-initializers, as options are given by
  # name, f({.steps = 3}); in CUDA, the device's #pragma unroll, unknown to the host compiler.
  set(warnings -Wall -Wextra -Werror -Wno-missing-field-initializers)
  list(JOIN warnings "," host_warnings)
  add_compile_options(
    "$<$<COMPILE_LANGUAGE:CXX>:${warnings};-Wpedantic>"
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings;-Xcompiler=${host_warnings}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wno-restrict,-Wno-unknown-pragmas>")
endif()
