// Plots over time, all with one cursor: the time of the animation. A press moves it; a drag with shift picks a range.
import uPlot from "uplot";
import { nearest, type ChannelSet, type PlotDescription, type Series } from "./channels";
import { element, written } from "./dom";
import type { Player } from "./player";
import type { Theme } from "./theme";
import { decades } from "./ticks";

const height = 190;
const mostShown = 8; // series that are drawn at first; the others wait in the legend

interface Event {
  t: number;
  what: string;
}

export class Plot {
  readonly root: HTMLElement;
  chart: uPlot | null = null;
  private body = element("div", { class: "plot-body" });
  private visible = false;
  wholeLegend = false; // also of the series that are not drawn at first

  constructor(
    public description: PlotDescription,
    private owner: Plots,
  ) {
    const { title, unit } = description;
    const details = element(
      "details",
      { class: "plot" },
      element("summary", {}, title, ...(unit ? [element("small", {}, ` ${unit}`)] : [])),
      this.body,
    );
    details.open = owner.opened.get(title) ?? description.open;
    details.addEventListener("toggle", () => {
      owner.opened.set(title, details.open);
      this.appear();
    });
    this.root = details;
    this.observer.observe(this.body);
  }
  private observer = new IntersectionObserver(([entry]) => {
    this.visible = entry.isIntersecting;
    if (this.visible) this.appear();
  });
  dispose(): void {
    this.observer.disconnect();
    this.chart?.destroy();
    this.root.remove();
  }

  private get isOpen(): boolean {
    return (this.root as HTMLDetailsElement).open;
  }
  // Made when it is first seen.
  private appear(): void {
    if (!this.isOpen || !this.visible) return;
    if (!this.chart) this.make();
    else if (this.stale) this.chart.setData(this.data());
    this.stale = false;
    this.setCursor();
  }
  // Other values of the same series. What is not seen is drawn when it is.
  setValues(description: PlotDescription): void {
    this.description = description;
    this.stale = true;
    this.appear();
  }
  private stale = false;
  private data(): uPlot.AlignedData {
    const columns = this.description.series.map((series) => this.cleaned(series.values));
    return [this.owner.channels.times, ...columns] as unknown as uPlot.AlignedData;
  }

  make(): void {
    this.chart?.destroy();
    this.body.replaceChildren();
    this.chart = new uPlot(this.options(), this.data(), this.body);
    this.body.append(...legendNotes(this.chart, this.description.series, this));
    this.listen(this.chart);
    this.setCursor();
  }

  // On a logarithmic axis only what is positive can be shown; of errors the size.
  private cleaned(values: ArrayLike<number>): (number | null)[] {
    return Array.from(values, (x) => {
      if (!Number.isFinite(x)) return null;
      if (!this.description.log) return x;
      return x === 0 ? null : Math.abs(x);
    });
  }

  private options(): uPlot.Options {
    const { theme } = this.owner;
    const axis: uPlot.Axis = {
      stroke: theme.text,
      grid: { stroke: theme.faint, width: 1 },
      ticks: { stroke: theme.faint, width: 1 },
      font: "12px system-ui, sans-serif",
    };
    return {
      width: Math.max(this.body.clientWidth, 200),
      height,
      padding: [8, 24, 0, 0],
      // the row of the animation's time, not of the pixel under the line
      cursor: {
        drag: { x: false, y: false },
        bind: deafBindings,
        points: { size: 6 },
        y: false,
        dataIdx: () => nearest(this.owner.channels.times, this.owner.player.t),
      },
      legend: { live: true, markers: { dash: (chart, i) => (chart.series[i].dash?.length ? "dashed" : "solid") } },
      pxAlign: 0,
      scales: { x: { time: false }, y: this.description.log ? { distr: 3, log: 10 } : {} },
      axes: [
        {
          ...axis,
          values: (_, ticks) => ticks.map((t, i) => (i + 1 < ticks.length ? written(t) : `${written(t)} s`)),
          size: 28,
          gap: 3,
        },
        {
          ...axis,
          size: 58,
          values: (_, ticks) => ticks.map((y) => (y === null ? "" : written(y))),
          ...(this.description.log
            ? {
                splits: (_: uPlot, __: number, min: number, max: number) => decades(min, max),
                filter: (_: uPlot, splits: number[]) => splits,
              }
            : {}),
        },
      ],
      series: [
        { label: "t", value: (_, t) => (t === null ? "" : `${t.toFixed(4)} s`) },
        ...this.description.series.map((series, i) => this.line(series, i)),
      ],
      hooks: {
        draw: [(chart) => this.drawEvents(chart)],
        setSeries: [(chart, i) => this.showPartner(chart, i)],
      },
    };
  }
  // A pinned series has the colour of its partner, fainter and dashed.
  private line(series: Series, i: number): uPlot.Series {
    const colors = this.owner.theme.series;
    const number = series.beside ?? i;
    const dashes = [[], [8, 4], [2, 3]];
    const pinned = series.beside !== undefined;
    return {
      label: series.name,
      stroke: colors[number % colors.length] + (pinned ? "a0" : ""),
      width: pinned ? 1.4 : 1.6,
      pxAlign: 0,
      dash: pinned ? [4, 4] : dashes[Math.floor(number / colors.length) % dashes.length],
      show: number < mostShown,
      points: { show: false },
      value: (chart, x, _, row) => (x === null ? "–" : written(x)) + this.pinnedValue(chart, number, row),
    };
  }
  private partnerOf(number: number): number {
    return this.description.series.findIndex((series) => series.beside === number);
  }
  // " (0.12)" behind the value of a series that has a pinned partner.
  private pinnedValue(chart: uPlot, number: number, row: number | null): string {
    const partner = this.partnerOf(number);
    return partner < 0 || row === null ? "" : ` (${written(chart.data[partner + 1][row])})`;
  }
  // A pinned series is hidden with its own.
  private showPartner(chart: uPlot, i: number | null): void {
    const partner = i === null ? -1 : this.partnerOf(i - 1);
    if (partner < 0) return;
    const show = chart.series[i!].show!;
    if (chart.series[partner + 1].show !== show) chart.setSeries(partner + 1, { show });
  }

  private drawEvents(chart: uPlot): void {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.strokeStyle = this.owner.theme.mark;
    ctx.globalAlpha = this.description.marks ? 0.75 : 0.22;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash(this.description.marks ? [4, 3] : []);
    ctx.beginPath();
    for (const event of this.owner.events.slice(0, 400)) {
      const x = Math.round(chart.valToPos(event.t, "x", true)) + 0.5;
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
    }
    ctx.stroke();
    ctx.restore();
  }

  setCursor(): void {
    if (!this.chart || !this.isOpen || !this.visible) return;
    const left = this.chart.valToPos(this.owner.player.t, "x");
    this.chart.setCursor({ left, top: this.chart.over.clientHeight / 2 }, false);
    this.chart.setLegend({ idx: nearest(this.owner.channels.times, this.owner.player.t) }, false);
  }
  // The time under the cursor line, as it is drawn.
  get cursorTime(): number | null {
    const left = this.chart?.cursor.left;
    return left === undefined || left < 0 ? null : this.chart!.posToVal(left, "x");
  }

  setRange(min: number, max: number): void {
    this.chart?.setScale("x", { min, max });
    this.setCursor();
  }
  resize(): void {
    if (this.chart && this.isOpen) this.chart.setSize({ width: Math.max(this.body.clientWidth, 200), height });
    this.setCursor();
  }

  private listen(chart: uPlot): void {
    const over = chart.over;
    let from: number | null = null; // pixel at which a range began
    const x = (event: PointerEvent) => event.clientX - over.getBoundingClientRect().left;
    over.style.touchAction = "pan-y";
    over.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      over.setPointerCapture(event.pointerId);
      if (event.shiftKey) from = x(event);
      else this.owner.scrub(chart.posToVal(x(event), "x"));
    });
    over.addEventListener("pointermove", (event) => {
      if (!over.hasPointerCapture(event.pointerId)) return;
      if (from === null) return this.owner.scrub(chart.posToVal(x(event), "x"));
      const left = Math.min(from, x(event));
      chart.setSelect({ left, top: 0, width: Math.abs(x(event) - from), height: over.clientHeight }, false);
    });
    over.addEventListener("pointerup", (event) => {
      if (from !== null && Math.abs(x(event) - from) > 4) {
        const ends = [chart.posToVal(from, "x"), chart.posToVal(x(event), "x")];
        this.owner.setRange(Math.min(...ends), Math.max(...ends));
      }
      from = null;
      chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    });
    over.addEventListener("dblclick", () => this.owner.resetRange());
  }
}


// Rows of series that are not drawn at first wait behind a button, and pinned ones stand beside their partners.
function legendNotes(chart: uPlot, series: Series[], plot: Plot): HTMLElement[] {
  const legend = chart.root.querySelector(".u-legend")!;
  const rows = [...legend.querySelectorAll(".u-series")].slice(1);
  series.forEach((each, i) => {
    if (each.beside !== undefined) rows[i].classList.add("pinned");
    else if (i >= mostShown) rows[i].classList.add("extra");
  });
  const notes: HTMLElement[] = [];
  const extra = legend.querySelectorAll(".extra").length;
  const more = element("button", { type: "button", class: "more" });
  const tell = () => {
    legend.classList.toggle("all", plot.wholeLegend);
    more.textContent = plot.wholeLegend ? "fewer" : `and ${extra} more`;
  };
  more.addEventListener("click", () => {
    plot.wholeLegend = !plot.wholeLegend;
    tell();
  });
  tell();
  if (extra > 0) notes.push(more);
  if (series.some((each) => each.beside !== undefined))
    notes.push(element("span", { class: "pinned-note" }, "dashed, (in brackets): the pinned run"));
  return notes;
}

// The plot itself listens to none of the library's gestures; names in the legend do to presses.
const deaf = () => null;
const deafBindings = {
  mousedown: deaf,
  mouseup: deaf,
  click: (chart: uPlot, target: HTMLElement, handler: (event: MouseEvent) => null) =>
    target === chart.over ? null : (event: MouseEvent) => (event.button === 0 ? handler(event) : null),
  dblclick: deaf,
  mousemove: deaf,
  mouseleave: deaf,
  mouseenter: deaf,
};

const names = (channels: ChannelSet) =>
  channels.plots.map((plot) => [plot.title, plot.unit, ...plot.series.map((series) => series.name)].join()).join("\n");

export class Plots {
  list: Plot[] = [];
  readonly opened = new Map<string, boolean>(); // by title, where the reader chose

  constructor(
    public channels: ChannelSet,
    public events: Event[],
    readonly player: Player,
    private host: HTMLElement,
    public theme: Theme,
  ) {
    this.fill();
    player.onChange(() => this.list.forEach((plot) => plot.setCursor()));
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
    this.host.append(...this.list.map((plot) => plot.root));
  }

  // Another run; plots of the same series stay.
  setChannels(channels: ChannelSet, events: Event[]): void {
    const same = names(channels) === names(this.channels);
    this.channels = channels;
    this.events = events;
    if (same) this.list.forEach((plot, k) => plot.setValues(channels.plots[k]));
    else this.fill();
  }

  scrub(t: number): void {
    this.player.playing = false;
    this.player.seek(t);
  }
  setTheme(theme: Theme): void {
    this.theme = theme;
    for (const plot of this.list) if (plot.chart) plot.make();
  }
  setRange(min: number, max: number): void {
    for (const plot of this.list) plot.setRange(min, max);
  }
  resetRange(): void {
    const times = this.channels.times;
    this.setRange(times[0], times[times.length - 1]);
  }
}
