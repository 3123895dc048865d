#!/bin/bash
# The processor time of a start of the program: bench/start_time.sh PROGRAM MODELS [RUNS]
set -euo pipefail
program=$(realpath "$1") models=$(realpath "$2") runs=${3-50}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
TIMEFORMAT='%U %S'

# measure NAME WORD...: user and system time of one run, in milliseconds.
measure() {
  local name=$1 took
  shift
  took=$({ time for ((i = 0; i < runs; ++i)); do "$program" "$@" >/dev/null; done; } 2>&1)
  echo "$took" | awk -v name="$name" -v runs="$runs" '{ printf "%6.1f ms  %s\n", 1000 * ($1 + $2) / runs, name }'
}
export ARMATURE_VERIFY=0
measure 'armature --version' --version
measure 'armature run pendulum.yaml --no-verify --no-report' run "$models/pendulum.yaml" --no-report --quiet -o motion
unset ARMATURE_VERIFY
measure 'armature run pendulum.yaml' run "$models/pendulum.yaml" --quiet -o motion
