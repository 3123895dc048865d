"""The stub names what the engine has."""
import ast
import os

import armature
from armature import _core


def test_the_stub_is_complete():
    folder = os.path.dirname(armature.__file__)
    with open(os.path.join(folder, "_core.pyi"), encoding="utf-8") as stub:
        tree = ast.parse(stub.read())
    named = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            named[node.name] = {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)} | {
                item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            named[node.name] = None
    for name, item in vars(_core).items():
        if name.startswith("_") or not callable(item):
            continue
        assert name in named, name
        if isinstance(item, type):
            members = {member for member in vars(item) if not member.startswith("_")}
            assert members == {member for member in named[name] if not member.startswith("_")}, name
    assert os.path.exists(os.path.join(folder, "py.typed"))
