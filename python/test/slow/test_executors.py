"""Studies beyond one process: Dask, with a worker that is killed, and MPI."""
import os
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import armature

MODELS = os.environ["ARMATURE_MODELS"]
OVER = {"rope": (0.5, 1, 12), "volts": (4, 8, 10)}
RESULT = {"end": "final(travel)", "peak": "max(abs(motor.current))"}


def crane():
    return armature.load(os.path.join(MODELS, "crane.yaml"))


def test_dask_loses_a_worker(tmp_path):
    distributed = pytest.importorskip("distributed")
    model = crane()
    expected = model.sweep(OVER, RESULT, end=2).values
    with distributed.LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None, local_directory=tmp_path) as cluster:
        with distributed.Client(cluster) as client:
            client.wait_for_workers(3)
            victim = next(iter(client.run(os.getpid).values()))
            killed = threading.Event()

            def kill():  # as soon as the first cells are known
                journal = tmp_path / "cells.jsonl"
                while not killed.is_set() and (not journal.exists() or journal.read_bytes().count(b"\n") < 5):
                    killed.wait(0.01)
                os.kill(victim, 9)

            killer = threading.Thread(target=kill)
            killer.start()
            found = armature.study(model, OVER, RESULT, executor=client.get_executor(), journal=tmp_path / "cells.jsonl",
                                   cells_of_a_task=3, end=2)
            killed.set()
            killer.join()
            again = armature.study(model, OVER, RESULT, executor=client, cells_of_a_task=30, end=2)
    np.testing.assert_array_equal(found.values, expected)
    np.testing.assert_array_equal(again.values, expected)


def test_mpi(tmp_path):
    pytest.importorskip("mpi4py")
    script = tmp_path / "study.py"
    script.write_text(textwrap.dedent(f"""
        import os, armature
        from mpi4py.futures import MPIPoolExecutor

        if __name__ == "__main__":
            model = armature.load(os.path.join({MODELS!r}, "crane.yaml"))
            with MPIPoolExecutor() as executor:
                found = armature.study(model, {OVER!r}, {RESULT!r}, executor=executor, cells_of_a_task=7, end=2)
            found.values.tofile({str(tmp_path / "values")!r})
    """))
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    expected = crane().sweep(OVER, RESULT, end=2).values
    np.testing.assert_array_equal(np.fromfile(tmp_path / "values").reshape(expected.shape), expected)
