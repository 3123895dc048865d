"""Every verb of the command line gives the same numbers from Python."""
import concurrent.futures
import json
import multiprocessing
import signal
import threading

import numpy as np
import pytest

import armature
from conftest import cells, model_file, table


def load(name, **parameters):
    return armature.load(model_file(name), **parameters)


def test_sweep(program):
    _, folder = program("sweep", "crane", "--over", "rope=0.5:1:3", "--result", "peak=max(abs(motor.current))", "--end", "2")
    names, rows = cells(folder / "cells.csv")
    found = load("crane").sweep({"rope": (0.5, 1, 3)}, {"peak": "max(abs(motor.current))"}, end=2)
    np.testing.assert_array_equal(found["rope"], [float(x) for x in rows[:, 0]])
    np.testing.assert_array_equal(found["peak"], [float(x) for x in rows[:, 1]])
    assert found.values.shape == (3, 1)


def test_map(program):
    _, folder = program("map", "press", "--over", "w0=1.5:3:4", "--classify", "turns: turns(phi) >= 1; rests", "--end", "5")
    names, rows = cells(folder / "cells.csv")
    found = load("press").map({"w0": (1.5, 3, 4)}, "turns: turns(phi) >= 1; rests", end=5)
    assert found.classes == ["turns", "rests"]
    np.testing.assert_array_equal(found.points[:, 0], [float(x) for x in rows[:, 0]])
    np.testing.assert_array_equal(found.motion_class, [int(x) for x in rows[:, names.index("number")]])


def test_optimize(program):
    result, _ = program("optimize", "crane", "--over", "volts=2:12", "--minimize", "(final(travel) - 1)^2", "--end", "2")
    found = load("crane").optimize({"volts": (2, 12)}, "(final(travel) - 1)^2", end=2)
    assert found.found
    text = json.dumps(result)
    assert repr(float(found.point[0])) in text
    assert repr(found.objective) in text
    with pytest.raises(armature.InputError, match="one of minimize and maximize"):
        load("crane").optimize({"volts": (2, 12)})


def test_tune(program):
    arguments = ["--alpha", "0:20:3", "--beta", "0:100:3", "--integrator", "rk4", "--step", "1e-3", "--end", "1"]
    result, _ = program("tune", "four_bar", *arguments)
    found = load("four_bar").tune([0, 10, 20], [0, 50, 100], integrator="rk4", step=1e-3, end=1)
    assert found.found
    text = json.dumps(result)
    assert repr(found.error) in text
    assert found.error < found.error_without


def test_modes(program):
    result, _ = program("modes", "five_bar")
    found = load("five_bar").modes()
    text = json.dumps(result)
    for mode in found.modes:
        assert repr(mode.eigenvalue.real) in text
    assert found.A.shape == (len(found.states), len(found.states))
    assert found.B.shape == (len(found.states), len(found.inputs))
    # the modes are the eigenvalues of A
    eigenvalues = np.linalg.eigvals(found.A)
    for mode in found.modes:
        assert np.min(np.abs(eigenvalues - mode.eigenvalue)) < 1e-6 * max(1, abs(mode.eigenvalue))


def test_singularities(program):
    result, _ = program("singularities", "rrr", "--end", "1")
    found = load("rrr").singularities(end=1)
    text = json.dumps(result)
    assert found.poses
    for pose in found.poses:
        assert repr(pose.t) in text
        assert pose.kind in text


def test_kinematics(program):
    _, folder = program("kinematics", "four_bar", "--move", "crank_angle=60 deg + 2*t", "--end", "1", "--no-report")
    _, rows = table(folder / "trajectory.csv")
    run = load("four_bar").kinematics({"crank_angle": "60 deg + 2*t"}, end=1)
    np.testing.assert_array_equal(rows, run.to_numpy())


def test_inverse(program):
    _, folder = program("inverse", "slider_crank", "--no-report")
    _, rows = table(folder / "trajectory.csv")
    np.testing.assert_array_equal(rows, load("slider_crank").inverse().to_numpy())


def test_equations(program):
    for format in ("text", "latex", "python"):
        result, _ = program("equations", "crane_lagrangian", "--format", format)
        assert load("crane_lagrangian").equations(format=format) == result["equations"]
    assert load("crane_lagrangian").equations(latex=True).count("\\") > 10
    with pytest.raises(armature.InputError, match="there is no format 'word'"):
        load("crane_lagrangian").equations(format="word")


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
        with pytest.raises(armature.InputError, match="cells.jsonl:2: this is no cell of the study"):
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


def test_assemble(program):
    result, _ = program("assemble", "four_bar", "--all")
    branches = load("four_bar").branches()
    text = json.dumps(result)
    assert len(branches) == 2
    for branch in branches:
        for number in branch.q:
            assert repr(float(number)) in text


def test_check(program):
    result, _ = program("check", "rrr")
    model = load("rrr")
    assert (result["bodies"], result["notes"]) == (model.bodies, model.notes)
    assert [joint["name"] for joint in result["joints"]] == model.joints
    assert (result["coordinates"], result["constraints"], result["degrees_of_freedom"]) == (
        len(model.positions), model.constraints, model.degrees_of_freedom)
