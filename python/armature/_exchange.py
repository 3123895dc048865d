"""A model in the formats of others, and on a live page."""
import atexit
import os
import warnings
import weakref
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence, Union

from . import _core
from . import _pictures
from ._arguments import branch_or_none, whole
from ._compiled import Value, names_of
from ._analyses import Analyses
from ._errors import InputError

_FORMATS = {".c": "c", **_core.robot_formats(), ".fmu": "fmu"}


class Exported(NamedTuple):
    """What export() has written."""

    files: List[str]
    not_exported: List[str]


Exported.files.__doc__ = "Their names; of C, the programs, the header and the step."
Exported.not_exported.__doc__ = "What the format cannot express, one sentence each."


class Exchange(Analyses):
    """Export, pictures and the live page."""

    def export(self, file: Union[str, os.PathLike], *, format: str = "", inputs: Sequence[str] = (), branch: Optional[int] = None,
               fmi: str = "3.0") -> Exported:
        """Writes the model in another format: export("rrr.c"), "delta.urdf", "delta.sdf", "delta.xml" (MJCF), "crane.fmu".

        format: c, urdf, sdf, mjcf or fmu, if the name of the file does not tell. inputs: parameters that become inputs of the C code.
        branch: the pose of a robot, the start of the C code. fmi: version of the FMU, 2.0 or 3.0; an FMU assembles its start itself.
        """
        file = os.fspath(file)
        stem, ending = os.path.splitext(file)
        format = format or _FORMATS.get(ending, "")
        if format not in _FORMATS.values():
            raise InputError(f"{file}: the ending names no format; end it in {', '.join(_FORMATS)}, or give format")
        inputs, branch = names_of("inputs", inputs), branch_or_none(branch)
        if inputs and format != "c":
            raise InputError("inputs are those of C code; a robot has its actuators, an FMU the inputs of the model")
        prefix = _core.c_identifier(os.path.basename(stem))
        settings = self._compiled.settings
        if format == "c":
            header, programs, step = _core.c_code(self._model, settings, inputs, branch, prefix)
            beside = os.path.join(os.path.dirname(file), prefix)
            return _write({file: programs, beside + ".h": header, beside + "_step.cpp": step})
        if format == "fmu":
            if branch:
                raise InputError("an FMU assembles its start itself; choose the pose with set({'start.keep.NAME': VALUE})")
            if fmi not in ("2.0", "3.0"):
                raise InputError(f"fmi is {fmi!r}, but must be '2.0' or '3.0'")
            return _write({file: _core.fmu_archive(self._model, settings, fmi, prefix)})
        text, not_exported = _core.robot_text(self._model, format, branch)
        return _write({file: text}, not_exported)

    def draw(self, file: Union[str, os.PathLike], at: Union[float, Sequence[float]] = (), *, view: str = "", trace: Sequence[str] = (),
             dimensions: bool = False, centers: bool = False, frames: bool = False, names: bool = False, velocities: bool = False,
             reactions: bool = False, free: bool = False, stress: bool = False, bend: float = 1, title: str = "", width: float = 160, height: float = 120, dpi: int = 200,
             branch: Optional[int] = None) -> str:
        """Draws the machine as a kinematic diagram: draw("start.svg"), "poses.png", "poses.pdf". Returns the file.

        at: times, s, overlaid in one picture; the model is simulated up to the last one. Default: the start. view: front, top, side or iso.
        trace: points ("platform.C") or joints whose paths are drawn. dimensions: lengths between joints. centers: of mass. frames: axes of
        bodies. names: of bodies and joints. velocities, reactions: arrows. free: arrows for what
        can move at a singular pose. bend: factor that magnifies deflections of beams. stress: color beams by their stress. width, height:
        mm; the height is a maximum. dpi: of a png. branch: number of the assembly branch.
        """
        file = os.fspath(file)
        look = _pictures.look(view=view, trace=trace, bend=bend, title=title, dimensions=dimensions, centers=centers, frames=frames,
                              names=names, velocities=velocities, reactions=reactions, free=free, stress=stress)
        look.update(at=_pictures.times(at), width=_pictures.within("width", width, 40, 2000),
                    height=_pictures.within("height", height, 30, 2000))
        _core.draw_model(self._model, branch_or_none(branch), file, look, _pictures.within("dpi", dpi, 20, 2400))
        return file

    def view(self, *, port: int = 0, root: Union[str, os.PathLike] = "", open: bool = True) -> _core.LivePage:
        """Opens a live page with sliders for parameters, start and method, as `armature view` does; only this computer can reach it.

        The page can read and write the model file and the other files in its folder (or in `root`). port: 0 chooses a free one. open:
        whether to open a browser. The page ends with stop(), at the end of a with block, or when Python exits.
        """
        if self._sections is not None or self._settings or not os.path.exists(self._file):
            raise InputError("the page shows a file: save() the model, load it from there, and view that")
        page = _core.LivePage(self._file, os.fspath(root) or self._root, whole("port", port))
        _pages.add(page)
        if open:
            import webbrowser

            webbrowser.open(page.address)
        return page


_pages: "weakref.WeakSet[_core.LivePage]" = weakref.WeakSet()


@atexit.register
def _stop_pages() -> None:
    for page in list(_pages):
        page.stop()


def _write(files: Mapping[str, Union[str, bytes]], not_exported: Sequence[str] = ()) -> Exported:
    """None is put in place before all are written."""
    for name, content in files.items():
        try:
            with open(name + ".part", "wb") as out:
                out.write(content.encode() if isinstance(content, str) else content)
        except OSError as error:  # of the file that was asked for
            raise OSError(error.errno, error.strerror, name) from None
    for name in files:
        os.replace(name + ".part", name)
    return Exported(list(files), list(not_exported))


class Imported(NamedTuple):
    """A robot as a model."""

    model: Any
    format: str
    loops: List[str]
    not_taken: List[str]


Imported.model.__doc__ = "A Model; its text is a model file, which save() writes."
Imported.format.__doc__ = "URDF, SDFormat or MJCF."
Imported.loops.__doc__ = "How each loop was converted, one sentence each."
Imported.not_taken.__doc__ = "What was not imported, one sentence each."


def warn_of_lost_loops(not_taken: Sequence[str]) -> None:
    for what in not_taken:
        if what.startswith("LOOP NOT KEPT"):
            warnings.warn(what, RuntimeWarning, stacklevel=3)


def robot_parts(file: str, root: Union[str, os.PathLike] = "", free: bool = False):
    """Text, format, loops, what was not taken. Meshes are named from the folder of the robot."""
    return _core.import_robot(file, os.fspath(root), bool(free), "")
