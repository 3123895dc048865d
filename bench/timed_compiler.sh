#!/bin/bash
# Runs a compiler and appends the processor time that it took, in seconds, and what it made to $ARMATURE_TIMES.
made=
for ((i = 1; i < $#; ++i)); do [ "${!i}" != -o ] || { made=$((i + 1)); made=${!made}; }; done
exec 3>&2
TIMEFORMAT='%U %S'
took=$({ time "$@" 2>&3 1>&3; } 2>&1)
code=$?
echo "$took" | awk -v made="$made" '{ printf "%.2f %s\n", $1 + $2, made }' >>"$ARMATURE_TIMES"
exit $code
