#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes sure that what the build needs is there: silent when it is; else installs it from the
# system's registry (Debian, Ubuntu), or says what is missing. Arguments: further tools needed, each
# by the name of its package and command, or as below.
set -euo pipefail

# package:what it brings (a command, a header, or a library)
needs=(
  g++:g++ cmake:cmake ninja-build:ninja python3:python3 git:git
  doctest-dev:doctest/doctest.h libcli11-dev:CLI/CLI.hpp nlohmann-json3-dev:nlohmann/json.hpp
  libpng-dev:png.h libxxhash-dev:xxhash.h libboost-context-dev:libboost_context.a pkgconf:pkg-config
  libopenblas0:libopenblas.so.0 gnuplot-nox:gnuplot
)
for tool in "$@"; do
  case $tool in *:*) needs+=("$tool") ;; *) needs+=("$tool:$tool") ;; esac
done

find_missing() {
  missing=()
  for need in "${needs[@]}"; do
    local package=${need%%:*} brings=${need#*:}
    case $brings in
      *.h | *.hpp) [ -e "/usr/include/$brings" ] || [ -e "/usr/local/include/$brings" ] ;;
      *.a | *.so.*) compgen -G "/usr/lib/*/$brings" >/dev/null || [ -e "/usr/lib/$brings" ] ||
        [ -e "/usr/local/lib/$brings" ] ;;
      *) command -v "$brings" >/dev/null ;;
    esac || missing+=("$package")
  done
}

give_up() {
  echo "set-up: $1. Missing, by their Debian names: ${missing[*]}" >&2
  exit 1
}

find_missing
[ ${#missing[@]} -eq 0 ] && exit 0

command -v apt-get >/dev/null || give_up "this system has no apt-get; please install them yourself"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || give_up "installing needs root or sudo"
  as_root=(sudo)
fi
echo "set-up: installing ${missing[*]}" >&2
"${as_root[@]}" apt-get update -qq >&2 || give_up "apt-get update failed"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 || give_up "apt-get install failed"
find_missing
[ ${#missing[@]} -eq 0 ] || give_up "still not found after the installation"
