"""The examples of docs/python.md work, and the reference is what the docstrings say."""
import importlib.util
import inspect
import json
import os
import re

import numpy as np

import armature
from conftest import MODELS

ROOT = os.path.dirname(MODELS)


def test_examples_of_the_page(tmp_path, monkeypatch):
    with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as page:
        blocks = re.findall(r"```python\n(.*?)```", page.read(), re.S)
    assert len(blocks) >= 6
    names = {"armature": armature, "client": None}
    monkeypatch.chdir(tmp_path)  # files are saved there
    for block in blocks:
        text = block.replace('"models/', f'"{MODELS}/').replace('"examples/', f'"{ROOT}/examples/')
        text = text.replace("1001", "11")
        if "rollout" in text:
            names["model"] = model = armature.load(os.path.join(ROOT, "examples", "cart.yaml"))
            names["states"] = np.tile(model.rollout_row(model.assemble()), (10, 1))
            names["inputs"] = np.ones((100, 10, 1))
        exec(text, names)
        if "returned False" in text:  # what the comments say
            assert names["run"].outcome.status == "stopped"
            assert re.fullmatch(r"stopped at t = \S+ s of 10000 s: the progress function returned False", names["run"].outcome.sentence)
    assert (names["sim"].state.v == 0).all()
    assert names["sim"].t == 5 or abs(names["sim"].t - 5) < 1e-9
    assert abs(names["sim"]["travel"] - 1) < 0.05
    assert armature.load(tmp_path / "pendulum.yaml").parameters["l"] == 2
    assert armature.load(tmp_path / "longer.yaml").parameters["l"] == 3


def test_no_example_takes_the_largest_row_for_a_peak():
    folder = os.path.join(ROOT, "python", "notebooks")
    code = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".ipynb"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                code += [(name, "".join(cell["source"])) for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as page:
        code += [("python.md", block) for block in re.findall(r"```python\n(.*?)```", page.read(), re.S)]
    for name, text in code:
        assert not re.search(r"""\w\)?\[["'][^]]*\]\.max\(\)""", text), f"{name}: rows hide peaks; ask for results: {text}"


def reference():
    spec = importlib.util.spec_from_file_location("reference", os.path.join(ROOT, "python", "docs", "reference.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_page_is_printed_from_the_docstrings():
    with open(os.path.join(ROOT, "docs", "python_reference.md"), encoding="utf-8") as page:
        assert page.read() == reference().page(), "print it again: python/docs/reference.py says how"


def test_the_reference_names_everything():
    parts = reference().PARTS
    listed = {name for names in parts.values() for name in names}
    assert {name for name in armature.__all__ if not name.startswith("__")} <= listed
    for name in listed:
        it = reference().thing(name)
        assert it.__doc__, name
        for member, value in vars(it).items() if inspect.isclass(it) else ():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert inspect.getdoc(value), f"{name}.{member}"
