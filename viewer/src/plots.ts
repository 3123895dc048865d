// Plots over time, all with one cursor: the time of the animation. A press moves it; a drag with shift picks a range.
import uPlot from "uplot";
import type { Channels, PlotDescription } from "./channels";
import { element, written } from "./dom";
import type { Player } from "./player";
import type { Theme } from "./theme";

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

  constructor(
    readonly description: PlotDescription,
    private owner: Plots,
  ) {
    const { title, unit } = description;
    const details = element(
      "details",
      { class: "plot" },
      element("summary", {}, title, ...(unit ? [element("small", {}, ` ${unit}`)] : [])),
      this.body,
    );
    details.open = description.open;
    details.addEventListener("toggle", () => this.appear());
    this.root = details;
    new IntersectionObserver(([entry]) => {
      this.visible = entry.isIntersecting;
      if (this.visible) this.appear();
    }).observe(this.body);
  }

  private get isOpen(): boolean {
    return (this.root as HTMLDetailsElement).open;
  }
  // Made when it is first seen.
  private appear(): void {
    if (!this.isOpen || !this.visible) return;
    if (!this.chart) this.make();
    this.setCursor();
  }

  make(): void {
    this.chart?.destroy();
    this.body.replaceChildren();
    const data = [this.owner.channels.times, ...this.description.series.map((series) => this.cleaned(series.values))];
    this.chart = new uPlot(this.options(), data as unknown as uPlot.AlignedData, this.body);
    this.listen(this.chart);
    this.setCursor();
  }

  // On a logarithmic axis only what is positive can be shown; of errors the size.
  private cleaned(values: Float32Array): (number | null)[] {
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
      cursor: { drag: { x: false, y: false }, bind: deafBindings, points: { size: 6 }, y: false },
      legend: { live: true },
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
        ...this.description.series.map((series, i) => this.line(series.name, i)),
      ],
      hooks: { draw: [(chart) => this.drawEvents(chart)] },
    };
  }
  private line(label: string, i: number): uPlot.Series {
    const colors = this.owner.theme.series;
    const dashes = [[], [8, 4], [2, 3]];
    return {
      label,
      stroke: colors[i % colors.length],
      width: 1.6,
      pxAlign: 0,
      dash: dashes[Math.floor(i / colors.length) % dashes.length],
      show: i < mostShown,
      points: { show: false },
      value: (_, x) => (x === null ? "–" : written(x)),
    };
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
    this.chart.setLegend({ idx: this.owner.channels.nearest(this.owner.player.t) }, false);
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

// Ticks of a logarithmic axis: powers of ten, at most eight of them; over less than two decades also 2 and 5.
function decades(min: number, max: number): number[] {
  const [first, last] = [Math.floor(Math.log10(min) + 1e-9), Math.ceil(Math.log10(max) - 1e-9)];
  const every = Math.ceil((last - first) / 8) || 1;
  const leads = last - first <= 2 ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let k = first; k <= last; k += every) for (const lead of leads) ticks.push(Number(`${lead}e${k}`));
  return ticks.filter((tick) => tick >= min * (1 - 1e-9) && tick <= max * (1 + 1e-9));
}

const deaf = () => null;
const deafBindings = {
  mousedown: deaf,
  mouseup: deaf,
  click: deaf,
  dblclick: deaf,
  mousemove: deaf,
  mouseleave: deaf,
  mouseenter: deaf,
};

export class Plots {
  readonly list: Plot[];

  constructor(
    readonly channels: Channels,
    readonly events: Event[],
    readonly player: Player,
    host: HTMLElement,
    public theme: Theme,
  ) {
    this.list = channels.plots.map((description) => new Plot(description, this));
    host.append(...this.list.map((plot) => plot.root));
    player.onChange(() => this.list.forEach((plot) => plot.setCursor()));
    let width = host.clientWidth;
    new ResizeObserver(() => {
      if (host.clientWidth === width) return;
      width = host.clientWidth;
      this.list.forEach((plot) => plot.resize());
    }).observe(host);
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
