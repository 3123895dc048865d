"""Studies on any executor of concurrent.futures: threads, processes, Dask, MPI."""
import concurrent.futures
import json
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from ._errors import InputError


class Study:
    """Points and their results; `study["peak"]` is a column."""

    def __init__(self, variables: Sequence[str], results: Sequence[str], points: np.ndarray, values: np.ndarray):
        self.variables, self.results, self.points, self.values = list(variables), list(results), points, values

    def __getitem__(self, name: str) -> np.ndarray:
        if name in self.variables:
            return self.points[:, self.variables.index(name)]
        if name in self.results:
            return self.values[:, self.results.index(name)]
        raise KeyError(f"there is no variable or result '{name}'")

    def __repr__(self) -> str:
        return f"<armature study: {len(self.points)} motions, {', '.join(self.results)} over {', '.join(self.variables)}>"


def _compute(model, names: List[str], points: List[List[float]], results: Dict[str, str], options: Dict[str, Any]) -> List[List[float]]:
    """The cells of one task, in the process of a worker. One thread: the executor has the others."""
    over = {name: (0, 1) for name in names}
    return model.sweep(over, results, points=points, threads=1, **options).values.T.tolist()


def study(
    model,
    over: Mapping[str, Sequence[float]],
    result: Mapping[str, str],
    *,
    executor: Optional[Any] = None,
    journal: Optional[Union[str, os.PathLike]] = None,
    cells_of_a_task: int = 32,
    retries: int = 3,
    **options: Any,
) -> Study:
    """Numbers of the motion over a grid, computed wherever the executor runs: the same bits as sweep().

    over: {"rope": (0.5, 1, 11)}, or lists of values as arrays. executor: anything with submit() of concurrent.futures, such as
    distributed.Client or mpi4py's MPIPoolExecutor; none: threads of this process. journal: a file that finished cells go to; the same study
    goes on from there. A task whose worker dies is given out again.
    """
    names = list(over)
    axes = [_values(name, values) for name, values in over.items()]
    points = np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=-1)
    job = {"model": model.text, "settings": model.__getstate__()["settings"], "over": {n: a.tolist() for n, a in zip(names, axes)},
           "result": dict(result), "options": options}
    known = _Journal(journal, job)
    values = np.full((len(points), len(result)), np.nan)
    for cell, row in known.rows.items():
        values[cell] = row
    missing = [cell for cell in range(len(points)) if cell not in known.rows]
    tasks = [missing[k:k + cells_of_a_task] for k in range(0, len(missing), cells_of_a_task)]

    def submit(place, cells):
        return place.submit(_compute, model, names, points[cells].tolist(), dict(result), options)

    def gather(place):
        waiting = {submit(place, cells): (cells, 0) for cells in tasks}
        while waiting:
            future = next(iter(waiting))
            cells, tried = waiting.pop(future)
            try:
                rows = future.result()
            except Exception:
                if tried >= retries or _is_ours(future):
                    raise
                waiting[submit(place, cells)] = (cells, tried + 1)
                continue
            values[cells] = rows
            known.add(cells, rows)

    try:
        if executor is not None:
            gather(executor)
        else:
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
                gather(threads)
    finally:
        known.close()
    return Study(names, list(result), points, values)


def _is_ours(future) -> bool:
    """Whether the task itself failed, and would fail again: a wrong formula, not a worker that died."""
    from ._errors import Error

    return isinstance(future.exception(), Error)


def _values(name: str, values) -> np.ndarray:
    if isinstance(values, tuple):
        if len(values) != 3:
            raise InputError(f"over {name}: expected (from, to, count) or an array of values")
        count = int(values[2])
        if count < 1:
            raise InputError(f"over {name}: expected at least one value")
        low, high = float(values[0]), float(values[1])
        if count == 1:
            return np.array([low])
        return np.array([low + (high - low) * k / (count - 1) for k in range(count)])
    return np.asarray(values, dtype=float)


class _Journal:
    """Finished cells, one line each: {"cell": 3, "values": [...]}. The first line is the job; another job is an error."""

    def __init__(self, file, job: Dict[str, Any]):
        self.rows: Dict[int, List[float]] = {}
        self._out = None
        if file is None:
            return
        head = json.dumps(job, sort_keys=True)
        if os.path.exists(file) and os.path.getsize(file):
            self._read(file, head)
        self._out = open(file, "a", encoding="utf-8")
        if not self._out.tell():
            self._write(head)

    def _read(self, file, head: str) -> None:
        with open(file, encoding="utf-8") as text:
            lines = text.read().split("\n")
        if lines[0] != head:
            raise InputError(f"{file} holds cells of another study; delete it, or name another journal")
        for line in lines[1:-1]:  # what follows the last newline was not finished
            entry = json.loads(line)
            self.rows[entry["cell"]] = entry["values"]
        if lines[-1]:
            with open(file, "r+", encoding="utf-8") as text:
                text.truncate(os.path.getsize(file) - len(lines[-1].encode()))

    def _write(self, line: str) -> None:
        self._out.write(line + "\n")
        self._out.flush()

    def add(self, cells: Sequence[int], rows: Sequence[Sequence[float]]) -> None:
        if self._out:
            for cell, row in zip(cells, rows):
                self._write(json.dumps({"cell": int(cell), "values": list(row)}))

    def close(self) -> None:
        if self._out:
            self._out.close()
