// How much of each frequency a signal holds: the amplitude spectrum of what is shown, by a fast Fourier transform.

// In place, for a power of two of values. Cooley and Tukey, 1965.
export function transform(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let size = 2; size <= n; size *= 2)
    for (let k = 0; k < size / 2; ++k) {
      const [c, s] = [Math.cos((2 * Math.PI * k) / size), -Math.sin((2 * Math.PI * k) / size)];
      for (let a = k; a < n; a += size) {
        const b = a + size / 2;
        const [x, y] = [c * re[b] - s * im[b], c * im[b] + s * re[b]];
        [re[b], im[b]] = [re[a] - x, im[a] - y];
        [re[a], im[a]] = [re[a] + x, im[a] + y];
      }
    }
}

interface Spectrum {
  frequencies: Float64Array; // Hz
  amplitudes: Float64Array[]; // of a sine: its own amplitude
}

const leastRows = 8;
const mostUneven = 1e-3; // of a step: beyond, values between the rows are needed
const padding = 4; // zeros behind the values, so that the top of a peak is not between two frequencies: 1 % of its height at most

// The rows between two times; without the last one where the run ends within a step.
function rowsBetween(times: Float64Array, from: number, to: number): [number, number] {
  let [first, end] = [0, times.length];
  while (first < end && times[first] < from) ++first;
  while (end > first && times[end - 1] > to) --end;
  const step = times[first + 1] - times[first];
  if (end - first > 2 && times[end - 1] - times[end - 2] < (1 - mostUneven) * step) --end;
  return [first, end];
}
function isEven(times: Float64Array, first: number, end: number): boolean {
  const step = (times[end - 1] - times[first]) / (end - 1 - first);
  for (let k = first; k < end; ++k) if (Math.abs(times[k] - times[first] - (k - first) * step) > mostUneven * step) return false;
  return true;
}
// At even times, straight between the rows.
function between(times: Float64Array, values: ArrayLike<number>, from: number, step: number, count: number): Float64Array {
  let row = 0;
  return Float64Array.from({ length: count }, (_, k) => {
    const t = from + k * step;
    while (row + 2 < times.length && times[row + 1] <= t) ++row;
    const length = times[row + 1] - times[row];
    const share = length > 0 ? Math.min(1, Math.max(0, (t - times[row]) / length)) : 0;
    return values[row] + share * (values[row + 1] - values[row]);
  });
}

// Of values at times that grow, between two of them, up to half the rate of the rows. The mean is left out; a Hann window keeps what does not
// repeat within the range from spilling over all frequencies.
export function spectrumOf(times: Float64Array, series: ArrayLike<number>[], from: number, to: number): Spectrum | null {
  const [first, end] = rowsBetween(times, from, to);
  if (end - first < leastRows || !(times[end - 1] > times[first])) return null;
  const even = isEven(times, first, end);
  const count = even ? end - first : 2 * (end - first); // finer between uneven rows, which keeps more of the high frequencies
  const step = (times[end - 1] - times[first]) / (count - 1);
  const n = 2 ** Math.ceil(Math.log2(padding * count));
  const window = Float64Array.from({ length: count }, (_, k) => 1 - Math.cos((2 * Math.PI * k) / count));
  const amplitudes = series.map((values) => {
    const x = even ? Float64Array.from({ length: count }, (_, k) => values[first + k]) : between(times, values, times[first], step, count);
    const known = x.map((value) => (Number.isFinite(value) ? value : 0));
    const mean = known.reduce((sum, value, k) => sum + window[k] * value, 0) / count;
    const re = new Float64Array(n);
    for (let k = 0; k < count; ++k) re[k] = (known[k] - mean) * window[k];
    const im = new Float64Array(n);
    transform(re, im);
    return Float64Array.from({ length: even ? n / 2 : n / 4 }, (_, k) => (2 * Math.hypot(re[k], im[k])) / count);
  });
  return { frequencies: Float64Array.from(amplitudes[0] ?? [], (_, k) => k / (n * step)), amplitudes };
}
