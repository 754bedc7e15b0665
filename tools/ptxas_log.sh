#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiler launcher: keeps what ptxas says of each kernel (registers, stack, spills) beside the
# object file, as OBJECT.ptxas, for check_spills.py; everything else nvcc says is passed on.
object=
previous=
for argument in "$@"; do
  [ "$previous" = -o ] && object=$argument
  previous=$argument
done
case $object in
  *.o) ;;
  *) exec "$@" ;;
esac
"$@" -Xptxas=-v 2>"$object.ptxas"
status=$?
grep -v -e '^ptxas info' -e 'bytes stack frame' "$object.ptxas" >&2
exit $status
