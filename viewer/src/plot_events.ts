// What is drawn over the curves of a plot over time: where events are, with their numbers in the list of events, and the second cursor.
import type uPlot from "uplot";
import type { Plots } from "./plots";

const most = 400; // events that are marked

export interface Event {
  t: number;
  what: string;
}

// The first ones, as far as they are marked.
export const marked = (events: Event[]) => events.slice(0, most);

// strong: the plot is about events.
export function drawOver(chart: uPlot, { events, theme, mark }: Plots, strong: boolean): void {
  const { ctx } = chart;
  const places = marked(events).map(({ t }, k): [string, number] => [String(k + 1), place(chart, t)]);
  const inside = places.filter(([, x]) => isInside(chart, x));
  ctx.save();
  ctx.strokeStyle = theme.mark;
  ctx.fillStyle = theme.markText;
  ctx.lineWidth = devicePixelRatio;
  drawLines(chart, inside, strong);
  drawTicks(chart, inside);
  writeNumbers(chart, inside);
  ctx.strokeStyle = theme.text;
  if (mark !== null) drawMark(chart, place(chart, mark));
  ctx.restore();
}

const place = (chart: uPlot, t: number) => Math.round(chart.valToPos(t, "x", true)) + 0.5;
const isInside = ({ bbox }: uPlot, x: number) => x >= bbox.left && x <= bbox.left + bbox.width;

function drawLines({ ctx, bbox }: uPlot, places: [string, number][], strong: boolean): void {
  ctx.globalAlpha = strong ? 0.75 : 0.22;
  ctx.setLineDash(strong ? [4, 3] : []);
  strokes(ctx, places, bbox.top, bbox.height);
  ctx.globalAlpha = 1;
  ctx.setLineDash([]);
}
// On the upper edge: lines through the curves are faint.
function drawTicks({ ctx, bbox }: uPlot, places: [string, number][]): void {
  strokes(ctx, places, bbox.top, 5 * devicePixelRatio);
}
// As far as there is room for them.
function writeNumbers({ ctx, bbox }: uPlot, places: [string, number][]): void {
  ctx.font = `${10 * devicePixelRatio}px system-ui, sans-serif`;
  let last = -Infinity;
  for (const [text, x] of places) {
    if (x - last <= 18 * devicePixelRatio) continue;
    ctx.fillText(text, x + 2 * devicePixelRatio, bbox.top + 9 * devicePixelRatio);
    last = x;
  }
}
// The second cursor, from which differences are taken.
function drawMark(chart: uPlot, x: number): void {
  const { ctx, bbox } = chart;
  if (!isInside(chart, x)) return;
  ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.lineWidth = 1.5 * devicePixelRatio;
  strokes(ctx, [["", x]], bbox.top, bbox.height);
}

function strokes(ctx: CanvasRenderingContext2D, places: [string, number][], top: number, height: number): void {
  ctx.beginPath();
  for (const [, x] of places) {
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
  }
  ctx.stroke();
}
