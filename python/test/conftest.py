"""Where the models and the program are, and how to ask the program."""
import csv
import json
import os
import subprocess

import numpy as np
import pytest

import armature

os.environ["ARMATURE_VERIFY"] = "0"  # most tests need no errors of their numbers
MODELS = os.environ["ARMATURE_MODELS"]
PROGRAM = os.environ["ARMATURE_PROGRAM"]

DISK = """
armature: 1
name: disk
gravity: [0, 0, 0]
plane: xy
parameters: {J: 2 kg*m^2}
inputs: {u: {unit: N*m}}
bodies: {disk: {mass: 1 kg, inertia: {zz: J}}}
joints: {turn: {type: revolute, axis: z, between: [ground, disk]}}
forces: {drive: {type: effort, on: turn, is: u}}
simulate: {end: 1 s, rtol: 1e-10}
"""


def model_file(name: str) -> str:
    return os.path.join(MODELS, name + ".yaml")


@pytest.fixture
def disk():
    return armature.parse(DISK)


@pytest.fixture
def program(tmp_path):
    """Runs the program; returns its JSON and the folder of its results."""

    def run(verb, name, *arguments):
        folder = tmp_path / "results"
        command = [PROGRAM, verb, model_file(name), "--json", *arguments]
        if verb not in ("equations", "modes", "check", "assemble"):
            command += ["-o", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout), folder

    return run


def cells(file):
    """A CSV file: names, and all entries as text."""
    with open(file, encoding="utf-8") as text:
        rows = list(csv.reader(text))
    return rows[0], np.array(rows[1:])


def table(file):
    """A CSV file: names, numbers."""
    names, rows = cells(file)
    return names, rows.astype(float)
