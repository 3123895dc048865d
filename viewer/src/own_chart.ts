// A plot of the reader's own that is not over time: channels over another one, or their frequencies; of all runs that are compared. It is drawn
// anew when the range or the values change.
import { middles, named, nearest, type ChannelSet, type Series } from "./channels";
import { chartSvg, type ChartDescription, type ChartFrame, type ChartLine } from "./chart_svg";
import { single } from "./compare";
import { element, written } from "./dom";
import { download, fileName, pixelsOf } from "./files";
import { addChartGestures, type View } from "./own_gestures";
import { dashesBeside } from "./plot";
import { button, menu } from "./plot_tools";
import type { Plots } from "./plots";
import { spectrumOf } from "./spectrum";

const label = (name: string, unit: string) => (unit ? `${name} [${unit}]` : name);

// The least and the greatest of values, a little apart.
function extent(lists: ArrayLike<number | null>[], share = 0.05): [number, number] {
  let [min, max] = [Infinity, -Infinity];
  for (const list of lists)
    for (let k = 0; k < list.length; ++k) {
      const x = list[k];
      if (x === null || !Number.isFinite(x)) continue;
      [min, max] = [Math.min(min, x), Math.max(max, x)];
    }
  if (min > max) return [0, 1];
  const more = share * (max - min) || 0.05 * Math.abs(max) || 1;
  return [min - more, max + more];
}

// Values have seven digits: a part of everything that is narrower than the last of them shows none.
const isWide = ([from, to]: [number, number], whole: [number, number]) => to - from > single * Math.max(...whole.map(Math.abs));

const same = (a: ArrayLike<number>, b: ArrayLike<number>) => a.length === b.length && Array.prototype.every.call(a, (x, k) => x === b[k]);

// Curves over the same values share their column.
function csvOf({ xLabel, lines }: ChartDescription): string {
  const columns: [string, ArrayLike<number | null>][] = [];
  lines.forEach(({ name, unit = "", x, y }, k) => {
    if (k === 0 || !same(x, lines[k - 1].x)) columns.push([xLabel, x]);
    columns.push([label(name, unit), y]);
  });
  const length = Math.max(...columns.map(([, values]) => values.length));
  const cell = (value: number | null | undefined) => (value === null || value === undefined || Number.isNaN(value) ? "" : Number(value.toPrecision(8)));
  const rows = Array.from({ length }, (_, k) => columns.map(([, values]) => cell(values[k])).join());
  return `${[columns.map(([name]) => (/[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(), ...rows].join("\n")}\n`;
}

export class OwnChart {
  readonly root: HTMLElement;
  private heading = element("summary");
  private body = element("div", { class: "plot-body own-chart" });
  frame: ChartFrame | null = null;
  view: View | null = null; // what the reader has zoomed to; null: everything
  private whole: View = { x: [0, 1], y: [0, 1] };
  private dots: SVGElement[] = [];
  private drawn: ChartDescription | null = null;
  private tip = document.createElementNS("http://www.w3.org/2000/svg", "text");

  constructor(
    private kind: "xy" | "spectrum",
    readonly names: string[],
    private x: string,
    private plots: Plots,
    remove: (chart: OwnChart) => void,
  ) {
    const name = (ending: string) => fileName(ending, plots.name, this.title);
    const zoom = addChartGestures(this.body, this);
    const tools = element(
      "div",
      { class: "plot-tools" },
      button("−", "zoom out (Ctrl + wheel)", () => zoom(1.6)),
      button("+", "zoom in (Ctrl + wheel)", () => zoom(1 / 1.6)),
      button("⤢", "show everything (double-click)", () => this.show(null)),
      menu(
        "save this plot",
        ["SVG picture", "of what is shown", () => this.frame && download(name("svg"), this.frame.svg, "image/svg+xml")],
        ["PNG picture", "of what is shown", () => this.frame && void pixelsOf(this.frame.svg, this.frame.width, this.frame.height).then((blob) => download(name("png"), blob))],
        ["CSV table", "of what is shown", () => this.drawn && download(name("csv"), csvOf(this.drawn), "text/csv")],
      ),
      button("×", "remove this plot", () => remove(this)),
    );
    this.root = element("details", { class: "plot", open: "" }, this.heading, tools, this.body);
    this.body.addEventListener("pointermove", (event) => this.showValues(event));
    this.body.addEventListener("pointerleave", () => this.tip.remove());
    this.draw();
  }

  show(view: View | null): void {
    const axes = this.kind === "xy" ? (["x", "y"] as const) : (["x"] as const); // amplitudes are as high as they are
    if (view && !axes.every((axis) => isWide(view[axis], this.whole[axis]))) return;
    this.view = view;
    this.draw();
  }
  private get title(): string {
    const { names, kind, x, plots } = this;
    return named(kind === "xy" ? `${names.join(", ")} over ${x}` : `Frequencies of ${names.join(", ")}`, plots.channels);
  }
  draw(): void {
    this.heading.textContent = this.title;
    const chart = (this.drawn = this.kind === "xy" ? this.xy() : this.spectrum());
    if (chart) this.whole = { x: chart.x, y: chart.y };
    if (chart && this.view) Object.assign(chart, this.kind === "xy" ? this.view : { x: this.view.x, y: amplitudesIn(chart.lines, this.view.x) });
    this.frame = chart && chartSvg(chart, this.plots.theme, { width: 640, height: this.kind === "xy" && chart.equal ? 420 : 280 });
    if (this.frame) this.body.innerHTML = this.frame.svg; // names in it are escaped
    else this.body.replaceChildren(element("p", { class: "message" }, this.missing()));
    this.dots = [];
    if (!this.frame || this.kind !== "xy") return;
    const svg = this.body.querySelector("svg")!;
    this.names.forEach((_, k) => {
      const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      dot.setAttribute("r", "4");
      dot.setAttribute("fill", this.colorOf(k));
      svg.append(dot);
      this.dots.push(dot);
    });
    this.setTime();
  }
  // Why there is no picture.
  private missing(): string {
    const absent = [...this.names, this.x].filter((name) => name && !this.plots.find(name));
    if (absent.length > 0) return `This run does not have ${absent.join(", ")}.`;
    const { recorded } = this.thinned ?? {};
    if (this.kind !== "spectrum" || recorded === undefined) return "There are too few rows for this plot.";
    return `Of ${recorded} recorded rows this page has only the extremes, from which frequencies cannot be computed. It has all rows where there are 4000 or fewer: choose a shorter --end or a longer --record.`;
  }
  // The values of the point of a curve that is nearest to the pointer.
  private showValues({ clientX, clientY }: PointerEvent): void {
    const svg = this.body.querySelector("svg");
    if (!svg || !this.frame || !this.drawn) return;
    const { left, top, width } = svg.getBoundingClientRect();
    const scale = this.frame.width / width;
    const [x, y] = [(clientX - left) * scale, (clientY - top) * scale];
    let [nearestWay, words] = [30, ""];
    for (const { name, x: xs, y: ys } of this.drawn.lines)
      for (let k = 0; k < xs.length; ++k) {
        const [px, py] = this.frame.at(xs[k], ys[k] ?? NaN);
        const way = Math.hypot(px - x, py - y);
        if (way < nearestWay) [nearestWay, words] = [way, `${name}: ${written(ys[k])} at ${written(xs[k])}${this.kind === "xy" ? "" : " Hz"}`];
      }
    this.tip.textContent = words;
    for (const [key, value] of Object.entries({ x: 80, y: 46, "font-size": 12, fill: this.plots.theme.text })) this.tip.setAttribute(key, String(value));
    svg.append(this.tip);
  }
  // Where the animation is on the curves of this run.
  setTime(): void {
    if (!this.frame || this.dots.length === 0) return;
    const { plots } = this;
    const channels = this.runs[0];
    const row = nearest(channels.times, plots.player.t);
    const at = (name: string) => path(channels, plots.find(name, channels)?.series ?? null, row, row)[0];
    const x = at(this.x);
    this.names.forEach((name, k) => {
      const y = at(name);
      const [px, py] = this.frame!.at(x ?? NaN, y ?? NaN);
      const seen = Number.isFinite(px) && Number.isFinite(py) && this.frame!.inside(px, py);
      this.dots[k].setAttribute("visibility", seen ? "visible" : "hidden");
      if (!seen) return;
      this.dots[k].setAttribute("cx", px.toFixed(1));
      this.dots[k].setAttribute("cy", py.toFixed(1));
    });
  }

  // Each by itself; differences of runs are one.
  private get runs(): readonly ChannelSet[] {
    return this.plots.channels.runs ?? [this.plots.channels];
  }
  private get thinned(): ChannelSet | undefined {
    return this.runs.find(({ recorded }) => recorded !== undefined);
  }
  private colorOf(k: number): string {
    const { series } = this.plots.theme;
    return series[k % series.length];
  }
  // A curve for each channel of each run, by what gives its values; and the units of the channels.
  private curves(valuesOf: (channels: ChannelSet, series: Series) => Pick<ChartLine, "x" | "y"> | null): { lines: ChartLine[]; units: string[] } {
    const units = new Set<string>();
    const lines = this.runs.flatMap((channels, run) =>
      this.names.flatMap((name, k): ChartLine[] => {
        const found = this.plots.find(name, channels);
        const values = found && valuesOf(channels, found.series);
        if (!values) return [];
        units.add(found.unit);
        const dash = run === 0 ? [] : dashesBeside[(run - 1) % dashesBeside.length];
        return [{ name: run === 0 ? named(found.series.name, this.plots.channels) : `${found.series.name}, ${this.plots.channels.others![run - 1]}`, unit: found.unit, color: this.colorOf(k), dash, ...values }];
      }),
    );
    return { lines, units: [...units] };
  }

  // One unit is as long along both axes where both have the same unit: a path keeps its shape.
  private xy(): ChartDescription | null {
    const unit = this.plots.find(this.x)?.unit;
    const { lines, units } = this.curves((channels, series) => {
      const x = this.plots.find(this.x, channels);
      const [from, to] = this.plots.rowsOf(channels.times);
      return x && { x: path(channels, x.series, from, to), y: path(channels, series, from, to) };
    });
    if (lines.length === 0 || unit === undefined) return null;
    return {
      title: "",
      xLabel: label(named(this.x, this.plots.channels), unit),
      yLabel: units.length === 1 ? label(this.names.length === 1 ? named(this.names[0], this.plots.channels) : "", units[0]) : "",
      lines,
      x: extent(lines.map(({ x }) => x)),
      y: extent(lines.map(({ y }) => y)),
      log: false,
      marks: [],
      equal: units.length === 1 && units[0] === unit && unit !== "",
    };
  }
  // From the first frequency to where nothing is left.
  private spectrum(): ChartDescription | null {
    if (this.thinned) return null;
    const { lines, units } = this.curves(({ times }, { values }) => {
      const found = spectrumOf(times, [values], ...this.plots.rangeShown);
      return found && { x: found.frequencies, y: found.amplitudes[0] };
    });
    if (lines.length === 0) return null;
    const largest = lines.reduce((most, { y }) => (y as Float64Array).reduce((a, b) => Math.max(a, b), most), 0);
    let end = 0; // the highest frequency that matters
    for (const { x, y } of lines) {
      let last = 8;
      for (let k = last; k < y.length; ++k) if (y[k]! > 1e-4 * largest) last = k;
      end = Math.max(end, x[Math.min(last + 4, x.length - 1)]);
    }
    const part = (line: ChartLine): ChartLine => {
      const last = nearest(line.x as Float64Array, end) + 1;
      return { ...line, x: Array.prototype.slice.call(line.x, 1, last) as number[], y: Array.prototype.slice.call(line.y, 1, last) as number[] };
    };
    return {
      title: "",
      xLabel: "frequency [Hz]",
      yLabel: label(named("amplitude", this.plots.channels), units.length === 1 ? units[0] : ""),
      lines: lines.map(part),
      x: [0, end],
      y: amplitudesIn(lines, [0, end]),
      log: false,
      marks: [],
    };
  }
  // The frequency of the largest amplitude of a channel, for tests and the console.
  peak(): string {
    const chart = this.spectrum();
    if (!chart) return "";
    const { x, y } = chart.lines[0];
    let best = 0;
    for (let k = 0; k < y.length; ++k) if (y[k]! > y[best]!) best = k;
    return written(x[best]);
  }
}

// As high as the largest peak between two frequencies.
function amplitudesIn(lines: ChartLine[], [from, to]: [number, number]): [number, number] {
  let largest = 0;
  for (const { x, y } of lines) for (let k = 1; k < x.length; ++k) if (x[k] >= from && x[k] <= to) largest = Math.max(largest, y[k]!);
  return [0, 1.05 * largest || 1];
}

// Values of some rows, or the middles of pairs.
function path({ recorded, times }: ChannelSet, series: Series | null, from: number, to: number): number[] {
  const values = series?.values ?? [];
  const every = recorded === undefined ? 1 : 2;
  const all = middles(values, { rows: times.length, recorded: recorded ?? 0 });
  return Array.prototype.slice.call(all, Math.floor(from / every), Math.floor(to / every) + 1) as number[];
}
