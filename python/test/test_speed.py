"""The benchmark works; how fast things are is for a quiet machine to say."""
import os
import re
import subprocess
import sys

from conftest import MODELS, PROGRAM


def test_the_benchmark_prints_its_numbers():
    script = os.path.join(os.path.dirname(MODELS), "python", "bench", "speed.py")
    done = subprocess.run([sys.executable, script, "--quick", "--program", PROGRAM], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"rollout: \S+ steps per second and core\nstep: \S+ µs beyond the engine's\n"
                        r"simulate: \S+ of the time of armature run\n", done.stdout)
