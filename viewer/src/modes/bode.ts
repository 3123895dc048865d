// Magnitude and phase over frequency, from one input of the linear system to one output.
import uPlot from "uplot";
import { element, written } from "../dom";
import type { Theme } from "../theme";
import { decades, roundTicks } from "../ticks";
import { matrix, type ModesDocument } from "./document";
import { frequencies, hessenberg, refined, response, unwrapped } from "./response";

const leastResponse = 1e-15; // in SI units: less is the round-off of a response that cancels

const numbers = (_: uPlot, ticks: (number | null)[]) => ticks.map((x) => (x === null ? "" : written(x)));

// Angles in degrees: multiples of 90, or of 45 where these are too few.
function angleTicks(min: number, max: number): number[] {
  const multiples = (step: number) => Array.from({ length: Math.max(0, Math.floor(max / step) - Math.ceil(min / step) + 1) }, (_, k) => step * (Math.ceil(min / step) + k) + 0);
  const step = 90 * Math.max(1, Math.ceil((max - min) / 90 / 6));
  return multiples(step).length >= 3 ? multiples(step) : multiples(step / 2).length >= 2 ? multiples(step / 2) : roundTicks(min, max);
}

export class Bode {
  private charts: uPlot[] = [];
  private body = element("div", { class: "bode" });
  private input = element("select", { "aria-label": "input" });
  private output = element("select", { "aria-label": "output" });
  readonly curve = { w: new Float64Array() as Float64Array, magnitude: [] as number[], phase: [] as number[] };
  private observer = new ResizeObserver(() => this.resize());

  constructor(
    host: HTMLElement,
    private modes: ModesDocument,
    private theme: Theme,
  ) {
    const { inputs, outputs, states } = modes.linear;
    host.append(element("h2", {}, "Frequency response"));
    if (inputs.length === 0 || states.length === 0) {
      host.append(element("p", { class: "note" }, inputs.length === 0 ? "The model has no drive and no effort, so there is no input." : "The machine cannot move."));
      return;
    }
    const fill = (select: HTMLSelectElement, names: string[]) => {
      names.forEach((name, k) => select.append(element("option", { value: String(k) }, name.replace(/^u\./, ""))));
      select.addEventListener("change", () => this.draw());
    };
    fill(this.input, inputs);
    fill(this.output, outputs);
    host.append(element("div", { class: "choices" }, element("label", {}, "from", this.input), element("label", {}, "to", this.output)), this.body);
    this.draw();
    this.observer.observe(this.body);
  }
  setTheme(theme: Theme): void {
    this.theme = theme;
    if (this.charts.length > 0) this.draw();
  }

  private draw(): void {
    const { A, B, C, D, states, inputs, outputs, inputUnits, outputUnits } = this.modes.linear;
    const [n, m] = [states.length, inputs.length];
    const [j, i] = [Number(this.input.value), Number(this.output.value)];
    const [b, c, d] = [matrix(B), matrix(C), matrix(D)];
    const system = hessenberg({
      n,
      A: matrix(A),
      b: Float64Array.from({ length: n }, (_, k) => b[k * m + j]),
      c: c.slice(i * n, (i + 1) * n),
      d: d[i * m + j] ?? 0,
    });
    const { w, values } = refined((each) => response(system, each), frequencies(this.modes.modes));
    this.curve.w = Float64Array.from(w);
    this.curve.magnitude = values.map(([re, im]) => Math.hypot(re, im));
    this.curve.phase = unwrapped(values.map(([re, im]) => Math.atan2(im, re)), this.curve.magnitude);
    for (const chart of this.charts) chart.destroy();
    const largest = Math.max(...this.curve.magnitude);
    const [per, of] = [inputUnits[j] || "1", outputUnits[i] || "1"];
    const unit = per === of ? "" : ` [${of} / ${/ /.test(per) ? `(${per})` : per}]`;
    const name = `${outputs[i]} / ${inputs[j].replace(/^u\./, "")}`;
    if (!(largest > leastResponse)) {
      this.charts = [];
      return this.body.replaceChildren(element("p", { class: "note" }, `${outputs[i]} does not respond to ${inputs[j].replace(/^u\./, "")}.`));
    }
    this.body.replaceChildren();
    const hertz = this.curve.w.map((each) => each / (2 * Math.PI));
    const seen = this.curve.magnitude.map((x) => Math.max(x, 1e-12 * largest)); // a logarithm needs more than zero
    this.charts = [this.chart(`|${name}|${unit}`, hertz, seen, true), this.chart("phase [°]", hertz, this.curve.phase, false)];
  }
  private chart(label: string, x: Float64Array, y: number[], logarithmic: boolean): uPlot {
    const { text, faint, series } = this.theme;
    const axis = { stroke: text, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint } };
    const frequencyTicks = (_: uPlot, __: number, min: number, max: number) => decades(min, max);
    const valueTicks = (_: uPlot, __: number, min: number, max: number) => (logarithmic ? decades(min, max, 6) : angleTicks(min, max));
    const below = logarithmic ? {} : { label: "frequency [Hz]", labelSize: 18 };
    const beside = logarithmic ? `magnitude ${/\[.*\]$/.exec(label)?.[0] ?? ""}` : label;
    const options: uPlot.Options = {
      width: this.body.clientWidth || 400,
      height: logarithmic ? 210 : 170,
      scales: { x: { time: false, distr: 3, range: (_, min, max) => [min, max] }, y: logarithmic ? { distr: 3 } : {} },
      axes: [
        { ...axis, ...below, splits: frequencyTicks, values: numbers },
        { ...axis, size: 58, splits: valueTicks, values: numbers, label: beside, labelSize: 16, labelFont: "12px system-ui, sans-serif" },
      ],
      cursor: { sync: { key: "bode" }, drag: { x: true, y: false } },
      series: [
        { label: "f [Hz]", value: (_, f) => written(f) },
        { label, stroke: series[0], width: 1.6, points: { show: false }, value: (_, v) => written(v) },
      ],
    };
    const chart = new uPlot(options, [x, y] as unknown as uPlot.AlignedData, this.body);
    chart.root.style.setProperty("--column", `${7 * label.length + 88}px`); // of the legend
    chart.over.setAttribute("role", "img");
    chart.over.setAttribute("aria-label", `${label} over frequency`);
    return chart;
  }
  private resize(): void {
    for (const chart of this.charts) if (chart.width !== this.body.clientWidth) chart.setSize({ width: this.body.clientWidth || 400, height: chart.height });
  }
}
