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

// Positions or velocities that conditions determine.
export interface Unknowns {
  values: Float64Array; // which steps change
  nv: number;
  size: Float64Array; // of velocities: radians, or lengths of the machine
  linear: boolean; // the conditions are, as those of velocities
  residuals(): Residuals; // that must vanish, at the present values
  move(step: Float64Array): void; // by a step of velocities
}

const largest = (list: Float64Array) => list.reduce((most, x) => Math.max(most, Math.abs(x)), 0); // NaN: one of them is
const lengthOf = (step: Float64Array, { size }: Unknowns) => largest(step.map((x, j) => x / size[j]));
const squares = (list: Float64Array) => list.reduce((sum, x) => sum + x * x, 0);

// A step as long as it likes where it meets everything at once, as on lines it does, however far they lead.
function goesStraight(unknowns: Unknowns, step: Float64Array, open: number): boolean {
  const before = unknowns.values.slice();
  unknowns.move(step);
  if (largest(unknowns.residuals().r) < 1e-3 * open) return true;
  unknowns.values.set(before);
  return false;
}

// Until the residuals are round-off. Whether it came there.
export function close(unknowns: Unknowns): boolean {
  const { nv, size, linear } = unknowns;
  let before = Infinity;
  for (let [pass, shortened] = [0, 0]; pass < 60 && shortened < 100; ++pass) {
    const at = unknowns.residuals();
    const open = largest(at.r);
    if (!Number.isFinite(open)) return false;
    if (open < 1e-15 || (open < 1e-9 && open > 0.5 * before)) return true;
    before = open;
    const step = shortest(at, nv, size);
    const length = lengthOf(step, unknowns);
    if (linear || length <= longest) unknowns.move(step);
    else if (!goesStraight(unknowns, step, open)) {
      unknowns.move(step.map((x) => (x * longest) / length));
      --pass, ++shortened;
    }
  }
  return false;
}

// Values with whole turns taken off angles, so that they come to within half a turn of where they are wanted, as dynamics/assembly_guess.cpp drops
// them. away: how far each is from there; null: none has whole turns.
export function withoutTurns(x: Float64Array, angles: number[], away: number[]): Float64Array | null {
  const asFar = 1e-9; // of a turn: half a turn to either side is as far
  const turn = 2 * Math.PI;
  const fewer = x.slice();
  angles.forEach((place, k) => {
    const turns = Math.sign(away[k]) * Math.ceil(Math.abs(away[k]) / turn - asFar - 0.5);
    if (Math.abs(turns) >= 1) fewer[place] -= turn * turns;
  });
  return fewer.some((value, i) => value !== x[i]) ? fewer : null;
}

// What J leaves of rows: their parts along motions that change no residual, without round-off.
function leftOf(rows: Float64Array[], J: Float64Array, nv: number, size: Float64Array): Float64Array[] {
  const count = J.length / nv;
  return rows.map((row) => {
    const scaled = row.map((g, j) => g * size[j]);
    const r = Float64Array.from({ length: count }, (_, i) => -scaled.reduce((sum, g, j) => sum + J[i * nv + j] * size[j] * g, 0));
    const along = shortest({ r, J }, nv, size);
    const left = scaled.map((g, j) => g - along[j] / size[j]);
    return largest(left) > 1e-12 * largest(scaled) ? left : left.fill(0);
  });
}

// The step that brings `wanted` nearest to zero and leaves closed what is closed (Levenberg, Marquardt). damping: of the norm of the step; its
// weight is the square.
function nearer(wanted: Residuals, { nv, size, residuals }: Unknowns, damping: number): Float64Array {
  const count = wanted.r.length;
  const rows = Array.from({ length: count }, (_, i) => wanted.J.slice(i * nv, (i + 1) * nv));
  const wide = nv + count;
  const J = new Float64Array(count * wide);
  leftOf(rows, residuals().J, nv, size).forEach((row, i) => {
    J.set(row, i * wide);
    J[i * wide + nv + i] = damping;
  });
  return shortest({ r: wanted.r, J }, wide, new Float64Array(wide).fill(1)).subarray(0, nv).map((u, j) => u * size[j]);
}

const lightly = 1e-3; // the least damping
const unseen = 1e-7; // rad, or lengths of the machine: near the minimum a shorter step changes the squared miss by round-off alone

// The squared miss after a step, if the conditions were linear.
const foreseen = ({ r, J }: Residuals, step: Float64Array) => squares(r.map((x, i) => step.reduce((sum, dv, j) => sum + J[i * step.length + j] * dv, x)));

// From closed conditions to the place around it that is nearest to what is wanted. A step that does not reduce the squared miss is taken back; one
// that reduces it by much less than foreseen is followed by one that is damped more (Fletcher). Whether it came there, with the conditions closed.
export function approach(wanted: () => Residuals, unknowns: Unknowns): boolean {
  for (let [pass, damping, smallest] = [0, lightly, Infinity]; pass < 400; ++pass) {
    const before = unknowns.values.slice();
    const at = wanted();
    let step = nearer(at, unknowns, damping);
    const length = lengthOf(step, unknowns);
    if (!Number.isFinite(length)) return false;
    const least = 1e-13 * Math.max(1, largest(before));
    if (length < least || (length < 1e4 * least && length >= smallest)) return true; // steps of round-off do not shrink any more
    smallest = Math.min(smallest, length);
    if (!unknowns.linear && length > longest) step = step.map((dv) => (dv * longest) / length);
    unknowns.move(step);
    const closed = close(unknowns);
    if (closed && length < unseen) continue;
    const miss = squares(at.r);
    const gained = closed ? (miss - squares(wanted().r)) / (miss - foreseen(at, step)) : -1; // of what was foreseen
    if (!(gained > 0)) unknowns.values.set(before);
    if (!(gained > 0.25)) damping *= 2;
    else if (gained > 0.75) damping = Math.max(lightly, damping / 2);
  }
  return false;
}
