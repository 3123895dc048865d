// Torque over speed of each drive: the curve that the data sheet of a motor must contain. The torque is that on the coordinate, the
// speed that of the shaft; a dot marks the time of the animation. Runs beside are dashed.
import { middles, nearest } from "./channels";
import { chartSvg, type ChartFrame, type ChartLine } from "./chart_svg";
import { float32, float64, type RunDocument } from "./document";
import { element } from "./dom";
import type { Player } from "./player";
import type { Theme } from "./theme";

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
  private body = element("div", { class: "plot-body own-chart" });
  private dots: SVGElement[] = [];
  private frame!: ChartFrame;

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
    const units = [...new Set(this.curves.map(({ unit }) => unit))];
    const color = (name: string) => theme.series[this.curves.findIndex((curve) => curve.name === name) % theme.series.length];
    const line = ({ name, speed, torque }: Curve): ChartLine => ({ name, color: color(name), dash: [], x: speed, y: torque });
    this.frame = chartSvg(
      {
        title: "",
        xLabel: "speed of the shaft [rad/s]",
        yLabel: `${units.includes("N m") ? "torque" : "force"} [${units.join(", ")}]`,
        lines: [...this.beside.map((curve) => ({ ...line(curve), name: "", dash: [3, 3] })), ...this.curves.map(line)],
        x: rangeOf(all.map((curve) => curve.speed)),
        y: rangeOf(all.map((curve) => curve.torque)),
        log: false,
        marks: [],
      },
      theme,
      { width: 560, height: 260 },
    );
    this.body.innerHTML = this.frame.svg; // names in it are escaped
    const chart = this.body.querySelector("svg")!;
    for (const [key, value] of Object.entries({ role: "img", "aria-label": "torque over speed of each drive" })) chart.setAttribute(key, value);
    this.dots = this.curves.map(({ name }) => {
      const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      for (const [key, value] of Object.entries({ r: "4", fill: color(name) })) dot.setAttribute(key, value);
      chart.append(dot);
      return dot;
    });
    this.setDots();
  }

  private setDots(): void {
    const at = nearest(this.times, this.player.t);
    this.curves.forEach((curve, k) => {
      const row = Math.floor((at * curve.speed.length) / this.times.length);
      const known = Number.isFinite(curve.speed[row]) && Number.isFinite(curve.torque[row]);
      this.dots[k].setAttribute("visibility", known ? "visible" : "hidden");
      if (!known) return;
      const [x, y] = this.frame.at(curve.speed[row], curve.torque[row]);
      this.dots[k].setAttribute("cx", x.toFixed(1));
      this.dots[k].setAttribute("cy", y.toFixed(1));
    });
  }
}
