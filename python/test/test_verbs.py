"""Every verb of the command line gives the same numbers from Python. The verbs and their options are read from --help, so that one without a
Python call fails here."""
import inspect
import json
import os
import pickle
import pathlib
import re
import subprocess
import urllib.error
import urllib.parse
import urllib.request
import zipfile

import numpy as np
import pytest

import armature
from armature._compiled import OPTIONS
from conftest import MODELS, PROGRAM, cells, model_file, table

ROOT = os.path.dirname(MODELS)


def load(name, settings=None):
    return armature.load(model_file(name), settings)


def ask(*words, folder=None, json_output=True):
    """What the program says to a command, as JSON."""
    command = [PROGRAM, *map(str, words)] + (["--json"] if json_output else []) + (["-o", str(folder)] if folder else [])
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=ROOT)
    assert done.returncode == 0, done.stderr + done.stdout
    return json.loads(done.stdout) if json_output else done.stdout


def names_in_help(pattern, *words):
    return re.findall(pattern, ask(*words, "--help", json_output=False), re.M)


def same(a, b):
    """Bit for bit; NaN is null in JSON."""
    a, b = (np.array([np.nan if x is None else x for x in np.ravel(np.array(v, dtype=object))], dtype=float) for v in (a, b))
    np.testing.assert_array_equal(a, b)


def run(folder):
    said = ask("run", model_file("crane"), "--end", "1", "--rtol", "1e-8", "--result", "peak=max(abs(motor.current))", "--verify",
               folder=folder)
    found = load("crane").simulate(end=1, rtol=1e-8, results={"peak": "max(abs(motor.current))"}, verify=True)
    same(table(folder / "trajectory.csv")[1], found.to_numpy())
    assert found.results == said["numbers"]
    checked = found.verification
    assert checked.digits.keys() == said["verify"]["digits"].keys()
    for channel, digits in checked.digits.items():
        same(digits, said["verify"]["digits"][channel])
    assert (checked.sentence, checked.doubtful, checked.promised) == tuple(said["verify"][key] for key in ("sentence", "doubtful",
                                                                                                         "promised_digits"))
    assert checked.repeats == [repeat["how"] for repeat in said["verify"]["repeats"]]
    # from a branch, and on from the last state, with numbers of that part alone
    other = folder.with_name("other")
    said = ask("run", model_file("four_bar"), "--branch", "2", "--end", "0.5", "--result", "way=final(crank_angle)", folder=other)
    first = load("four_bar").simulate(branch=2, end=0.5, results={"way": "final(crank_angle)"})
    assert first.results == said["numbers"]
    said = ask("run", model_file("four_bar"), "--from", other, "--end", "1", "--result", "way=final(crank_angle)",
               folder=folder.with_name("on"))
    assert load("four_bar").simulate(state=first.last, end=1, results={"way": "final(crank_angle)"}).results == said["numbers"]


def request(page, path, body=None, key=True):
    """What the live page's server answers."""
    address = urllib.parse.urlsplit(page)
    headers = {"Content-Type": "application/json"}
    if key:
        headers["X-Armature-Key"] = urllib.parse.parse_qs(address.query)["key"][0]
    asked = urllib.request.Request(f"http://{address.netloc}{path}", headers=headers,
                                   data=None if body is None else json.dumps(body).encode())
    with urllib.request.urlopen(asked, timeout=60) as answer:
        return json.loads(answer.read())


def live_run(page):
    text = request(page, "/api/file?name=four_bar.yaml")["text"]
    reply = request(page, "/api/run", {"page": "a", "name": "four_bar.yaml", "text": text, "edits": []})
    while reply.get("status") == "running":
        reply = request(page, f"/api/result?page=a&run={reply['run']}")
    return reply


def without_times(document):
    """Without the seconds that computing took, which differ from run to run."""
    if isinstance(document, dict):
        return {key: without_times(value) for key, value in document.items() if "seconds" not in key}
    if isinstance(document, list):
        return [without_times(value) for value in document]
    return re.sub(r"in [\d.e-]+ m?s", "", document) if isinstance(document, str) else document


def view(folder):
    server = subprocess.Popen([PROGRAM, "view", model_file("four_bar"), "--no-open"], stdout=subprocess.PIPE, text=True)
    try:
        expected = live_run(server.stdout.readline().strip())
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()
    with load("four_bar").view(open=False) as page:
        assert page.running and page.address.startswith("http://127.0.0.1:")
        found = live_run(page.address)
        with pytest.raises(urllib.error.HTTPError, match="403"):
            request(page.address, "/api/files", key=False)
    assert not page.running
    assert without_times(found) == without_times(expected)
    with pytest.raises(armature.InputError, match=r"save\(\) the model"):
        load("four_bar").set(crank_length=0.25).view(open=False)


def check(folder):
    said, found = ask("check", model_file("rrr")), load("rrr").check()
    for name in ("bodies", "coordinates", "constraints", "rank", "degrees_of_freedom", "notes", "warnings"):
        assert getattr(found, name) == said[name], name
    assert found.joints == [joint["name"] for joint in said["joints"]]
    assert found.cut == [joint["name"] for joint in said["joints"] if joint["cut"]]
    assert [list(row) for row in found.redundant] == [list(row.values()) for row in said["redundant"]]
    model = load("rrr")
    assert (found.bodies, found.joints, found.degrees_of_freedom) == (model.bodies, model.joints, model.degrees_of_freedom)


def assemble(folder):
    said, model = ask("assemble", model_file("four_bar"), "--all"), load("four_bar")
    names = [position.name for position in model.positions]
    assert [dict(zip(names, branch.q.tolist())) for branch in model.branches()] == [branch["q"] for branch in said["branches"]]
    start = ask("assemble", model_file("four_bar"), "--branch", "2")["start"]
    same(list(start["q"].values()), model.assemble(branch=2).q)


def kinematics(folder):
    said = ask("kinematics", model_file("four_bar"), "--move", "crank_angle=60 deg + 2*t", "--end", "1", "--no-report", "--result",
               "most=max(crank_angle)", "--branch", "2", folder=folder)
    found = load("four_bar").kinematics({"crank_angle": "60 deg + 2*t"}, end=1, results={"most": "max(crank_angle)"}, branch=2)
    same(table(folder / "trajectory.csv")[1], found.to_numpy())
    assert found.results == said["numbers"]


def inverse(folder):
    said = ask("inverse", model_file("slider_crank"), "--no-report", "--end", "0.5", "--result", "mean=mean(abs(crank))", folder=folder)
    found = load("slider_crank").inverse(end=0.5, results={"mean": "mean(abs(crank))"})
    same(table(folder / "trajectory.csv")[1], found.to_numpy())
    assert found.results == said["numbers"]


def compare(folder):
    said = ask("compare", model_file("crane"), model_file("crane_lagrangian"), "--match", "travel=q1", "--end", "1", "--states", "20",
               "--seed", "3")
    found = armature.compare(load("crane"), load("crane_lagrangian"), match={"travel": "q1"}, end=1, states=20, seed=3)
    for name in ("names", "states", "acceleration_difference", "rate_difference", "trajectory_difference", "explained_difference",
                 "same_equations", "verdict"):
        assert getattr(found, name) == said[name], name
    assert [list(moment) for moment in found.moments] == [list(moment.values()) for moment in said["moments"]]
    for side, expected in ((found.a, said["a"]), (found.b, said["b"])):
        assert (side.coordinates, side.constraints, side.operations) == tuple(expected[k] for k in ("coordinates", "constraints",
                                                                                                   "operations"))
        assert side.outcome.statistics.evaluations == expected["evaluations"]
    said = ask("compare", model_file("rrr"), "--with", "--formulation null_space", "--no-run")
    model = load("rrr")
    found = armature.compare(model, model.set({"simulate.formulation": "null_space"}), run=False)
    assert found.acceleration_difference == said["acceleration_difference"]
    assert np.isnan(found.trajectory_difference) and said["trajectory_difference"] is None


def equations(folder):
    for format in ("text", "latex", "c", "python"):
        assert load("crane_lagrangian").equations(format=format) == ask("equations", model_file("crane_lagrangian"), "--format",
                                                                        format)["equations"]
    assert load("crane_lagrangian").equations(latex=True).count("\\") > 10
    with pytest.raises(armature.InputError, match="there is no format 'word'"):
        load("crane_lagrangian").equations(format="word")


def plot(folder):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    ask("run", model_file("four_bar"), "--end", "1", "--no-report", folder=folder)
    figure = folder.with_name("figure.svg")
    ask("plot", folder, "--channels", "crank_angle", folder=figure, json_output=False)
    assert figure.stat().st_size > 1000
    names, rows = table(folder / "trajectory.csv")
    axes = load("four_bar").simulate(end=1).plot("crank_angle")
    column = next(k for k, name in enumerate(names) if name.startswith("crank_angle ") or name == "crank_angle")
    same(axes[0].lines[0].get_xdata(), rows[:, 0])
    same(axes[0].lines[0].get_ydata(), rows[:, column])


def draw(folder):
    """The same file, byte for byte: of a model at its start and later, of a run, of another branch."""
    ask("run", model_file("rrr"), "--end", "1", "--no-report", folder=folder)
    ours, theirs = folder.with_name("ours.svg"), folder.with_name("theirs.svg")
    run = load("rrr").simulate(end=1)
    for words, make in [
        ([model_file("rrr"), "--dimensions", "--names", "--centers", "--frames", "--title", "robot"],
         lambda: load("rrr").draw(ours, dimensions=True, names=True, centers=True, frames=True, title="robot")),
        ([model_file("rrr"), "--at", "0,0.3", "--velocities", "--reactions", "--width", "100", "--height", "80"],
         lambda: load("rrr").draw(ours, [0, 0.3], velocities=True, reactions=True, width=100, height=80)),
        ([model_file("delta"), "--view", "top"], lambda: load("delta").draw(ours, view="top")),
        ([model_file("four_bar"), "--branch", "2"], lambda: load("four_bar").draw(ours, branch=2)),
        ([folder, "--at", "0.4", "--trace", "platform.C"], lambda: run.draw(ours, 0.4, trace=["platform.C"])),
        ([model_file("five_bar"), "--at", "0.1", "--bend", "20"], lambda: load("five_bar").draw(ours, 0.1, bend=20)),
    ]:
        ask("draw", *words, folder=theirs, json_output=False)
        assert make() == str(ours)
        assert ours.read_bytes() == theirs.read_bytes(), words
    assert load("rrr").draw(folder.with_name("a.png"), dpi=50)
    with pytest.raises(armature.InputError, match="there is no view 'back'"):
        run.draw(ours, view="back")
    with pytest.raises(armature.InputError, match="there is nothing at 7 s"):
        run.draw(ours, 7)


def film(folder):
    """The same file, byte for byte."""
    ask("run", model_file("four_bar"), "--end", "1", "--no-report", folder=folder)
    run = load("four_bar").simulate(end=1)
    ours, theirs = folder.with_name("ours.gif"), folder.with_name("theirs.gif")
    ask("film", folder, "--size", "160x120", "--fps", "10", folder=theirs, json_output=False)
    assert run.film(ours, size=(160, 120), fps=10) == str(ours)
    assert ours.read_bytes() == theirs.read_bytes()
    ask("film", folder, "--size", "160x120", "--from", "0.2", "--to", "0.6", "--speed", "0.5", "--velocities", "--view", "front", folder=theirs,
        json_output=False)
    run.film(ours, size=(160, 120), start=0.2, end=0.6, speed=0.5, velocities=True, view="front")
    assert ours.read_bytes() == theirs.read_bytes()
    with pytest.raises(armature.InputError, match="a film ends in"):
        run.film(folder.with_name("a.avi"))
    with pytest.raises(armature.InputError, match="size is 3"):
        run.film(ours, size=3)


def map_(folder):
    ask("map", model_file("press"), "--over", "w0=1.5:3:4", "--classify", "turns: turns(phi) >= 1; rests", "--end", "5", "--refine", "1",
        folder=folder)
    names, rows = cells(folder / "cells.csv")
    found = load("press").map({"w0": (1.5, 3, 4)}, "turns: turns(phi) >= 1; rests", end=5, refine=1)
    assert found.classes == ["turns", "rests"]
    same(found.points[:, 0], rows[:, 0])
    same(found.motion_class, rows[:, names.index("number")])


def sweep(folder):
    peak = "peak=max(abs(motor.current))"
    ask("sweep", model_file("crane"), "--over", "rope=0.5:1:3", "--result", peak, "--end", "2", folder=folder)
    found = load("crane").sweep({"rope": (0.5, 1, 3)}, {"peak": "max(abs(motor.current))"}, end=2)
    _, rows = cells(folder / "cells.csv")
    same(found["rope"], rows[:, 0])
    same(found["peak"], rows[:, 1])
    ask("sweep", model_file("crane"), "--over", "rope=normal(0.7 m, 0.05 m)", "--over", "volts=5:15", "--sobol", "8", "--seed", "4",
        "--result", peak, "--end", "1", folder=folder)
    _, rows = cells(folder / "cells.csv")
    found = load("crane").sweep({"rope": "normal(0.7 m, 0.05 m)", "volts": (5, 15)}, {"peak": "max(abs(motor.current))"}, sobol=8, seed=4, end=1)
    same(found.points, rows[:, :2])
    same(found["peak"], rows[:, 2])
    ask("sweep", model_file("slider_crank"), "--set", "l2=0.6", "--inverse", "--over", "flywheel=1:2:2", "--end", "1",
        "--result", "most=max(abs(motor.torque))", folder=folder)
    _, rows = cells(folder / "cells.csv")
    found = load("slider_crank", {"l2": 0.6}).sweep({"flywheel": (1, 2, 2)}, {"most": "max(abs(motor.torque))"}, inverse=True, end=1)
    same(found["most"], rows[:, 1])
    assert found["most"][0] != found["most"][1]
    with pytest.raises(armature.InputError, match="expected a distribution"):
        load("crane").sweep({"rope": "gamma(1)"}, {"peak": "max(abs(motor.current))"}, latin=4)


def optimize(folder):
    said = ask("optimize", model_file("crane"), "--over", "volts=2:12", "--minimize", "(final(travel) - 1)^2", "--end", "2", folder=folder)
    found = load("crane").optimize({"volts": (2, 12)}, "(final(travel) - 1)^2", end=2)
    assert found.found
    text = json.dumps(said)
    assert repr(float(found.point[0])) in text and repr(found.objective) in text
    with pytest.raises(armature.InputError, match="one of minimize and maximize"):
        load("crane").optimize({"volts": (2, 12)})


def modes(folder):
    said = ask("modes", model_file("five_bar"), "--sensitivity", "l1,l2")
    found = load("five_bar").modes(sensitivity=["l1", "l2"])
    same([[m.eigenvalue.real, m.eigenvalue.imag, m.frequency, m.damping] for m in found.modes],
         [[*mode["eigenvalue"], mode["frequency_rad_s"], mode["damping_ratio"]] for mode in said["modes"]])
    for name in "ABCD":
        same(getattr(found, name), said[name])
    assert found.parameters == ["l1", "l2"] and found.notes == said["notes"]
    for k, mode in enumerate(said["modes"]):
        for i, name in enumerate(found.parameters):
            same([found.sensitivity[k, i].real, found.sensitivity[k, i].imag], mode["sensitivity"][name])
    # the modes are the eigenvalues of A
    eigenvalues = np.linalg.eigvals(found.A)
    for mode in found.modes:
        assert np.min(np.abs(eigenvalues - mode.eigenvalue)) < 1e-6 * max(1, abs(mode.eigenvalue))
    # from the last state of a run
    ask("run", model_file("four_bar"), "--end", "1", "--no-report", folder=folder)
    said = ask("modes", model_file("four_bar"), "--from", folder)
    found = load("four_bar").modes(state=load("four_bar").simulate(end=1).last)
    same([mode.eigenvalue.real for mode in found.modes], [mode["eigenvalue"][0] for mode in said["modes"]])


def tune(folder):
    said = ask("tune", model_file("four_bar"), "--alpha", "0:20:3", "--beta", "0:100:3", "--integrator", "rk4", "--step", "1e-3", "--end",
               "1", "--weights", "1,0.5", "--refine", "1", "--speed-limit", "500", folder=folder)
    found = load("four_bar").tune([0, 10, 20], [0, 50, 100], integrator="rk4", step=1e-3, end=1, weights=(1, 0.5), refine=1, speed_limit=500)
    assert found.found and found.error < found.error_without
    assert (found.alpha, found.beta, found.error) == tuple(said["best"][name] for name in ("alpha", "beta", "e"))
    for pair, expected in ((found.without, said["no_stabilization"]), (found.projection, said["projection"])):
        same([pair.alpha, pair.beta, pair.E1, pair.E2, pair.e, pair.lost], [expected[n] for n in ("alpha", "beta", "E1", "E2", "e", "lost_at")])
    same(found.pairs[:, 6], np.concatenate([np.ravel(np.array(grid["e"], dtype=object)) for grid in said["grids"]]))
    same(found.boundary, said["stability_region"]["boundary"])
    assert found.area == said["stability_region"]["area"]
    assert found.warnings == [finding["sentence"] for finding in said["best_findings"]]


def identify(folder):
    model, record = os.path.join(MODELS, "measured", "crane.yaml"), os.path.join(MODELS, "measured", "crane.csv")
    said = ask("identify", model, record, "--fit", "cart_mass,rope=0.5:1", "--fit", "load_mass,friction", "--fit-start", "swing", "--offset",
               "swing", "--use", "travel,swing", "--noise", "travel=0.5 mm", "--robust", "--excite", folder=folder)
    found = armature.load(model).identify(record, {"cart_mass": None, "rope": (0.5, 1), "load_mass": None, "friction": None},
                                          fit_start=["swing"], offset=["swing"], use=["travel", "swing"], noise={"travel": 0.5e-3}, robust=True,
                                          excite=True)
    assert found.converged and said["status"] == "finished" and found.sentence == said["sentence"]
    same([estimate.value for estimate in found.estimates], [estimate["value"] for estimate in said["estimates"]])
    same([estimate.low for estimate in found.estimates], [estimate["interval"][0] for estimate in said["estimates"]])
    same(np.ravel(found.correlation), np.ravel(said["correlation"]))
    same([column.rms for column in found.columns], [column["rms"] for column in said["columns"]])
    assert found["rope"].low < 0.72 < found["rope"].high  # with which the record was made
    assert armature.parse(found.text).parameters["rope"] == found["rope"].value
    assert (found.notes, found.warnings) == (said["notes"], said["warnings"])
    assert found.excitation.inputs == ["volts"] and found.excitation.values.shape == (len(found.excitation.t), 1)
    same(found.excitation.deviations, [parameter["then"] for parameter in said["excitation"]["deviations"]])


def plan(folder):
    model = os.path.join(MODELS, "plan", "cart.yaml")
    said = ask("plan", model, "--to", "travel=1 m", "--input", "push=-2:2", "--keep", "travel' <= 0.8 m/s", "--time", "0.5:5", "--gains", "--accuracy",
               "1e-6", "--intervals", "10", "--most-intervals", "100", "--iterations", "200", "--starts", "2", folder=folder)["plan"]
    found = armature.load(model).plan({"travel": "1 m"}, inputs={"push": (-2, 2)}, keep="travel' <= 0.8 m/s", time=(0.5, 5), gains=True,
                                      accuracy=1e-6, intervals=10, most_intervals=100, iterations=200, starts=2)
    assert found.found and said["status"] == "finished" and found.sentence == said["sentence"]
    assert (found.cost, found.duration, found.active) == (said["cost"]["value"], said["duration"], said["active_limits"])
    same([found.end_error, found.target_error], [said["simulated"]["end_error"], said["simulated"]["target_error"]])
    assert found.input_values.shape == (said["intervals"] + 1, 1) and found.gains.shape == (said["intervals"], 2)
    # the table drives the run to the same end
    run = armature.load(model).simulate(inputs=folder / "inputs.csv", end=found.duration)
    assert abs(run["travel"][-1] - 1) < 1e-5 and abs(run["travel'"][-1]) < 1e-5  # at the tolerance of the file
    # along a path, moving at its end
    said = ask("plan", model, "--along", "travel=0.2*path", "--within", "1 mm", "--minimize", "push^2", "--time", "1", "--moving", folder=folder)["plan"]
    found = armature.load(model).plan(along={"travel": "0.2*path"}, within="1 mm", minimize="push^2", time=1, moving=True)
    assert found.cost == said["cost"]["value"]


def singularities(folder):
    said = ask("singularities", model_file("rrr"), "--end", "1", "--moves", "platform.C.x,platform.C.y,platform_angle", folder=folder)
    outputs = ["platform.C.x", "platform.C.y", "platform_angle"]
    found = load("rrr").singularities(end=1, moves=outputs)
    assert found.poses
    assert [(pose.t, pose.until, pose.kind, pose.sentence, pose.loops) for pose in found.poses] == [
        tuple(event[key] for key in ("t", "until", "kind", "words", "loops")) for event in said["events"]]
    assert (found.active, found.moves, found.notes) == (said["active"], said["output"], said["notes"])
    assert found.smallest_singular_value == said["smallest"]["sigma"]
    same(found.rows, table(folder / "motion.csv")[1])
    # over poses
    said = ask("singularities", model_file("rrr_motors"), "--over", "platform.C.x=0.4:0.8:5", "--over", "platform.C.y=0.4:0.7:4", "--hold",
               "platform_angle=0", "--moves", ",".join(outputs), folder=folder)
    found = load("rrr_motors").singularities(over={"platform.C.x": (0.4, 0.8, 5), "platform.C.y": (0.4, 0.7, 4)},
                                             hold={"platform_angle": 0}, moves=outputs)
    same(found.poses, table(folder / "map.csv")[1])
    assert found.curve.tolist() == [point["at"] for point in said["curves"]]
    assert found.kinds == [point["kind"] for point in said["curves"]]
    assert (found.reached, found.sentence) == (said["reached"], said["sentence"])
    with pytest.raises(armature.InputError, match="give over as well"):
        load("rrr").singularities(hold={"platform_angle": 0})


def export(folder):
    folder.mkdir()
    ours = folder / "python"
    ours.mkdir()
    for model, name, words, options in [
        ("rrr_motors", "plant.c", ["--c", "--input", "m2"], {"inputs": ["m2"]}),
        ("four_bar", "bar.c", ["--c", "--branch", "2"], {"branch": 2}),
        ("delta", "delta.urdf", ["--urdf"], {}),
        ("delta", "delta.sdf", ["--sdf"], {}),
        ("delta", "delta.xml", ["--mjcf"], {}),
        ("crane", "crane.fmu", ["--fmu", "--set", "rope=0.8"], {}),
        ("crane", "crane2.fmu", ["--fmu", "--fmi", "2.0", "--set", "rope=0.8"], {"fmi": "2.0"}),
    ]:
        said = ask("export", model_file(model), *words, folder=folder / name)
        made = (load(model, {"rope": "0.8"}) if model == "crane" else load(model)).export(ours / name, **options)
        assert made.not_exported == said.get("not_exported", [])
        assert [os.path.basename(file) for file in made.files] == [os.path.basename(file) for file in said.get("files", [said["file"]])]
        for file in made.files:
            with open(file, "rb") as a, open(folder / os.path.basename(file), "rb") as b:
                assert a.read() == b.read(), file
    with pytest.raises(armature.InputError, match="the ending names no format"):
        load("delta").export(ours / "delta.txt")
    with pytest.raises(armature.InputError, match="changes more than numbers"):
        load("five_bar").export(ours / "five.c", inputs=["elements"])


def import_(folder):
    for name in ("five_bar.xml", "five_bar.urdf"):
        file = os.path.join(MODELS, "robots", name)
        said, found = ask("import", file), armature.import_robot(file)
        assert (found.format, found.loops, found.not_taken) == (said["format"], said["loops"], said["not_taken"])
        assert found.model.text == said["model"]
        checked = found.model.check()
        assert (checked.degrees_of_freedom, len(checked.redundant)) == (said["degrees_of_freedom"], said["redundant"])
        ask("run", file, "--end", "0.2", "--no-report", folder=folder)
        same(table(folder / "trajectory.csv")[1], armature.load(file).simulate(end=0.2).to_numpy())


def format_(folder):
    for name in ("", "joints", "gear_ratio", "belt", "sizes"):
        assert armature.reference(name) == ask("format", *[name][:bool(name)], json_output=False)
    with pytest.raises(armature.InputError, match="did you mean 'joints'"):
        armature.reference("joint_s")


def gallery(folder):
    """The numbers of an item are those of a model of the package."""
    said = ask("gallery", "--only", "rrr/fig1", folder=folder)
    numbers = [number["value"] for entry in said["entries"] for item in entry["items"] for number in item["numbers"]]
    found = load("rrr_motors").simulate(integrator="dop853", rtol=1e-12, results={
        "x": "initial(platform.C.x)", "y": "initial(platform.C.y)", "angle": "initial(platform_angle)"})
    assert list(found.results.values()) == numbers


def doctor(folder):
    said, found = ask("doctor", json_output=False), armature.doctor()
    assert found["failure"] == "" and f"energy to {found['energy_error']:.1g} J" in said
    assert found["version"] == armature.__version__ and f"armature {found['version']}" in said
    assert f"{found['cores']} of" in said and found["gpu"] in said


def demo(folder):
    ask("demo", "crane", folder=folder, json_output=False)
    same(table(folder / "trajectory.csv")[1], load("crane", {"simulate.integrator": "auto"}).simulate().to_numpy())


# By verb: the test, and the functions whose arguments are its options.
VERBS = {
    "run": (run, [armature.Model.simulate]),
    "view": (view, [armature.Model.view]),
    "check": (check, [armature.Model.check]),
    "assemble": (assemble, [armature.Model.assemble]),
    "kinematics": (kinematics, [armature.Model.kinematics]),
    "inverse": (inverse, [armature.Model.inverse]),
    "compare": (compare, [armature.compare]),
    "equations": (equations, [armature.Model.equations]),
    "plot": (plot, [armature.Run.plot]),
    "draw": (draw, [armature.Model.draw]),
    "film": (film, [armature.Run.film]),
    "map": (map_, [armature.Model.map]),
    "sweep": (sweep, [armature.Model.sweep]),
    "optimize": (optimize, [armature.Model.optimize]),
    "modes": (modes, [armature.Model.modes]),
    "tune": (tune, [armature.Model.tune]),
    "singularities": (singularities, [armature.Model.singularities]),
    "export": (export, [armature.Model.export]),
    "import": (import_, [armature.import_robot]),
    "format": (format_, [armature.reference]),
    "gallery": (gallery, []),
    "identify": (identify, [armature.Model.identify]),
    "plan": (plan, [armature.Model.plan]),
    "doctor": (doctor, [armature.doctor]),
    "demo": (demo, []),
}

# Options that Python calls by another name.
RENAMED = {"--from": "state", "--result": "results", "--move": "moves", "--with": "b", "--no-run": "run", "--no-equilibrium": "equilibrium",
           "--list": "points", "--input": "inputs", "--c": "format", "--fmu": "format", "--urdf": "format", "--sdf": "format",
           "--mjcf": "format", "--no-open": "open", "--channels": "names",
           "--no-verify": "verify", "--accept-drift": "drift"}

RENAMED_OF = {"film": {"--from": "start", "--to": "end"}}

# Options about the terminal, files and how to compute, which change no number; what takes their place in Python.
NO_NUMBERS = {
    "--help": "docstrings", "--set": "load() and set()", "--json": "results are objects", "--quiet": "warnings are Python's",
    "--interpret": "the same bits", "--output": "results are objects", "--no-report": "run.report()", "--lanes": "the same bits",
    "--resume": "armature.study() with a journal", "--restart": "armature.study() with a journal", "--host": "this computer alone", "--root": "load()",
}
NO_NUMBERS_OF = {
    "assemble": {"--all": "branches()"},
    "plot": dict.fromkeys(["--x", "--log", "--from", "--to", "--no-events", "--title", "--width", "--height", "--dpi"], "matplotlib's"),
    "format": {"--markdown": "of the pages"},
    "import": {"--force": "of the file that it writes"},
    "gallery": dict.fromkeys(["--only", "--from", "--threads", "--list"], "of the page that it writes"),
}


def test_every_verb_is_here():
    listed = names_in_help(r"^  ([a-z]+)  +\S")
    assert set(VERBS) == set(listed)


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_has_an_argument(verb):
    _, functions = VERBS[verb]
    arguments = {name for function in functions for name in inspect.signature(function).parameters}
    if "options" in arguments:
        arguments |= set(OPTIONS)
    for option in names_in_help(r"^  (?:-\w,)?(--[a-z-]+)", verb):
        if option in NO_NUMBERS or option in NO_NUMBERS_OF.get(verb, {}):
            continue
        argument = RENAMED_OF.get(verb, {}).get(option) or RENAMED.get(option, option[2:].replace("-", "_"))
        assert argument in arguments, f"{verb} {option}: no argument '{argument}'"


@pytest.mark.parametrize("verb", VERBS)
def test_numbers(verb, tmp_path):
    VERBS[verb][0](tmp_path / "results")


def test_models_with_fmus_ask_for_trust(tmp_path, monkeypatch):
    """An FMU of ours holds a law of motion; the coupled run has the rows of the program's."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    law = armature.parse("""
armature: 1
name: law
gravity: [0, 0, 0]
parameters: {gain: 3}
inputs: {angle: {unit: rad}}
bodies: {b: {mass: 1 kg, inertia: {zz: 1}}}
joints: {j: {type: revolute, axis: z, between: [ground, b]}}
record: {quantities: {torque: -gain*angle}}
""")
    law.export(tmp_path / "law.fmu")
    text = """
armature: 1
name: machine
gravity: [0, 0, 0]
bodies: {disk: {mass: 1 kg, inertia: {zz: 2 kg*m^2}}}
joints: {turn: {type: revolute, axis: z, between: [ground, disk]}}
forces: {hold: {type: effort, on: turn, is: law.torque}}
fmus: {law: {file: law.fmu, step: 10 ms, connect: {angle: turn}}}
start: {keep: {turn: 0.3}}
simulate: {end: 0.5 s}
"""
    (tmp_path / "machine.yaml").write_text(text)
    model = armature.load(tmp_path / "machine.yaml")
    with pytest.raises(armature.InputError, match="give trust=True"):
        model.simulate()
    with pytest.raises(armature.InputError, match="does not run the FMUs"):
        model.sweep({"turn": (0, 1, 2)}, {"x": "final(turn)"})
    run = model.simulate(trust=True)
    ask("run", tmp_path / "machine.yaml", "--trust", "--no-report", folder=tmp_path / "results", json_output=False)
    same(table(tmp_path / "results" / "trajectory.csv")[1], run.to_numpy())
    assert model.simulate().t[-1] == 0.5  # it is trusted from now on


def test_fmus_that_misbehave_raise_with_the_rows_so_far(tmp_path, monkeypatch):
    """An FMU of test/couple/foreign_fmu.c, which does at its fifth step what its environment says; Python lives on."""
    built = pathlib.Path(os.environ["ARMATURE_BUILD"]) / "test" / "fmus" / "foreign_fmu3.so"
    if not built.exists():
        pytest.skip("the FMU of the tests is not built")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    with zipfile.ZipFile(tmp_path / "f.fmu", "w") as archive:
        archive.writestr("modelDescription.xml", """<fmiModelDescription fmiVersion='3.0' modelName='f' instantiationToken='g'>
            <CoSimulation modelIdentifier='f'/><ModelVariables><Float64 name='y' valueReference='0' causality='output'/>
            <Float64 name='u' valueReference='1' causality='input' start='0'/></ModelVariables></fmiModelDescription>""")
        archive.write(built, "binaries/x86_64-linux/f.so")
    (tmp_path / "m.yaml").write_text("""
armature: 1
gravity: [0, 0, 0]
bodies: {disk: {mass: 1 kg, inertia: {zz: 2 kg*m^2}}}
joints: {turn: {type: revolute, axis: z, between: [ground, disk]}}
forces: {push: {type: effort, on: turn, is: 1 N*m + f.y*1 N*m}}
fmus: {f: {file: f.fmu, step: 10 ms, connect: {u: turn}, time_limit: 0.3 s}}
simulate: {end: 0.1 s, record: 10 ms}
""")
    model = armature.load(tmp_path / "m.yaml")
    here = os.getcwd()
    for deed, sentence in (("crash", "crashed .SIGSEGV"), ("exit", "ended its process with exit code 0"), ("loop", "did not answer within 0.3 s"),
                           ("minus_three", "status -3")):
        monkeypatch.setenv("FMU_DEED", deed)
        with pytest.raises(armature.ComputationError, match=f"the FMU 'f' .*{sentence}") as failure:
            model.simulate(trust=True)
        assert len(failure.value.run.t) == 5
    monkeypatch.setenv("FMU_DEED", "chdir")
    assert len(model.simulate().t) == 11 and os.getcwd() == here
    monkeypatch.setenv("FMU_DEED", "print")
    assert any("the FMU 'f' printed: " in warning for warning in model.simulate().outcome.warnings)
    assert not any((tmp_path / "temporary").iterdir())


def test_errors_of_inverse_come_from_finer_rows(monkeypatch):
    """A load of 2 kg moved by sin(3 t): the force is -18 sin(3 t), whose peak lies between two rows."""
    monkeypatch.setenv("ARMATURE_VERIFY", "always")
    model = armature.parse("""
armature: 1
plane: xy
gravity: [0, 0, 0]
bodies: {load: {mass: 2 kg}}
joints: {lift: {type: prismatic, axis: y, between: [ground, load]}}
inverse: {motion: {lift: sin(3*t)}, actuators: [lift]}
simulate: {end: 2 s, record: 20 ms}
""")
    run = model.inverse(results={"peak": "max(2*lift'')"})
    assert 1e-6 < abs(run.results["peak"] - 18) <= 2 * run.errors.results["peak"] < 0.1
    assert run.errors.peaks["effort.lift"] > 1e-6
    assert model.inverse(results={"peak": "max(2*lift'')"}, verify=False).errors is None
    moved = model.kinematics({"lift": "sin(3*t)"}, results={"top": "max(lift)"})
    assert 1e-6 < abs(moved.results["top"] - 1) <= 2 * moved.errors.results["top"] < 0.1
    assert moved.errors.repetition == "rows every 0.00434 s"


def test_errors_of_studies_come_from_repetitions(monkeypatch):
    """A pendulum at a tolerance that leaves errors to be seen; the truth is that of a run at a far smaller one."""
    monkeypatch.setenv("ARMATURE_VERIFY", "always")
    model = armature.load(model_file("pendulum"))
    name, result = next(iter(model.parameters)), {"x": f"final({model.simulate(end=0.01, verify=False).names[1]})"}
    value = model.parameters[name]
    found = model.sweep({name: (value, 1.1 * value, 10)}, result, end=2, rtol=1e-5)
    exact = model.sweep({name: (value, 1.1 * value, 10)}, result, end=2, rtol=1e-11, verify=False)
    assert found.errors.motions == 8 and found.errors.missing == ""
    worst = found.errors.worst["x"]
    assert 0 < worst < 1e-2 and np.abs(found["x"] - exact["x"]).max() <= 3 * worst
    assert exact.errors.repetition == "" and "repeated with dop853" in repr(found.errors)
    assert pickle.loads(pickle.dumps(found)).errors.worst == found.errors.worst
    study = armature.study(model, {name: (value, 1.1 * value, 10)}, result, end=2, rtol=1e-5)
    assert study.errors.worst == found.errors.worst
    best = model.optimize({name: (0.9 * value, 1.1 * value)}, minimize=result["x"], end=0.5, rtol=1e-5, evaluations=8)
    assert best.errors.worst["objective"] > 0 and best.errors.motions == 1
    classes = model.map({name: (value, 1.1 * value, 5)}, f"a: {result['x']} > 0; b", end=0.5)
    assert classes.errors.motions == 5 and classes.errors.of_other_class == 0
