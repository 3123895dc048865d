#!/bin/bash
# The processor time of a build from nothing, per target: bench/compile_time.sh BUILD_FOLDER TARGET…
# The folder is configured without ccache and with timed_compiler.sh before each compiler (see ./go time).
set -euo pipefail
build=$(realpath "$1")
shift
export ARMATURE_TIMES=$build/compile_times
rm -f "$ARMATURE_TIMES"
ninja -C "$build" -t clean >/dev/null
began=$SECONDS
ninja -C "$build" --quiet "$@" >&2
took=$((SECONDS - began))

# Objects are named FOLDER/CMakeFiles/TARGET.dir/…
awk '{ sum += $1; target = $2; sub(/\.dir\/.*/, "", target); sub(/.*\//, "", target); of[target] += $1 }
     END { for (target in of) printf "%8.1f s  %s\n", of[target], target; printf "%8.1f s  all\n", sum }' "$ARMATURE_TIMES" | sort -rn
echo "the slowest objects:"
sort -rn "$ARMATURE_TIMES" | head -n 12 | awk '{ printf "%8.1f s  %s\n", $1, $2 }'
echo "elapsed: $took s"
