// Two runs in the same plots, both at the times of either, straight between their rows: side by side, or one less the other.
import type { ChannelSet, PlotDescription, Series } from "./channels";

function union(a: Float64Array, b: Float64Array): Float64Array {
  const all = Float64Array.from([...a, ...b]).sort();
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

export function compared(current: ChannelSet, pinned: ChannelSet): ChannelSet {
  const times = union(current.times, pinned.times);
  const plots = current.plots.map((plot): PlotDescription => {
    const other = pinned.plots.find((each) => each.title === plot.title && each.unit === plot.unit);
    const own = plot.series.map((series) => ({ ...series, values: resampled(current.times, series.values, times) }));
    const beside: Series[] = [];
    plot.series.forEach((series, k) => {
      const found = other?.series.find((each) => each.name === series.name);
      if (found)
        beside.push({
          name: `${series.name}, pinned`,
          values: resampled(pinned.times, found.values, times),
          beside: k,
        });
    });
    return { ...plot, series: [...own, ...beside] };
  });
  return { times, plots };
}

// The run less the pinned one, where both are.
export function difference(current: ChannelSet, pinned: ChannelSet): ChannelSet {
  const { times, plots } = compared(current, pinned);
  const less = (plot: PlotDescription): PlotDescription => {
    const series = plot.series.flatMap((own, k): Series[] => {
      const partner = own.beside === undefined ? plot.series.find((each) => each.beside === k) : undefined;
      return partner ? [{ name: own.name, values: Float64Array.from(own.values, (x, row) => x - partner.values[row]) }] : [];
    });
    return { ...plot, title: `${plot.title}, difference`, series };
  };
  return { times, plots: plots.map(less).filter((plot) => plot.series.length > 0) };
}
