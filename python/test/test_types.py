"""The stub names what the engine has."""
import ast
import inspect
import os

import armature
from armature import _core


def test_the_stub_is_complete():
    folder = os.path.dirname(armature.__file__)
    with open(os.path.join(folder, "_core.pyi"), encoding="utf-8") as stub:
        tree = ast.parse(stub.read())
    named, setters = {}, {}
    internal = ("Model", "Machine", "Assembly", "Motion", "Rollout")  # the package wraps them
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            named[node.name] = {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)} | {
                item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            setters[node.name] = {item.name for item in node.body if isinstance(item, ast.FunctionDef)
                                  for decorator in item.decorator_list if isinstance(decorator, ast.Attribute)}
        elif isinstance(node, ast.FunctionDef):
            named[node.name] = None
    for name, item in vars(_core).items():
        if name.startswith("_") or not callable(item):
            continue
        assert name in named, name
        if isinstance(item, type):
            members = {member for member in vars(item) if not member.startswith("_")}
            assert members == {member for member in named[name] if not member.startswith("_")}, name
            for member in members:
                value = vars(item)[member]
                if isinstance(value, property):
                    assert (member in setters[name]) == (value.fset is not None), f"{name}.{member}"
                assert inspect.getdoc(value) or name in internal, f"{name}.{member} has no docstring"
    assert os.path.exists(os.path.join(folder, "py.typed"))
