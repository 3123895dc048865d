// The recorded channels, sorted into plots: one a group and unit.
import { float32, float64, type RunDocument } from "./document";
import { leastValue, machineSize } from "./round_off";

export interface Series {
  name: string;
  values: ArrayLike<number>;
  beside?: number; // number of the series that one of another run belongs to
  run?: number; // and of that run, from 0
}

// "theta1, difference": what a value is of.
export const named = (name: string, { difference }: ChannelSet) => (difference ? `${name}, difference` : name);

// What plots draw: of one run, or of several.
export interface ChannelSet {
  readonly others?: string[]; // names of the runs beside the first
  readonly runs?: ChannelSet[]; // of several: each by itself, at its own times
  readonly difference?: boolean; // of runs; values are of one less another
  readonly recorded?: number; // rows of a run of which the page keeps fewer: the smallest and the largest value of some rows, in pairs
  readonly times: Float64Array;
  readonly plots: PlotDescription[];
}

export interface PlotDescription {
  title: string;
  unit: string;
  note?: string; // in place of a unit that it does not have
  log: boolean;
  open: boolean; // shown at first
  marks: boolean; // crossings are what it is about
  series: Series[];
  least: number; // size below which a value is nothing but round-off, whatever is beside it
}

interface Rule {
  group: string;
  title: (unit: string) => string;
  open: boolean;
}

const byUnit = (words: Record<string, string>, otherwise: string) => (unit: string) => words[unit] ?? otherwise;

// In the order of the page.
const rules: Rule[] = [
  {
    group: "coordinates",
    title: byUnit({ rad: "Angles", m: "Displacements", "": "Quaternions" }, "Coordinates"),
    open: true,
  },
  { group: "velocities", title: byUnit({ "rad/s": "Angular velocities", "m/s": "Velocities" }, "Rates"), open: true },
  {
    group: "drives",
    title: byUnit(
      {
        A: "Currents",
        V: "Voltages",
        "N m": "Motor torques",
        N: "Motor forces",
        "rad/s": "Motor speeds",
        rad: "Rotor angles",
        W: "Motor power",
        K: "Winding temperatures",
      },
      "Drives",
    ),
    open: true,
  },
  { group: "singularities", title: () => "Determinants and events", open: true },
  { group: "energies", title: () => "Energy ledger", open: true },
  { group: "errors", title: () => "Errors", open: true },
  { group: "points", title: () => "Points", open: false },
  { group: "quantities", title: () => "Quantities", open: false },
  { group: "multipliers", title: () => "Multipliers", open: false },
  { group: "reactions", title: byUnit({ N: "Reaction forces", "N m": "Reaction moments" }, "Reactions"), open: false },
];

const siUnits = "in SI units, mixed"; // of matrices that have lengths and angles

const closedUnits = new Set(["W", "K", "rad", "rad/s"]); // of drives: on request

export class Channels implements ChannelSet {
  readonly times: Float64Array;
  readonly plots: PlotDescription[] = [];
  readonly recorded?: number;

  constructor(private run: RunDocument) {
    const { rows, recorded } = run.series;
    if (recorded > rows) this.recorded = recorded;
    this.times = float64(run.series.t);
    for (const rule of rules) this.addGroup(rule);
    this.addSingular();
    const machine = machineSize(run);
    for (const plot of this.plots) plot.least = leastValue(plot, machine);
    this.plots.sort((a, b) => Number(b.open) - Number(a.open)); // stable: what is closed comes last
  }

  private addGroup(rule: Rule): void {
    const byUnit = new Map<string, Series[]>();
    for (const channel of this.run.series.channels) {
      if (channel.group !== rule.group || isPivot(channel.name)) continue;
      const unit = rule.group === "errors" ? "" : channel.unit;
      const values = float32(channel.data);
      if (!values.some(Number.isFinite)) continue; // not computed, as multipliers of a kinematic motion
      byUnit.set(unit, [...(byUnit.get(unit) ?? []), { name: channel.name, values }]);
    }
    const errors = rule.group === "errors";
    for (const [unit, series] of byUnit)
      this.plots.push({
        title: rule.title(unit),
        unit: errors ? "position, velocity; energy in J" : unit,
        ...(unit || errors ? {} : { note: rule.group === "singularities" ? siUnits : "no unit" }),
        log: errors,
        open:
          rule.open &&
          !(rule.group === "drives" && closedUnits.has(unit)) &&
          !(rule.group === "coordinates" && unit === ""),
        marks: rule.group === "singularities",
        least: 0,
        series,
      });
  }

  // How near Phi is to losing rank.
  private addSingular(): void {
    const series = this.run.series.channels
      .filter((channel) => channel.name.startsWith("smallest_"))
      .map((channel) => ({ name: channel.name.replaceAll("_", " "), values: float32(channel.data) }))
      .filter((series) => series.values.some(Number.isFinite));
    if (series.length > 0)
      this.plots.push({ title: "Singular values and pivots", unit: "", note: siUnits, log: true, open: true, marks: true, least: 0, series });
  }
}

// A long recording has the smallest and the largest value of some rows, in pairs, which belong to different times in each channel: the middle of
// each pair, where channels are drawn over one another.
export function middles(values: ArrayLike<number>, { rows, recorded }: { rows: number; recorded: number }): ArrayLike<number> {
  if (recorded <= rows) return values;
  return Float64Array.from({ length: Math.ceil(values.length / 2) }, (_, k) => (values[2 * k] + values[Math.min(2 * k + 1, values.length - 1)]) / 2);
}

// The row nearest to a time.
export function nearest(times: Float64Array, t: number): number {
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return high > low && times[high] - t < t - times[low] ? high : low;
}

const isPivot = (name: string) => name.startsWith("smallest_") || name === "rank";
