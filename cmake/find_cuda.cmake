# SPDX-License-Identifier: MIT
# Sets teff_CUDA: whether the GPU backend is built. TEFF_CUDA=ON makes a missing compiler an error.
set(teff_CUDA OFF CACHE INTERNAL "Whether the GPU backend is built")
if(NOT TEFF_CUDA)
  return()
endif()

if(NOT CMAKE_CUDA_COMPILER)
  unset(CMAKE_CUDA_COMPILER CACHE)  # it may have been installed since it was not found
endif()
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(teff_nvcc nvcc PATHS /usr/local/cuda/bin)  # often installed but not on the PATH
  mark_as_advanced(teff_nvcc)
  if(teff_nvcc)
    set(ENV{CUDACXX} ${teff_nvcc})
  endif()
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  execute_process(COMMAND nvidia-smi -L OUTPUT_VARIABLE gpus ERROR_QUIET RESULT_VARIABLE ignored)
  if(gpus MATCHES "GPU 0")
    set(CMAKE_CUDA_ARCHITECTURES native)
  else()
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
endif()

include(CheckLanguage)
check_language(CUDA)  # that it works, not only that it exists
if(CMAKE_CUDA_COMPILER)
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()
if(CMAKE_CUDA_COMPILER AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.0)
  set(teff_CUDA ON CACHE INTERNAL "Whether the GPU backend is built")
  set(teff_CUDA_ARCHITECTURES ${CMAKE_CUDA_ARCHITECTURES} CACHE INTERNAL "What it is built for")
  message(STATUS "Teff: CPU and CUDA ${CMAKE_CUDA_COMPILER_VERSION} (${CMAKE_CUDA_ARCHITECTURES})")
elseif(TEFF_CUDA STREQUAL "AUTO")
  message(STATUS "Teff: CPU only; no working CUDA compiler of version 12.0 or later found")
else()
  message(FATAL_ERROR "TEFF_CUDA=ON, but no working CUDA compiler of version 12.0 or later was found. "
    "Put nvcc on the PATH or set CUDACXX; -DTEFF_CUDA=OFF builds for the CPU alone.")
endif()
