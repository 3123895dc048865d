// Zooming and moving a plot of the reader's own: Ctrl + wheel and pinch zoom about the pointer, a drag moves what is zoomed, a double press shows
// everything.
import type { ChartFrame } from "./chart_svg";

export interface View {
  x: [number, number];
  y: [number, number];
}
interface Zoomed {
  frame: ChartFrame | null;
  view: View | null;
  show(view: View | null): void;
}

const perNotch = 1.15;

// Returns what zooms about the middle.
export function addChartGestures(body: HTMLElement, chart: Zoomed): (factor: number) => void {
  const fingers = new Map<number, [number, number]>();
  const at = (event: { clientX: number; clientY: number }): [number, number] => {
    const { left, top, width } = body.querySelector("svg")!.getBoundingClientRect();
    const scale = chart.frame!.width / width;
    return [(event.clientX - left) * scale, (event.clientY - top) * scale];
  };
  // What is at `before` comes to `now`, and everything becomes larger by 1/factor about it.
  const move = (before: [number, number], now: [number, number], factor: number) => {
    const { x, y, value } = chart.frame!;
    const [a, b] = value(...before);
    const [c, d] = value(...now);
    const scaled = ([from, to]: [number, number], stay: number, come: number): [number, number] => [stay + factor * (from - come), stay + factor * (to - come)];
    chart.show({ x: scaled(x, a, c), y: scaled(y, b, d) });
  };
  const zoom = (factor: number) => {
    if (!chart.frame) return;
    const { x, y, at: pixel } = chart.frame;
    const middle = pixel((x[0] + x[1]) / 2, (y[0] + y[1]) / 2);
    move(middle, middle, factor);
  };

  body.style.touchAction = "pan-y";
  body.addEventListener(
    "wheel",
    (event) => {
      if (!chart.frame || (!event.ctrlKey && !event.metaKey)) return;
      event.preventDefault();
      move(at(event), at(event), perNotch ** Math.sign(event.deltaY));
    },
    { passive: false },
  );
  body.addEventListener("pointerdown", (event) => {
    if (!chart.frame || event.button > 1) return;
    body.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, at(event));
    if (event.button === 1) event.preventDefault();
  });
  body.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before || !chart.frame) return;
    const now = at(event);
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    const apart = (a: [number, number], b: [number, number]) => Math.max(Math.hypot(a[0] - b[0], a[1] - b[1]), 8);
    if (other) move(other, other, apart(before, other) / apart(now, other));
    else if (chart.view) move(before, now, 1);
    fingers.set(event.pointerId, now);
  });
  const end = (event: PointerEvent) => fingers.delete(event.pointerId);
  body.addEventListener("pointerup", end);
  body.addEventListener("pointercancel", end);
  body.addEventListener("dblclick", () => chart.show(null));
  return zoom;
}
