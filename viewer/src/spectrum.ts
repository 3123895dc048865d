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

export interface Spectrum {
  frequencies: Float64Array; // Hz
  amplitudes: Float64Array[]; // of a sine: its own amplitude
}

// Of values at times that grow, between two of them. The mean is left out; a Hann window keeps what does not repeat within the
// range from spilling over all frequencies.
export function spectrumOf(times: Float64Array, series: ArrayLike<number>[], from: number, to: number): Spectrum | null {
  let count = 0;
  for (const t of times) if (t >= from && t <= to) ++count;
  if (count < 8 || !(to > from)) return null;
  const n = 2 ** Math.min(14, Math.ceil(Math.log2(count)));
  const step = (to - from) / n;
  const amplitudes = series.map((values) => {
    const re = new Float64Array(n);
    const im = new Float64Array(n);
    let row = 0;
    for (let k = 0; k < n; ++k) {
      const t = from + k * step;
      while (row + 2 < times.length && times[row + 1] <= t) ++row;
      const length = times[row + 1] - times[row];
      const share = length > 0 ? Math.min(1, Math.max(0, (t - times[row]) / length)) : 0;
      const value = values[row] + share * (values[row + 1] - values[row]);
      re[k] = Number.isFinite(value) ? value : 0;
    }
    const mean = re.reduce((sum, x) => sum + x, 0) / n;
    for (let k = 0; k < n; ++k) re[k] = (re[k] - mean) * (1 - Math.cos((2 * Math.PI * k) / n));
    transform(re, im);
    return Float64Array.from({ length: n / 2 }, (_, k) => (2 * Math.hypot(re[k], im[k])) / n);
  });
  return { frequencies: Float64Array.from({ length: n / 2 }, (_, k) => k / (n * step)), amplitudes };
}
