"""Prints docs/python_reference.md from the docstrings and the stub of the package:

PYTHONPATH=build/release/python python3 python/docs/reference.py > docs/python_reference.md
"""
import ast
import inspect
import os
import textwrap
from typing import Dict, List

import armature

PARTS = {
    "Models": ["load", "parse", "import_robot", "Model", "Check", "Imported", "Exported", "LivePage"],
    "Motions": ["Run", "Errors", "Verification", "Outcome", "Finding", "Event", "Statistics", "Channel", "Quantity"],
    "Step by step": ["Simulation", "Inputs", "State", "Snapshot", "Environment"],
    "Equations": ["Terms", "Acceleration"],
    "Studies": ["study", "Study", "Sweep", "Map", "Optimum", "TunedGains", "GainPair", "Identified", "Estimated", "FittedColumn", "Excitation", "Plan", "Modes", "Mode", "Singularities", "SingularPose",
                "Workspace", "StudyErrors", "Diagnostic", "RolloutResult", "compare", "Comparison", "ComparedSide"],
    "The program": ["reference", "doctor"],
    "Errors": ["Error", "InputError", "UnknownName", "MissingFile", "ComputationError", "Interrupted", "Stopped", "Problem"],
}

HEAD = """# Python reference

Every name of the package `armature`, printed from its docstrings by `python/docs/reference.py`; [python.md](python.md) tells how they go
together. Numbers are in SI units unless a name says otherwise.

![Singular poses of a 3RRR robot](images/gallery_rrr.svg)
"""


def stub() -> Dict[str, ast.ClassDef]:
    with open(os.path.join(os.path.dirname(armature.__file__), "_core.pyi"), encoding="utf-8") as text:
        return {node.name: node for node in ast.parse(text.read()).body if isinstance(node, ast.ClassDef)}


STUB = {name: node for name, node in stub().items() if getattr(armature, name, None) in (None, getattr(armature._core, name))}


def thing(name: str):
    return getattr(armature, name) if hasattr(armature, name) else getattr(armature._core, name)


def paragraph(doc: str) -> str:
    """A docstring as Markdown: its paragraphs, each on one line."""
    paragraphs = inspect.cleandoc(doc or "").split("\n\n")
    return "\n\n".join(" ".join(part.split()) for part in paragraphs)


def wrapped(text: str, indent: str = "") -> str:
    return "\n\n".join(textwrap.fill(part, 138, initial_indent=indent, subsequent_indent=indent, break_long_words=False,
                                     break_on_hyphens=False) for part in text.split("\n\n"))


def signature(function) -> str:
    parameters = [p.replace(annotation=p.empty, default=Ellipsis if callable(p.default) and p.default is not p.empty else p.default)
                  for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")]
    return str(inspect.Signature(parameters)).replace("Ellipsis", "…")


def stub_signatures(name: str, method: str) -> List[str]:
    """Of a class of the engine: all overloads."""
    found = []
    for node in STUB[name].body:
        if isinstance(node, ast.FunctionDef) and node.name == method:
            names = [argument.arg for argument in node.args.args[1:]]
            defaults = [""] * (len(names) - len(node.args.defaults)) + ["=…"] * len(node.args.defaults)
            parts = [name + default for name, default in zip(names, defaults)]
            if node.args.kwonlyargs:
                parts += ["*"] + [argument.arg + "=…" for argument in node.args.kwonlyargs]
            found.append(f"({', '.join(parts)})")
    return found


def members(type_) -> List[str]:
    """Public members in the order in which they are written, those of exceptions as far as they are ours."""
    names = [name for kind in reversed(type_.__mro__) if kind.__module__.startswith("armature") for name in vars(kind)]
    return [name for name in dict.fromkeys(names) if not name.startswith("_")]


def describe_member(name: str, member: str, value) -> str:
    text = paragraph(inspect.getdoc(value) or "")
    first, _, rest = text.partition("\n\n")
    if isinstance(value, property) or inspect.isdatadescriptor(value):
        line = f"- `{member}`: {first}" if first else f"- `{member}`"
    else:
        forms = stub_signatures(name, member) if name in STUB and member != "finish" else [signature(value)]
        line = "- " + ", ".join(f"`{member}{form}`" for form in forms) + (f": {first}" if first else "")
    folded = textwrap.fill(line, 138, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return folded + (f"\n\n{wrapped(rest, '  ')}" if rest else "")


def describe(name: str) -> str:
    it = thing(name)
    lines = [f"### {name}"]
    if not inspect.isclass(it):
        lines += [f"`{name}{signature(it)}`", wrapped(paragraph(it.__doc__))]
        return "\n\n".join(lines)
    lines.append(wrapped(paragraph(it.__doc__)))
    if name in STUB:
        lines += [f"`{name}{form}`" for form in stub_signatures(name, "__init__") if name != "Simulation"]
    elif name in ("Model", "Environment"):
        lines.append(f"`{name}{signature(it.__init__)}`")
    described = []
    for member in members(it):
        value = inspect.getattr_static(it, member)
        if isinstance(value, property) or inspect.isdatadescriptor(value) or callable(value):
            described.append(describe_member(name, member, value))
    if described:
        lines.append("\n".join(described))
    return "\n\n".join(lines)


def page() -> str:
    parts = [HEAD.strip()]
    for title, names in PARTS.items():
        parts.append(f"## {title}")
        parts += [describe(name) for name in names]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    print(page(), end="")
