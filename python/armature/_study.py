"""Studies on any executor of concurrent.futures: threads, processes, Dask, MPI."""
import concurrent.futures
import itertools
import json
import os
import queue
import threading
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core, _over, _progress
from ._compiled import options_of
from ._errors import Error, InputError, Stopped, UnknownName


class Study:
    """Points and their results; `study["peak"]` is a column. errors: those of eight motions, as of sweep(); None: they were not estimated."""

    def __init__(self, variables: Sequence[str], results: Sequence[str], points: np.ndarray, values: np.ndarray,
                 errors: Optional[_core.StudyErrors] = None):
        self.variables: List[str] = list(variables)
        self.results: List[str] = list(results)
        self.points, self.values = points, values  # one row for each motion
        self.errors = errors

    def __getitem__(self, name: str) -> np.ndarray:
        if name in self.variables:
            return self.points[:, self.variables.index(name)]
        if name in self.results:
            return self.values[:, self.results.index(name)]
        raise UnknownName(f"there is no variable or result '{name}'")

    def __repr__(self) -> str:
        return f"<armature.Study: {len(self.points)} motions, {', '.join(self.results)} over {', '.join(self.variables)}>"


def _compute(model, names: List[str], points: List[List[float]], results: Dict[str, str], options: Dict[str, Any],
             progress=None) -> List[List[float]]:
    """The cells of one task, in the process of a worker. One thread: the executor has the others."""
    return model.sweep(names, results, points=points, threads=1, verify=False, progress=progress, **options).values.tolist()


def study(
    model,
    over: _over.Over,
    result: Mapping[str, str],
    *,
    executor: Optional[Any] = None,
    journal: Optional[Union[str, os.PathLike]] = None,
    cells_of_a_task: int = 32,
    retries: int = 3,
    verify: bool = True,
    progress=False,
    **options: Any,
) -> Study:
    """Computes numbers of the motion over a grid on any executor, with the same bits as sweep().

    over: as in sweep(): a tuple is a range, (from, to, count); a list or an array holds the values. executor: anything with submit() of
    concurrent.futures, such as distributed.Client or mpi4py's MPIPoolExecutor; default: threads of this process. journal: a file for
    finished cells, from which the same study resumes. If a worker dies, its task is reassigned, up to `retries` times. Ctrl-C ends the
    study at once; tasks that have not begun are canceled, and the journal keeps the finished cells. verify: eight motions are then
    repeated in this process to estimate the errors; False leaves that out.
    """
    if cells_of_a_task < 1:
        raise InputError(f"cells_of_a_task is {cells_of_a_task}, but must be 1 at least")
    if not isinstance(result, Mapping) or not result:
        raise InputError('result has names and formulas: {"peak": "max(abs(motor.current))"}')
    options_of(options)
    names, axes, points = _over.grid(over)
    job = {"model": model.text, "settings": [list(entry) for entry in model.__getstate__()["settings"]],
           "over": {n: a.tolist() for n, a in zip(names, axes)}, "result": dict(result), "options": [list(e) for e in options_of(options)]}
    known = _Journal(journal, job, len(points), len(result))
    values = np.full((len(points), len(result)), np.nan)
    for cell, row in known.rows.items():
        values[cell] = row
    missing = [cell for cell in range(len(points)) if cell not in known.rows]
    tasks = [missing[k:k + cells_of_a_task] for k in range(0, len(missing), cells_of_a_task)]
    shown, done = _progress.of_study(progress)

    def arguments(cells):
        return model, names, points[cells].tolist(), dict(result), options

    count = len(known.rows)

    def finished(cells, rows):
        nonlocal count
        values[cells] = rows
        known.add(cells, rows)
        count += len(cells)
        if shown is not None and (go_on := shown(count, len(points))) is not None and not go_on:
            raise Stopped(f"the study was stopped after {count} of {len(points)} cells")

    try:
        if executor is not None:
            _gather(tasks, lambda cells: executor.submit(_compute, *arguments(cells)), finished, retries)
        else:
            _in_threads(tasks, arguments, finished)
    finally:
        known.close()
        done()
    errors = _errors(model, names, points, values, result, options) if verify and _core.errors_are_wanted() else None
    return Study(names, list(result), points, values, errors)


def _errors(model, names: List[str], points: np.ndarray, values: np.ndarray, result: Mapping[str, str], options: Dict[str, Any]):
    finished = np.flatnonzero(np.isfinite(values).all(axis=1))
    if not len(finished):
        return None
    some = finished[np.unique(np.linspace(0, len(finished) - 1, 8).astype(int))]
    return model.sweep(names, result, points=points[some].tolist(), **options).errors


def _gather(tasks, submit, finished, retries: int) -> None:
    """Takes results as they come. A task that failed because its worker died is given out again; of a failure, and of Ctrl-C, the rest is
    cancelled."""
    ready: "queue.SimpleQueue[int]" = queue.SimpleQueue()
    waiting: Dict[int, Any] = {}
    numbers = itertools.count()

    def give_out(cells, tried):
        future, number = submit(cells), next(numbers)
        waiting[number] = (future, cells, tried)
        future.add_done_callback(lambda _: ready.put(number))

    try:
        for cells in tasks:
            give_out(cells, 0)
        while waiting:
            future, cells, tried = waiting.pop(ready.get())
            try:
                rows = future.result()
            except Exception as error:
                # an Error is of the task itself, which would fail again: a wrong formula
                if tried >= retries or isinstance(error, Error):
                    raise
                give_out(cells, tried + 1)
                continue
            finished(cells, rows)
    finally:
        for future, _, _ in waiting.values():
            future.cancel()


def _in_threads(tasks, arguments, finished) -> None:
    """Threads of this process; they stop computing when the study ends early."""
    ended = threading.Event()
    threads = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    try:
        _gather(tasks, lambda cells: threads.submit(_compute, *arguments(cells), lambda done, count: not ended.is_set()), finished, 0)
    finally:
        ended.set()
        threads.shutdown(cancel_futures=True)


class _Journal:
    """Finished cells, one line each: {"cell": 3, "values": [...]}. The first line is the job; another job is an error."""

    def __init__(self, file, job: Dict[str, Any], cells: int, results: int):
        self.rows: Dict[int, List[float]] = {}
        self._out = None
        if file is None:
            return
        self._cells, self._results = cells, results
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
        for number, line in enumerate(lines[1:-1], start=2):  # what follows the last newline was not finished
            self._take(line, f"{file}:{number}")
        if lines[-1]:
            with open(file, "r+", encoding="utf-8") as text:
                text.truncate(os.path.getsize(file) - len(lines[-1].encode()))

    def _take(self, line: str, where: str) -> None:
        try:
            entry = json.loads(line)
            cell, row = entry["cell"], [float(value) for value in entry["values"]]
            valid = isinstance(cell, int) and 0 <= cell < self._cells and len(row) == self._results
        except (ValueError, TypeError, KeyError):
            valid = False
        if not valid:
            raise InputError(f"{where}: this line is not a result of this study; delete it, or choose another journal")
        self.rows[cell] = row

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
