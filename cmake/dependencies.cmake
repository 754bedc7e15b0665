# SPDX-License-Identifier: MIT
# What Teff is built with besides a compiler, its OpenMP, and threads: each found by CMake, so that
# CMAKE_PREFIX_PATH, and what a module, Spack or conda set, count like the system's own places. The
# library needs none of it; what a part lacks is listed in teff_missing, `part|what|Debian's name`,
# where a part is `io`, `solve` or `tests`, or says in words what there is not without it.
set(teff_missing "")
macro(teff_note_missing part what package)
  list(APPEND teff_missing "${part}|${what}|${package}")
endmacro()

# Some modules name their folders only in the compiler's variables, conda only its own prefix.
foreach(variable CPATH CPLUS_INCLUDE_PATH)
  cmake_path(CONVERT "$ENV{${variable}}" TO_CMAKE_PATH_LIST paths)
  list(APPEND CMAKE_INCLUDE_PATH ${paths})
endforeach()
cmake_path(CONVERT "$ENV{LIBRARY_PATH}" TO_CMAKE_PATH_LIST paths)
list(APPEND CMAKE_LIBRARY_PATH ${paths})
if(DEFINED ENV{CONDA_PREFIX})
  list(APPEND CMAKE_PREFIX_PATH $ENV{CONDA_PREFIX})
endif()

# teff_find_headers(TARGET PACKAGE HEADER): a library of headers, by its package or by themselves.
macro(teff_find_headers target package header)
  find_package(${package} QUIET)
  if(NOT TARGET ${target})
    find_path(teff_${package}_include ${header})
    mark_as_advanced(teff_${package}_include)
    if(teff_${package}_include)
      add_library(${target} INTERFACE IMPORTED)
      target_include_directories(${target} SYSTEM INTERFACE ${teff_${package}_include})
    endif()
  endif()
endmacro()

# The emulator's fibers. Static where possible: programs then run where there is no Boost.
set(Boost_USE_STATIC_LIBS ON)
find_package(Boost QUIET CONFIG COMPONENTS context)
if(NOT TARGET Boost::context)
  set(Boost_USE_STATIC_LIBS OFF)
  find_package(Boost QUIET CONFIG COMPONENTS context)
endif()
if(NOT TARGET Boost::context)
  teff_note_missing("no emulator of block kernels on a CPU" Boost.Context libboost-context-dev)
endif()

# matmul on a CPU loads a BLAS at run time: the loader's, else the one that is found here.
find_library(teff_openblas NAMES libopenblas.so.0 openblas)
mark_as_advanced(teff_openblas)
if(NOT teff_openblas)
  teff_note_missing("no matmul on a CPU" OpenBLAS libopenblas0)
endif()

# teff::io: files and pictures.
find_package(PNG QUIET)
if(NOT PNG_FOUND)
  teff_note_missing(io libpng libpng-dev)
endif()
find_path(XXHASH_INCLUDE_DIR xxhash.h)  # checksums of checkpoints
mark_as_advanced(XXHASH_INCLUDE_DIR)
if(NOT XXHASH_INCLUDE_DIR)
  teff_note_missing(io xxHash libxxhash-dev)
endif()

# teff::solve: commands of solvers.
teff_find_headers(nlohmann_json::nlohmann_json nlohmann_json nlohmann/json.hpp)
if(NOT TARGET nlohmann_json::nlohmann_json)
  teff_note_missing(solve "nlohmann's JSON" nlohmann-json3-dev)
endif()
teff_find_headers(CLI11::CLI11 CLI11 CLI/CLI.hpp)
if(NOT TARGET CLI11::CLI11)
  teff_note_missing(solve CLI11 libcli11-dev)
endif()
if(NOT PROJECT_IS_TOP_LEVEL)  # the library within another project: no command, no tests
  return()
endif()

find_program(teff_gnuplot gnuplot)
mark_as_advanced(teff_gnuplot)
if(NOT teff_gnuplot)
  teff_note_missing("no charts and no .gif" gnuplot gnuplot-nox)
endif()

find_program(teff_git git)
mark_as_advanced(teff_git)
if(NOT teff_git)
  teff_note_missing("no commit in results" git git)
endif()

teff_find_headers(doctest::doctest doctest doctest/doctest.h)
if(NOT TARGET doctest::doctest)
  teff_note_missing(tests doctest doctest-dev)
endif()
find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  teff_note_missing(tests python3 python3)
endif()
