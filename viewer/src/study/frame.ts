// The rectangle of a picture with its axes, ticks and names.
import type { Theme } from "../theme";
import { Scale } from "./scale";

export const font = '12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif';
export type Range = [number, number];

export interface AxisDescription {
  label: string;
  range: Range;
  log: boolean;
}

const [top, right, bottom] = [12, 14, 46];
const reach = 8; // px around the frame: half of a point on its edge lies outside

export class Frame {
  readonly x: Scale;
  readonly y: Scale;
  readonly left: number;
  readonly width: number;
  readonly height: number;
  readonly top = top;

  constructor(
    private ctx: CanvasRenderingContext2D,
    canvasWidth: number,
    canvasHeight: number,
    private xAxis: AxisDescription,
    private yAxis: AxisDescription | null,
    margin: number, // at the right, for a color bar
  ) {
    this.height = Math.max(40, canvasHeight - top - bottom);
    ctx.font = font;
    const y = yAxis ?? { range: [0, 1] as Range, log: false, label: "" };
    this.y = new Scale(...y.range, y.log, top + this.height, top);
    const texts = yAxis ? this.y.ticks(42).map((tick) => ctx.measureText(tick.text).width) : [];
    this.left = yAxis ? 34 + Math.max(20, ...texts) : 14;
    this.width = Math.max(60, canvasWidth - this.left - right - margin);
    this.x = new Scale(...xAxis.range, xAxis.log, this.left, this.left + this.width);
  }

  // The nearest place inside the frame; null: it is too far away for a pointer to mean it.
  inside(px: number, py: number): [number, number] | null {
    const x = Math.min(Math.max(px, this.left), this.left + this.width - 1);
    const y = Math.min(Math.max(py, this.top), this.top + this.height - 1);
    return Math.hypot(px - x, py - y) <= reach ? [x, y] : null;
  }
  clip(draw: () => void): void {
    const { ctx } = this;
    ctx.save();
    ctx.beginPath();
    ctx.rect(this.left, this.top, this.width, this.height);
    ctx.clip();
    draw();
    ctx.restore();
  }

  grid(theme: Theme): void {
    const { ctx } = this;
    ctx.strokeStyle = theme.faint;
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (const { value } of this.x.ticks(80)) this.line(this.x.at(value), this.top, 0, this.height);
    if (this.yAxis) for (const { value } of this.y.ticks(42)) this.line(this.left, this.y.at(value), this.width, 0);
    ctx.stroke();
  }

  axes(theme: Theme): void {
    const { ctx } = this;
    ctx.font = font;
    ctx.fillStyle = ctx.strokeStyle = theme.text;
    ctx.lineWidth = 1;
    ctx.strokeRect(this.left - 0.5, this.top - 0.5, this.width + 1, this.height + 1);
    ctx.textAlign = "center";
    ctx.textBaseline = "top";
    ctx.beginPath();
    const foot = this.top + this.height;
    for (const { value, text } of this.x.ticks(80)) {
      this.line(this.x.at(value), foot, 0, 5);
      ctx.fillText(text, this.x.at(value), foot + 8);
    }
    ctx.fillText(this.xAxis.label, this.left + this.width / 2, foot + 27);
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    if (this.yAxis) {
      for (const { value, text } of this.y.ticks(42)) {
        this.line(this.left - 5, this.y.at(value), 5, 0);
        ctx.fillText(text, this.left - 8, this.y.at(value));
      }
      this.sideways(this.yAxis.label, 12);
    }
    ctx.stroke();
  }

  private line(x: number, y: number, dx: number, dy: number): void {
    const [px, py] = [Math.round(x) + (dx ? 0 : 0.5), Math.round(y) + (dy ? 0 : 0.5)];
    this.ctx.moveTo(px, py);
    this.ctx.lineTo(px + dx, py + dy);
  }
  private sideways(text: string, x: number): void {
    const { ctx } = this;
    ctx.save();
    ctx.translate(x, this.top + this.height / 2);
    ctx.rotate(-Math.PI / 2);
    ctx.textAlign = "center";
    ctx.fillText(text, 0, 0);
    ctx.restore();
  }
}
