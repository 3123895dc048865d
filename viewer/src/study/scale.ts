// From numbers to pixels: linear and logarithmic axes with round ticks.
import { written } from "../dom";
import { decades, multiples } from "../ticks";

export class Scale {
  constructor(
    readonly min: number,
    readonly max: number,
    readonly log: boolean,
    readonly from: number, // pixel of min
    readonly to: number,
  ) {}

  at(value: number): number {
    const share = this.log
      ? Math.log(value / this.min) / Math.log(this.max / this.min)
      : (value - this.min) / (this.max - this.min);
    return this.from + share * (this.to - this.from);
  }
  value(pixel: number): number {
    const share = (pixel - this.from) / (this.to - this.from);
    return this.log ? this.min * (this.max / this.min) ** share : this.min + share * (this.max - this.min);
  }
  // About one tick every `every` pixels.
  ticks(every: number): { value: number; text: string }[] {
    const most = Math.max(2, Math.abs(this.to - this.from) / every);
    if (!this.log) {
      const ticks = this.steps(most);
      return ticks.length > 1 ? ticks : this.steps(2 * most); // one alone gives no scale
    }
    return decades(this.min, this.max, most).map((value) => ({ value, text: written(value) }));
  }

  private steps(most: number): { value: number; text: string }[] {
    const rough = (this.max - this.min) / most;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((lead) => lead * power).find((each) => each >= rough * (1 - 1e-9))!;
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const size = Math.max(Math.abs(this.min), Math.abs(this.max));
    const text = digits > 5 || size >= 1e5 ? powerOf(step, size) : (value: number) => value.toFixed(digits);
    return multiples(step, this.min, this.max).map((k) => ({ value: k * step, text: text(k * step) }));
  }
}

// All ticks of an axis have one power of ten: 9e6, 10e6 and 11e6.
function powerOf(step: number, size: number): (value: number) => string {
  const power = Math.floor(Math.log10(size / 2) + 1e-9);
  const digits = Math.max(0, power - Math.floor(Math.log10(step) + 1e-9));
  return (value) => (value === 0 ? "0" : `${(value / 10 ** power).toFixed(digits)}e${power}`);
}

// The least and the greatest of the finite values, widened where they are equal.
export function extent(values: Iterable<number>, positive = false): [number, number] {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value) || (positive && value <= 0)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (min > max) return positive ? [1, 10] : [0, 1];
  if (min < max) return [min, max];
  if (positive) return [min / 2, max * 2];
  const half = Math.abs(min) * 0.05 || 0.5;
  return [min - half, max + half];
}
