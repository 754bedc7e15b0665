#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# setup.sh [PART|TOOL]...: makes sure that what is built can be. Silent where all is there; else it
# installs what is missing from the system's registry (Debian, Ubuntu), where it may, and says what
# it can not get and for what that is needed. Parts: `command`, `tests`. A tool is named by its
# package and command, as package:command, or as package:library.so.N.
# CMake is asked what is there (cmake/dependencies.cmake): CMAKE_PREFIX_PATH, modules, Spack and
# conda count.
set -euo pipefail
cd "$(dirname "$0")/.."
logs=build/log apt_log=build/log/apt.txt
mkdir -p $logs

compiler=${CXX:-c++}  # may have options behind it
parts=() tools=("g++:${compiler%% *}" cmake:cmake ninja-build:ninja)
for word in "$@"; do
  case $word in
    command) parts+=(io solve) ;;
    tests) parts+=(io solve tests) && tools+=(pkgconf:pkg-config) ;;
    *:*) tools+=("$word") ;;
    *) tools+=("$word:$word") ;;
  esac
done

say() { echo "set-up: $*" >&2; }

why_not_apt() {
  if ! command -v apt-get >/dev/null; then
    echo "this system has no apt-get"
  elif [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    echo "installing needs root or sudo"
  fi
}

# install PACKAGE...: false if that can not be
install() {
  local as_root=()
  [ -z "$(why_not_apt)" ] || return 1
  if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
  say "installing $* (what apt says is in $apt_log)"
  { [ -e $logs/apt_updated ] || "${as_root[@]}" apt-get update; } >>$apt_log 2>&1 </dev/null &&
    touch $logs/apt_updated &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y \
      --no-install-recommends "$@" >>$apt_log 2>&1 </dev/null && return
  say "apt-get failed: $(tail -n 1 $apt_log)"
  return 1
}

# Packages of the tools that are not on the PATH, or not in the loader's list.
missing_tools() {
  local tool
  for tool in "${tools[@]}"; do
    case $tool in
      *.so.*) compgen -G "/usr/lib/*/${tool#*:}" >/dev/null ||
        PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -qF "${tool#*:} " || echo "${tool%%:*}" ;;
      *) command -v "${tool#*:}" >/dev/null || echo "${tool%%:*}" ;;
    esac
  done
}

# Lines `part|what|package` of what CMake does not find, but for parts that were not asked for.
missing_needs() {
  cmake -S cmake/needs -B build/needs -G Ninja >$logs/needs.txt 2>&1 || {
    rm -rf build/needs  # it would keep a compiler that does not work
    say "CMake failed: $logs/needs.txt says why"
    exit 1
  }
  local part rest
  while IFS='|' read -r part rest; do
    case $part in
      io | solve | tests) [[ " ${parts[*]} " != *" $part "* ]] || echo "$part|$rest" ;;
      ?*) echo "$part|$rest" ;;
    esac
  done <build/needs/missing.txt
}

rm -f $logs/apt_updated
mapfile -t missing < <(missing_tools)
if [ ${#missing[@]} -gt 0 ] && ! { install "${missing[@]}" && [ -z "$(missing_tools)" ]; }; then
  say "missing, by their Debian names: $(missing_tools | xargs). $(why_not_apt)"
  exit 1
fi

# Optional: the steps `format`, `MPI` and `python` of ./run test skip what is not there, and say so;
# with clang the step `sanitize` takes less time.
if [[ " ${parts[*]} " == *" tests "* ]] && { [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null; }; then
  for group in clang-format:clang-format "clang:clang++ libomp-dev:libomp.so.5" \
    "libopenmpi-dev:mpicc.openmpi openmpi-bin:mpirun.openmpi libmpich-dev:mpicc.mpich mpich:mpirun.mpich" \
    "python3-numpy:f2py3 python3-pytest:pytest-3"; do
    read -ra tools <<<"$group"
    mapfile -t missing < <(missing_tools)
    [ ${#missing[@]} -eq 0 ] || install "${missing[@]}" || true
  done
fi

needs=$(missing_needs)
[ -n "$needs" ] || exit 0
# Nobody is asked for a password for what is optional.
if grep -qE '^(io|solve|tests)\|' <<<"$needs" || [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null; then
  # shellcheck disable=SC2046  # packages are words
  if install $(cut -d'|' -f3 <<<"$needs"); then needs=$(missing_needs); fi
fi
is_complete=1
while IFS='|' read -r part what package; do
  case $part in
    '') ;;
    io) say "missing for files and pictures: $what (Debian: $package)" && is_complete= ;;
    solve) say "missing for the command: $what (Debian: $package)" && is_complete= ;;
    tests) say "missing for the tests: $what (Debian: $package)" && is_complete= ;;
    *) say "$part: $what was not found (Debian: $package)" ;;
  esac
done <<<"$needs"
[ -z "$needs" ] || say "CMAKE_PREFIX_PATH can name where such things are: CMAKE_PREFIX_PATH=\$HOME/local ./run ..."
[ -n "$is_complete" ] || {
  say "so nothing is built; $(why_not_apt)"
  exit 1
}
