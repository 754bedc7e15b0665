#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_python.sh BUILD [--long]: the Python package of BUILD in a folder, and its tests: with NumPy and
# pytest from PyPI in an environment of their own, in build/python, or with the system's where PyPI
# can not be reached; tests are run side by side where PyPI gives pytest-xdist. Notebooks run in
# Jupyter's kernel and an example uses xarray where PyPI gives them. What looks at NumPy's arrays is run
# by the system's Python and NumPy, too, which may be of another major version, while PyPI's come.
# --long: all bits, and the wheel that pip builds.
set -euo pipefail
build=$1 long=${2:-}
work=build/python
mkdir -p $work
# What Python compiles of its modules is kept, for the hundreds of processes to come, and not among them.
export PYTHONPYCACHEPREFIX=$PWD/$work/bytecode

has_tools() { "$1" -c 'import numpy, pytest' 2>/dev/null; }
has_more() { "$1" -c 'import ipykernel, nbclient, xarray, xdist' 2>/dev/null; }
python=$work/environment/bin/python system=/usr/bin/python3
make_environment() {
  if ! has_tools $python; then
    rm -rf $work/environment
    { python3 -m venv $work/environment && $python -m pip install -q --no-compile numpy pytest; } || return 0
  fi
  has_more $python || $python -m pip install -q --no-compile nbclient ipykernel xarray pytest-xdist || true
}
make_environment >$work/environment.txt 2>&1 & making=$!
trap 'kill $making 2>/dev/null || true' EXIT

cmake --build "$build" --target teff_c >$work/build.txt || { cat $work/build.txt; exit 1; }
rm -rf $work/package $work/said*.txt
cmake --install "$build" --component python --prefix $work/package >$work/install.txt
more=${long:+1} failed=''
export TEFF_TEST_PACKAGE=$work/package TEFF_TEST_CACHE=$work/cache TEFF_TEST_LONG=$more
if has_tools $system; then  # meanwhile
  of_arrays=(test/python/test_{arrays,refused_arrays,calls,runs,solver,reference}.py)
  $system -c 'import numpy, sys; print("Python", sys.version.split()[0], "NumPy", numpy.__version__)'
  $system -m pytest -q -p no:cacheprovider "${of_arrays[@]}" >$work/said_system.txt 2>&1 || failed=1
else
  echo "1 skipped: $system has no NumPy and pytest (Debian: python3-numpy python3-pytest)" \
    >$work/said_system.txt
fi
cat $work/said_system.txt

wait $making || true  # has_tools says how it went
if ! has_tools $python; then
  for python in python3 $system ''; do
    if [ -n "$python" ] && has_tools "$python"; then break; fi
  done
fi
if [ -z "$python" ]; then
  echo "no Python with NumPy and pytest (Debian: python3-numpy python3-pytest), and none could be made:"
  tail -n 3 $work/environment.txt
  echo "0 passed, 0 failed, 1 skipped"
  exit
fi
if [ "$(command -v "$python")" -ef $system ]; then rm $work/said_system.txt; fi  # all tests come now
if [ -n "$long" ]; then
  $python -m pip wheel -q --no-deps -w $work/wheel ./python
  compgen -G "$work/wheel/teff-*-py3-none-*.whl" >/dev/null
fi
side_by_side=
if $python -c 'import xdist.scheduler.worksteal' 2>/dev/null; then side_by_side="-n auto --dist worksteal"; fi
# shellcheck disable=SC2086  # options are words
$python -m pytest -q -p no:cacheprovider $side_by_side test/python >$work/said.txt 2>&1 || failed=1
cat $work/said.txt
# pytest's last lines, as the steps of ./run test say it.
count() {
  tail -qn 1 "$work"/said*.txt | { grep -oE "[0-9]+ $1" || true; } | awk '{ sum += $1 } END { print sum + 0 }'
}
bad=$(($(count failed) + $(count error)))
if [ -n "$failed" ] && [ $bad = 0 ]; then bad=1; fi
echo "$(count passed) passed, $bad failed, $(count skipped) skipped"
[ $bad = 0 ]
