// The picture on its canvas: axes, cells, what lies over them, the color bar; and what is said of the place under the
// pointer.
import { element, written } from "../dom";
import type { Theme } from "../theme";
import { Coloring } from "./colors";
import { font, Frame } from "./frame";
import { drawOver } from "./marks";
import { pictureOf, type Picture } from "./pictures";
import { Scale } from "./scale";
import type { StudyState } from "./state";

const barMargin = 96;

export class Figure {
  private canvas = element("canvas", { role: "img", "aria-label": "picture of the results" });
  private tip = element("div", { class: "tip", hidden: "" });
  private picture: Picture | null = null;
  private frame: Frame | null = null;
  coloring: Coloring | null = null;
  pressed: number | null = null; // row
  onPress: (row: number) => void = () => {};

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
    this.canvas.addEventListener("click", (event) => this.press(event));
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
    if (picture.colorBar) this.colorBar(ctx, this.frame);
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
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    if (!this.frame?.contains(px, py)) return null;
    return this.picture!.find(px, py, this.frame);
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
  private press(event: MouseEvent): void {
    const row = this.rowAt(event);
    if (row !== null) this.onPress((this.pressed = row));
  }

  private lines(row: number): HTMLElement[] {
    const { variables, results } = this.state.table;
    return [...variables, ...results].map((column) => {
      const classes = "classes" in column ? (column.classes as string[]) : [];
      const value = column.values[row];
      const text = classes.length > 0 ? (classes[value] ?? this.state.result.missing) : shown(value, column.label);
      const strong = column === this.state.result ? { class: "strong" } : undefined;
      return element("div", strong, element("span", {}, column.name), element("b", {}, text));
    });
  }
  // For tests: the pixel of a place, within the canvas.
  pixel(x: number, y: number): [number, number] {
    return [this.frame!.x.at(x), this.frame!.y.at(y)];
  }
}

// With the unit of the label, six digits.
function shown(value: number, label: string): string {
  const unit = /\[(.*)\]$/.exec(label)?.[1] ?? "";
  if (Number.isNaN(value)) return "–";
  const text = Number.isFinite(value) ? (Math.abs(value) < 1e-4 ? written(value) : String(Number(value.toPrecision(6)))) : "∞";
  return unit ? `${text} ${unit}` : text;
}
