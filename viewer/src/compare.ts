// Several runs in the same plots, all at the times of each, straight between their rows: side by side, or the first less the others.
import type { ChannelSet, PlotDescription, Series } from "./channels";

function union(lists: Float64Array[]): Float64Array {
  const all = Float64Array.from(lists.flatMap((list) => [...list])).sort();
  return all.filter((t, k) => k === 0 || t > all[k - 1]);
}

// Values of a series at other times; nothing where it has not begun or is over.
function resampled(times: Float64Array, values: ArrayLike<number>, at: Float64Array): Float64Array {
  let k = 0;
  return at.map((t) => {
    if (times.length === 0 || t < times[0] || t > times[times.length - 1]) return NaN;
    while (k + 2 < times.length && times[k + 1] < t) ++k;
    if (times.length === 1) return values[0];
    const length = times[k + 1] - times[k];
    const share = length > 0 ? (t - times[k]) / length : 1;
    return share <= 0 ? values[k] : share >= 1 ? values[k + 1] : values[k] + share * (values[k + 1] - values[k]);
  });
}

export interface Named {
  name: string;
  channels: ChannelSet;
}

export function compared(current: ChannelSet, others: Named[]): ChannelSet {
  const times = union([current, ...others.map(({ channels }) => channels)].map((each) => each.times));
  const plots = current.plots.map((plot): PlotDescription => {
    const own = plot.series.map((series) => ({ ...series, values: resampled(current.times, series.values, times) }));
    const beside = others.flatMap(({ name, channels }, run): Series[] => {
      const other = channels.plots.find((each) => each.title === plot.title && each.unit === plot.unit);
      return plot.series.flatMap((series, k): Series[] => {
        const found = other?.series.find((each) => each.name === series.name);
        return found ? [{ name: `${series.name}, ${name}`, values: resampled(channels.times, found.values, times), beside: k, run }] : [];
      });
    });
    return { ...plot, series: [...own, ...beside] };
  });
  const runs = [current, ...others.map(({ channels }) => channels)];
  const recorded = runs.find((each) => each.recorded !== undefined)?.recorded;
  return { times, plots, runs, others: others.map(({ name }) => name), ...(recorded === undefined ? {} : { recorded }) };
}

// The page has seven digits of a value; a difference in the last of them is none.
export const single = 2 ** -23;
const minus = (a: number, b: number) => (Math.abs(a - b) <= single * Math.max(Math.abs(a), Math.abs(b)) ? 0 : a - b);

// The first run less each of the others, where both are.
export function difference(current: ChannelSet, others: Named[]): ChannelSet {
  const { times, plots, recorded } = compared(current, others);
  const less = (plot: PlotDescription): PlotDescription => {
    const series = plot.series.flatMap((other): Series[] => {
      if (other.beside === undefined) return [];
      const own = plot.series[other.beside];
      return [{ name: others.length > 1 ? `${own.name} − ${others[other.run!].name}` : own.name, values: Float64Array.from(own.values, (x, row) => minus(x, other.values[row])) }];
    });
    return { ...plot, title: `${plot.title}, difference`, series };
  };
  return { times, plots: plots.map(less).filter((plot) => plot.series.length > 0), difference: true, ...(recorded === undefined ? {} : { recorded }) };
}
