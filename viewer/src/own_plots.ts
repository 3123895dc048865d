// Plots that the reader makes: channels over time, one channel over another, or their frequencies. Channels are chosen from a list or
// dragged from a legend.
import { nearest } from "./channels";
import { chartSvg, type ChartDescription, type ChartFrame } from "./chart_svg";
import { element, written } from "./dom";
import { takesChannels } from "./drops";
import { download, fileName, pixelsOf } from "./files";
import { menu } from "./plot_tools";
import type { Plots } from "./plots";
import { spectrumOf } from "./spectrum";

type Kind = "time" | "xy" | "spectrum";
const kinds: Record<Kind, string> = { time: "over time", xy: "over another channel", spectrum: "frequencies" };

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

// Curves over the same values.
function csvOf({ xLabel, lines }: ChartDescription): string {
  const rows = Array.from(lines[0].x, (x, k) => [x, ...lines.map(({ y }) => y[k])].map((value) => Number(value!.toPrecision(8))).join());
  return `${[[xLabel, ...lines.map(({ name }) => name)].join(), ...rows].join("\n")}\n`;
}

// A picture that is drawn anew when the range or the values change.
class OwnChart {
  readonly root: HTMLElement;
  private body = element("div", { class: "plot-body own-chart" });
  private frame: ChartFrame | null = null;
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
    const title = kind === "xy" ? `${names.join(", ")} over ${x}` : `Frequencies of ${names.join(", ")}`;
    const name = (ending: string) => fileName(ending, plots.name, title);
    const tools = element(
      "div",
      { class: "plot-tools" },
      menu(
        "save this plot",
        ["SVG picture", "of what is shown", () => this.frame && download(name("svg"), this.frame.svg, "image/svg+xml")],
        ["PNG picture", "of what is shown", () => this.frame && void pixelsOf(this.frame.svg, this.frame.width, this.frame.height).then((blob) => download(name("png"), blob))],
        ["CSV table", "of what is shown", () => this.drawn && download(name("csv"), csvOf(this.drawn), "text/csv")],
      ),
      element("button", { type: "button", title: "remove this plot", "aria-label": "remove this plot", click: () => remove(this) }, "×"),
    );
    this.root = element("details", { class: "plot", open: "" }, element("summary", {}, title), tools, this.body);
    this.body.addEventListener("pointermove", (event) => this.showValues(event));
    this.body.addEventListener("pointerleave", () => this.tip.remove());
    this.draw();
  }

  draw(): void {
    const chart = (this.drawn = this.kind === "xy" ? this.xy() : this.spectrum());
    this.frame = chart && chartSvg(chart, this.plots.theme, { width: 640, height: this.kind === "xy" && chart.equal ? 420 : 280 });
    this.body.innerHTML = this.frame?.svg ?? "<p class='message'>There are too few rows for this plot.</p>"; // names in it are escaped
    this.dots = [];
    if (!this.frame || this.kind !== "xy") return;
    const svg = this.body.querySelector("svg")!;
    for (const line of chart!.lines) {
      const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      dot.setAttribute("r", "4");
      dot.setAttribute("fill", line.color);
      svg.append(dot);
      this.dots.push(dot);
    }
    this.setTime();
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
  // Where the animation is on the curves.
  setTime(): void {
    if (!this.frame || this.dots.length === 0) return;
    const { plots } = this;
    const row = nearest(plots.channels.times, plots.player.t);
    const x = plots.find(this.x)?.series.values[row];
    this.names.forEach((name, k) => {
      const y = plots.find(name)?.series.values[row];
      const known = x !== undefined && y !== undefined && Number.isFinite(x) && Number.isFinite(y);
      this.dots[k]?.setAttribute("visibility", known ? "visible" : "hidden");
      if (!known) return;
      const [px, py] = this.frame!.at(x, y);
      this.dots[k]?.setAttribute("cx", px.toFixed(1));
      this.dots[k]?.setAttribute("cy", py.toFixed(1));
    });
  }

  private colored(k: number): { color: string; dash: number[] } {
    const { series } = this.plots.theme;
    return { color: series[k % series.length], dash: [] };
  }
  // One unit is as long along both axes where both have the same unit: a path keeps its shape.
  private xy(): ChartDescription | null {
    const x = this.plots.find(this.x);
    const found = this.names.flatMap((name) => this.plots.find(name) ?? []);
    if (!x || found.length === 0) return null;
    const [from, to] = this.plots.list[0]?.rowsShown ?? [0, -1];
    const part = (values: ArrayLike<number>) => Array.prototype.slice.call(values, from, to + 1) as number[];
    const lines = found.map(({ series }, k) => ({ name: series.name, ...this.colored(k), x: part(x.series.values), y: part(series.values) }));
    const units = [...new Set(found.map(({ unit }) => unit))];
    return {
      title: "",
      xLabel: label(this.x, x.unit),
      yLabel: units.length === 1 ? label(found.length === 1 ? found[0].series.name : "", units[0]) : "",
      lines,
      x: extent([lines[0].x]),
      y: extent(lines.map(({ y }) => y)),
      log: false,
      marks: [],
      equal: units.length === 1 && units[0] === x.unit && x.unit !== "",
    };
  }
  // From the first frequency to where nothing is left.
  private spectrum(): ChartDescription | null {
    const found = this.names.flatMap((name) => this.plots.find(name) ?? []);
    const spectrum = spectrumOf(this.plots.channels.times, found.map(({ series }) => series.values), ...this.plots.rangeShown);
    if (!spectrum || found.length === 0) return null;
    const { frequencies, amplitudes } = spectrum;
    const largest = Math.max(...amplitudes.map((list) => list.reduce((a, b) => Math.max(a, b), 0)));
    let last = 8;
    amplitudes.forEach((list) => list.forEach((a, k) => (last = a > 1e-4 * largest ? Math.max(last, k) : last)));
    last = Math.min(frequencies.length, last + 4);
    const units = [...new Set(found.map(({ unit }) => unit))];
    const lines = found.map(({ series }, k) => ({ name: series.name, ...this.colored(k), x: frequencies.slice(1, last), y: amplitudes[k].slice(1, last) }));
    return {
      title: "",
      xLabel: "frequency [Hz]",
      yLabel: units.length === 1 ? label("amplitude", units[0]) : "amplitude",
      lines,
      x: [0, frequencies[last - 1]],
      y: [0, 1.05 * largest || 1],
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

export class OwnPlots {
  readonly charts: OwnChart[] = [];
  private kind = element("select", { "aria-label": "kind of plot" });
  private x = element("select", { "aria-label": "horizontal axis" });
  private filter = element("input", { type: "text", placeholder: "filter by name", "aria-label": "filter by name", spellcheck: "false" });
  private list = element("div", { class: "channel-list" });
  private chosen = new Set<string>();

  constructor(
    private plots: Plots,
    private host: HTMLElement,
  ) {
    for (const [kind, text] of Object.entries(kinds)) this.kind.append(element("option", { value: kind }, text));
    const across = element("label", { class: "across" }, "over", this.x);
    across.hidden = true;
    this.kind.addEventListener("change", () => (across.hidden = this.kind.value !== "xy"));
    this.filter.addEventListener("input", () => this.fill());
    const add = element("button", { type: "button", click: () => this.add(this.kind.value as Kind, [...this.chosen], this.x.value) }, "add plot");
    const row = element("div", { class: "builder-row" }, element("label", {}, "plot", this.kind), across, this.filter, add);
    const builder = element("details", { class: "plot builder" }, element("summary", {}, "New plot"), row, this.list);
    builder.addEventListener("toggle", () => builder.open && this.fill());
    takesChannels(builder, (name) => this.add("time", [name], ""));
    host.append(builder);
    plots.onChange(() => this.draw());
    plots.player.onChange(() => this.charts.forEach((chart) => chart.setTime()));
  }

  private names(): string[] {
    const all = this.plots.channels.plots.flatMap(({ series }) => series.filter(({ beside }) => beside === undefined).map(({ name }) => name));
    return [...new Set(all)];
  }
  private fill(): void {
    const part = this.filter.value.trim().toLowerCase();
    const names = this.names();
    const before = this.x.value;
    this.x.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
    if (names.includes(before)) this.x.value = before;
    this.list.replaceChildren(
      ...names
        .filter((name) => name.toLowerCase().includes(part) || this.chosen.has(name))
        .map((name) => {
          const box = element("input", { type: "checkbox" });
          box.checked = this.chosen.has(name);
          box.addEventListener("change", () => (box.checked ? this.chosen.add(name) : this.chosen.delete(name)));
          return element("label", {}, box, name);
        }),
    );
  }

  add(kind: Kind, names: string[], x = ""): void {
    const known = names.filter((name) => this.plots.find(name));
    if (known.length === 0) return;
    if (kind === "time") this.plots.addOwn(known);
    else {
      const chart = new OwnChart(kind, known, x, this.plots, (gone) => {
        this.charts.splice(this.charts.indexOf(gone), 1);
        gone.root.remove();
      });
      this.charts.push(chart);
      this.host.prepend(chart.root);
    }
    this.chosen.clear();
    this.fill();
  }
  draw(): void {
    for (const chart of this.charts) chart.draw();
  }
}
