"""Every notebook runs from top to bottom; what it asserts holds."""
import glob
import json
import os

import pytest

from conftest import MODELS

FOLDER = os.path.join(os.path.dirname(MODELS), "python", "notebooks")
BOOKS = sorted(glob.glob(os.path.join(FOLDER, "*.ipynb")))


def test_there_are_six():
    assert len(BOOKS) == 6


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("book", BOOKS, ids=os.path.basename)
def test_runs(book, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(FOLDER)
    with open(book, encoding="utf-8") as text:
        cells = json.load(text)["cells"]
    names = {"__name__": "__main__"}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), os.path.basename(book), "exec"), names)
    matplotlib.pyplot.close("all")
