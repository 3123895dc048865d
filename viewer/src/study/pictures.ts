// Ways to draw the table: cells of a grid at their own size (over one variable a strip), a curve over one variable, or
// scattered points. Each knows which row lies under a pixel.
import type { Theme } from "../theme";
import type { Coloring } from "./colors";
import type { StudyTable } from "./document";
import type { AxisDescription, Frame, Range } from "./frame";
import { extent } from "./scale";
import type { StudyState } from "./state";

export interface Picture {
  x: AxisDescription;
  y: AxisDescription | null;
  colorBar: boolean;
  draw(ctx: CanvasRenderingContext2D, frame: Frame, theme: Theme): void;
  find(px: number, py: number, frame: Frame): number | null;
  boxOf(row: number, frame: Frame): [number, number, number, number]; // left, top, width, height of what is drawn of it
}

export function hatching(ctx: CanvasRenderingContext2D, [ground, line]: [string, string]): CanvasPattern {
  const tile = Object.assign(document.createElement("canvas"), { width: 8, height: 8 });
  const inside = tile.getContext("2d")!;
  inside.fillStyle = ground;
  inside.fillRect(0, 0, 8, 8);
  inside.strokeStyle = line;
  inside.beginPath();
  for (const shift of [-8, 0, 8]) {
    inside.moveTo(shift, 8);
    inside.lineTo(shift + 8, 0);
  }
  inside.stroke();
  return ctx.createPattern(tile, "repeat")!;
}

const values = (column: ArrayLike<number>, rows: number[]) => rows.map((row) => column[row]);

export class Cells implements Picture {
  readonly x: AxisDescription;
  readonly y: AxisDescription | null;
  readonly colorBar: boolean;
  private places: Map<string, number>[]; // a level: row by its place on the grid
  private kx: number;
  private ky: number | null;

  constructor(
    private state: StudyState,
    private rows: number[],
    private coloring: Coloring,
  ) {
    this.kx = state.x;
    this.ky = state.y;
    this.x = this.axis(this.kx);
    this.y = this.ky === null ? null : this.axis(this.ky);
    this.colorBar = !coloring.classes;
    this.places = this.table.study.levels.map(() => new Map());
    for (const row of rows) this.places[this.table.level[row]].set(this.place(row), row);
  }
  private get table(): StudyTable {
    return this.state.table;
  }
  private axis(k: number): AxisDescription {
    const { label, values: all } = this.table.variables[k];
    const [min, max] = extent(values(all, this.rows));
    const half = this.spacing(0, k) / 2;
    return { label, range: this.spacing(0, k) > 0 && min < max ? [min - half, max + half] : [min, max], log: false };
  }
  private spacing(level: number, k: number): number {
    return this.table.study.levels[level].spacing[k];
  }
  // Number of the grid line that is nearest to a value.
  private number(value: number, level: number, k: number): number {
    const spacing = this.spacing(level, k);
    return spacing > 0 ? Math.round((value - this.table.study.levels[level].origin[k]) / spacing) : 0;
  }
  private key(x: number, y: number, level: number): string {
    return `${this.number(x, level, this.kx)} ${this.ky === null ? 0 : this.number(y, level, this.ky)}`;
  }
  private place(row: number): string {
    const { variables, level } = this.table;
    const y = this.ky === null ? 0 : variables[this.ky].values[row];
    return this.key(variables[this.kx].values[row], y, level[row]);
  }

  draw(ctx: CanvasRenderingContext2D, frame: Frame): void {
    const blank = hatching(ctx, this.coloring.missing);
    frame.clip(() => {
      for (const row of this.rows) {
        const box = this.boxOf(row, frame);
        const color = this.state.isShown(row) ? this.coloring.of(this.state.result.values[row]) : "transparent";
        ctx.clearRect(...box);
        ctx.fillStyle = color ?? blank;
        ctx.fillRect(...box);
      }
    });
  }
  boxOf(row: number, frame: Frame): [number, number, number, number] {
    const [left, right] = this.sides(row, this.kx, frame, "x");
    const [top, bottom] = this.ky === null ? [frame.top, frame.top + frame.height] : this.sides(row, this.ky, frame, "y");
    return [left, top, right - left, bottom - top];
  }
  // Pixels between which a cell lies; whole pixels, so that neighbors meet. An edge halfway between two pixels goes to the same
  // one from both sides, whatever the round-off.
  private sides(row: number, k: number, frame: Frame, axis: "x" | "y"): Range {
    const value = this.table.variables[k].values[row];
    const half = this.spacing(this.table.level[row], k) / 2;
    if (half === 0) return axis === "x" ? [frame.left, frame.left + frame.width] : [frame.top, frame.top + frame.height];
    const ends = [frame[axis].at(value - half), frame[axis].at(value + half)].map((end) => Math.round(end + 1e-6));
    return [Math.min(...ends), Math.max(...ends)];
  }

  find(px: number, py: number, frame: Frame): number | null {
    for (let level = this.places.length - 1; level >= 0; --level) {
      const row = this.places[level].get(this.key(frame.x.value(px), frame.y.value(py), level));
      if (row !== undefined) return row;
    }
    return null;
  }
}

export class Points implements Picture {
  readonly x: AxisDescription;
  readonly y: AxisDescription;
  readonly colorBar: boolean;
  private at: (row: number) => [number, number];

  constructor(
    private state: StudyState,
    private rows: number[],
    private coloring: Coloring,
    private joined: boolean, // a curve over one variable
  ) {
    const x = state.columns[state.x];
    const y = state.y === null ? state.result : state.columns[state.y];
    const log = state.y === null && state.log;
    const value = (v: number) => (log ? Math.abs(v) : v);
    this.at = (row) => [x.values[row], value(y.values[row])];
    this.x = { label: x.label, range: widened(extent(values(x.values, rows)), false, joined ? 0 : 0.03), log: false };
    const shown = extent(values(y.values, rows).map(value), log);
    this.y = { label: y.label, range: widened(shown, log, 0.05), log };
    this.colorBar = state.y !== null && !coloring.classes;
    if (joined) this.rows = [...rows].sort((a, b) => x.values[a] - x.values[b]);
  }

  draw(ctx: CanvasRenderingContext2D, frame: Frame, theme: Theme): void {
    frame.grid(theme);
    frame.clip(() => {
      if (this.joined) this.curve(ctx, frame, theme);
      else for (const row of this.rows) this.dot(ctx, frame, row, theme);
    });
  }
  private curve(ctx: CanvasRenderingContext2D, frame: Frame, theme: Theme): void {
    ctx.strokeStyle = theme.series[0];
    ctx.lineWidth = 1.8;
    ctx.beginPath();
    let drawing = false;
    for (const row of this.rows) {
      const [x, y] = this.at(row);
      const there = Number.isFinite(y) && !(this.y.log && y <= 0);
      if (there) drawing ? ctx.lineTo(frame.x.at(x), frame.y.at(y)) : ctx.moveTo(frame.x.at(x), frame.y.at(y));
      drawing = there;
    }
    ctx.stroke();
    if (this.rows.length > frame.width / 8) return;
    for (const row of this.rows) this.dot(ctx, frame, row, theme);
  }
  private dot(ctx: CanvasRenderingContext2D, frame: Frame, row: number, theme: Theme): void {
    const [x, y] = this.at(row);
    if (!Number.isFinite(y) || (this.y.log && y <= 0) || !this.state.isShown(row)) return;
    const value = this.state.result.values[row];
    ctx.beginPath();
    ctx.arc(frame.x.at(x), frame.y.at(y), 4, 0, 7);
    ctx.fillStyle = this.joined && !this.coloring.classes ? theme.series[0] : (this.coloring.of(value) ?? theme.metal);
    ctx.fill();
    ctx.strokeStyle = theme.text;
    ctx.lineWidth = 0.7;
    ctx.stroke();
  }

  find(px: number, py: number, frame: Frame): number | null {
    let [best, least] = [null as number | null, this.joined ? Infinity : 14];
    for (const row of this.rows) {
      const [x, y] = this.at(row);
      const away = this.joined
        ? Math.abs(frame.x.at(x) - px)
        : Math.hypot(frame.x.at(x) - px, frame.y.at(y) - py);
      if (away < least) [best, least] = [row, away];
    }
    return best;
  }
  boxOf(row: number, frame: Frame): [number, number, number, number] {
    const [x, y] = this.at(row);
    return [frame.x.at(x) - 7, (Number.isFinite(y) ? frame.y.at(y) : frame.top + frame.height) - 7, 14, 14];
  }
}

function widened([min, max]: Range, log: boolean, share: number): Range {
  if (log) return [min * (min / max) ** share, max * (max / min) ** share];
  return [min - share * (max - min), max + share * (max - min)];
}

export function pictureOf(state: StudyState, rows: number[], coloring: Coloring): Picture {
  if (state.table.scattered) return new Points(state, rows, coloring, false);
  if (state.y === null && !coloring.classes) return new Points(state, rows, coloring, true);
  return new Cells(state, rows, coloring);
}
