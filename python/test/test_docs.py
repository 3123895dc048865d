"""The examples of docs/python.md work."""
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
    for block in blocks:
        text = block.replace('"models/', f'"{MODELS}/').replace('"examples/', f'"{ROOT}/examples/')
        text = text.replace('"pendulum.yaml"', repr(str(tmp_path / "pendulum.yaml"))).replace("1001", "11")
        if "rollout" in text:
            names["model"] = model = armature.load(os.path.join(ROOT, "examples", "cart.yaml"))
            names["states"] = np.tile(model.rollout_row(model.assemble()), (10, 1))
            names["inputs"] = np.ones((100, 10, 1))
        exec(text, names)
    assert names["sim"].t == 5 or abs(names["sim"].t - 5) < 1e-9
    assert abs(names["sim"]["travel"] - 1) < 0.05
    assert os.path.exists(tmp_path / "pendulum.yaml")
