"""One motion: simulated, stepped, restored."""
import copy
import os
import pickle
import re
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import armature
from conftest import DISK, PROGRAM, model_file, table


def test_simulates_as_the_program_does(program):
    _, folder = program("run", "rrr", "--end", "1", "--no-report")
    names, rows = table(folder / "trajectory.csv")
    run = armature.load(model_file("rrr")).simulate(end=1)
    assert [name.split(" [")[0] for name in names] == run.names
    np.testing.assert_array_equal(rows, run.to_numpy())


def test_takes_parameters_and_formulations(program):
    _, folder = program("run", "rrr", "--set", "l1=0.6", "--end", "0.5", "--formulation", "null_space", "--no-report")
    _, rows = table(folder / "trajectory.csv")
    run = armature.load(model_file("rrr"), l1=0.6).simulate(end=0.5, formulation="null_space")
    np.testing.assert_array_equal(rows, run.to_numpy())


def test_arrays_are_views():
    run = armature.load(model_file("rrr")).simulate(end=0.1)
    assert np.shares_memory(run["theta1"], run.to_numpy())
    assert run.t[-1] == pytest.approx(0.1)
    with pytest.raises(ValueError):
        run.t[0] = 1
    with pytest.raises(KeyError, match="did you mean 'theta1'"):
        run["theta_1"]
    rows = run.to_numpy()
    del run  # the rows stay
    assert np.isfinite(rows[:, 0]).all()


def test_errors_have_file_line_and_sentence():
    with pytest.raises(armature.InputError) as caught:
        armature.parse("armature: 1\nname: two\ngravity: [0, 0, 0]\nbodies:\n  a: {mass: 1 m}\n  b: {mass: -1 kg}\n")
    assert (caught.value.line, caught.value.key) == (5, "bodies.a.mass")
    assert "expected kg" in caught.value.sentence
    assert len(caught.value.problems) >= 2
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems
    with pytest.raises(FileNotFoundError):
        armature.load("nowhere.yaml")
    with pytest.raises(TypeError, match="there is no option 'rtoll'"):
        armature.parse(DISK).start(rtoll=1)


def test_comments_in_latin_1_are_read_as_the_program_reads_them(tmp_path):
    (tmp_path / "latin.yaml").write_bytes(DISK.encode() + b"# caf\xe9 \xc3\xa9\n")
    subprocess.run([PROGRAM, "check", tmp_path / "latin.yaml"], check=True, capture_output=True, timeout=60)
    model = armature.load(tmp_path / "latin.yaml")
    assert model.text.endswith("# caf\u00e9 \u00e9\n")
    model.save(tmp_path / "saved.yaml")
    assert (tmp_path / "saved.yaml").read_text(encoding="utf-8") == model.text


def test_texts_that_are_none_are_refused():
    for text in ("armature: 1 # \ud800", b"armature: 1"):
        with pytest.raises(armature.InputError, match="a string that a file can hold"):
            armature.parse(text)


def test_a_failed_motion_keeps_its_rows():
    model = armature.parse(DISK.replace("is: u", "is: 1 N*m/(1 - t/(1 s))^2").replace("end: 1 s", "end: 2 s"))
    with pytest.raises(armature.ComputationError, match="t = 1") as caught:
        model.simulate()
    assert caught.value.run.t[-1] == pytest.approx(1, abs=0.02)
    assert model.simulate(check=False).outcome.status == "failed"


def test_progress_stops_and_raises():
    model = armature.load(model_file("rrr"))
    run = model.simulate(end=1000, record=1, progress=lambda t, steps: t < 1)
    assert run.outcome.status == "stopped"
    assert re.fullmatch(r"stopped at t = [0-9.e+-]+ s of 1000 s: the progress function returned False", run.outcome.sentence)
    with pytest.raises(ZeroDivisionError) as caught:
        model.simulate(end=1000, record=1, progress=lambda t, steps: 1 / 0)
    assert caught.value.run.outcome.sentence.endswith("the progress function raised ZeroDivisionError")
    assert any(entry.name == "<lambda>" for entry in caught.traceback)


def test_ctrl_c_keeps_the_rows():
    def press(t, steps):
        if t > 0.1:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(armature.Interrupted) as caught:
        armature.load(model_file("rrr")).simulate(end=1e5, record=0.01, progress=press)
    assert caught.value.run.t[-1] > 0.09
    assert caught.value.run.outcome.status == "stopped"


def test_ctrl_c_stops_a_long_step():
    sim = armature.load(model_file("rrr")).start(record=True)
    main = threading.main_thread().ident

    def press():  # once the other thread is moving: this one is refused then
        try:
            while True:
                sim.t
        except armature.InputError:
            signal.pthread_kill(main, signal.SIGINT)

    presser = threading.Thread(target=press)
    presser.start()
    with pytest.raises(KeyboardInterrupt):
        sim.advance(1e9)
    presser.join()
    assert sim.outcome.status == "stopped"
    assert sim.finish().t[0] == 0


def test_threads_run_beside_each_other():
    model = armature.load(model_file("rrr"))
    runs = [None] * 4

    def simulate(k):
        runs[k] = model.simulate(end=0.5)

    threads = [threading.Thread(target=simulate, args=(k,)) for k in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    for run in runs[1:]:
        np.testing.assert_array_equal(run.to_numpy(), runs[0].to_numpy())


def test_steps_with_inputs(disk):
    sim = disk.start()
    sim.u["u"] = 3
    sim.advance(2)  # a = 3/2
    assert sim["turn'"] == pytest.approx(3, abs=1e-9)
    sim.u[0] = -1
    sim.step(1)
    assert sim["turn'"] == pytest.approx(2.5, abs=1e-9)
    assert sim.t == 3
    assert sim.u.keys() == ["u"] and len(sim.u) == 1 and sim.u["u"] == -1
    sim.u = [2]
    assert sim["u"] == 2
    before = sim.t
    sim.step()
    assert sim.t > before
    with pytest.raises(armature.InputError, match="there is no input 'v'"):
        sim.u["v"] = 1
    with pytest.raises(armature.InputError, match="there is no channel"):
        sim["tun"]


def test_a_parameter_becomes_an_input(disk):
    sim = disk.start(inputs=["J"])
    sim.u["u"], sim.u["J"] = 4, 1
    sim.advance(1)
    assert sim["turn'"] == pytest.approx(4, abs=1e-9)


def test_snapshots_restore_the_same_bits():
    sim = armature.load(model_file("rrr")).start()
    sim.advance(0.2)
    there = pickle.loads(pickle.dumps(sim.snapshot()))
    ends = []
    for _ in range(2):
        sim.restore(there)
        assert sim.t == 0.2
        sim.advance(0.5)
        ends.append(sim.state.q.copy())
    np.testing.assert_array_equal(*ends)


def test_a_simulation_goes_on_from_a_state_that_closes_the_loops():
    model = armature.load(model_file("four_bar"))
    sim = model.start()
    with pytest.raises(armature.ComputationError, match="does not satisfy the constraints"):
        sim.state = sim.state.replace(q=sim.state.q + 1)
    sim.state = model.project(model.assemble(crank_angle=1.2))
    assert sim["crank_angle"] == pytest.approx(1.2, abs=1e-12)


def test_events_are_listed_as_they_happen(disk):
    sim = armature.parse(DISK + "record: {events: {half: turn - 0.5}}\n").start(record=True)
    sim.u["u"] = 2
    sim.advance(1.1)
    assert [event.t for event in sim.events] == [pytest.approx(1, abs=1e-8)]
    run = sim.finish()
    assert run.outcome.status == "finished" and len(run) > 100
    with pytest.raises(armature.ComputationError, match="has ended"):
        sim.step(1)


def test_python_functions_control_a_motion(disk):
    # a spring and a damper in Python: x'' = -4 x - 4 x' + 4, critically damped
    run = disk.simulate(end=8, control={"u": lambda sim: 8 * (1 - sim["turn"]) - 8 * sim["turn'"]}, sample=1e-3)
    t = run.t
    np.testing.assert_allclose(run["turn"], 1 - (1 + 2 * t) * np.exp(-2 * t), atol=2e-3)


def test_a_controller_that_raises_keeps_the_data(disk):
    def late(sim):
        if sim.t > 0.5:
            raise RuntimeError("enough")
        return 1.0

    with pytest.raises(RuntimeError, match="enough") as caught:
        disk.simulate(control={"u": late}, sample=0.01)
    run = caught.value.run
    assert run.t[-1] == pytest.approx(0.5, abs=0.02)
    assert run.outcome.status == "stopped"
    assert run.outcome.sentence == "stopped at t = 0.51 s: the function for 'u' raised RuntimeError: enough"


def test_a_controlled_motion_says_what_stopped_it(disk):
    run = disk.simulate(control={"u": lambda sim: 1.0}, sample=0.1, progress=lambda t, pieces: pieces < 3)
    assert run.outcome.status == "stopped"
    assert run.outcome.sentence == "stopped at t = 0.3 s: the progress function returned False"


@pytest.mark.parametrize("command, words", [
    (lambda sim: None, "the function for 'u' returned None, not a number"),
    (lambda sim: [1, 2], "the function for 'u' returned"),
    (lambda sim: float("nan"), "the input 'u' is set to nan"),
    (lambda sim: sim.step(0.1), "a controller cannot move the simulation"),
    (lambda sim: sim.finish(), "a controller cannot move the simulation"),
])
def test_controllers_return_numbers(disk, command, words):
    with pytest.raises((TypeError, armature.InputError), match=words) as caught:
        disk.simulate(control={"u": command})
    assert caught.value.run.outcome.status == "stopped"


def test_arguments_of_another_kind_get_a_sentence(disk):
    sim = disk.start()
    for call, words in (
        (lambda: sim.step("a"), "step.dt. takes a time in s"),
        (lambda: sim.advance(None), "advance.t. takes a time in s"),
        (lambda: sim.advance(), "advance.t. takes a time in s"),
        (lambda: sim.read(3), "read.channels. takes a list"),
        (lambda: sim[3], "channels are named by a string"),
        (lambda: sim.u.__setitem__("u", None), "an input takes a number"),
        (lambda: sim.restore(3), "what snapshot.. gave"),
        (lambda: armature.State("a", 2), "lists or arrays of numbers"),
        (lambda: disk.simulate(end="a long time"), "simulate.end"),
        (lambda: disk.simulate(integrator=5), "integrator is 5, but must be a name"),
        (lambda: disk.simulate(end=True), "end is True, but must be a finite number"),
        (lambda: disk.simulate(state=3), "state is 3, but must be a State"),
        (lambda: disk.simulate(control={"u": 3}), "expected a function of the simulation"),
        (lambda: disk.start(inputs="J"), "inputs must be a list of names"),
        (lambda: disk.start(record="no"), "simulate.record"),
        (lambda: disk.sweep({"J": (1, 2, 2)}, {"a": "max(turn)"}, seed=-1), "seed is -1"),
        (lambda: disk.simulate(branch=0), "branch is 0, but must lie between 1"),
        (lambda: disk.simulate(progress=3), "progress is 3, but must be True, False or a function"),
        (lambda: disk.sweep({"J": (1, 2, 2)}, {"a": "max(turn)"}, progress="yes"), "progress is 'yes'"),
        (lambda: disk.sweep({"J": (1, 2, 2)}, {"a": "max(turn)"}, gpu="single"), "gpu is 'single', but must be True, False, 'fast' or 'preview'"),
        (lambda: disk.start(inputs=["J", "J"]), "inputs: 'J' is named twice"),
        (lambda: disk.simulate(results={"a": 3}), "results a is 3, but must be a text"),
        (lambda: disk.simulate(control={"W": lambda sim: 1.0}), "there is no input or parameter 'W'; expected u, J"),
        (lambda: armature.Environment(disk, {"u": (-1, 1)}, ["turn"], horizon=0), "horizon is 0, but must lie between 1"),
        (lambda: disk.map({"J": (1, 2, 3)}, {"a": "b"}), "classify is .*, but must be a text"),
        (lambda: disk.map({"J": (1, 2)}, "far: final(turn) > 1; near"), "over J: a grid needs a count: .1, 2, count."),
        (lambda: disk.sweep({"J": (1, 2)}, {"a": "max(turn)"}), "over J: a grid needs a count: .1, 2, count."),
        (lambda: disk.sweep({"J": "normal(1, 0.1)"}, {"a": "max(turn)"}), "a distribution needs random points"),
        (lambda: disk.sweep({"J": (1, 2, 10**12)}, {"a": "max(turn)"}), "the count is 1000000000000, but must be less"),
    ):
        with pytest.raises((TypeError, armature.InputError), match=words) as caught:
            call()
        assert "::" not in str(caught.value) and "_core" not in str(caught.value)


def test_options_are_numbers_or_formulas(disk):
    assert disk.simulate(end="500 ms").t[-1] == disk.simulate(end=0.5).t[-1] == 0.5
    assert disk.simulate(end=np.float32(0.5)).t[-1] == 0.5


def test_a_simulation_records_at_an_interval(disk):
    for record, step in ((0.05, 0.05), (True, 0.001)):  # a thousandth of the end, where the file says nothing
        sim = disk.start(record=record, end=1)
        sim.step(0.5)
        np.testing.assert_allclose(np.diff(sim.finish().t), step, atol=1e-12)
    with pytest.raises(armature.InputError, match="record"):
        disk.start(record=0.0)


@pytest.mark.parametrize("name", ["rrr", "four_bar", "slider_crank_equal"])
def test_branches_have_the_digits_of_the_program(program, name):
    _, folder = program("run", name, "--branch", "2", "--end", "0.5", "--no-report")
    _, rows = table(folder / "trajectory.csv")
    np.testing.assert_array_equal(rows, armature.load(model_file(name)).simulate(branch=2, end=0.5, check=False).to_numpy())


def test_a_motion_goes_on_with_the_digits_of_the_program(program, tmp_path):
    _, folder = program("run", "rrr", "--end", "0.25", "--no-report")
    first = folder.rename(tmp_path / "first")
    _, folder = program("run", "rrr", "--from", str(first), "--end", "0.5", "--no-report")
    _, rows = table(folder / "trajectory.csv")
    model = armature.load(model_file("rrr"))
    np.testing.assert_array_equal(rows, model.simulate(state=model.simulate(end=0.25).last, end=0.5).to_numpy())


def test_channels_are_read_by_name_or_number(disk):
    sim = disk.start()
    sim.u["u"] = 2
    sim.advance(1)
    np.testing.assert_array_equal(sim.read(["turn", "turn'"]), sim.read([sim.channel("turn"), sim.channel("turn'")]))
    assert list(sim.u) == ["u"] and dict(sim.u) == {"u": 2}


def same(a, b):
    """Whether two results have the same content."""
    members = [name for name in dir(type(a)) if isinstance(getattr(type(a), name), property)]
    return type(a) is type(b) and members and all(str(getattr(a, name)) == str(getattr(b, name)) for name in members)


def test_results_can_be_pickled(disk):
    run = disk.set(J=1).simulate(control={"u": lambda sim: 1.0})
    twin = pickle.loads(pickle.dumps(run))
    np.testing.assert_array_equal(twin.to_numpy(), run.to_numpy())
    assert twin.names == run.names and same(twin.outcome, run.outcome) and same(twin.last, run.last)
    assert not twin.to_numpy().flags.writeable
    assert twin.page() == run.page()
    np.testing.assert_array_equal(copy.deepcopy(run).to_numpy(), run.to_numpy())
    crane, rrr = armature.load(model_file("crane")), armature.load(model_file("rrr"))
    four_bar = armature.load(model_file("four_bar"))
    state = rrr.assemble()
    for result in (
        run.outcome.statistics, run.channels[1], crane._model.parameters[0],
        rrr.terms(state.q, state.v), rrr.accelerate(state.q, state.v), rrr.singularities(end=0.3),
        crane.sweep({"rope": (0.5, 1, 2)}, {"x": "final(travel)"}, end=0.1), four_bar.modes(), four_bar.modes().modes[0],
        crane.map({"rope": (0.5, 1, 2)}, "far: final(travel) > 1; near", end=0.1),
        crane.optimize({"volts": (2, 12)}, "(final(travel) - 1)^2", end=0.2, evaluations=5),
    ):
        assert same(pickle.loads(pickle.dumps(result)), result), result
    assert type(pickle.loads(pickle.dumps(run.outcome))) is armature.Outcome


def test_errors_can_be_pickled_with_their_runs(disk):
    def late(sim):
        raise ValueError("enough")

    failing = armature.parse(DISK.replace("is: u", "is: 1 N*m/(1 - t/(1 s))^2").replace("end: 1 s", "end: 2 s"))
    for call, kind in ((lambda: disk.simulate(control={"u": late}), ValueError), (failing.simulate, armature.ComputationError)):
        with pytest.raises(kind) as caught:
            call()
        twin = pickle.loads(pickle.dumps(caught.value))
        assert type(twin) is kind and str(twin) == str(caught.value)
        np.testing.assert_array_equal(twin.run.to_numpy(), caught.value.run.to_numpy())
    twin = pickle.loads(pickle.dumps(armature.Interrupted(disk.simulate())))
    assert len(twin.run) == len(disk.simulate())


@pytest.mark.parametrize("call", [
    "model.simulate(end=1e6, record=100)",
    "model.sweep({'l1': (.5, .6, 100000)}, {'a': 'max(theta1)'}, end=5)",
    "model.simulate(end=1e6, record=100, progress=lambda *progress: None)",
    "sim.advance(1e6)",
])
def test_threads_that_compute_do_not_disturb_the_end(call):
    script = f"""
import armature, threading, time
model = armature.load({model_file("rrr")!r})
sim = model.start()
threading.Thread(target=lambda: {call}, daemon=True).start()
time.sleep(0.3)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_functions_called_at_the_end_still_compute():
    script = f"""
import atexit
import armature
atexit.register(lambda: print(len(armature.load({model_file("rrr")!r}).simulate(end=0.1))))
atexit.register(lambda: None)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and int(done.stdout) > 10, done.stderr


def test_models_can_be_pickled():
    model = armature.load(model_file("rrr"), l1=0.6)
    twin = pickle.loads(pickle.dumps(model))
    assert twin.parameters == model.parameters
    np.testing.assert_array_equal(twin.simulate(end=0.1).to_numpy(), model.simulate(end=0.1).to_numpy())


def test_memory_stays_flat(disk):
    import resource

    model = disk
    count = int(os.environ.get("ARMATURE_RUNS", "400"))  # 10000: a minute
    for _ in range(100):
        model.simulate(end=0.01)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(count):
        model.simulate(end=0.01)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1000  # kB


def test_errors_of_a_controller_pass_whatever_they_are():
    def command(sim):
        if sim.t > 0.1:
            raise armature.ComputationError("mine")
        return 0.0

    with pytest.raises(armature.ComputationError, match="mine"):
        armature.load(model_file("crane")).simulate(end=1, control={"volts": command}, sample=0.01)


def test_a_motion_without_rows_says_so():
    sim = armature.load(model_file("crane")).start()
    sim.step(0.1)
    run = sim.finish()
    assert "<p>" in run._repr_html_()
    with pytest.raises(ValueError, match="no rows"):
        run.t


def test_names_and_files_that_are_missing(disk, tmp_path):
    run, sim = disk.simulate(), disk.start()
    assert list(run) == run.names
    swept = disk.sweep({"J": (1, 2, 2)}, {"a": "max(turn)"})
    for ask in (lambda: run["nope"], lambda: sim["nope"], lambda: sim.u["nope"], lambda: swept["nope"]):
        with pytest.raises(armature.UnknownName, match="^there is no ") as caught:
            ask()
        assert isinstance(caught.value, KeyError) and isinstance(caught.value, armature.InputError)
    with pytest.raises(KeyError, match="channels are named by a string"):
        run[0]
    missing = str(tmp_path / "none.urdf")
    for read in (armature.load, armature.import_robot):
        with pytest.raises(armature.MissingFile, match="none.urdf: there is no such file") as caught:
            read(missing)
        again = pickle.loads(pickle.dumps(caught.value))
        assert isinstance(again, FileNotFoundError) and isinstance(again, armature.InputError)
        assert (again.filename, str(again), again.file) == (missing, str(caught.value), missing)
    with pytest.raises(FileNotFoundError) as caught:
        disk.export(tmp_path / "none" / "disk.c")
    assert caught.value.filename == str(tmp_path / "none" / "disk.c")


def test_errors_come_from_a_repetition(monkeypatch):
    """The oscillator x'' = -x: at t = 20 s x = cos(20), and the error that is told bounds the true one."""
    monkeypatch.setenv("ARMATURE_VERIFY", "always")
    text = """
armature: 1
plane: xy
gravity: [0, 0, 0]
bodies: {mass: {mass: 1}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: 1}}}
start: {keep: {x: 1}}
simulate: {end: 20 s, record: 0.1 s, rtol: 1e-5}
"""
    model = armature.parse(text)
    run = model.simulate(results={"late": "final(x)"})
    assert abs(run.results["late"] - np.cos(20)) <= 2 * run.errors.results["late"] < 1e-2
    assert abs(run["x"][-1] - np.cos(20)) <= 2 * run.errors.last["x"]
    assert run.errors.missing == "" and run.errors.parts_at is None and "dop853" in run.errors.repetition
    with pytest.raises(armature.InputError, match="give a later end"):
        model.simulate(state=run.last)
    alone = model.simulate(results={"late": "final(x)"}, verify=False)
    assert alone.errors is None
    assert alone.results == run.results
    assert np.array_equal(alone.to_numpy(), run.to_numpy())


def test_drift_can_be_accepted():
    """Euler's method with steps of 10 ms makes a rod grow."""
    text = """
armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies: {bob: {mass: 1, inertia: {zz: 0.01}}}
joints: {fly: {type: planar, between: [ground, bob]}}
constraints: {rod: {type: distance, between: [ground, bob], length: 1}}
start: {keep: {fly.x: 1, fly.angle: 0}}
simulate: {end: 2 s, integrator: euler, step: 10 ms, stabilization: none}
"""
    model = armature.parse(text)
    with pytest.warns(RuntimeWarning, match="energy"), pytest.raises(armature.ComputationError, match="the constraints are violated"):
        model.simulate()
    with pytest.warns(RuntimeWarning, match="the constraints are violated"):
        run = model.simulate(drift="accept")
    assert run.outcome.status == "finished"
