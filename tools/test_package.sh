#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_package.sh BUILD: installs BUILD to a temporary prefix, and builds and runs the outside
# project test/package against it, by find_package and by pkg-config.
set -euo pipefail
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

cmake --install "$build" --prefix "$prefix" >"$work/install.txt" || { cat "$work/install.txt"; exit 1; }
"$prefix/bin/teff" --help >/dev/null
for file in man/man1/teff.1 bash-completion/completions/teff zsh/site-functions/_teff \
  fish/vendor_completions.d/teff.fish; do
  test -s "$prefix/share/$file"
done
cmake -S test/package -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$work/build"
ctest --test-dir "$work/build" --output-on-failure --no-tests=error
tests=$(ctest --test-dir "$work/build" -N | sed -n 's/^Total Tests: //p')

# A component that is not there is said by its name.
mkdir "$work/other"
printf 'cmake_minimum_required(VERSION 3.25)\nproject(other LANGUAGES CXX)\n%s\n' \
  'find_package(teff REQUIRED COMPONENTS nothing)' >"$work/other/CMakeLists.txt"
if cmake -S "$work/other" -B "$work/other/build" -DCMAKE_PREFIX_PATH="$prefix" \
  >"$work/other/said.txt" 2>&1 || ! grep -q "no component 'nothing'" "$work/other/said.txt"; then
  cat "$work/other/said.txt"
  exit 1
fi
tests=$((tests + 1))

skipped=0
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
  # shellcheck disable=SC2046  # the flags are words
  g++ test/package/triad.cpp $(pkg-config --cflags --libs teff) -o "$work/triad"
  "$work/triad"
  # shellcheck disable=SC2046
  g++ test/package/files.cpp $(pkg-config --cflags --libs teff-io) -o "$work/files"
  (cd "$work" && ./files)
  # shellcheck disable=SC2046
  g++ test/package/rod.cpp $(pkg-config --cflags --libs teff-solve) -o "$work/rod"
  (cd "$work" && ./rod --steps 20 --save T.npy >rod.txt && test -s T.npy)
  tests=$((tests + 3))
else
  echo "teff.pc is not tried: no pkg-config here"
  skipped=1
fi
echo "$((tests + 1)) passed, 0 failed, $skipped skipped"
