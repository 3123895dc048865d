"""Every shipped model: simulate() has the bits of `armature run`, and sweep() those of `armature sweep`."""
import csv
import os
import pathlib
import subprocess

import numpy as np
import pytest

import armature

MODELS = pathlib.Path(os.environ["ARMATURE_MODELS"])
PROGRAM = os.environ["ARMATURE_PROGRAM"]
NAMES = sorted(str(file.relative_to(MODELS).with_suffix("")) for file in MODELS.rglob("*.yaml")
               if not {"motors", "robots"} & set(file.relative_to(MODELS).parts))


def asked(folder, *arguments):
    done = subprocess.run([PROGRAM, *arguments, "--no-verify", "--no-report", "-q", "-o", str(folder)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.parametrize("name", NAMES)
def test_a_motion_has_the_bits_of_the_program(name, tmp_path):
    model = armature.load(MODELS / (name + ".yaml"))
    end = min(model._model.end, 0.3)
    asked(tmp_path / "run", "run", str(MODELS / (name + ".yaml")), "--end", repr(end))
    with open(tmp_path / "run" / "trajectory.csv", encoding="utf-8") as text:
        rows = list(csv.reader(text))
    run = model.simulate(end=end, verify=False)
    assert [column.split(" [")[0] for column in rows[0]] == run.names
    written = np.array(rows[1:], dtype=float)
    np.testing.assert_array_equal(written, run.to_numpy())


@pytest.mark.parametrize("name", NAMES)
def test_a_sweep_has_the_bits_of_the_program(name, tmp_path):
    model = armature.load(MODELS / (name + ".yaml"))
    end, first = min(model._model.end, 0.1), model.simulate(end=1e-3, record=1e-3, verify=False).names[1]
    for parameter, value in model.parameters.items():
        over = f"{parameter}={value!r}:{1.01 * value if value else 0.01!r}:2"
        try:
            found = model.sweep({parameter: (value, 1.01 * value if value else 0.01, 2)}, {"x": f"final({first})"}, end=end, verify=False)
        except armature.InputError:  # a number of parts, an axis: the next one
            continue
        asked(tmp_path / "sweep", "sweep", str(MODELS / (name + ".yaml")), "--over", over, "--result", f"x=final({first})", "--set", f"simulate.end={end!r}")
        with open(tmp_path / "sweep" / "cells.csv", encoding="utf-8") as text:
            cells = list(csv.DictReader(text))
        np.testing.assert_array_equal([float(cell["x"] or "nan") for cell in cells], found["x"])
        return
