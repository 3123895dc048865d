// One plot over time. plot_gestures.ts says what pointers do to it.
import uPlot from "uplot";
import { nearest, type PlotDescription, type Series } from "./channels";
import { element, typeset, written } from "./dom";
import { drawOver } from "./plot_events";
import { addGestures } from "./plot_gestures";
import { plotTools } from "./plot_tools";
import { timeDigits } from "./player";
import { roundOff } from "./round_off";
import { decades } from "./ticks";
import { legendNotes, mostShown, tellShown } from "./plot_legend";
import type { Plots } from "./plots";

const height = 190;

export class Plot {
  readonly root: HTMLElement;
  chart: uPlot | null = null;
  private body = element("div", { class: "plot-body" });
  private visible = false;
  wholeLegend = false; // also of the series that are not drawn at first
  yRange: [number, number] | null = null; // that the reader chose
  private cursorLine: HTMLElement | null = null;

  constructor(
    public description: PlotDescription,
    readonly owner: Plots,
  ) {
    const { title } = description;
    const unit = description.unit || description.note;
    const details = element(
      "details",
      { class: "plot" },
      element("summary", {}, element("h2", {}, title), ...(unit ? [element("small", {}, ` ${unit}`)] : [])),
      plotTools(this, owner),
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
  get others(): string[] {
    return this.owner.channels.others ?? [];
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
    if (this.owner.range) this.setRange(...this.owner.range);
  }
  private stale = false;
  private data(): uPlot.AlignedData {
    const zero = roundOff(this.description);
    const columns = this.description.series.map((series) => this.cleaned(series.values, zero));
    return [this.owner.channels.times, ...columns] as unknown as uPlot.AlignedData;
  }

  make(): void {
    this.chart?.destroy();
    this.body.replaceChildren();
    this.chart = new uPlot(this.options(), this.data(), this.body);
    this.chart.over.setAttribute("role", "img");
    this.chart.over.setAttribute("aria-label", `${this.description.title} over time`);
    this.body.append(...legendNotes(this.chart, this.description.series, this));
    // columns of the legend that no name is too long for: 7 px a letter, the line before it and the value behind it
    const longest = Math.max(...this.description.series.slice(0, mostShown).map(({ name }) => name.length));
    this.chart.root.style.setProperty("--column", `${7 * longest + 88}px`);
    this.cursorLine = this.chart.over.querySelector<HTMLElement>(".u-cursor-x");
    addGestures(this.chart, this, this.owner);
    if (this.owner.range) this.setRange(...this.owner.range);
    this.setCursor();
  }

  // On a logarithmic axis only what is positive can be shown; of errors the size. Round-off is zero.
  cleaned(values: ArrayLike<number>, zero: number): (number | null)[] {
    return Array.from(values, (x) => {
      if (!Number.isFinite(x)) return null;
      if (!this.description.log) return Math.abs(x) < zero ? 0 : x;
      return Math.abs(x) < zero ? null : Math.abs(x);
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
      scales: {
        x: { time: false },
        y: {
          ...(this.description.log ? { distr: 3, log: 10 } : {}),
          range: (_, min, max) => this.yRange ?? (min === null ? [null, null] : this.rangeOf(min, max)),
        },
      },
      axes: [
        {
          ...axis,
          values: (_, ticks) => ticks.map((t, i) => (i + 1 < ticks.length ? typeset(t) : `${typeset(t)} s`)),
          size: 28,
          gap: 3,
        },
        {
          ...axis,
          size: 58,
          values: (_, ticks) => ticks.map((y) => (y === null ? "" : typeset(y))),
          ...(this.description.log
            ? {
                splits: (_: uPlot, __: number, min: number, max: number) => decades(min, max),
                filter: (_: uPlot, splits: number[]) => splits,
              }
            : {}),
        },
      ],
      series: [
        { label: "t", value: (_, t) => this.timeText(t) },
        ...this.description.series.map((series, i) => this.line(series, i)),
      ],
      hooks: {
        ready: [() => this.setCursor()],
        draw: [(chart) => drawOver(chart, this.owner, this.description.marks)],
        setSeries: [(chart, i) => this.showPartner(chart, i), tellShown],
      },
    };
  }
  // A series of another run has the color of its partner, thinner and dashed.
  private line(series: Series, i: number): uPlot.Series {
    const number = series.beside ?? i;
    const pinned = series.beside !== undefined;
    return {
      label: series.name,
      stroke: this.colorOf(number),
      width: pinned ? 1.2 : 1.6,
      pxAlign: 0,
      dash: this.dashOf(series, i),
      show: number < mostShown,
      points: { show: false },
      value: (chart, x, column, row) =>
        (x === null ? "–" : typeset(x)) + this.pinnedValue(chart, number, row) + this.markedValue(chart, column, x),
    };
  }
  private colorOf(number: number): string {
    const colors = this.owner.theme.series;
    return colors[number % colors.length];
  }
  private dashOf(series: Series, i: number): number[] {
    const dashes = [[], [8, 4], [2, 3]];
    if (series.beside === undefined) return dashes[Math.floor(i / this.owner.theme.series.length) % dashes.length];
    return dashesBeside[(series.run ?? 0) % dashesBeside.length];
  }
  // " Δ 0.12": by how much a value differs from that at the second cursor.
  private markedValue(chart: uPlot, column: number, x: number | null): string {
    const { mark, channels } = this.owner;
    const there = mark === null ? null : chart.data[column][nearest(channels.times, mark)];
    return there === null || there === undefined || x === null ? "" : ` Δ ${typeset(x - there)}`;
  }
  private timeText(t: number | null): string {
    if (t === null) return "";
    const { mark, player } = this.owner;
    const digits = Math.max(4, timeDigits(player.times));
    if (mark === null) return `${t.toFixed(digits)} s`;
    const between = t - mark;
    return `${t.toFixed(digits)} s Δ ${between.toFixed(digits)} s${between === 0 ? "" : ` (${written(1 / Math.abs(between))} Hz)`}`;
  }
  // Columns of the same channel in the other runs.
  private partnersOf(number: number): number[] {
    return this.description.series.flatMap((series, i) => (series.beside === number ? [i + 1] : []));
  }
  // " (0.12)" behind the value of a series that other runs have, too.
  private pinnedValue(chart: uPlot, number: number, row: number | null): string {
    if (row === null) return "";
    return this.partnersOf(number).map((column) => ` (${typeset(chart.data[column][row])})`).join("");
  }
  // Those of other runs are hidden with their own.
  private showPartner(chart: uPlot, i: number | null): void {
    if (i === null || this.description.series[i - 1]?.beside !== undefined) return;
    const show = chart.series[i].show!;
    for (const column of this.partnersOf(i - 1)) if (chart.series[column].show !== show) chart.setSeries(column, { show });
  }

  // lineOnly: while the animation plays, curves' points and legends need not follow every frame.
  setCursor(lineOnly = false): void {
    if (!this.chart || !this.isOpen || !this.visible) return;
    const { t } = this.owner.player;
    const { min, max } = this.chart.scales.x;
    if (typeof min !== "number" || typeof max !== "number") return; // not drawn yet: `ready` comes back here
    const outside = t < min - 1e-9 * (max - min) || t > max + 1e-9 * (max - min); // of the range that is shown
    const left = outside ? -10 : this.chart.valToPos(t, "x");
    if (lineOnly && this.cursorLine) {
      this.cursorLine.style.transform = `translate(${left}px, 0px)`;
      return;
    }
    this.chart.setCursor({ left, top: outside ? -10 : this.chart.over.clientHeight / 2 }, false);
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

  // For pictures and tables.
  get allSeries(): { series: Series; column: number; color: string; dash: number[] }[] {
    return this.description.series.map((series, i) => ({ series, column: i + 1, color: this.colorOf(series.beside ?? i), dash: this.dashOf(series, i) }));
  }
  // Rows of the times that are shown.
  get rowsShown(): [number, number] {
    return this.owner.rowsOf(this.owner.channels.times);
  }
  // The widest range of y that the data ask for.
  rangeOf(min: number, max: number): [number, number] {
    if (this.description.log) return uPlot.rangeLog(min, max, 10, true) as [number, number];
    if (min === max) return [min - (0.1 * Math.abs(min) || 1), max + (0.1 * Math.abs(max) || 1)];
    return uPlot.rangeNum(min, max, 0.1, true) as [number, number];
  }
  // null: as the data ask for.
  setYRange(range: [number, number] | null): void {
    this.yRange = range;
    const [min, max] = this.owner.rangeShown;
    this.chart?.setScale("x", { min, max }); // which ranges y anew
  }
}

export const dashesBeside = [[4, 4], [9, 3, 2, 3], [2, 2], [12, 4]];
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
