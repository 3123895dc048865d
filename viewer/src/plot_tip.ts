// What the curves are at the time under the pointer, and which event is there.
import type uPlot from "uplot";
import { nearest } from "./channels";
import { element, typeset } from "./dom";
import type { Plot } from "./plot";
import type { Plots } from "./plots";

const nearEvent = 5; // pixels
const mostLines = 12;

export class PlotTip {
  private root = element("div", { class: "tip plot-tip", hidden: "" });
  private line = element("div", { class: "hover-line", hidden: "" });

  constructor(
    private chart: uPlot,
    private plot: Plot,
    private owner: Plots,
  ) {
    chart.over.append(this.line, this.root);
  }

  hide(): void {
    this.root.hidden = this.line.hidden = true;
  }
  show(x: number, y: number): void {
    const { chart, owner } = this;
    const { times } = owner.channels;
    if (times.length === 0) return;
    const row = nearest(times, chart.posToVal(x, "x"));
    const { unit, log, series } = this.plot.description;
    const lines = series.flatMap((each, k) => {
      const value = chart.data[k + 1][row];
      if (!chart.series[k + 1].show || value === null || value === undefined) return [];
      const color = chart.series[k + 1].stroke;
      const name = element("span", {}, element("i", { style: `background: ${typeof color === "function" ? String(color(chart, k + 1)) : String(color)}` }), each.name);
      return [element("div", {}, name, element("b", {}, unit && !log ? `${typeset(value)} ${unit}` : typeset(value)))];
    });
    const time = element("div", {}, element("span", {}, "t"), element("b", {}, `${Number(times[row].toPrecision(7))} s`));
    const shown = lines.slice(0, mostLines);
    if (lines.length > mostLines) shown.push(element("div", {}, `and ${lines.length - mostLines} more`));
    this.root.replaceChildren(time, ...shown, ...this.eventsAt(x));
    this.root.hidden = this.line.hidden = false;
    this.line.style.left = `${chart.valToPos(times[row], "x")}px`;
    const { clientWidth: width, clientHeight: height } = chart.over;
    const { offsetWidth: w, offsetHeight: h } = this.root;
    this.root.style.left = `${x + 16 + w < width ? x + 16 : Math.max(0, x - 12 - w)}px`;
    this.root.style.top = `${Math.min(y + 14, Math.max(0, height - h))}px`;
  }
  private eventsAt(x: number): HTMLElement[] {
    return this.owner.events
      .map((event, k) => ({ ...event, number: k + 1 }))
      .filter(({ t }) => Math.abs(this.chart.valToPos(t, "x") - x) <= nearEvent)
      .slice(0, 3)
      .map(({ what, number }) => element("div", { class: "event" }, `${number}: ${what}`));
  }
}
