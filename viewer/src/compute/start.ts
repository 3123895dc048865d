// The start for other values: conditions that hold exactly and loops, closed by Newton's method from the start of the run. Each step is the
// shortest, with lengths measured by the machine's own. Where this leaves the start open, it comes as near as it can to what the file prefers.

export interface Residuals {
  r: Float64Array; // n
  J: Float64Array; // n rows of nv
}

// Of rows with one another. A loop moves with few coordinates: zeros are left out, which changes no bit of a sum.
function productsOf(rows: Float64Array[]): Float64Array[] {
  const moves = rows.map((row) => [...row.keys()].filter((j) => row[j] !== 0));
  const S = rows.map(() => new Float64Array(rows.length));
  rows.forEach((a, i) => {
    for (let k = 0; k <= i; ++k) {
      let sum = 0;
      for (const j of moves[i]) sum += a[j] * rows[k][j];
      S[i][k] = S[k][i] = sum;
    }
  });
  return S;
}

// The shortest u with J u = -r, by elimination with full pivoting of J J'; rows that depend on others are left out.
export function shortest({ r, J }: Residuals, nv: number, size: Float64Array): Float64Array {
  const n = r.length;
  const rows = Array.from({ length: n }, (_, i) => Float64Array.from({ length: nv }, (_, j) => J[i * nv + j] * size[j]));
  const S = productsOf(rows);
  const right = Float64Array.from(r, (x) => -x);
  const scale = S.map((row, i) => Math.sqrt(row[i]) || 1);
  const order: number[] = [];
  const left = new Set(rows.keys());
  const share = (i: number) => S[i][i] / scale[i] ** 2;
  while (left.size > 0) {
    let best = -1;
    for (const i of left) if (best < 0 || share(i) > share(best)) best = i;
    if (!(share(best) > 1e-14)) break;
    left.delete(best);
    order.push(best);
    const taken = S[best];
    const met = [...left].filter((i) => taken[i] !== 0);
    for (const i of met) {
      const row = S[i];
      const f = row[best] / taken[best];
      for (const j of met) row[j] -= f * taken[j];
      right[i] -= f * right[best];
    }
  }
  const y = new Float64Array(n);
  order.reverse().forEach((i, k) => {
    let known = 0;
    for (const j of order.slice(0, k)) known += S[i][j] * y[j];
    y[i] = (right[i] - known) / S[i][i];
  });
  return Float64Array.from({ length: nv }, (_, j) => size[j] * rows.reduce((sum, row, i) => sum + row[j] * y[i], 0));
}

const longest = 0.3; // rad, or lengths of the machine: a longer step may lead to another way of closing the loops

// Until the residuals are round-off. residuals: at the present state; move: by a step of velocities. Whether it came there.
export function close(residuals: () => Residuals, move: (step: Float64Array) => void, nv: number, size: Float64Array, linear: boolean): boolean {
  const largest = (list: Float64Array) => list.reduce((most, x) => (Math.abs(x) <= most ? most : Math.abs(x)), 0);
  let before = Infinity;
  for (let [pass, shortened] = [0, 0]; pass < 60 && shortened < 400; ++pass) {
    const at = residuals();
    const open = largest(at.r);
    if (!Number.isFinite(open)) return false;
    if (open < 1e-15 || (open < 1e-9 && open > 0.5 * before)) return true;
    before = open;
    const step = shortest(at, nv, size);
    const length = largest(step.map((x, j) => x / size[j]));
    if (linear || length <= longest) move(step);
    else {
      move(step.map((x) => (x * longest) / length));
      --pass, ++shortened; // a kept value may be many turns away
    }
  }
  return false;
}

// Angles without their whole turns, as dynamics/assembly_guess.cpp drops them; null: they have none.
export function withoutTurns(x: Float64Array, angles: number[]): Float64Array | null {
  const asFar = 1e-9; // of a turn: half a turn to either side is as far
  const turn = 2 * Math.PI;
  const fewer = x.slice();
  for (const i of angles) {
    const away = x[i] / turn;
    const turns = Math.sign(away) * Math.ceil(Math.abs(away) - asFar - 0.5);
    if (Math.abs(turns) >= 1) fewer[i] -= turn * turns;
  }
  return fewer.some((value, i) => value !== x[i]) ? fewer : null;
}

// What J leaves of rows: their parts along motions that change no residual.
function leftOf(rows: Float64Array[], J: Float64Array, nv: number, size: Float64Array): Float64Array[] {
  const count = J.length / nv;
  return rows.map((row) => {
    const scaled = row.map((g, j) => g * size[j]);
    const r = Float64Array.from({ length: count }, (_, i) => -scaled.reduce((sum, g, j) => sum + J[i * nv + j] * size[j] * g, 0));
    const along = shortest({ r, J }, nv, size);
    return scaled.map((g, j) => g - along[j] / size[j]);
  });
}

// The step that brings `wanted` nearest to zero and leaves closed what is closed (Levenberg, Marquardt).
function nearer(wanted: Residuals, closed: Residuals, nv: number, size: Float64Array): Float64Array {
  const damping = 1e-3; // of the norm of the step: its weight is the square
  const count = wanted.r.length;
  const rows = Array.from({ length: count }, (_, i) => wanted.J.slice(i * nv, (i + 1) * nv));
  const wide = nv + count;
  const J = new Float64Array(count * wide);
  leftOf(rows, closed.J, nv, size).forEach((row, i) => {
    J.set(row, i * wide);
    J[i * wide + nv + i] = damping;
  });
  return shortest({ r: wanted.r, J }, wide, new Float64Array(wide).fill(1)).subarray(0, nv).map((u, j) => u * size[j]);
}

// From closed conditions to the place around it that is nearest to what is wanted. Whether the conditions are closed.
export function approach(wanted: () => Residuals, closed: () => Residuals, move: (step: Float64Array) => void, nv: number, size: Float64Array, linear: boolean): boolean {
  for (let pass = 0; pass < 60; ++pass) {
    const step = nearer(wanted(), closed(), nv, size);
    const length = step.reduce((most, dv, j) => Math.max(most, Math.abs(dv / size[j])), 0);
    if (!Number.isFinite(length)) return false;
    if (length < 1e-13) return true;
    move(linear || length <= longest ? step : step.map((dv) => (dv * longest) / length));
    if (!close(closed, move, nv, size, linear)) return false;
  }
  return true;
}
