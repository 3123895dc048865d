"""Memory stays flat over ten thousand runs, also where each of them is compiled, raises or is restored."""
import gc
import os

import numpy as np
import pytest

import armature

MODELS = os.environ["ARMATURE_MODELS"]


def resident() -> int:
    """kB."""
    with open("/proc/self/statm", encoding="ascii") as numbers:
        return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def crane():
    return armature.load(os.path.join(MODELS, "crane.yaml"))


def simulate(model):
    return lambda k: model.simulate(end=0.01)


def step(model):
    sim = model.start(record=True)
    begin = sim.snapshot()

    def once(k):
        sim.restore(begin)
        sim.step(0.01)

    return once


def fail(model):
    def once(k):
        with pytest.raises(ValueError):
            model.simulate(end=0.01, control={"volts": lambda sim: float("a")})

    return once


def vary(model):
    states = model.rollout_row(model.assemble())[None]

    def once(k):
        model.simulate(end=0.01 + 1e-6 * k)
        model.rollout(states, steps=1, step=1e-3 + 1e-8 * k)

    return once


def roll_out(model):
    states = np.tile(model.rollout_row(model.assemble()), (64, 1))
    return lambda k: model.rollout(states, steps=2)


@pytest.mark.parametrize("work, count", [(simulate, 10000), (step, 10000), (fail, 3000), (vary, 300), (roll_out, 3000)])
def test_memory_stays_flat(work, count):
    once = work(crane())
    for k in range(count // 10):  # caches fill, the heap settles
        once(k)
    gc.collect()
    before = resident()
    for k in range(count):
        once(k)
    gc.collect()
    assert resident() - before < 3000  # kB: a run that kept its rows would take 2 kB each time
