#!/usr/bin/env bash
# Sets up, builds and runs Armature on Debian 12 and 13: installs what is missing, configures once, builds what changed.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
build=$root/build/release
preset=release
log=$root/build/setup.log
packages_log=$root/build/packages.log

run_packages=(cmake ninja-build g++ libeigen3-dev libyaml-cpp-dev libcli11-dev libfmt-dev libsundials-dev
  nlohmann-json3-dev libcairo2-dev libhdf5-dev libnlopt-dev coinor-libipopt-dev libasmjit-dev libcpp-httplib-dev libpugixml-dev
  zlib1g-dev)
# What makes the pages of reports: Node bundles them, clang compiles the kernel that computes in them. What came from elsewhere does as well.
page_packages=()
command -v npm >/dev/null || page_packages+=(nodejs npm)
command -v clang++ >/dev/null && command -v wasm-ld >/dev/null || page_packages+=(clang lld)
python_packages=(pybind11-dev python3-dev python3-numpy python3-pip python3-setuptools python3-wheel)
test_packages=(libgtest-dev libgmock-dev librapidcheck-dev clang-format chromium ffmpeg locales openmpi-bin "${python_packages[@]}" python3-pytest
  python3-matplotlib python3-pandas python3-distributed python3-mpi4py)
fuzz_packages=(clang libclang-rt-14-dev)
format_packages=(cmake clang-format)
tidy_packages=(clang-tidy)
package_packages=(dpkg-dev file gzip)
docs_packages=(mkdocs mkdocs-material libjs-katex)
bench_packages=(libbenchmark-dev libmujoco-dev libsimbody-dev libdart-dev)

usage() {
  cat <<END
usage: ./go run MODEL [OPTIONS]   simulate a model file; the options are those of 'armature run'
       ./go test [--all]          run the fast tests; --all adds the slow ones; other options go to ctest
       ./go build                 build the program build/release/apps/cli/armature
       ./go package               make a .deb and a tar.gz of the program, its models and its pages in build/release/packages
       ./go wheel                 make a wheel of the Python package in build/wheels
       ./go docs                  build the documentation as a site in build/docs; ./go docs --serve shows it
       ./go pictures              draw the pictures of the documentation again
       ./go time [TARGET ...]     build from nothing without ccache and print the processor time of each target
       ./go time --what-if FILE ...      print what a change of these files would compile again, and how long that took last time
       ./go time --start          print the processor time of a start of the program
       ./go bench                 run all benchmarks, beside other engines, and write docs/benchmarks.md
       ./go bench OPTIONS         run some and print them; the options are those of Google Benchmark
       ./go mutants [SEED [COUNT]]       check and run COUNT (3500) shipped models with mistakes in them; seed 1
       ./go mutate [ROOM ...] [MINUTES]  change one line of src/ at a time, of some folders or all, and print the changes that no test
                                         notices; 10 minutes, and on from there the next time
       ./go fuzz [TARGET [SECONDS]]      let libFuzzer search for inputs that break something; all targets, 60 s each
       ./go soak [MINUTES]               serve, run and map in one process for so long (10); fails where its memory grows
       ./go gpu [GRID]                   compare a GPU with the processor, bit by bit, over GRID x GRID motions (512), and write the
                                         section of docs/benchmarks.md
       ./go sanitize [address|thread] [--within MINUTES | --folder NAME]
                                  run the fast tests under sanitizers: address and undefined behavior, or threads;
                                  with a limit, those of the folders that are built and run within it
       ./go format                format all C++ files with clang-format 14
       ./go checks [MINUTES [CHECK ...]] run the long checks (sanitizers folder by folder, fuzz targets, tidy, coverage, soak, mutants)
                                         for so long (60), on from where they stopped, and print what each found last
       ./go tidy [FILE ...]              run clang-tidy over src/ and apps/, or over some files
       ./go root RELEASE COMMAND ...     run a command on a copy of the sources in a bare Debian of that release (bookworm, trixie), as
                                  root: ./go root trixie ./go run models/rrr.yaml
       ./go package --check [RELEASE]    install both packages in a bare Debian (bookworm) and run every verb
       ./go coverage                     run the fast tests and print the lines of src/ that they reach; fails
                                         below 90 %
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
  [ $# -gt 0 ] || return 0
  command -v dpkg-query >/dev/null || { say "this is not Debian: expecting to find $*"; return; }
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
    fail "packages are missing and there is no sudo; as root: apt-get install ${missing[*]}"
  say "installing ${missing[*]} (log: $packages_log)"
  mkdir -p "$root/build"
  { as_root apt-get update -q &&
    as_root DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
      -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "${missing[@]}"; } >>"$packages_log" 2>&1 ||
    { tail -n 20 "$packages_log" >&2; fail "could not install packages; see $packages_log"; }
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
  say "configuring and building ${build#"$root"/} (some minutes the first time)"
  mkdir -p "$root/build"
  (cd "$root" && cmake --preset "$preset" -B "$build" "${@/#/-D}") >"$log" 2>&1 ||
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

wheel() {
  install_packages "${run_packages[@]}" "${page_packages[@]}" "${python_packages[@]}"
  drop_foreign_build
  configured || configure BUILD_TESTING=OFF
  build armature_python
  mkdir -p "$root/build/wheels"
  local python
  python=$(cached Python3_EXECUTABLE)  # for which the package was compiled
  (cd "$root" && ARMATURE_BUILD=$build "$python" -m pip wheel --no-build-isolation --no-deps --no-index -q -w build/wheels .) >&2 ||
    fail "the wheel could not be made"
  ls -t "$root"/build/wheels/*.whl | head -n 1
}

# More than half of all packages are those of npm and clang, which only the page of reports needs: they are installed while the program is
# compiled.
prepare_program() {
  install_packages "${run_packages[@]}"
  install_packages "${page_packages[@]}" &
  local page=$!
  drop_foreign_build
  configured || configure BUILD_TESTING=OFF
  build armature
  wait "$page" || fail "could not install what makes the pages; see $packages_log"
  add_page
}

# A build without pages is configured again: their tools were not there yet, or npm could not fetch their packages.
add_page() {
  [[ $(cached NPM) == *NOTFOUND || $(cached WASM_LINKER) == *NOTFOUND ]] || ! has_page_packages || return 0
  command -v npm >/dev/null || return 0
  (cd "$root" && npm_config_fetch_retries=0 cmake "$build") >"$log" 2>&1 || { cat "$log" >&2; fail "configuring failed"; }
  build armature
  has_page_packages || say "npm could not fetch what makes the pages, so there are no reports; see $log"
}
has_page_packages() { [ -e "$build/viewer/node_modules/esbuild" ]; }

test_() {
  local targets=(all) selection=(-L fast)
  if [ "${1-}" = --all ]; then
    targets+=(slow_tests) selection=()
    shift
  fi
  install_packages "${run_packages[@]}" "${page_packages[@]}" "${test_packages[@]}"
  drop_foreign_build
  configure BUILD_TESTING=ON
  build "${targets[@]}"
  cd "$build"
  exec ctest --output-on-failure --no-label-summary -j "$(nproc)" "${selection[@]}" "$@"
}

bench() {
  install_packages "${run_packages[@]}" "${page_packages[@]}" "${bench_packages[@]}"
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

package() {
  if [ "${1-}" = --check ]; then check_packages "${2-bookworm}"; return; fi
  install_packages "${run_packages[@]}" "${page_packages[@]}" "${package_packages[@]}"
  drop_foreign_build
  configured || configure BUILD_TESTING=OFF
  build armature package_files
  [ "${1-}" = --no-docs ] || docs
  (cd "$build" && cpack) >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "packing failed; see $log"; }
  ls "$build"/packages/*.deb "$build"/packages/*.tar.gz
}

# in_root RELEASE COMMAND...: in a minimal Debian made anew from a kept archive, where the folder /armature holds the sources. Its
# mounts are in a name space of their own and end with it.
in_root() {
  local release=$1 place=$root/build/roots/$1 archive=$root/build/roots/$1.tar
  shift
  [ "$(id -u)" = 0 ] || fail "a bare Debian is made by root only"
  install_packages debootstrap
  mkdir -p "$root/build/roots"
  if [ ! -e "$archive" ]; then
    rm -rf "$place"
    debootstrap --variant=minbase "$release" "$place" >"$log" 2>&1 || { tail -n 5 "$log" >&2; return 3; }
    tar -C "$place" -cf "$archive.partial" . && mv "$archive.partial" "$archive"
  fi
  rm -rf "$place" && mkdir -p "$place/armature" && tar -C "$place" -xf "$archive"
  cp /etc/resolv.conf "$place/etc/resolv.conf"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard | tar -c --null -T - --ignore-failed-read) | tar -C "$place/armature" -x
  [ ! -d "$build/packages" ] || cp -r "$build/packages" "$place/packages"
  unshare --mount sh -c 'mount -t proc proc "$0/proc" && mount -t sysfs sysfs "$0/sys" && mount --rbind /dev "$0/dev" &&
    cd "$0" && exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 sh -c "cd /armature && exec \"\$@\"" sh "$@"' "$place" "$@"
}

# From the .deb with nothing but what it depends on, then from the tar.gz in a Debian without any of that.
check_packages() {
  local verbs=/armature/test/package/every_verb.sh
  ls "$build"/packages/*.deb "$build"/packages/*.tar.gz >/dev/null 2>&1 || fail "there are no packages yet; ./go package makes them"
  say "installing the .deb in a bare $1"
  in_root "$1" sh -ec "apt-get update -q >log && apt-get install -q -y --no-install-recommends /packages/*.deb >>log
    sh $verbs armature /usr/share/armature/models" || fail "the .deb does not work in a bare $1"
  say "unpacking the tar.gz in a bare $1"
  in_root "$1" sh -ec "mkdir /opt/armature && tar -C /opt/armature --strip-components=1 -xf /packages/*.tar.gz
    sh $verbs /opt/armature/bin/armature /opt/armature/share/armature/models" || fail "the tar.gz does not work in a bare $1"
}

# The site needs no network, neither to build nor to read.
docs() {
  install_packages "${docs_packages[@]}"
  cd "$root"
  if [ "${1-}" = --serve ]; then exec mkdocs serve --quiet; fi
  mkdocs build --quiet --strict --clean --site-dir "$root/build/docs" || fail "the documentation could not be built"
  cmake -D PRODUCT=site -D FILE="$root/build/docs/THIRD_PARTY_NOTICES" -P "$root/cmake/notices.cmake"
  say "wrote build/docs/index.html"
}

# Drawn by the program: docs/pictures/gallery says what.
pictures() {
  prepare_program
  local drawn=$root/build/pictures file
  "$build/apps/cli/armature" gallery --from "$root/docs/pictures" -o "$drawn" >"$log" 2>&1 ||
    { grep -A 1 FAILED "$log" >&2; fail "a picture could not be drawn; see $log"; }
  for file in "$drawn"/pictures/*_1.svg; do
    cp "$file" "$root/docs/images/$(basename "$file" _1.svg).svg"
  done
  local name arguments
  while read -r name arguments; do
    # shellcheck disable=SC2086  # words of one line
    (cd "$root" && "$build/apps/cli/armature" draw $arguments -o "docs/images/drawing_$name.svg") >"$log" 2>&1 || fail "docs/images/drawing_$name.svg could not be drawn; see $log"
  done < <(grep -v '^#' "$root/docs/pictures/drawings.txt")
  local model
  while read -r name model arguments; do
    # shellcheck disable=SC2086  # words of one line
    (cd "$root" && "$build/apps/cli/armature" run "$model" -o "$drawn/film_$name" --no-report &&
      "$build/apps/cli/armature" film "$drawn/film_$name" -o "docs/images/film_$name.gif" $arguments) >"$log" 2>&1 ||
      fail "docs/images/film_$name.gif could not be made; see $log"
  done < <(grep -v '^#' "$root/docs/pictures/films.txt")
  say "wrote docs/images/{elements,models,pages,drawing}_*.svg and film_*.gif"
  command -v chromium >/dev/null || { say "without Chromium the pictures of pages stay as they are"; return; }
  node "$root/viewer/test/doc_shots.mjs" "$build/viewer/node_modules" "$(command -v chromium)" "$build/apps/cli/armature" "$root/models" "$root/docs/images" \
    >"$log" 2>&1 || fail "the pictures of pages could not be made; see $log"
  say "wrote docs/images/{report,view}_*.png"
}

# A folder of its own, so that nothing of another build is lost. Its times are those of --what-if, if there are any.
time_() {
  case ${1-} in
    --what-if)
      shift
      [ ! -e "$root/build/time/compile_times" ] || build=$root/build/time
      exec python3 "$root/bench/what_if.py" "$build" "$@" ;;
    --start)
      prepare_program
      exec "$root/bench/start_time.sh" "$build/apps/cli/armature" "$root/models" ;;
  esac
  install_packages "${run_packages[@]}" "${page_packages[@]}" "${test_packages[@]}"
  build=$root/build/time
  drop_foreign_build
  configure BUILD_TESTING=ON CCACHE=OFF "CMAKE_CXX_COMPILER_LAUNCHER=$root/bench/timed_compiler.sh"
  [ $# -gt 0 ] || set -- armature
  exec "$root/bench/compile_time.sh" "$build" "$@"
}

mutants() {
  install_packages "${run_packages[@]}" "${page_packages[@]}" "${test_packages[@]}"
  drop_foreign_build
  configure BUILD_TESTING=ON
  build armature armature_mutants
  cd "$root/build"
  exec "$build/test/armature_mutants" "$build/apps/cli/armature" "$root/models" "${1-1}" "${2-3500}"
}

# The programs of the tests that are built take part, and those of the rooms.
mutate() {
  install_packages "${run_packages[@]}" "${page_packages[@]}" "${test_packages[@]}"
  drop_foreign_build
  configure BUILD_TESTING=ON
  local word tests=()
  for word in "$@"; do
    [ ! -d "$root/test/$word" ] || tests+=("${word}_test")
  done
  mapfile -t -O ${#tests[@]} tests < <(find "$build/test" -maxdepth 1 -name '*_test' ! -name '*_slow_test' -type f -printf '%f\n')
  build "${tests[@]}"
  exec python3 "$root/test/mutate/mutate.py" "$root" "$build" "$@"
}

soak() {
  install_packages "${run_packages[@]}" "${page_packages[@]}" "${test_packages[@]}"
  drop_foreign_build
  configure BUILD_TESTING=ON
  build armature_soak
  exec "$build/test/armature_soak" "$root/models" "${1-10}"
}

gpu() {
  install_packages "${run_packages[@]}" "${page_packages[@]}" "${test_packages[@]}"
  drop_foreign_build
  configure BUILD_TESTING=ON
  build armature_gpu_check
  exec "$build/test/armature_gpu_check" "$root/models" "${1-512}" "$root/docs/benchmarks.md"
}

fuzz() {
  local targets=(model formula table mesh robot http from resume) seconds=${2-60}
  [ $# -eq 0 ] || [ "$1" = all ] || targets=("$1")
  [[ " model formula table mesh robot http from resume " == *" ${targets[0]} "* ]] ||
    fail "there is no target '$1'; there are model, formula, table, mesh, robot, http, from, resume and all"
  install_packages "${run_packages[@]}" "${page_packages[@]}" "${test_packages[@]}" "${fuzz_packages[@]}"
  build=$root/build/fuzz
  drop_foreign_build
  configure BUILD_TESTING=ON ARMATURE_FUZZ=ON CMAKE_CXX_COMPILER=clang++ CMAKE_CXX_FLAGS_RELEASE= \
    "CMAKE_CXX_FLAGS=-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined"
  build "${targets[@]/#/fuzz_}"
  local target
  for target in "${targets[@]}"; do fuzz_one "$target" "$seconds"; done
}

# New inputs that reach new code are kept in build/fuzz/corpus; what breaks something, in build/fuzz/found.
fuzz_one() {
  local target=$1 seconds=$2 seeds=$root/test/fuzz/corpus/$1
  [ "$target" != model ] || seeds=$root/models
  [ "$target" != robot ] || seeds=$root/models/robots
  mkdir -p "$build/corpus/$target" "$build/found"
  say "fuzzing $target for $seconds s"
  (cd "$build" && "$build/test/fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$build/found/$target-" "$build/corpus/$target" "$seeds") ||
    fail "$target: an input breaks something; it lies in $build/found"
}

# instrument KIND: configures a build with sanitizers, for address and undefined behavior or for threads, or with counters of lines.
# Thread sanitizer knows nothing of glibc's vector versions of functions: the code that calls them is left out as for address.
instrument() {
  local flags="-O1 -fno-omit-frame-pointer"
  case $1 in
    address) flags+=" -fsanitize=address,undefined -fno-sanitize-recover=all" ;;
    coverage) flags+=" --coverage -fprofile-update=atomic" ;;
    thread) flags+=" -fsanitize=thread -D__SANITIZE_ADDRESS__" ;;
    *) fail "sanitize: address or thread, not '$1'" ;;
  esac
  install_packages "${run_packages[@]}" "${page_packages[@]}" "${test_packages[@]}"
  build=$root/build/$1 preset=debug
  drop_foreign_build
  configure BUILD_TESTING=ON "CMAKE_CXX_FLAGS=$flags" CMAKE_CXX_FLAGS_DEBUG=-g1
  export TSAN_OPTIONS=${TSAN_OPTIONS-halt_on_error=1} UBSAN_OPTIONS=${UBSAN_OPTIONS-print_stacktrace=1}
  export LSAN_OPTIONS=${LSAN_OPTIONS-suppressions=$root/test/leaks.txt:print_suppressions=0}
}

sanitize() {
  local kind=${1-address}
  [ $# -eq 0 ] || shift
  [ "$kind" != coverage ] || fail "sanitize: address or thread, not '$kind'"
  instrument "$kind"
  if [ "${1-}" = --within ]; then sanitize_within "$2"; return; fi
  if [ "${1-}" = --folder ]; then
    build "${2}_test"
    exec "$build/test/${2}_test" --gtest_brief=1
  fi
  build all
  cd "$build"
  exec ctest --output-on-failure --no-label-summary -j "$(nproc)" -L fast "$@"
}

# The lower folders, one after the other while there is time. Running out of time is no failure.
sanitize_within() {
  local end=$((SECONDS + $1 * 60)) folder code ran=()
  for folder in linear step expression read system mechanics force drive control; do
    code=0
    timeout $((end - SECONDS > 0 ? end - SECONDS : 1)) ninja -C "$build" --quiet "${folder}_test" >&2 || code=$?
    [ $code != 124 ] || break
    [ $code = 0 ] || fail "the build failed"
    timeout $((end - SECONDS > 0 ? end - SECONDS : 1)) "$build/test/${folder}_test" --gtest_brief=1 >&2 || code=$?
    [ $code != 124 ] || break
    [ $code = 0 ] || fail "a test of $folder failed under sanitizers"
    ran+=("$folder")
  done
  say "tests that ran under sanitizers: ${ran[*]:-none, the time was too short}"
}

format() {
  install_packages "${format_packages[@]}"
  cmake -D ROOT="$root" -D CLANG_FORMAT=clang-format -D WRITE=ON -P "$root/test/format.cmake"
}

# Without files: everything, in groups as they are compiled. Most of the work is reading other libraries' headers.
tidy() {
  install_packages "${run_packages[@]}" "${page_packages[@]}" "${test_packages[@]}" "${tidy_packages[@]}"
  build=$root/build/tidy
  [ $# -eq 0 ] || build=$root/build/tidy-files
  drop_foreign_build
  configure BUILD_TESTING=OFF CMAKE_CXX_COMPILER=clang++ CMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
    ARMATURE_UNITY=$([ $# -eq 0 ] && echo ON || echo OFF)
  mkdir -p "$build/texts" && touch "$build/texts/"{elementary,step,rollout_motion,study_motion,tuning_motion}_text.cpp  # of generated sources nothing is checked
  cd "$root"
  local files=("$@")
  [ $# -gt 0 ] || mapfile -t files < <(sed -n 's/^  "file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" | grep -v /viewer/)
  printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy -p "$build" --quiet --warnings-as-errors='*' \
    2> >(grep -v 'warnings\? \(generated\|treated\)' >&2)
}

# The programs of the tests as they are, not each test by itself: whenever one ends, all its counters are written. A test that limits
# the size of files would cut the counters off.
coverage() {
  instrument coverage
  build all
  find "$build" -name '*.gcda' -delete
  export GCOV_ERROR_FILE=$build/counters.log GTEST_BRIEF=1 GTEST_FILTER='-*DiskIsFull*:*FullDisk*'
  find "$build/test" -maxdepth 1 -name '*_test' -type f -executable -print0 | sort -z | xargs -0 -P "$(nproc)" -n 1 env >&2 ||
    fail "tests failed; see ./go test"
  (cd "$build" && ctest --no-label-summary --quiet -L fast -E '\.') || fail "tests failed; see ./go test"
  python3 "$root/test/coverage.py" "$build" "$root"
}

checks() {
  local minutes=${1-60}
  [ $# -eq 0 ] || shift
  exec python3 "$root/test/checks/checks.py" "$root" "$minutes" "$@"
}

command=${1-help}
[ $# -eq 0 ] || shift
case $command in
  run) run "$@" ;;
  test) test_ "$@" ;;
  build) prepare_program; echo "$build/apps/cli/armature" ;;
  package) package "$@" ;;
  root) [ $# -gt 1 ] || { usage >&2; exit 2; }; in_root "$@" ;;
  wheel) wheel ;;
  docs) docs "$@" ;;
  pictures) pictures "$@" ;;
  time) time_ "$@" ;;
  bench) bench "$@" ;;
  mutants) mutants "$@" ;;
  fuzz) fuzz "$@" ;;
  mutate) mutate "$@" ;;
  soak) soak "$@" ;;
  gpu) gpu "$@" ;;
  sanitize) sanitize "$@" ;;
  format) format ;;
  checks) checks "$@" ;;
  tidy) tidy "$@" ;;
  coverage) coverage "$@" ;;
  help | -h | --help) usage ;;
  *) say "unknown command '$command'"; usage >&2; exit 2 ;;
esac
