// What lies over the picture: curves, separate points of curves, and marked places with their names.
import type { Theme } from "../theme";
import type { Curve, Mark } from "./document";
import { font, type Frame } from "./frame";
import type { StudyState } from "./state";

// Each kind of point has a shape besides its color.
const shapes: ((ctx: CanvasRenderingContext2D, x: number, y: number, r: number) => void)[] = [
  (ctx, x, y, r) => ctx.arc(x, y, r, 0, 7),
  (ctx, x, y, r) => polygon(ctx, x, y, 1.35 * r, 4, 0),
  (ctx, x, y, r) => polygon(ctx, x, y, 1.4 * r, 3, -Math.PI / 2),
  (ctx, x, y, r) => ctx.rect(x - 0.6 * r, y - 0.6 * r, 1.2 * r, 1.2 * r),
];
const fills = ["#ffffff", "#ff8a3d", "#f0e442", "#9aa5b0"];

function polygon(ctx: CanvasRenderingContext2D, x: number, y: number, r: number, corners: number, turn: number): void {
  for (let k = 0; k < corners; ++k) {
    const angle = turn + (2 * Math.PI * k) / corners;
    ctx[k === 0 ? "moveTo" : "lineTo"](x + r * Math.cos(angle), y + r * Math.sin(angle));
  }
  ctx.closePath();
}

function drawSymbol(ctx: CanvasRenderingContext2D, kind: number, x: number, y: number, r: number): void {
  ctx.beginPath();
  shapes[kind % shapes.length](ctx, x, y, r);
  ctx.fillStyle = fills[kind % fills.length];
  ctx.strokeStyle = "#000000";
  ctx.lineWidth = 1;
  ctx.fill();
  ctx.stroke();
}

// Black within white: seen on every color.
function halo(ctx: CanvasRenderingContext2D): void {
  ctx.lineJoin = "round";
  ctx.strokeStyle = "#ffffff";
  ctx.lineWidth = 4.5;
  ctx.stroke();
  ctx.strokeStyle = "#000000";
  ctx.lineWidth = 1.8;
  ctx.stroke();
}

function drawCurve(ctx: CanvasRenderingContext2D, frame: Frame, state: StudyState, curve: Curve, kind: number): void {
  const x = curve.at[state.x];
  const y = state.y === null ? null : curve.at[state.y];
  if (!x) return;
  if (!curve.line && y) {
    x.forEach((value, k) => drawSymbol(ctx, kind, frame.x.at(value), frame.y.at(y[k]), 3.4));
    return;
  }
  ctx.beginPath();
  x.forEach((value, k) => {
    if (y) ctx[k === 0 ? "moveTo" : "lineTo"](frame.x.at(value), frame.y.at(y[k]));
    else {
      ctx.moveTo(frame.x.at(value), frame.top);
      ctx.lineTo(frame.x.at(value), frame.top + frame.height);
    }
  });
  if (y) halo(ctx);
  else dashed(ctx, kind);
}

// Over one variable a curve is single places: dashed lines.
const dashes = [[5, 3], [2, 2], [9, 3], []];
const dashColors = ["#d55e00", "#009e73", "#cc79a7", "#7b858f"];
function dashed(ctx: CanvasRenderingContext2D, kind: number): void {
  ctx.setLineDash(dashes[kind % dashes.length]);
  ctx.lineWidth = 1.4;
  ctx.strokeStyle = dashColors[kind % dashColors.length];
  ctx.stroke();
  ctx.setLineDash([]);
}

// A curve as its legend shows it, in a square.
export function drawSample(ctx: CanvasRenderingContext2D, curve: Curve, kind: number, size: number, single: boolean): void {
  if (!single && !curve.line) return drawSymbol(ctx, kind, size / 2, size / 2, 4.5);
  ctx.beginPath();
  ctx.moveTo(single ? size / 2 : 0, single ? 0 : size / 2);
  ctx.lineTo(single ? size / 2 : size, single ? size : size / 2);
  if (single) dashed(ctx, kind);
  else halo(ctx);
}

function star(ctx: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  ctx.beginPath();
  for (let k = 0; k < 10; ++k) {
    const [angle, size] = [(Math.PI * k) / 5 - Math.PI / 2, k % 2 === 0 ? r : 0.45 * r];
    ctx[k === 0 ? "moveTo" : "lineTo"](x + size * Math.cos(angle), y + size * Math.sin(angle));
  }
  ctx.closePath();
}

// The name stands where there is room: beside the mark, inside the frame, over no other name; else it is left out.
type Box = [number, number, number, number];
function labelBox(ctx: CanvasRenderingContext2D, frame: Frame, text: string, x: number, y: number, taken: Box[]): Box | undefined {
  const [w, h] = [ctx.measureText(text).width + 10, 18];
  if (w > frame.width - 4) return undefined; // it would cover the numbers of the axis
  const tries: [number, number][] = [
    [x + 13, y - h / 2],
    [x - 13 - w, y - h / 2],
    [x - w / 2, y + 12],
    [x - w / 2, y - 12 - h],
    [x + 13, y + h],
    [x - 13 - w, y + h],
  ];
  const inside = ([left, top]: [number, number]): Box => [
    Math.min(Math.max(left, frame.left + 2), frame.left + frame.width - w - 2),
    Math.min(Math.max(top, frame.top + 2), frame.top + frame.height - h - 2),
    w,
    h,
  ];
  const free = (box: Box) =>
    !taken.some((b) => box[0] < b[0] + b[2] && b[0] < box[0] + box[2] && box[1] < b[1] + b[3] && b[1] < box[1] + box[3]);
  return tries.map(inside).find(free);
}

function drawMark(ctx: CanvasRenderingContext2D, x: number, y: number, main: boolean): void {
  ctx.beginPath();
  if (main) star(ctx, x, y, 11);
  else ctx.arc(x, y, 4.5, 0, 7);
  ctx.fillStyle = main ? "#ff3d7f" : "#ffffff";
  ctx.fill();
  ctx.lineWidth = main ? 3 : 1.5;
  ctx.strokeStyle = main ? "#ffffff" : "#000000";
  if (main) ctx.stroke();
  ctx.lineWidth = 1.2;
  ctx.strokeStyle = "#000000";
  ctx.stroke();
}

// Over one variable a mark lies on the curve, at the value of the point nearest to it; in a strip of classes, in the middle.
function heightOf(mark: Mark, frame: Frame, state: StudyState): number {
  const { result, table, x } = state;
  const middle = frame.top + frame.height / 2;
  if (result.scale === "classes") return middle;
  const far = (row: number) => Math.abs(table.variables[x].values[row] - mark.at[x]);
  const known = state.rows().filter((row) => Number.isFinite(result.values[row]));
  const y = known.length > 0 ? frame.y.at(result.values[known.reduce((best, row) => (far(row) < far(best) ? row : best))]) : middle;
  return Number.isFinite(y) ? Math.min(Math.max(y, frame.top), frame.top + frame.height) : middle;
}

export function drawOver(
  ctx: CanvasRenderingContext2D,
  frame: Frame,
  state: StudyState,
  marks: Mark[],
  curves: Curve[],
  theme: Theme,
): void {
  const onVariables = state.x < state.table.variables.length && (state.y ?? 0) < state.table.variables.length;
  if (!onVariables) return;
  frame.clip(() =>
    curves.forEach((curve, kind) => {
      if (!state.hidden.curves.has(curve.name)) drawCurve(ctx, frame, state, curve, kind);
    }),
  );
  ctx.font = font;
  const placed = marks.map((mark): [Mark, number, number] => [
    mark,
    frame.x.at(mark.at[state.x]),
    state.y === null ? heightOf(mark, frame, state) : frame.y.at(mark.at[state.y]),
  ]);
  const taken: Box[] = placed.map(([, x, y]) => [x - 11, y - 11, 22, 22]);
  for (const [mark, x, y] of placed) drawMark(ctx, x, y, mark.main);
  for (const [mark, x, y] of placed.reverse()) {
    const box = labelBox(ctx, frame, mark.name, x, y, taken);
    if (!box) continue;
    taken.push(box);
    ctx.fillStyle = theme.background;
    ctx.globalAlpha = 0.86;
    ctx.beginPath();
    ctx.roundRect(...box, 4);
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.fillStyle = theme.text;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    ctx.fillText(mark.name, box[0] + 5, box[1] + box[3] / 2 + 0.5);
  }
}
