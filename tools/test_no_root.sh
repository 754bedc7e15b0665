#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_no_root.sh [--long]: Teff as a plain user meets it where the system has none of what Teff is
# built with, and it lies below a prefix that CMAKE_PREFIX_PATH names, or nowhere. --long also
# compiles the library, without Boost, a program of a user, and what of the command needs the prefix.
# Needs root for a mount namespace of its own, in which the system's headers are hidden; outside of
# it nothing is changed.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" != --inside ]; then
  if [ "$(id -u)" -ne 0 ] || ! command -v dpkg setpriv >/dev/null || ! unshare -m true 2>/dev/null; then
    echo "skipped: needs root, dpkg, setpriv, and a mount namespace"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
  fi
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  status=0
  unshare -m "$0" --inside "$work" "${1:-}" || status=$?
  exit $status
fi
work=$2 is_long=${3:-}
chmod 755 "$work"

# What CMake finds in the system goes to a prefix, by its Debian packages; Boost stays out.
prefix=$work/prefix
mkdir -p "$prefix" "$work/empty"
for package in nlohmann-json3-dev libcli11-dev libpng-dev libpng16-16 zlib1g-dev libxxhash-dev; do
  while read -r file; do
    if [ -f "$file" ] && [[ $file != /usr/share/doc/* ]]; then
      mkdir -p "$prefix$(dirname "${file#/usr}")"
      cp -d "$file" "$prefix${file#/usr}"
    fi
  done < <(dpkg -L "$package" 2>/dev/null)
done

# The system without it: its headers are links to themselves, less those; a program that is no
# longer executable counts as missing.
mkdir "$work/include" "$work/shown"
mount --bind /usr/include "$work/include"
cp -as "$work/include/." "$work/shown"
rm -rf "$work/shown"/{boost,nlohmann,CLI,doctest,png*.h,libpng*,xxh*.h}
mount --bind "$work/shown" /usr/include
for folder in /usr/{lib,share,lib/*-linux-gnu}/{cmake,pkgconfig}; do
  for hidden in "$folder"/{Boost,boost_,nlohmann,CLI11,doctest,libpng}*; do
    if [ -d "$hidden" ]; then mount --bind "$work/empty" "$hidden"; fi
  done
done
for program in gnuplot sudo git nvidia-smi; do
  if found=$(readlink -e "$(command -v $program)"); then mount --bind /dev/null "$found"; fi
done

tree=$work/tree
mkdir -p "$tree" "$work/home"
tar -c --exclude=./build --exclude=./.git --exclude=./results . | tar -x -C "$tree"
chown -R nobody "$tree" "$work/home"
user() {
  (cd "$tree" && env -u CONDA_PREFIX HOME="$work/home" TMPDIR="$work/home" \
    setpriv --reuid=nobody --regid=nogroup --clear-groups "$@")
}

passed=0 failed=0
# expect NAME STATUS LINE...: what user() did just now, in $said and $status
expect() {
  local name=$1 wanted=$2 line fault=
  shift 2
  [ "$status" = "$wanted" ] || fault="status $status, expected $wanted"
  for line in "$@"; do [[ $said == *"$line"* ]] || fault+=" lacks '$line'"; done
  if [ -z "$fault" ]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    printf '%s: %s\n%s\n' "$name" "$fault" "$said"
  fi
}
run() { status=0 && said=$(user "$@" 2>&1) || status=$?; }

# A CUDA compiler without a GPU: only the line that says so is looked at.
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/nvcc"
chmod 755 "$work/bin" "$work/bin/nvcc"
run env PATH="$work/bin:$PATH" ./run build
expect "nothing is there" 1 "built for the CPU; ./run build --cuda builds for GPUs too" \
  "missing for the command: CLI11 (Debian: libcli11-dev)" \
  "missing for the command: nlohmann's JSON" "missing for files and pictures: libpng" \
  "missing for files and pictures: xxHash" "no emulator of block kernels on a CPU: Boost.Context" \
  "no charts and no .gif: gnuplot" "CMAKE_PREFIX_PATH=" "nothing is built"
run ./run lab --bugdet 60
expect "a mistyped option is refused before it is built" 2 "run: ./run lab takes no '--bugdet'" \
  "--budget"
run tools/setup.sh tests
expect "tests need more" 1 "missing for the tests: doctest (Debian: doctest-dev)"
rm -rf "$tree/build/needs"
run env CXX=false tools/setup.sh command
expect "no compiler, and it is not kept" 1 "CMake failed: build/log/needs.txt says why"
run env CXX="c++ -O1" CMAKE_PREFIX_PATH="$prefix" tools/setup.sh command
expect "all but what is optional" 0 "no emulator of block kernels on a CPU: Boost.Context" \
  "no charts and no .gif: gnuplot" "no commit in results: git"
[[ $said != *"missing for"* ]] || { failed=$((failed + 1)) && echo "found nothing below the prefix"; }
run env CPATH="$prefix/include" tools/setup.sh command
expect "as some modules name headers" 0
run env CMAKE_PREFIX_PATH="$prefix" cmake --preset lean -DTEFF_CUDA=OFF -DTEFF_UNITY=OFF -B build/prefix
expect "the command is configured" 0 "without the emulator of block kernels" \
  "without tests: no doctest (Debian: doctest-dev)"
run cmake --preset lean -DTEFF_CUDA=OFF -B build/alone
expect "the library alone is configured" 0 \
  "without files and pictures (teff::io): no libpng" \
  "the libraries alone, without the command, tests and examples: no libpng"

if [ "$is_long" = --long ]; then
  run cmake --build build/prefix --target teff_lab CMakeFiles/teff_command.dir/apps/teff/cli/arguments.cpp.o
  expect "what needs something of the prefix is built" 0
  run cmake --build build/alone
  expect "the library alone is built" 0
  run cmake --install build/alone --prefix "$work/home/teff"
  expect "and installed" 0
  cat >"$tree/user.cpp" <<'END'
#include <iostream>
#include <teff/teff.hpp>
#include <teff/kernel/block.hpp>
int main() {
  teff::array<double, 1> A(teff::device::cpu(), {4}, "A");
  A = 2.0;
  std::cout << teff::sum(A) << '\n';
  try {
    teff::launch_blocks(teff::device::cpu(), {.blocks = {1}, .threads = {32}},
                        [](teff::block&) {});
  } catch (const teff::error& problem) {
    std::cout << problem.what() << '\n';
  }
}
END
  run g++ -std=c++20 -O1 -fopenmp -ffp-contract=off -march=x86-64-v3 user.cpp -o user \
    -I"$work/home/teff/include" -L"$work/home/teff/lib" -lteff -ldl
  expect "a user's program is built" 0
  run ./user
  expect "a user's program" 0 "8" "built without their emulator, which needs Boost.Context"
fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
