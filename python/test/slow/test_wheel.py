"""The package as pip installs it, from this checkout and its build folder."""
import glob
import importlib.util
import os
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.environ["ARMATURE_MODELS"])


def test_installs_from_a_wheel(tmp_path):
    for module in ("pip", "setuptools", "wheel"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"a wheel needs the module {module}, which is not installed")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", str(tmp_path), ROOT], check=True, timeout=600,
                   env={**os.environ, "ARMATURE_BUILD": os.environ["ARMATURE_BUILD"]})
    (wheel,) = glob.glob(str(tmp_path / "*.whl"))
    subprocess.run([*pip, "install", "--no-deps", "--no-index", "--target", str(tmp_path / "installed"), wheel], check=True, timeout=300)
    check(simulate(tmp_path / "installed", tmp_path), tmp_path)


def test_installs_with_cmake(tmp_path):
    subprocess.run(["cmake", "--install", os.environ["ARMATURE_BUILD"], "--component", "python", "--prefix", str(tmp_path)], check=True,
                   stdout=subprocess.DEVNULL)
    check(simulate(tmp_path / "lib" / "python3" / "dist-packages", tmp_path), tmp_path)


def check(done, tmp_path):
    assert done.returncode == 0, done.stderr
    place, rows = done.stdout.split()
    assert place.startswith(str(tmp_path)) and int(rows) > 10


def simulate(package, tmp_path):
    file = os.path.join(os.environ["ARMATURE_MODELS"], "rrr.yaml")
    script = f"import armature; print(armature.__file__); print(len(armature.load({file!r}).simulate(end=0.1)))"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(package)})
