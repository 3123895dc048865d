// Plots over time, all with one cursor: the time of the animation.
import { named, type ChannelSet, type PlotDescription, type Series } from "./channels";
import { element } from "./dom";
import { takesChannels } from "./drops";
import { type Player } from "./player";
import type { Theme } from "./theme";
import { Plot } from "./plot";
import type { Event } from "./plot_events";

const legendInterval = 100; // ms between the values of a legend while the animation plays

const roundOff = 1e-12; // of times, after some zooms

const names = (channels: ChannelSet) =>
  channels.plots.map((plot) => [plot.title, plot.unit, ...plot.series.map((series) => series.name)].join()).join("\n");

export class Plots {
  list: Plot[] = [];
  readonly opened = new Map<string, boolean>(); // by title, where the reader chose
  range: [number, number] | null = null; // of the times that are shown; null: all
  mark: number | null = null; // the time of the second cursor
  name = ""; // of the model, for files
  private listeners: (() => void)[] = [];
  private own: string[][] = []; // channels of plots that the reader has made; what a run does not have is not shown, and comes back with one that has it

  constructor(
    public channels: ChannelSet,
    public events: Event[],
    readonly player: Player,
    private host: HTMLElement,
    public theme: Theme,
  ) {
    this.host = host.appendChild(element("div")); // others may add plots of their own after these
    this.fill();
    let told = 0; // when legends were last written
    player.onChange(() => {
      const now = performance.now();
      const lineOnly = player.playing && now - told < legendInterval;
      if (!lineOnly) told = now;
      for (const plot of this.list) plot.setCursor(lineOnly);
    });
    let width = host.clientWidth;
    new ResizeObserver(() => {
      if (host.clientWidth === width) return;
      width = host.clientWidth;
      this.list.forEach((plot) => plot.resize());
    }).observe(host);
  }
  private fill(): void {
    for (const plot of this.list) plot.dispose();
    this.list = this.channels.plots.map((description) => new Plot(description, this));
    this.list.push(...this.ownShown.map((names) => this.ownPlot(names)));
    this.host.append(...this.list.map((plot) => plot.root));
  }
  // A plot of the reader's own takes further channels, and can be removed.
  private ownPlot(names: string[]): Plot {
    const plot = new Plot(this.ownDescription(names), this);
    takesChannels(plot.root, (name) => {
      if (names.includes(name)) return;
      names.push(name);
      this.replace(plot, this.ownPlot(names));
    });
    const remove = () => {
      this.own = this.own.filter((each) => each !== names);
      this.replace(plot, null);
    };
    plot.root.querySelector(".plot-tools")!.append(
      element("button", { type: "button", title: "remove this plot", "aria-label": "remove this plot", click: remove }, "×"),
    );
    return plot;
  }
  private replace(plot: Plot, by: Plot | null): void {
    this.list.splice(this.list.indexOf(plot), 1, ...(by ? [by] : []));
    if (by) plot.root.before(by.root);
    plot.dispose();
  }
  private get ownShown(): string[][] {
    return this.own.filter((names) => names.some((name) => this.find(name)));
  }
  private descriptions(): PlotDescription[] {
    return [...this.channels.plots, ...this.ownShown.map((names) => this.ownDescription(names))];
  }
  // A channel by its name, with its unit and its partners in other runs. Names in plots of several units end with theirs.
  find(name: string, channels: ChannelSet = this.channels): { series: Series; unit: string; note?: string; least: number; beside: Series[] } | null {
    for (const wanted of [name, name.replace(/ \[[^\]]*\]$/, "")])
      for (const { series, unit, note, log, least } of channels.plots) {
        const at = series.findIndex((each) => each.name === wanted && each.beside === undefined);
        if (at >= 0) return { series: series[at], unit: log ? "" : unit, note, least, beside: series.filter(({ beside }) => beside === at) };
      }
    return null;
  }
  // Channels of one plot may have several units; then each name says its own.
  private ownDescription(names: string[]): PlotDescription {
    const found = names.flatMap((name) => this.find(name) ?? []);
    const units = new Set(found.map(({ unit }) => unit));
    const own = found.map(({ series, unit }) => ({ ...series, name: units.size > 1 && unit ? `${series.name} [${unit}]` : series.name }));
    const series = [...own, ...found.flatMap(({ beside }, k) => beside.map((each) => ({ ...each, beside: k })))];
    const notes = new Set(found.map(({ note }) => note));
    return { title: named(names.join(", "), this.channels), unit: units.size === 1 ? [...units][0] : "", ...(notes.size === 1 ? { note: found[0].note } : {}), log: false, open: true, marks: false, least: Math.min(...found.map(({ least }) => least)), series };
  }
  addOwn(names: string[]): void {
    this.own.push(names);
    const plot = this.ownPlot(names);
    this.list.push(plot);
    this.host.append(plot.root);
  }

  // Another run; plots of the same series stay.
  setChannels(channels: ChannelSet, events: Event[]): void {
    const same = names(channels) === names(this.channels);
    this.channels = channels;
    this.events = events;
    const [first, last] = this.whole;
    if (this.range && (this.range[1] > last || this.range[0] < first)) this.range = null;
    const all = this.descriptions();
    if (same && all.length === this.list.length) this.list.forEach((plot, k) => plot.setValues(all[k]));
    else this.fill();
    this.changed();
  }

  scrub(t: number): void {
    this.player.playing = false;
    this.player.seek(t);
  }
  setTheme(theme: Theme): void {
    this.theme = theme;
    for (const plot of this.list) if (plot.chart) plot.make();
  }
  get whole(): [number, number] {
    const { times } = this.channels;
    return [times[0] ?? 0, times[times.length - 1] ?? 1];
  }
  get rangeShown(): [number, number] {
    return this.range ?? this.whole;
  }
  // The first and the last of some times that are shown.
  rowsOf(times: Float64Array): [number, number] {
    const [min, max] = this.rangeShown;
    let [from, to] = [0, times.length - 1];
    while (from < to && times[from] < min) ++from;
    while (to > from && times[to] > max) --to;
    return [from, to];
  }
  // Inside the whole; at least a few rows of it.
  setRange(min: number, max: number): void {
    const [first, last] = this.whole;
    const least = (4 * (last - first)) / Math.max(this.channels.times.length, 4);
    const length = Math.min(Math.max(max - min, least), last - first);
    const from = Math.min(Math.max((min + max - length) / 2, first), last - length);
    const same = (a: number, b: number) => Math.abs(a - b) <= roundOff * Math.max(Math.abs(first), Math.abs(last));
    const [begin, end] = [same(from, first) ? first : from, same(from + length, last) ? last : from + length]; // neither row is lost
    this.range = begin === first && end === last ? null : [begin, end];
    for (const plot of this.list) plot.setRange(...this.rangeShown);
    this.changed();
  }
  // Another range, or other values in it.
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
  private changed(): void {
    for (const listener of this.listeners) listener();
  }
  // factor < 1: nearer, about a time.
  zoom(factor: number, about: number): void {
    const [min, max] = this.rangeShown;
    this.setRange(about - factor * (about - min), about + factor * (max - about));
  }
  pan(by: number): void {
    const [min, max] = this.rangeShown;
    const [first, last] = this.whole;
    const way = Math.min(Math.max(by, first - min), last - max);
    this.setRange(min + way, max + way);
  }
  resetRange(): void {
    for (const plot of this.list) plot.yRange = null;
    this.setRange(...this.whole);
  }
  // The second cursor comes to the animation's time, and goes where it is there already.
  toggleMark(): void {
    this.setMark(this.mark === this.player.t ? null : this.player.t);
  }
  // A second cursor at a time; null: none.
  setMark(t: number | null): void {
    this.mark = t;
    // differences make legends longer: the plot under the pointer stays where it is
    const held = this.list.find(({ root }) => root.matches(":hover"))?.root;
    const before = held?.getBoundingClientRect().top ?? 0;
    this.host.classList.toggle("marked", t !== null);
    for (const plot of this.list) {
      plot.chart?.redraw(false);
      plot.setCursor();
    }
    if (held) scrollBy({ top: held.getBoundingClientRect().top - before, behavior: "instant" });
  }
}
