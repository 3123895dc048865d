#!/usr/bin/env bash
# Sets up, builds and runs Armature on Debian 12: installs what is missing, configures once, builds what changed.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
build=$root/build/release
log=$root/build/setup.log

run_packages=(cmake ninja-build g++ ccache libeigen3-dev libyaml-cpp-dev libcli11-dev libfmt-dev libsundials-dev
  nlohmann-json3-dev libcairo2-dev libhdf5-dev libnlopt-dev libasmjit-dev libcpp-httplib-dev)
# Node bundles the page of reports; one that came from elsewhere does as well.
command -v npm >/dev/null || run_packages+=(nodejs npm)
test_packages=(libgtest-dev libgmock-dev librapidcheck-dev chromium openmpi-bin)
bench_packages=(libbenchmark-dev libmujoco-dev libsimbody-dev libdart-dev)

usage() {
  cat <<END
usage: ./go run MODEL [OPTIONS]   simulate a model file; the options are those of 'armature run'
       ./go test [--all]          run the fast tests; --all adds the slow ones; other options go to ctest
       ./go build                 build the program build/release/apps/cli/armature
       ./go bench                 run all benchmarks, beside other engines, and write docs/benchmarks.md
       ./go bench OPTIONS         run some and print them; the options are those of Google Benchmark
       ./go help

Each command first installs the Debian packages it needs (as root or with sudo) and builds what has changed.
example: ./go run models/rrr.yaml --end 2
END
}

say() { echo "go: $*" >&2; }
fail() { say "$@"; exit 1; }

missing_packages() {
  comm -23 <(printf '%s\n' "$@" | sort) \
    <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' | sort)
}

as_root() {
  if [ "$(id -u)" = 0 ]; then env "$@"; else sudo env "$@"; fi
}

install_packages() {
  command -v dpkg-query >/dev/null || { say "this is not Debian: expecting to find $*"; return; }
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
    fail "packages are missing and there is no sudo; as root: apt-get install ${missing[*]}"
  say "installing ${missing[*]} (a few minutes; log: $log)"
  mkdir -p "$root/build"
  { as_root apt-get update -q &&
    as_root DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
      -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "${missing[@]}"; } >"$log" 2>&1 ||
    { tail -n 20 "$log" >&2; fail "could not install packages; see $log"; }
}

cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null; }

# A build folder that came along from another place cannot be used.
drop_foreign_build() {
  [ ! -e "$build/CMakeCache.txt" ] || [ "$(cached CMAKE_HOME_DIRECTORY)" = "$root" ] || rm -rf "$build"
}

configured() {
  [ -e "$build/build.ninja" ] || return 1
  local setting
  for setting in "$@"; do
    [ "$(cached "${setting%%=*}")" = "${setting#*=}" ] || return 1
  done
}

# configure [NAME=VALUE ...]: only if there is no build yet or one of the values differs.
configure() {
  ! configured "$@" || return 0
  say "configuring and building build/release (some minutes the first time)"
  mkdir -p "$root/build"
  (cd "$root" && cmake --preset release "${@/#/-D}") >"$log" 2>&1 ||
    { cat "$log" >&2; fail "configuring failed"; }
}

# On a terminal ninja shows how far it is; elsewhere only what goes wrong.
build() {
  local quiet=--quiet
  [ ! -t 2 ] || quiet=
  ninja -C "$build" $quiet "$@" 2>&1 | sed '/no work to do\|Entering directory/d' >&2 || fail "the build failed"
}

run() {
  [ $# -gt 0 ] || { usage >&2; exit 2; }
  local model=$1
  shift
  [ -e "$model" ] || [ ! -e "$root/$model" ] || model=$root/$model
  prepare_program
  exec "$build/apps/cli/armature" run "$model" "$@"
}

prepare_program() {
  install_packages "${run_packages[@]}"
  drop_foreign_build
  configured || configure BUILD_TESTING=OFF
  build armature
}

test_() {
  local targets=(all) selection=(-L fast)
  if [ "${1-}" = --all ]; then
    targets+=(slow_tests) selection=()
    shift
  fi
  install_packages "${run_packages[@]}" "${test_packages[@]}"
  drop_foreign_build
  configure BUILD_TESTING=ON
  build "${targets[@]}"
  cd "$build"
  exec ctest --output-on-failure --no-label-summary -j "$(nproc)" "${selection[@]}" "$@"
}

bench() {
  install_packages "${run_packages[@]}" "${bench_packages[@]}"
  drop_foreign_build
  configured ARMATURE_BENCH=ON || configure BUILD_TESTING=OFF ARMATURE_BENCH=ON
  build armature_bench armature_bench_report
  [ $# -eq 0 ] || exec "$build/bench/armature_bench" "$@"
  local results=$build/bench/results.json
  "$build/bench/armature_bench" --benchmark_out="$results" --benchmark_out_format=json \
    --benchmark_enable_random_interleaving=true >&2 || fail "the benchmarks failed"
  "$build/bench/armature_bench_report" "$results" "$root/docs/benchmarks.md"
  say "wrote docs/benchmarks.md"
}

command=${1-help}
[ $# -eq 0 ] || shift
case $command in
  run) run "$@" ;;
  test) test_ "$@" ;;
  build) prepare_program; echo "$build/apps/cli/armature" ;;
  bench) bench "$@" ;;
  help | -h | --help) usage ;;
  *) say "unknown command '$command'"; usage >&2; exit 2 ;;
esac
