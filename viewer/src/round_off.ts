// Numbers that are nothing but round-off: 1e-17 rad beside angles of one radian. Plots show them as zero; files keep them.
import type { PlotDescription } from "./channels";

const share = 1e-13; // of the largest value of the plot
const leastAngle = 1e-14; // rad, rad/s: a turn is a natural size
const leastValue = 1e-15; // of any other unit: a gap of 1e-17 m beside nothing else is less than a proton

export const leastError = 1e-20; // m, m/s, rad, rad/s, J: far below an atom's size and any round-off that matters

// The size below which a value of this plot is zero. On logarithmic axes small values are what they are about.
export function roundOff({ log, unit, series }: Pick<PlotDescription, "log" | "unit" | "series">): number {
  if (log) return leastError;
  let largest = 0;
  for (const { values } of series)
    for (let k = 0; k < values.length; ++k) {
      const size = Math.abs(values[k]);
      if (size > largest && size < Infinity) largest = size;
    }
  return Math.max(share * largest, unit.startsWith("rad") ? leastAngle : leastValue);
}
