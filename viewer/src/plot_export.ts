// What a plot over time shows, as a picture and as a table.
import { named } from "./channels";
import type { ChartDescription } from "./chart_svg";
import type { Plot } from "./plot";
import { marked } from "./plot_events";
import { mostShown } from "./plot_legend";
import { roundOff } from "./round_off";
import type { Theme } from "./theme";

type Drawn = Plot["allSeries"];
// Those that are drawn; of a plot that nobody has looked at, those that would be. Of all of them the reader may have hidden some, and others wait
// in the legend.
function shownIn({ chart, allSeries }: Plot, all = false): Drawn {
  const waits = ({ series, column }: Drawn[number]) => (series.beside ?? column - 1) >= mostShown;
  return allSeries.filter((each) => (all && waits(each)) || (chart ? chart.series[each.column].show : !waits(each)));
}

function linesOf(plot: Plot, theme: Theme, shown: Drawn): ChartDescription["lines"] {
  const { description, owner } = plot;
  const zero = roundOff(description);
  return shown.map(({ series, column, color, dash }) => ({
    name: series.name,
    color: theme === owner.theme ? color : theme.series[(series.beside ?? column - 1) % theme.series.length],
    dash,
    x: owner.channels.times,
    y: plot.cleaned(series.values, zero),
  }));
}

// The least and the greatest value in some rows.
function extent(lines: ChartDescription["lines"], [from, to]: [number, number]): [number, number] | null {
  let [min, max] = [Infinity, -Infinity];
  for (const { y } of lines)
    for (let k = from; k <= to; ++k) {
      const value = y[k];
      if (value !== null && value < min) min = value;
      if (value !== null && value > max) max = value;
    }
  return min <= max ? [min, max] : null;
}

export function chartOf(plot: Plot, theme: Theme, all = false): ChartDescription {
  const { description, owner } = plot;
  const { title, unit, note = "", log } = description;
  const shown = shownIn(plot, all);
  const lines = linesOf(plot, theme, shown);
  const own = (list: Drawn) => list.filter(({ series }) => series.beside === undefined).length;
  return {
    title,
    xLabel: "t [s]",
    yLabel: unit && !log ? `[${unit}]` : unit || note,
    lines,
    more: own(plot.allSeries) - own(shown),
    x: owner.rangeShown,
    y: plot.yRange ?? plot.rangeOf(...(extent(lines, plot.rowsShown) ?? (log ? [1, 10] : [0, 1]))),
    log,
    marks: marked(owner.events).map(({ t, what }) => ({ x: t, text: what })),
  };
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
// Single precision has seven digits; more would be noise.
const digitsOf = (values: ArrayLike<number>, k: number) => (values instanceof Float32Array ? Number(values[k].toPrecision(8)) : values[k]);

export function csvOf(plot: Plot): string {
  const { channels } = plot.owner;
  const { times } = channels;
  const { unit, log } = plot.description;
  const shown = shownIn(plot).map(({ series }) => series);
  const [from, to] = plot.rowsShown;
  const heading = (name: string) => quoted(unit && !log ? `${named(name, channels)} [${unit}]` : named(name, channels));
  const lines = [["t [s]", ...shown.map(({ name }) => heading(name))].join()];
  for (let k = from; k <= to; ++k) lines.push([Number(times[k].toPrecision(15)), ...shown.map(({ values }) => digitsOf(values, k))].join());
  return `${lines.join("\n")}\n`;
}
