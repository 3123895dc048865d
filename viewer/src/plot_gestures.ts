// What pointers and wheels do to a plot:
//   press, drag            the animation goes to that time
//   drag with shift        shows that range of times in all plots
//   wheel with ctrl, pinch zooms the times; wheel or drag on an axis zooms or moves that axis alone
//   middle drag            moves the times
//   press with alt         the second cursor; again at the same place: none
//   double press           everything
import type uPlot from "uplot";
import { PlotTip } from "./plot_tip";
import type { Plot } from "./plot";
import type { Plots } from "./plots";

const perNotch = 1.15; // zoom by a wheel

export function addGestures(chart: uPlot, plot: Plot, owner: Plots): void {
  const { over } = chart;
  const tip = new PlotTip(chart, plot, owner);
  const x = (event: { clientX: number }) => event.clientX - over.getBoundingClientRect().left;
  const y = (event: { clientY: number }) => event.clientY - over.getBoundingClientRect().top;
  const timeAt = (event: { clientX: number }) => chart.posToVal(x(event), "x");
  let from: number | null = null; // pixel at which a range began
  let panned: number | null = null; // time under a pointer that moves the times
  const fingers = new Map<number, PointerEvent>();
  over.style.touchAction = "pan-y";

  over.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return;
    over.setPointerCapture(event.pointerId);
    tip.hide();
    fingers.set(event.pointerId, event);
    if (event.button === 1) {
      event.preventDefault();
      panned = timeAt(event);
    } else if (event.altKey) owner.setMark(nearMark(event) ? null : timeAt(event));
    else if (event.shiftKey) from = x(event);
    else if (fingers.size === 1) owner.scrub(timeAt(event));
  });
  const nearMark = (event: PointerEvent) =>
    owner.mark !== null && Math.abs(chart.valToPos(owner.mark, "x") - x(event)) < 6;

  over.addEventListener("pointermove", (event) => {
    if (!over.hasPointerCapture(event.pointerId)) {
      if (event.pointerType === "mouse") tip.show(x(event), y(event));
      return;
    }
    const before = fingers.get(event.pointerId);
    fingers.set(event.pointerId, event);
    if (fingers.size === 2 && before) pinch(before, event);
    else if (panned !== null) owner.pan(panned - timeAt(event));
    else if (from !== null) {
      const left = Math.min(from, x(event));
      chart.setSelect({ left, top: 0, width: Math.abs(x(event) - from), height: over.clientHeight }, false);
    } else if (!event.altKey && fingers.size === 1) owner.scrub(timeAt(event));
  });
  // What lay under both fingers stays under them.
  function pinch(before: PointerEvent, now: PointerEvent): void {
    const other = [...fingers.values()].find((each) => each.pointerId !== now.pointerId)!;
    const [t0, t1] = [timeAt(other), timeAt(before)];
    const apart = Math.abs(x(now) - x(other));
    if (apart < 8 || t0 === t1) return;
    const [min, max] = owner.rangeShown;
    const length = (Math.abs(t1 - t0) / apart) * over.clientWidth;
    const begin = t0 - (x(other) / over.clientWidth) * length;
    if (length !== max - min) owner.setRange(begin, begin + length);
  }

  const end = (event: PointerEvent) => {
    fingers.delete(event.pointerId);
    panned = null;
    if (event.type === "pointerup" && from !== null && Math.abs(x(event) - from) > 4) {
      const ends = [chart.posToVal(from, "x"), timeAt(event)];
      owner.setRange(Math.min(...ends), Math.max(...ends));
    }
    from = null;
    chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  };
  over.addEventListener("pointerup", end);
  over.addEventListener("pointercancel", end);
  over.addEventListener("pointerleave", () => tip.hide());
  over.addEventListener("dblclick", () => owner.resetRange());
  over.addEventListener("auxclick", (event) => event.preventDefault());

  // A wheel alone scrolls the page; with ctrl, which is also what pinching a touchpad sends, it zooms.
  over.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      owner.zoom(perNotch ** Math.sign(event.deltaY), timeAt(event));
    },
    { passive: false },
  );
  const [times, values] = chart.root.querySelectorAll<HTMLElement>(".u-axis");
  onAxis(times, (event) => owner.zoom(perNotch ** Math.sign(event.deltaY), timeAt(event)), (dx) =>
    owner.pan(chart.posToVal(0, "x") - chart.posToVal(dx, "x")),
  );
  onAxis(values, (event) => zoomY(perNotch ** Math.sign(event.deltaY), y(event)), (_, dy) => zoomY(1, 0, dy));
  values.addEventListener("dblclick", () => plot.setYRange(null));

  // Both ends of y, as far from the place under the pointer as before times a factor; then moved by some pixels.
  function zoomY(factor: number, about: number, by = 0): void {
    const height = over.clientHeight;
    const ends = [height, 0].map((end) => chart.posToVal(about + factor * (end - about) - by, "y"));
    if (ends[1] > ends[0]) plot.setYRange([ends[0], ends[1]]);
  }
}

function onAxis(axis: HTMLElement, wheel: (event: WheelEvent) => void, drag: (dx: number, dy: number) => void): void {
  axis.style.pointerEvents = "auto";
  axis.style.touchAction = "none";
  axis.title = "wheel: zoom, drag: move, double-click: everything";
  axis.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      wheel(event);
    },
    { passive: false },
  );
  let last: PointerEvent | null = null;
  axis.addEventListener("pointerdown", (event) => {
    axis.setPointerCapture(event.pointerId);
    last = event;
  });
  axis.addEventListener("pointermove", (event) => {
    if (!last) return;
    drag(event.clientX - last.clientX, event.clientY - last.clientY);
    last = event;
  });
  const end = () => (last = null);
  axis.addEventListener("pointerup", end);
  axis.addEventListener("pointercancel", end);
}
