"""Models in code, terms, assembly, rollouts, environments, reports."""
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
    with pytest.raises(armature.InputError, match="values that were set: l"):
        model.set(l=1).save(tmp_path / "other.yaml")
    assert model.set(l="50 cm").parameters["l"] == 0.5
    model["bodies"]["bob"]["mass"] = "2 kg"
    assert model.start().state.q[0] == pytest.approx(0.1)
    assert model.terms([0.1], [0.0]).M[0, 0] == pytest.approx(8)  # m l^2
    model.joint("wrong", "revolut", ["ground", "bob"])
    with pytest.raises(armature.InputError, match="revolut"):
        model.simulate()
    with pytest.raises(armature.InputError, match="cannot be changed"):
        armature.load(tmp_path / "pendulum.yaml").body("new")


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
    with pytest.raises(armature.InputError, match="State::q has"):
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
    other, info = environment.reset(options={"branch": 2, "crank_angle": 1.0})
    assert other[0] == pytest.approx(1.0) and info["branch"] == 2
    assert environment.action_space.contains(environment.action_space.sample())


def test_reports_and_plots(tmp_path):
    run = armature.load(model_file("rrr")).simulate(end=0.5)
    page = run.page()
    assert page.lstrip().lower().startswith("<!doctype html") and "theta1" in page
    assert open(run.report(tmp_path / "report.html"), encoding="utf-8").read() == page
    assert "<iframe" in run._repr_html_()


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


def test_views_of_a_state_stay_valid():
    state = armature.load(model_file("crane")).assemble()
    q = state.q
    state.q = np.ones(len(q))
    assert (q == 1).all()
    with pytest.raises(armature.InputError, match="numbers, not"):
        state.q = np.zeros(5000)


def test_rollout_refuses_inputs_of_another_shape():
    model = armature.load(model_file("crane"))
    states = np.tile(model.rollout_row(model.assemble(), free=["volts"]), (3, 1))
    with pytest.raises(armature.InputError, match="shape"):
        model.rollout(states, np.zeros((3, 2, 1)), steps=2, free=["volts"])


def test_a_state_without_finite_constraints_is_refused():
    model = armature.load(model_file("delta"))
    state = model.assemble()
    state.q = np.zeros(len(state.q))
    with pytest.raises(armature.ComputationError, match="no finite value"):
        model.project(state)
