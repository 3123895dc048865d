"""Models in code, terms, assembly, rollouts, environments, reports."""
import copy
import re
import signal
import threading
import warnings

import numpy as np
import pytest

import armature
from conftest import model_file


def pendulum():
    model = armature.Model("pendulum", gravity=[0, 0, -9.81])
    model.parameter("l", "2 m").input("push", "N*m")
    model.body("bob", mass="1 kg", center=[0, 0, "-l"], inertia="none")
    model.joint("hinge", "revolute", ["ground", "bob"], axis="y")
    model.force("torque", "effort", on="hinge", **{"is": "push"})
    model["start"] = {"keep": {"hinge": 0.1}}
    model["simulate"] = {"end": "2 s", "rtol": 1e-9}
    return model


def test_models_in_code(tmp_path):
    model = pendulum()
    run = model.simulate()
    np.testing.assert_allclose(run["hinge"], 0.1 * np.cos(np.sqrt(9.81 / 2) * run.t), atol=1e-3)
    model.save(tmp_path / "pendulum.yaml")
    again = armature.load(tmp_path / "pendulum.yaml").simulate()
    np.testing.assert_array_equal(again.to_numpy(), run.to_numpy())
    with pytest.raises(armature.InputError, match="the name is taken"):
        model.body("bob")
    assert model.set(l="50 cm").parameters["l"] == 0.5
    model["bodies"]["bob"]["mass"] = "2 kg"
    assert model.start().state.q[0] == pytest.approx(0.1)
    assert model.terms([0.1], [0.0]).M[0, 0] == pytest.approx(8)  # m l^2
    model.joint("wrong", "revolut", ["ground", "bob"])
    with pytest.raises(armature.InputError, match="revolut"):
        model.simulate()
    with pytest.raises(armature.InputError, match="cannot be changed"):
        armature.load(tmp_path / "pendulum.yaml").body("new")


def test_mistakes_in_used_files(tmp_path):
    (tmp_path / "part.yaml").write_text("bodies:\n  b: {mas: 1 kg, inertia: none}\n")
    (tmp_path / "m.yaml").write_text("armature: 1\ngravity: [0, 0, 0]\nuse: {p: {file: part.yaml}}\n")
    with pytest.raises(armature.InputError) as caught:
        armature.load(tmp_path / "m.yaml")
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "part.yaml"), 2)
    assert caught.value.key == "bodies.b.mas"
    assert caught.value.sentence == f"unknown key (did you mean 'mass'?) (used in {tmp_path}/m.yaml:3 as p)"


def test_files_below_a_root(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "t.csv").write_text("x,y\n0,1\n1,2\n")
    file = tmp_path / "in/m.yaml"
    file.write_text(pendulum().text + "\ntables: {f: {file: ../t.csv}}\n")
    with pytest.raises(armature.InputError, match="outside the folder of the model"):
        armature.load(file)
    model = armature.load(file, root=tmp_path)
    assert copy.copy(model).set(l=1).parameters["l"] == 1
    model.simulate(end=0.1)
    with pytest.raises(armature.InputError, match="outside the folder of the model"):
        armature.load(file, root=tmp_path / "in")


def test_texts_that_no_file_can_hold(tmp_path):
    for look in ({"view": "\ud800"}, {"title": "\ud800"}, {"trace": ["\ud800"]}):
        with pytest.raises(armature.InputError):
            pendulum().draw(tmp_path / "p.svg", **look)


def test_motors_in_code():
    model = armature.Model("cart", gravity=[0, -9.81, 0], plane="xy")
    model.input("V", "V").body("cart", mass="2 kg").joint("travel", "prismatic", ["ground", "cart"], axis="x")
    model.motor("motor", "travel", voltage="V", torque_constant="0.05 N*m/A", resistance="0.5 Ohm", rotor_inertia="2e-5 kg*m^2",
                radius="0.01 m/rad")
    sim = model.start()
    sim.u["V"] = 6
    sim.advance(20)
    assert sim["travel'"] == pytest.approx(6 / 0.05 * 0.01, rel=1e-3)  # the back-EMF is 6 V


def test_terms_and_accelerations():
    model = armature.load(model_file("rrr"))
    start = model.assemble()
    terms = model.terms(start.q, start.v, start.z)
    n, m = len(model.velocities), model.constraints
    assert terms.M.shape == (n, n) and terms.Phi.shape == (m, n)
    np.testing.assert_allclose(terms.M, terms.M.T)
    for formulation in ("auto", "null_space", "multipliers", "udwadia_kalaba"):
        a = model.accelerate(start.q, start.v, start.z, formulation=formulation)
        np.testing.assert_allclose(terms.M @ a.vdot + terms.h + terms.Phi.T @ a.multipliers, 0, atol=1e-9)
        np.testing.assert_allclose(terms.Phi @ a.vdot, terms.gamma, atol=1e-9)
    assert a.rank == n - model.degrees_of_freedom
    with pytest.raises(armature.InputError, match="^q has 6 numbers, but the machine has 7"):
        model.terms(start.q[:-1], start.v)


def test_assembly_on_branches():
    model = armature.load(model_file("four_bar"))
    one, two = model.branches(crank_angle=1.0)
    assert model.assemble(crank_angle=1.0, branch=2).q == pytest.approx(two.q)
    assert np.abs(one.q - two.q).max() > 0.1
    fast = model.assemble({"crank_angle": 1.0, "crank_angle.v": 3.0})
    sim = model.start(state=fast)
    assert sim["crank_angle'"] == pytest.approx(3, abs=1e-9)
    with pytest.raises(armature.InputError, match="branch 3: only 2 were found"):
        model.assemble(branch=3)
    with pytest.raises(armature.InputError, match="give a later end"):
        model.simulate(state=model.simulate(end=0.5).last, end=0.5)
    run = model.simulate(branch=2, end=0.5)
    assert run["rocker_angle"][0] == pytest.approx(model.branches()[1].q[model.start().channel("rocker_angle") - 1])


def test_rollout_follows_the_motion():
    model = armature.load(model_file("rrr"))
    row = model.rollout_row(model.assemble())
    states = np.tile(row, (20, 1))
    kept, failed = model.rollout(states, steps=20, step=1e-3, every=10)
    assert kept.shape == (2, 20, len(row)) and (failed == -1).all()
    sim = model.start(integrator="rk4", step=1e-3)
    sim.advance(0.02)
    for k in range(20):
        np.testing.assert_allclose(kept[1, k], model.rollout_row(sim.state), atol=1e-12)
    out = np.empty_like(states)
    again = model.rollout(states, steps=20, out=out, threads=1)
    assert again.states is out
    np.testing.assert_array_equal(out, kept[1])


def test_rollout_with_inputs():
    model = pendulum()
    states = np.tile(model.rollout_row(model.assemble()), (9, 1))
    inputs = np.random.default_rng(1).normal(size=(50, 9, 1))
    last, _ = model.rollout(states, inputs, 50, step=1e-2)
    for k in range(9):
        sim = model.start(integrator="rk4", step=1e-2)
        for step in range(50):
            sim.u["push"] = inputs[step, k, 0]
            sim.advance(1e-2 * (step + 1))
        np.testing.assert_allclose(last[k], model.rollout_row(sim.state), atol=1e-12)
    with pytest.raises(armature.InputError, match="inputs must have the shape"):
        model.rollout(states, inputs[:7], 50)
    masses, _ = model.rollout(states, np.full((9, 2), 1.0), 5, free=["l"])
    assert masses.shape == states.shape


def test_environments():
    model = armature.load(model_file("four_bar"))
    text = model.text + "inputs: {push: {unit: N*m}}\nforces: {drive: {type: effort, on: crank_angle, is: push}}\n"
    environment = armature.Environment(
        armature.parse(text), {"push": (-2, 2)}, ["crank_angle", "crank_angle'"], step=0.02, horizon=5,
        reward=lambda sim: -abs(sim["crank_angle"]), start={"crank_angle": (0.8, 1.2), "crank_angle.v": 0.5})
    first, info = environment.reset(seed=3)
    again, _ = environment.reset(seed=3)
    np.testing.assert_array_equal(first, again)
    assert 0.8 <= first[0] <= 1.2 and first[1] == pytest.approx(0.5)
    truncated = False
    for _ in range(5):
        assert not truncated
        observation, reward, terminated, truncated, info = environment.step([100.0])  # clipped
    assert truncated and not terminated
    assert reward == -abs(observation[0])
    for wrong in ([1.0, 2.0], 1.0, [[1.0]]):
        with pytest.raises(armature.InputError, match="an action has 1 numbers"):
            environment.step(wrong)
    other, info = environment.reset(options={"branch": 2, "crank_angle": 1.0})
    assert other[0] == pytest.approx(1.0) and info["branch"] == 2
    assert environment.action_space.contains(environment.action_space.sample())


def test_reports_and_plots(tmp_path):
    run = armature.load(model_file("rrr")).simulate(end=0.5)
    page = run.page()
    assert page.lstrip().lower().startswith("<!doctype html") and "theta1" in page
    assert open(run.report(tmp_path / "report.html"), encoding="utf-8").read() == page
    assert "<iframe" in run._repr_html_()


def test_reports_show_what_can_move_at_singular_poses():
    page = armature.load(model_file("rrr")).simulate(end=0.5).page()
    assert page.count('"kind":"type II"') == 3


def test_plots():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    run = armature.load(model_file("rrr")).simulate(end=0.5)
    axes = run.plot("theta1", "theta1'", "theta2")
    assert len(axes) == 2
    assert len(axes[0].lines) == 2


def test_dataframes():
    pytest.importorskip("pandas")
    run = armature.load(model_file("rrr")).simulate(end=0.1)
    frame = run.to_dataframe()
    assert frame.index.name == "t"
    np.testing.assert_array_equal(frame["theta1"], run["theta1"])


def test_docstrings_everywhere():
    for name in armature.__all__:
        if not name.startswith("__"):
            assert getattr(armature, name).__doc__, name


def test_inputs_of_a_simulation_outlive_its_name():
    u = armature.load(model_file("crane")).start(inputs=["volts"]).u
    u["volts"] = 3.0
    assert u["volts"] == 3.0


def test_states_cannot_be_changed_but_replaced():
    model = armature.load(model_file("crane"))
    state = model.assemble()
    for numbers in (state.q, state.v, model.start().state.q, model.start().snapshot().state.q, model.simulate(end=0.1).last.q):
        assert not numbers.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            numbers[0] = 1
    with pytest.raises(AttributeError):
        state.q = np.ones(len(state.q))
    fast = state.replace(v=state.v + 1, t=2.0)
    np.testing.assert_array_equal(fast.v, state.v + 1)
    np.testing.assert_array_equal(fast.q, state.q)
    assert (fast.t, state.t) == (2.0, 0.0)
    with pytest.raises(armature.InputError, match="q has .* numbers, not 5000"):
        state.replace(q=np.zeros(5000))
    with pytest.raises(TypeError, match="a state has no 'w'"):
        state.replace(w=1)
    sim = model.start()
    sim.state = fast
    assert sim.t == 2.0
    with pytest.raises(TypeError, match="the state of a simulation is a State"):
        sim.state = 3


def test_rollout_refuses_inputs_of_another_shape():
    model = armature.load(model_file("crane"))
    states = np.tile(model.rollout_row(model.assemble(), free=["volts"]), (3, 1))
    with pytest.raises(armature.InputError, match="shape"):
        model.rollout(states, np.zeros((3, 2, 1)), steps=2, free=["volts"])


def test_a_state_without_finite_constraints_is_refused():
    model = armature.load(model_file("delta"))
    state = model.assemble()
    with pytest.raises(armature.ComputationError, match="no finite value"):
        model.project(state.replace(q=np.zeros(len(state.q))))


def test_parameters_that_were_set_are_saved(tmp_path):
    model = armature.load(model_file("rrr"), {"simulate.rtol": 1e-7, "start.keep.theta1": "80 deg"}, l1="60 cm")
    model.save(tmp_path / "set.yaml")
    again = armature.load(tmp_path / "set.yaml")
    assert again.parameters == model.parameters
    # the start values come in another order, which assembly feels in the last digits
    np.testing.assert_allclose(again.simulate(end=0.1).to_numpy(), model.simulate(end=0.1).to_numpy(), atol=1e-9)
    with open(model_file("rrr"), encoding="utf-8") as text:  # comments stay
        comments = [line.split("#", 1)[1] for line in text if "#" in line]
    saved = (tmp_path / "set.yaml").read_text(encoding="utf-8")
    assert all(comment in saved for comment in comments)
    shorter = pendulum().set(l=1.5)
    shorter.body("other", mass="1 kg", inertia="none")  # a model in code stays one
    shorter.joint("second", "revolute", ["bob", "other"], axis="y")
    shorter.save(tmp_path / "shorter.yaml")
    assert armature.load(tmp_path / "shorter.yaml").parameters == {"l": 1.5}


@pytest.mark.parametrize("name", ["#x", "yes", "null", "1", "a b", "é"])
def test_names_that_mean_something_in_yaml_are_quoted(name):
    model = armature.Model("yes", gravity=[0, 0, -9.81], plane="xz")
    try:
        model.body(name, mass="1 kg", inertia="none", center=[1, 0, 0])
        model.joint("hinge", "revolute", ["ground", name], axis="y")
        bodies = model.bodies
    except armature.InputError as error:  # not a name for a body, but the name that was given
        assert repr(name)[1:-1] in str(error)
    else:
        assert bodies == [name]


def test_numbers_that_are_none_are_refused():
    for value in (np.nan, np.inf, None, True):
        with pytest.raises(armature.InputError, match="l1 is .*, but must be a finite number"):
            armature.load(model_file("rrr"), l1=value)
    with pytest.raises(armature.InputError, match="crank1.center: an entry of a list is a number, not a vector of 2"):
        armature.load(model_file("rrr"), l1=[1, 2])
    with pytest.raises(armature.InputError, match="not finite"):
        pendulum().parameter("k", np.nan).simulate()


def test_copies_of_a_model_share_nothing():
    model = pendulum()
    twin, deep = copy.copy(model), copy.deepcopy(model)
    model["bodies"]["bob"]["mass"] = "2 kg"
    model.parameter("more", 1)
    for other in (twin, deep):
        assert other["bodies"]["bob"]["mass"] == "1 kg" and list(other.parameters) == ["l"]


def test_a_model_in_code_is_shared_by_threads():
    for _ in range(10):
        model, errors = pendulum(), []

        def simulate():
            try:
                model.simulate(end=0.01)
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=simulate) for _ in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert not errors


def test_only_the_last_machines_are_kept():
    model = pendulum()
    row = model.rollout_row(model.assemble())[None]
    for k in range(20):
        model.simulate(end=0.01 + 1e-4 * k)
        model.rollout(row, steps=1, step=1e-3 + 1e-6 * k)
        model.assemble({"hinge": 0.1} if k % 2 else {"hinge.v": 0.1})
    compiled = model._compiled
    assert max(len(compiled.machines), len(compiled.models), len(compiled.rollouts), len(compiled.assemblies)) <= 8


FRICTION = """
armature: 1
name: sled
gravity: [0, -9.81, 0]
plane: xy
inputs: {push: {unit: N}}
bodies: {sled: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, sled]}}
forces:
  drive: {type: effort, on: x, is: push}
  stop: {type: effort, on: x, is: "if(x > 0.5 m, -400 N/m*(x - 0.5 m), 0 N)"}
start: {speed: {x: 2 m/s}}
"""


def test_rollouts_pass_events_as_a_run_with_their_integrator_does():
    model = armature.parse(FRICTION)
    states = np.tile(model.rollout_row(model.assemble()), (9, 1))
    states[:, 1] += np.linspace(0, 1, 9)
    kept, failed = model.rollout(states, steps=600, every=1)
    assert (failed == -1).all()
    assert (kept[:, :, 0].max(axis=0) > 0.55).all() and (kept[-1, :, 1] < 0).all()  # into the stop, and back
    for k in (0, 4, 8):
        sim = model.start(integrator="rk4", step=1e-3, state=model.assemble().replace(v=states[k, 1:2]))
        sim.advance(0.6)
        np.testing.assert_allclose(kept[-1, k], model.rollout_row(sim.state), atol=1e-9)


def test_rollouts_warn_of_what_a_run_with_their_steps_warns_of():
    # steps of 1 ms are too long for the floor: x is 68 m after 0.6 s, in place of 0.08 m, and no step fails
    model = armature.load(model_file("contact/bouncing_ball"))
    states = np.tile(model.rollout_row(model.assemble()), (9, 1))
    with pytest.warns(RuntimeWarning, match="energy: 9 of 9 motions, the first is motion 0: .* do not trust the motion"):
        _, failed = model.rollout(states, steps=600)
    assert (failed == 600).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.rollout(states, steps=1000, step=1e-5)


def test_rollouts_pass_impacts():
    # 1 m above a rigid floor, which it leaves with half its speed: sqrt(2 h/g) = 0.4515 s, and 0.1485 s later
    model = armature.parse("""
armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies: {b: {mass: 1, inertia: none}}
joints: {y: {type: prismatic, axis: y, between: [ground, b]}}
forces: {c: {type: contact, gap: y, restitution: 0.5}}
start: {keep: {y: 1}}
""")
    last, failed = model.rollout(model.rollout_row(model.assemble())[None], steps=600, step=1e-3)
    t = np.sqrt(2 / 9.81)
    assert failed[0] == -1 and last[0][0] == pytest.approx(0.5 * 9.81 * t * (0.6 - t) - 0.5 * 9.81 * (0.6 - t)**2, abs=1e-6)


def test_rollouts_on_a_gpu_have_the_same_bits():
    model = armature.load(model_file("rrr"))
    states = np.tile(model.rollout_row(model.assemble()), (100, 1))
    here = model.rollout(states, steps=20)
    try:
        there = model.rollout(states, steps=20, gpu=True)
    except armature.Error as error:
        assert re.search("CUDA|libcuda|NVRTC|GPU|card", str(error)), error  # what is missing
        pytest.skip(f"needs a GPU: {error}")
    np.testing.assert_array_equal(there.states, here.states)


def test_maps_and_sweeps_on_a_gpu_have_the_same_numbers():
    model = armature.load(model_file("four_bar"))
    asked = dict(over={"crank_angle.v": (-8, 8, 9)}, end=0.5)
    here = model.sweep(results={"widest": "max(B)"}, **asked), model.map(classify="turns: turns(crank_angle) >= 0.3; rests", **asked)
    try:
        there = (model.sweep(results={"widest": "max(B)"}, gpu=True, **asked),
                 model.map(classify="turns: turns(crank_angle) >= 0.3; rests", gpu=True, **asked))
    except armature.Error as error:
        assert re.search("CUDA|libcuda|NVRTC|GPU|card", str(error)), error  # what is missing
        pytest.skip(f"needs a GPU: {error}")
    np.testing.assert_array_equal(there[0].values, here[0].values)
    np.testing.assert_array_equal(there[1].decided, here[1].decided)
    assert list(there[1].motion_class) == list(here[1].motion_class)


def test_rollouts_refuse_what_does_not_fit():
    model = pendulum()
    states = np.tile(model.rollout_row(model.assemble()), (4, 1))
    for wrong, words in (
        (dict(steps=2.5), "steps is 2.5, but must be a whole number"),
        (dict(steps=-1), "steps is -1, but must lie between 1"),
        (dict(steps=0), "steps is 0, but must lie between 1"),
        (dict(step=0), "step is 0"),
        (dict(free="l"), "free must be a list of names"),
        (dict(out=np.empty(states.shape, dtype=np.float32)), "out must be a writable array"),
        (dict(integrator="radau5"), "not an explicit one-step method"),
    ):
        with pytest.raises(armature.InputError, match=words):
            model.rollout(states, **wrong)
    with pytest.raises(armature.InputError, match="one row of 2 numbers"):
        model.rollout(states[0])
    with pytest.raises(armature.InputError, match="states must be numbers"):
        model.rollout([["a", "b"]])
    with pytest.raises(armature.Stopped):
        model.rollout(np.tile(states, (2000, 1)), steps=20000, progress=lambda done, count: False)


def test_rollouts_neither_copy_states_nor_results():
    model = pendulum()
    states = np.tile(model.rollout_row(model.assemble()), (64, 1))
    before = states.copy()
    result = model.rollout(states, steps=10)
    np.testing.assert_array_equal(states, before)
    assert model.rollout(states, steps=10, out=states).states is states  # in place
    np.testing.assert_array_equal(states, result.states)


def test_ctrl_c_stops_a_long_rollout():
    """The motions of one group take hours."""
    model = pendulum()
    states = np.tile(model.rollout_row(model.assemble()), (4, 1))
    with pytest.raises(KeyboardInterrupt):
        model.rollout(states, steps=2 * 10**9, progress=lambda done, count: signal.raise_signal(signal.SIGINT))


def test_an_edit_that_is_refused_leaves_the_model_as_it_was():
    model = pendulum()
    before = model.text
    for edit, words in (
        (lambda: model.parameter("l x", "2 m"), "parameters.l x: 'l x' is not a name"),
        (lambda: model.body("1", mass="1 kg"), "'1' is not a name"),
        (lambda: model.parameter("k", np.nan), "not finite"),
        (lambda: model.add("tables", "k", [np.inf]), "not finite"),
        (lambda: model.__setitem__("start", {"keep": {"hinge": np.nan}}), "not finite"),
    ):
        with pytest.raises(armature.InputError, match=words):
            edit()
        assert model.text == before
    model.parameter("k", 3)
    del model["parameters"]["k"]
    assert model.text == before
    del model["start"]
    assert "start" not in model.text
    with pytest.raises(KeyError):
        del model["start"]


def test_a_model_that_is_not_finished_has_a_repr():
    model = armature.Model("pendulum", gravity=[0, 0, -9.81])
    assert repr(model) == "<armature.Model pendulum, not complete: the model has no bodies>"
    assert repr(model.parameter("l", "2 m")) == repr(model)
    assert repr(pendulum()) == "<armature.Model pendulum: 1 bodies, 1 joints>"
