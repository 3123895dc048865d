"""Studies: what they vary, how they are stopped, where they are computed. test_verbs.py compares their numbers."""
import concurrent.futures
import multiprocessing
import signal
import threading

import numpy as np
import pytest

import armature
from conftest import model_file


def load(name, **parameters):
    return armature.load(model_file(name), **parameters)


def test_wrong_studies_raise():
    with pytest.raises(armature.InputError, match="'len' is not a parameter"):
        load("crane").sweep({"len": (0, 1, 2)}, {"x": "final(travel)"})
    with pytest.raises(armature.Stopped):
        load("crane").sweep({"rope": (0.5, 1, 4000)}, {"x": "final(travel)"}, progress=lambda done, count: False)


def test_ctrl_c_stops_a_study():
    with pytest.raises(KeyboardInterrupt):
        load("crane").sweep({"rope": (0.5, 1, 100000)}, {"x": "final(travel)"}, progress=lambda done, count: signal.raise_signal(signal.SIGINT))


OVER = {"rope": (0.5, 1, 4), "volts": (4, 8, 3)}
RESULT = {"end": "final(travel)", "peak": "max(abs(motor.current))"}


def test_study_on_executors(tmp_path):
    model = load("crane")
    sweep = model.sweep(OVER, RESULT, end=1)
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as processes:
        for executor in (None, processes):
            found = armature.study(model, OVER, RESULT, executor=executor, cells_of_a_task=5, end=1)
            np.testing.assert_array_equal(found.points, sweep.points)
            np.testing.assert_array_equal(found.values, sweep.values)
            np.testing.assert_array_equal(found["peak"], sweep["peak"])


def test_study_goes_on_from_its_journal(tmp_path):
    journal = tmp_path / "cells.jsonl"
    model = load("crane")
    whole = armature.study(model, OVER, RESULT, journal=journal, end=1)
    lines = journal.read_bytes().splitlines(keepends=True)
    assert len(lines) == 13
    journal.write_bytes(b"".join(lines[:5]) + lines[5][:7])  # stopped while a cell was written
    again = armature.study(model, OVER, RESULT, journal=journal, end=1)
    np.testing.assert_array_equal(again.values, whole.values)
    assert sorted(journal.read_bytes().splitlines()) == sorted(line.rstrip() for line in lines)
    with pytest.raises(armature.InputError, match="another study"):
        armature.study(model, OVER, RESULT, journal=journal, end=2)


class Flaky(concurrent.futures.Executor):
    """A worker that dies at its first task."""

    def __init__(self):
        self.died = False

    def submit(self, function, *arguments):
        future = concurrent.futures.Future()
        if not self.died:
            self.died = True
            future.set_exception(concurrent.futures.process.BrokenProcessPool("a worker died"))
        else:
            future.set_result(function(*arguments))
        return future


def test_study_gives_tasks_out_again():
    model = load("crane")
    found = armature.study(model, OVER, RESULT, executor=Flaky(), cells_of_a_task=5, end=1)
    np.testing.assert_array_equal(found.values, model.sweep(OVER, RESULT, end=1).values)


def test_a_wrong_study_raises_at_once():
    with pytest.raises(armature.InputError):
        armature.study(load("crane"), OVER, {"x": "final(nothing)"}, end=1)


def test_a_tuple_is_a_range_and_a_list_is_values():
    model, result = load("crane"), {"end": "final(travel)"}
    for compute in (model.sweep, lambda *what, **options: armature.study(model, *what, **options)):
        def over(values):
            return compute({"rope": values}, result, end=0.2)

        np.testing.assert_array_equal(over((0.5, 1.5, 3))["rope"], [0.5, 1, 1.5])
        np.testing.assert_array_equal(over([0.5, 1.5, 3])["rope"], [0.5, 1.5, 3])
        np.testing.assert_array_equal(over(np.linspace(0.5, 1.5, 3)).values, over((0.5, 1.5, 3)).values)
        mixed = compute({"rope": [0.5, 0.7], "volts": (4, 8, 3)}, result, end=0.2)
        np.testing.assert_array_equal(mixed.points, [[0.5, 4], [0.5, 6], [0.5, 8], [0.7, 4], [0.7, 6], [0.7, 8]])
        for wrong in ((0.5, 1, 2.5), (0.5,), (0.5, 1, 0), (0.5, np.nan, 3), [], "abc", [[1, 2]], 0.5):
            with pytest.raises(armature.InputError, match="over rope"):
                over(wrong)
        with pytest.raises(armature.InputError, match="over names what is varied"):
            compute({}, result)
        with pytest.raises(armature.InputError, match="formulas"):
            compute({"rope": [0.5]}, {})
    for refused in (lambda: model.map({"rope": [0.5, 1]}, "a: final(travel) > 1; b"),
                    lambda: model.optimize({"rope": [0.5, 1]}, "final(travel)"),
                    lambda: model.sweep({"rope": [0.5, 1]}, result, latin=4)):
        with pytest.raises(armature.InputError, match="a tuple is a range"):
            refused()


def test_sweeps_over_points():
    model, result = load("crane"), {"end": "final(travel)"}
    grid = model.sweep({"rope": [0.5, 0.7], "volts": [4, 8]}, result, end=0.2)
    points = model.sweep(["rope", "volts"], result, points=grid.points, end=0.2)
    np.testing.assert_array_equal(points.values, grid.values)
    np.testing.assert_array_equal(model.sweep(["rope"], result, points=[0.5, 0.7], end=0.2)["rope"], [0.5, 0.7])
    with pytest.raises(armature.InputError, match="rows of 2 numbers"):
        model.sweep(["rope", "volts"], result, points=[1, 2])


def test_wrong_arguments_of_a_study_get_a_sentence(tmp_path):
    model = load("crane")
    for cells in (0, -1):
        with pytest.raises(armature.InputError, match=f"cells_of_a_task is {cells}"):
            armature.study(model, OVER, RESULT, cells_of_a_task=cells)
    with pytest.raises(TypeError, match="there is no option 'latin'"):
        armature.study(model, OVER, RESULT, latin=4)
    journal = tmp_path / "cells.jsonl"
    armature.study(model, {"rope": [0.5]}, RESULT, journal=journal, end=0.1)
    good = journal.read_text().splitlines()
    for line in ("garbage", '{"cell": 7, "values": [1, 2]}', '{"cell": 0, "values": [1]}', '{"values": [1, 2]}'):
        journal.write_text("\n".join([good[0], line]) + "\n")
        with pytest.raises(armature.InputError, match="cells.jsonl:2: this line is not a result of this study"):
            armature.study(model, {"rope": [0.5]}, RESULT, journal=journal, end=0.1)


def test_ctrl_c_ends_a_study_and_keeps_its_cells(tmp_path):
    """A study that would take hours: with tasks of one cell, Ctrl-C comes after the first ones."""
    journal = tmp_path / "cells.jsonl"

    def press(done, count):
        if done > 2:
            signal.raise_signal(signal.SIGINT)

    over = {"rope": (0.5, 1, 20000)}
    with pytest.raises(KeyboardInterrupt):
        armature.study(load("crane"), over, RESULT, journal=journal, cells_of_a_task=1, progress=press, end=50)
    lines = journal.read_text().splitlines()
    assert 3 <= len(lines) - 1 < 1000
    with pytest.raises(armature.Stopped, match="of 20000 cells"):
        armature.study(load("crane"), over, RESULT, journal=journal, cells_of_a_task=1, progress=lambda done, count: False, end=50)


def test_ctrl_c_while_a_study_waits(tmp_path):
    """The main thread waits for a task that would take hours; Ctrl-C comes from outside, and the task stops too."""
    main = threading.main_thread().ident
    presser = threading.Timer(0.5, lambda: signal.pthread_kill(main, signal.SIGINT))
    presser.start()
    with pytest.raises(KeyboardInterrupt):
        armature.study(load("crane"), {"rope": (0.5, 1, 20000)}, RESULT, cells_of_a_task=20000, end=50)
    presser.join()
    assert all(not thread.name.startswith("ThreadPoolExecutor") for thread in threading.enumerate())


def test_positions_that_fail_raise_with_their_rows():
    model = armature.load(model_file("pendulum"))
    with pytest.raises(armature.ComputationError, match="the prescribed motion has no finite value") as caught:
        model.kinematics({"swing": "sqrt(0.5-t)"}, end=1)
    assert caught.value.run.t[-1] < 0.51
    assert model.kinematics({"swing": "sqrt(0.5-t)"}, end=1, check=False).outcome.status == "failed"


SOFT_BEAM = """armature: 1
plane: xy
gravity: [0, -9.81, 0]
parameters: {k: 10}
bodies: {leaf: {beam: {length: 1, section: {rectangle: [1e-3, 1e-2]}, E: 70e9, rho: 2700}}}
joints: {q: {type: revolute, between: [ground, leaf], spring: {stiffness: k}}}
simulate: {end: 0.5, record: 0.01}
"""


def test_studies_warn_of_what_a_run_warns_of():
    model = armature.parse(SOFT_BEAM)
    with pytest.warns(RuntimeWarning, match="leaf bends too far"):
        model.simulate()
    with pytest.warns(RuntimeWarning, match="2 of 2 motions: leaf bends too far"):
        sweep = model.sweep({"k": (9, 11, 2)}, {"end": "final(q)"})
    assert [kind.code for kind in sweep.warnings] == ["bending"]
    with pytest.warns(RuntimeWarning, match="leaf bends too far"):
        found = model.optimize({"k": (9, 11)}, "final(q)^2", evaluations=4)
    assert [kind.code for kind in found.warnings] == ["bending"]
    assert "local search" in found.sentence and found.sentence.startswith("smallest found: ")


def test_an_optimization_that_finds_nothing_warns():
    with pytest.warns(RuntimeWarning, match="no finite value at any point"):
        found = armature.load(model_file("pendulum")).optimize({"length": (1, 2)}, minimize="final(sqrt(0.05-t))")
    assert not found.found and np.isnan(found.objective) and found.point.size == 0


def test_studies_warn_of_what_their_motions_warn_of():
    model = armature.load(model_file("pendulum"), {"simulate.integrator": "euler", "simulate.step": "0.1 s"})
    with pytest.warns(RuntimeWarning, match="2 of 2 motions: the energy balance is off"):
        model.sweep({"length": (1, 2, 2)}, {"way": "final(swing)"})
    with pytest.warns(RuntimeWarning, match="2 of 2 motions: the energy balance is off"):
        model.map({"length": (1, 2, 2)}, "far: final(swing) > 1; near")
