#!/bin/sh
# Every verb of an installed Armature, in a folder of its own: each must end with exit code 0 and leave a complete result.
# usage: every_verb.sh PROGRAM MODELS
set -u
program=$1 models=$2
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0 done=' '

# verb WORD...: runs one line; what it prints is shown where it fails.
verb() {
  if ! "$program" "$@" >log 2>&1 || [ -n "$(find . -name '*.partial')" ]; then
    echo "FAILED: armature $*"
    cat log
    failures=$((failures + 1))
  fi
  done="$done$1 "
}

verb run "$models/four_bar.yaml" -o motion
verb check "$models/rrr.yaml"
verb assemble "$models/rrr.yaml"
verb kinematics "$models/four_bar.yaml" --move 'crank_angle=t' --end 1 -o moved
verb inverse "$models/slider_crank.yaml" -o efforts
verb compare "$models/four_bar.yaml" "$models/four_bar.yaml"
verb equations "$models/pendulum.yaml"
verb plot motion -o plot.svg
verb draw "$models/four_bar.yaml" -o drawing.pdf
verb film motion -o film.gif --fps 5 --size 160x120
verb run "$models/pendulum.yaml" --end 1 -o swung
verb map "$models/pendulum.yaml" --over swing=0:4:3 --classify 'slow: max(abs(swing'\'')) < 3; fast' -o map
verb sweep "$models/pendulum.yaml" --over swing=0:4:3 --result 'peak=max(swing)' -o sweep
verb optimize "$models/pendulum.yaml" --over swing=0:1 --minimize 'max(swing)' --evaluations 4 -o best
verb identify "$models/pendulum.yaml" swung/trajectory.csv --fit length=0.5:2 --use swing -o fitted
verb plan "$models/plan/cart.yaml" --to 'travel=1 m' --input push=-2:2 -o plan
verb modes "$models/pendulum.yaml" -o modes
verb tune "$models/arm_on_circle.yaml" --integrator euler --step 0.1 --end 0.1 --alpha 2:20:2 --beta 2:20:2 -o gains
verb singularities "$models/slider_crank_equal.yaml" --end 0.1 --moves slide -o singular
verb singularities "$models/slider_crank.yaml" --over crank=0:1:3 -o workspace
verb export "$models/four_bar.yaml" --c -o four_bar.c
verb export "$models/four_bar.yaml" --fmu -o four_bar.fmu
# an imported FMU runs in a program that is installed beside this one
cat >coupled.yaml <<END
armature: 1
plane: xy
gravity: [0, 0, 0]
bodies: {b: {mass: 1 kg, inertia: {zz: 1}}}
joints: {q: {type: revolute, axis: z, between: [ground, b]}}
forces: {f: {type: effort, on: q, is: four_bar.crank_angle*1 N*m}}
fmus: {four_bar: {file: four_bar.fmu, step: 0.1 s}}
simulate: {end: 1 s}
END
export XDG_STATE_HOME="$folder/state"
verb run coupled.yaml --trust -o coupled
verb export "$models/four_bar.yaml" --urdf -o four_bar.urdf
verb import four_bar.urdf -o imported.yaml
verb format belt
verb gallery --from "$models/.." --only rrr/fig2a -o gallery
verb doctor
verb demo
verb demo delta -o delta
verb completions bash
verb manual run

# view serves until it is interrupted
"$program" view "$models/four_bar.yaml" --no-open >log 2>&1 &
for _ in 1 2 3 4 5 6 7 8 9 10; do grep -q http log && break; sleep 0.5; done
grep -q http log || { echo 'FAILED: armature view'; cat log; failures=$((failures + 1)); }
kill -INT $! && wait $! 2>/dev/null
done="${done}view "

"$program" --help >log
for name in $(sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' log); do
  case $done in *" $name "*) ;; *) echo "no line runs the verb $name"; failures=$((failures + 1)) ;; esac
done
[ $failures = 0 ] && echo "every verb of $program works"
