"""One motion: simulated, stepped, restored."""
import os
import pickle
import signal
import threading

import numpy as np
import pytest

import armature
from conftest import DISK, model_file, table


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
    with pytest.raises(ZeroDivisionError):
        model.simulate(end=1000, record=1, progress=lambda t, steps: 1 / 0)


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


def test_states_share_their_numbers():
    model = armature.load(model_file("four_bar"))
    sim = model.start()
    state = sim.state
    state.q[0] += 1
    with pytest.raises(armature.ComputationError, match="does not satisfy the constraints"):
        sim.state = state
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
    assert caught.value.run.t[-1] == pytest.approx(0.5, abs=0.02)


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
