// Torque over speed of each drive: the curve that the data sheet of a motor must contain. The torque is that on the coordinate, the
// speed that of the shaft; a dot marks the time of the animation. Runs beside are dashed.
import { middles, nearest } from "./channels";
import { float32, float64, type RunDocument } from "./document";
import { element, written } from "./dom";
import type { Player } from "./player";
import type { Theme } from "./theme";
import { roundTicks } from "./ticks";

const [width, height, left, bottom, top, right] = [560, 260, 74, 46, 10, 16];

interface Curve {
  name: string;
  unit: string;
  torque: ArrayLike<number>;
  speed: ArrayLike<number>;
}

function curvesOf(run: RunDocument): Curve[] {
  const drives = run.series.channels.filter((channel) => channel.group === "drives");
  const find = (name: string) => drives.find((channel) => channel.name === name);
  return drives
    .filter((channel) => channel.name.endsWith(".torque"))
    .flatMap((torque) => {
      const name = torque.name.slice(0, -".torque".length);
      const speed = find(`${name}.speed`);
      const values = (data: string | Float32Array) => middles(float32(data), run.series);
      return speed ? [{ name, unit: torque.unit, torque: values(torque.data), speed: values(speed.data) }] : [];
    });
}

const svg = (name: string, attributes: Record<string, string | number>): SVGElement => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
};

// From the smallest value to the largest, zero among them.
function rangeOf(lists: ArrayLike<number>[]): [number, number] {
  let [min, max] = [0, 0];
  for (const list of lists)
    for (const x of Array.from(list))
      if (Number.isFinite(x)) [min, max] = [Math.min(min, x), Math.max(max, x)];
  return max > min ? [min, max] : [min - 1, max + 1];
}

export class TorqueSpeed {
  private curves: Curve[];
  private beside: Curve[] = [];
  private times: Float64Array;
  private body = element("div", { class: "plot-body" });
  private dots: SVGElement[] = [];
  private x = (_: number) => 0;
  private y = (_: number) => 0;

  constructor(
    run: RunDocument,
    private player: Player,
    host: HTMLElement,
    private theme: Theme,
  ) {
    this.curves = curvesOf(run);
    this.times = float64(run.series.t);
    if (this.curves.length === 0) return;
    const units = [...new Set(this.curves.map((curve) => curve.unit))].join(", ");
    const summary = element("summary", {}, "Torque over speed", element("small", {}, ` ${units} over rad/s`));
    host.append(element("details", { class: "plot torque-speed", open: "" }, summary, this.body));
    this.setTheme(theme);
    player.onChange(() => this.setDots());
  }

  // Another motion in place of the one before, and the runs beside it.
  show(run: RunDocument, beside: RunDocument[]): void {
    if (this.curves.length === 0) return;
    this.curves = curvesOf(run);
    this.times = float64(run.series.t);
    this.beside = beside.flatMap(curvesOf).filter(({ name }) => this.curves.some((curve) => curve.name === name));
    this.setTheme(this.theme);
  }
  setTheme(theme: Theme): void {
    this.theme = theme;
    if (this.curves.length === 0) return;
    const all = [...this.curves, ...this.beside];
    const [x0, x1] = rangeOf(all.map((curve) => curve.speed));
    const [y0, y1] = rangeOf(all.map((curve) => curve.torque));
    this.x = (speed) => left + ((width - left - right) * (speed - x0)) / (x1 - x0);
    this.y = (torque) => height - bottom - ((height - bottom - top) * (torque - y0)) / (y1 - y0);
    const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "torque over speed of each drive" });
    this.addAxes(chart, theme, [x0, x1], [y0, y1]);
    this.dots = [];
    const color = (name: string) => theme.series[this.curves.findIndex((curve) => curve.name === name) % theme.series.length];
    for (const curve of this.beside) this.addLine(chart, curve, color(curve.name), { "stroke-dasharray": "3 3", "stroke-opacity": 0.6 });
    for (const curve of this.curves) this.addCurve(chart, curve, color(curve.name));
    const legend = this.curves.map(({ name }) => element("span", { class: "key" }, element("i", { style: `background: ${color(name)}` }), name));
    this.body.replaceChildren(chart, ...legend);
    this.setDots();
  }

  private addAxes(chart: SVGElement, theme: Theme, x: [number, number], y: [number, number]): void {
    const line = (a: [number, number], b: [number, number]) =>
      chart.append(svg("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], stroke: theme.faint }));
    const text = (at: [number, number], anchor: string, value: number | string, more = {}) => {
      const label = svg("text", { x: at[0], y: at[1], "text-anchor": anchor, fill: theme.text, "font-size": 12, ...more });
      label.textContent = typeof value === "string" ? value : written(value);
      chart.append(label);
    };
    const [middle, units] = [(top + height - bottom) / 2, [...new Set(this.curves.map(({ unit }) => unit))]];
    text([(left + width - right) / 2, height - 8], "middle", "speed of the shaft [rad/s]");
    text([14, middle], "middle", `${units.includes("N m") ? "torque" : "force"} [${units.join(", ")}]`, { transform: `rotate(-90 14 ${middle})` });
    for (const tick of roundTicks(...x)) {
      line([this.x(tick), top], [this.x(tick), height - bottom]);
      text([this.x(tick), height - bottom + 16], "middle", tick);
    }
    for (const tick of roundTicks(...y)) {
      line([left, this.y(tick)], [width - right, this.y(tick)]);
      text([left - 6, this.y(tick) + 4], "end", tick);
    }
  }

  private addLine(chart: SVGElement, curve: Curve, color: string, more = {}): void {
    const points = Array.from(curve.speed, (speed, k) => [speed, curve.torque[k]])
      .filter(([speed, torque]) => Number.isFinite(speed) && Number.isFinite(torque))
      .map(([speed, torque]) => `${this.x(speed).toFixed(1)},${this.y(torque).toFixed(1)}`);
    chart.append(svg("polyline", { points: points.join(" "), fill: "none", stroke: color, "stroke-width": 1.6, ...more }));
  }
  private addCurve(chart: SVGElement, curve: Curve, color: string): void {
    this.addLine(chart, curve, color);
    const dot = svg("circle", { r: 4, fill: color });
    this.dots.push(dot);
    chart.append(dot);
  }

  private setDots(): void {
    const at = nearest(this.times, this.player.t);
    this.curves.forEach((curve, k) => {
      const row = Math.floor((at * curve.speed.length) / this.times.length);
      const known = Number.isFinite(curve.speed[row]) && Number.isFinite(curve.torque[row]);
      this.dots[k].setAttribute("visibility", known ? "visible" : "hidden");
      if (!known) return;
      this.dots[k].setAttribute("cx", this.x(curve.speed[row]).toFixed(1));
      this.dots[k].setAttribute("cy", this.y(curve.torque[row]).toFixed(1));
    });
  }
}
