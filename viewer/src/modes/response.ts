// The frequency response C (i w - A)^-1 B + D of one input and one output. A is brought to Hessenberg form once; after that every frequency takes
// n^2 operations.

export interface LinearSystem {
  n: number;
  A: Float64Array; // row by row
  b: Float64Array; // column of the input
  c: Float64Array; // row of the output
  d: number;
}

// Q' A Q = H with zeros below the first subdiagonal, by reflections; b and c go with it.
export function hessenberg({ n, A, b, c, d }: LinearSystem): LinearSystem {
  const [H, B, C] = [A.slice(), b.slice(), c.slice()];
  for (let k = 0; k + 2 < n; ++k) {
    const u = new Float64Array(n);
    let square = 0;
    for (let i = k + 1; i < n; ++i) square += (u[i] = H[i * n + k]) ** 2;
    const length = Math.sqrt(square);
    if (length === 0) continue;
    u[k + 1] += u[k + 1] < 0 ? -length : length;
    let norm = 0;
    for (let i = k + 1; i < n; ++i) norm += u[i] ** 2;
    const reflect = (get: (i: number) => number, set: (i: number, x: number) => void) => {
      let sum = 0;
      for (let i = k + 1; i < n; ++i) sum += u[i] * get(i);
      for (let i = k + 1; i < n; ++i) set(i, get(i) - ((2 * sum) / norm) * u[i]);
    };
    for (let j = 0; j < n; ++j) reflect((i) => H[i * n + j], (i, x) => (H[i * n + j] = x));
    for (let j = 0; j < n; ++j) reflect((i) => H[j * n + i], (i, x) => (H[j * n + i] = x));
    reflect((i) => B[i], (i, x) => (B[i] = x));
    reflect((i) => C[i], (i, x) => (C[i] = x));
  }
  return { n, A: H, b: B, c: C, d };
}

// At one frequency, rad/s; the system in Hessenberg form. Elimination with the larger of two neighboring rows as the pivot.
export function response({ n, A, b, c, d }: LinearSystem, w: number): [number, number] {
  const re = A.map((x) => -x);
  const im = new Float64Array(n * n);
  for (let i = 0; i < n; ++i) im[i * n + i] = w;
  const x = b.slice();
  const y = new Float64Array(n);
  for (let k = 0; k + 1 < n; ++k) {
    const [p, q] = [k * n, (k + 1) * n];
    if (Math.hypot(re[q + k], im[q + k]) > Math.hypot(re[p + k], im[p + k])) {
      for (let j = k; j < n; ++j) {
        [re[p + j], re[q + j]] = [re[q + j], re[p + j]];
        [im[p + j], im[q + j]] = [im[q + j], im[p + j]];
      }
      [x[k], x[k + 1]] = [x[k + 1], x[k]];
      [y[k], y[k + 1]] = [y[k + 1], y[k]];
    }
    const size = re[p + k] ** 2 + im[p + k] ** 2;
    const fr = (re[q + k] * re[p + k] + im[q + k] * im[p + k]) / size;
    const fi = (im[q + k] * re[p + k] - re[q + k] * im[p + k]) / size;
    for (let j = k; j < n; ++j) {
      re[q + j] -= fr * re[p + j] - fi * im[p + j];
      im[q + j] -= fr * im[p + j] + fi * re[p + j];
    }
    [x[k + 1], y[k + 1]] = [x[k + 1] - (fr * x[k] - fi * y[k]), y[k + 1] - (fr * y[k] + fi * x[k])];
  }
  let [sumRe, sumIm] = [d, 0];
  for (let i = n - 1; i >= 0; --i) {
    let [r, s] = [x[i], y[i]];
    for (let j = i + 1; j < n; ++j) {
      r -= re[i * n + j] * x[j] - im[i * n + j] * y[j];
      s -= re[i * n + j] * y[j] + im[i * n + j] * x[j];
    }
    const size = re[i * n + i] ** 2 + im[i * n + i] ** 2;
    x[i] = (r * re[i * n + i] + s * im[i * n + i]) / size;
    y[i] = (s * re[i * n + i] - r * im[i * n + i]) / size;
    sumRe += c[i] * x[i];
    sumIm += c[i] * y[i];
  }
  return [sumRe, sumIm];
}

const undamped = 1e-9;

// Frequencies for a picture: evenly on a logarithmic scale, and closer where something resonates.
export function frequencies(poles: { frequency: number; damping: number }[]): Float64Array {
  const known = poles.map(({ frequency }) => frequency).filter((w) => w > 1e-6);
  const low = Math.log10(known.length > 0 ? Math.min(...known) : 1) - 1;
  const high = Math.min(Math.log10(known.length > 0 ? Math.max(...known) : 1) + 1, low + 9);
  const list = Array.from({ length: 400 }, (_, k) => 10 ** (low + ((high - low) * k) / 399));
  for (const { frequency, damping } of poles) {
    const width = Math.max(Math.abs(damping), 1e-4);
    for (const k of [-8, -3, -1, -0.3, 0, 0.3, 1, 3, 8]) {
      if (k === 0 && Math.abs(damping) < undamped) continue; // infinite there
      const w = frequency * (1 + k * Math.min(width, 0.05));
      if (w > list[0] && w < 10 ** high) list.push(w);
    }
  }
  return Float64Array.from(list).sort();
}

const finest = 1e-4; // of a frequency: what is infinite or zero at one frequency would stretch the picture beyond

// The response at some frequencies, and between them where the curve bends or turns: at zeros, which lie where no pole is.
export function refined(at: (w: number) => [number, number], frequencies: Float64Array): { w: number[]; values: [number, number][] } {
  const [w, values]: [number[], [number, number][]] = [[], []];
  const size = ([re, im]: [number, number]) => Math.log(Math.hypot(re, im));
  const turn = ([a, b]: [number, number], [c, d]: [number, number]) => Math.abs(Math.atan2(a * d - b * c, a * c + b * d));
  const straight = (a: [number, number], m: [number, number], b: [number, number]) =>
    Math.abs(size(m) - (size(a) + size(b)) / 2) < 0.03 && turn(a, m) < 0.4 && turn(m, b) < 0.4;
  const add = (x: number, value: [number, number]) => (w.push(x), values.push(value));
  const between = (a: number, va: [number, number], b: number, vb: [number, number]): void => {
    if (b < a * (1 + finest)) return;
    const m = Math.sqrt(a * b);
    const vm = at(m);
    const done = straight(va, vm, vb);
    if (!done) between(a, va, m, vm);
    add(m, vm);
    if (!done) between(m, vm, b, vb);
  };
  const known = Array.from(frequencies, at);
  frequencies.forEach((x, k) => {
    if (k > 0) between(frequencies[k - 1], known[k - 1], x, known[k]);
    add(x, known[k]);
  });
  return { w, values };
}

// Phases without jumps, in degrees. Half a turn at once, as without damping, goes back at a resonance and forward at a zero.
export function unwrapped(phases: number[], sizes: number[]): number[] {
  let turns = 0;
  return phases.map((phase, k) => {
    const jump = k > 0 ? phase - phases[k - 1] : 0;
    const half = Math.abs(Math.abs(jump) - Math.PI) < 1e-6;
    const resonance = half && k > 1 && sizes[k] * sizes[k - 1] > sizes[k - 2] * (sizes[k + 1] ?? sizes[k - 2]);
    if (half ? jump > 0 && resonance : jump > Math.PI) --turns;
    if (half ? jump < 0 && !resonance : jump < -Math.PI) ++turns;
    return ((phase + 2 * Math.PI * turns) * 180) / Math.PI;
  });
}
