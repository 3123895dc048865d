// The picture on its canvas: axes, cells, what lies over them, the color bar; and what is said of the place under the
// pointer.
import { element, written } from "../dom";
import type { Theme } from "../theme";
import { Coloring } from "./colors";
import type { ResultColumn, StudyTable } from "./document";
import { font, Frame } from "./frame";
import { drawOver } from "./marks";
import { pictureOf, type Picture } from "./pictures";
import { Scale } from "./scale";
import type { StudyState } from "./state";

const barMargin = 96;

export class Figure {
  private canvas = element("canvas", { role: "application", "aria-label": "picture of the results; the arrow keys choose a point", tabindex: "0" });
  private tip = element("div", { class: "tip", hidden: "" });
  private picture: Picture | null = null;
  private frame: Frame | null = null;
  coloring: Coloring | null = null;
  chosen: number | null = null; // row
  onChoice: (row: number) => void = () => {};

  constructor(
    private state: StudyState,
    private host: HTMLElement,
    private theme: Theme,
  ) {
    host.append(this.canvas, this.tip);
    new ResizeObserver(() => this.draw()).observe(host);
    state.onChange(() => this.update());
    this.canvas.addEventListener("pointermove", (event) => this.hover(event));
    this.canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    this.canvas.addEventListener("click", (event) => this.choose(this.rowAt(event)));
    this.canvas.addEventListener("keydown", (event) => this.step(event));
    this.update();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.update();
  }
  update(): void {
    const rows = this.state.rows();
    const values = this.state.result.values;
    this.coloring = new Coloring(this.state.result, rows.map((row) => values[row]), this.state.log, this.theme);
    this.picture = pictureOf(this.state, rows, this.coloring);
    this.host.classList.toggle("strip", this.picture.y === null);
    this.draw();
  }

  draw(): void {
    const { picture, canvas, host } = this;
    const [width, height] = [host.clientWidth, host.clientHeight];
    if (!picture || width < 1 || height < 1) return;
    const ratio = window.devicePixelRatio;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const ctx = canvas.getContext("2d")!;
    ctx.scale(ratio, ratio);
    this.frame = new Frame(ctx, width, height, picture.x, picture.y, picture.colorBar ? barMargin : 0);
    picture.draw(ctx, this.frame, this.theme);
    const { marks, curves } = this.state.table.study;
    drawOver(ctx, this.frame, this.state, marks, curves, this.theme);
    this.frame.axes(this.theme);
    if (this.chosen !== null && this.isSeen(this.chosen)) this.outline(ctx, picture.boxOf(this.chosen, this.frame));
    if (picture.colorBar) this.colorBar(ctx, this.frame);
  }

  // Dark and light, so that one of them is seen on every color.
  private outline(ctx: CanvasRenderingContext2D, [left, top, width, height]: [number, number, number, number]): void {
    for (const [color, line, grown] of [[this.theme.background, 4, 1], [this.theme.text, 2, 1]] as const) {
      ctx.strokeStyle = color;
      ctx.lineWidth = line;
      ctx.strokeRect(left - grown, top - grown, width + 2 * grown, height + 2 * grown);
    }
  }
  private isSeen(row: number): boolean {
    return this.state.isInSlice(row) && this.state.isShown(row);
  }
  // The picture as it is, on the ground of the page.
  snapshot(): HTMLCanvasElement {
    const { width, height } = this.canvas;
    const copy = element("canvas", { width: String(width), height: String(height) });
    const ctx = copy.getContext("2d")!;
    ctx.fillStyle = this.theme.background;
    ctx.fillRect(0, 0, width, height);
    ctx.drawImage(this.canvas, 0, 0);
    return copy;
  }

  private colorBar(ctx: CanvasRenderingContext2D, frame: Frame): void {
    const coloring = this.coloring!;
    const left = frame.left + frame.width + 18;
    const { min, max, log } = coloring.scale;
    const scale = new Scale(min, max, log, frame.top + frame.height, frame.top);
    for (let py = 0; py < frame.height; ++py) {
      ctx.fillStyle = coloring.along(1 - py / frame.height);
      ctx.fillRect(left, frame.top + py, 14, 1.5);
    }
    ctx.strokeStyle = ctx.fillStyle = this.theme.text;
    ctx.lineWidth = 1;
    ctx.strokeRect(left - 0.5, frame.top - 0.5, 15, frame.height + 1);
    ctx.font = font;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    ctx.beginPath();
    for (const { value, text } of scale.ticks(38)) {
      const y = Math.round(scale.at(value)) + 0.5;
      ctx.moveTo(left + 14, y);
      ctx.lineTo(left + 19, y);
      ctx.fillText(text, left + 22, y);
    }
    ctx.stroke();
    ctx.save();
    ctx.translate(left + 74, frame.top + frame.height / 2);
    ctx.rotate(-Math.PI / 2);
    ctx.textAlign = "center";
    ctx.fillText(this.state.result.label, 0, 0);
    ctx.restore();
  }

  // The row under an event, if there is one.
  private rowAt(event: MouseEvent): number | null {
    const box = this.canvas.getBoundingClientRect();
    const at = this.frame?.inside(event.clientX - box.left, event.clientY - box.top);
    return at ? this.picture!.find(...at, this.frame!) : null;
  }
  private hover(event: MouseEvent): void {
    const row = this.rowAt(event);
    this.tip.hidden = row === null;
    if (row === null) return;
    this.tip.replaceChildren(...this.lines(row));
    const box = this.host.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const { offsetWidth: w, offsetHeight: h } = this.tip;
    this.tip.style.left = `${px + 16 + w < box.width ? px + 16 : Math.max(0, px - 12 - w)}px`;
    this.tip.style.top = `${py + 16 + h < box.height ? py + 16 : Math.max(0, py - 12 - h)}px`;
  }
  choose(row: number | null): void {
    if (row === null) return;
    this.chosen = row;
    this.draw();
    this.onChoice(row);
  }

  // An arrow key goes to the next point that way; the first one goes to the point in the middle.
  private step(event: KeyboardEvent): void {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way || !this.frame || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const [rows, frame, picture] = [this.state.rows().filter((row) => this.state.isShown(row)), this.frame, this.picture!];
    const at = (row: number) => {
      const [left, top, width, height] = picture.boxOf(row, frame);
      return [left + width / 2, top + height / 2];
    };
    const known = this.chosen !== null && this.isSeen(this.chosen);
    const from = known ? at(this.chosen!) : [frame.left + frame.width / 2, frame.top + frame.height / 2];
    let [best, least] = [null as number | null, Infinity];
    for (const row of rows) {
      const [dx, dy] = at(row).map((x, k) => x - from[k]);
      const ahead = dx * way[0] + dy * way[1];
      if (known && ahead < 0.5) continue;
      const far = known ? ahead + 3 * Math.abs(dx * way[1] + dy * way[0]) : Math.hypot(dx, dy);
      if (far < least) [best, least] = [row, far];
    }
    this.choose(best === null ? null : (picture.find(...(at(best) as [number, number]), frame) ?? best));
  }

  // What is known of a point: "phi0 = 1.57 rad, class = never".
  said(row: number): string {
    const known = this.lines(row).map((line) => [...line.children].map((part) => part.textContent));
    return known.filter(([, value]) => value !== "–").map((part) => part.join(" = ")).join(", ");
  }
  get table(): StudyTable {
    return this.state.table;
  }
  private lines(row: number): HTMLElement[] {
    const { variables, results } = this.table;
    return [...variables, ...results].map((column) => {
      const { classes = [], missing = "" } = column as Partial<ResultColumn>;
      const value = column.values[row];
      const text = classes.length > 0 ? (classes[value] ?? missing) : (shown(value, column.unit) ?? (missing || "–"));
      const strong = column === this.state.result ? { class: "strong" } : undefined;
      return element("div", strong, element("span", {}, column.name), element("b", {}, text));
    });
  }
  // For tests: the pixel of a place, within the canvas.
  pixel(x: number, y: number): [number, number] {
    return [this.frame!.x.at(x), this.frame!.y.at(y)];
  }
}

// With its unit, six digits.
function shown(value: number, unit: string): string | null {
  if (Number.isNaN(value)) return null;
  const text = Number.isFinite(value) ? (Math.abs(value) < 1e-4 ? written(value) : String(Number(value.toPrecision(6)))) : "∞";
  return unit ? `${text} ${unit}` : text;
}
