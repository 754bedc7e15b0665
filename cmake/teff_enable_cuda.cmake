# SPDX-License-Identifier: MIT
#
#   teff_enable_cuda(target [SOURCES file...])
#
# Compiles these sources (default: all of the target) as CUDA, so that they hold both backends and
# the device of the arrays decides. A macro, because CMake enables a language in no function.
macro(teff_enable_cuda target)
  if(NOT teff_CUDA)
    message(FATAL_ERROR "teff_enable_cuda(${target}): this Teff was built without CUDA. Leave the "
      "call out to run on the CPU (if(teff_CUDA) tells), or rebuild Teff with -DTEFF_CUDA=ON.")
  endif()
  if(NOT CMAKE_CUDA_COMPILER_LOADED)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES ${teff_CUDA_ARCHITECTURES})
    endif()
    enable_language(CUDA)
  endif()
  teff_mark_as_cuda(${ARGV})
endmacro()

function(teff_mark_as_cuda target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES")
  if(NOT arg_SOURCES)
    get_target_property(arg_SOURCES ${target} SOURCES)
  endif()
  set_source_files_properties(${arg_SOURCES} PROPERTIES LANGUAGE CUDA)
  get_target_property(architectures ${target} CUDA_ARCHITECTURES)
  if(NOT architectures)  # the target may be older than the language
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
  endif()
endfunction()
