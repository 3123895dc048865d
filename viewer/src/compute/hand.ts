// A machine moved by hand. A place of a body is pulled towards the pointer; everything else follows as little as it must, and the loops stay
// closed:
//
//   minimize |G u - e|^2 + mu |u|^2  among the u with J u = 0
//
// e is the way to the pointer, G how the place moves with the velocities, J the loops and the end stops that are reached; lengths are measured by
// the machine's own. The step is taken as far as it brings the place nearer, and Newton's method closes the loops behind it.
import type { Grip, Pull } from "./model";
import { close, type Residuals } from "./start";

export interface Movable {
  nv: number;
  size: Float64Array; // of velocities: radians, or lengths of the machine
  at(x: Float64Array): { loops: Residuals; limited: Residuals };
  move(x: Float64Array, dv: Float64Array): void;
  frame(x: Float64Array): Float64Array; // raw
}
export interface Limit {
  lower: number | null;
  upper: number | null;
}

const longest = 0.25; // step, rad or lengths of the machine
const still = 1e-4; // of the way: less is no progress

type Row = Float64Array;
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  let sum = 0;
  for (let i = 0; i < a.length; ++i) sum += a[i] * b[i];
  return sum;
};
const largest = (list: ArrayLike<number>) => {
  let most = 0;
  for (let i = 0; i < list.length; ++i) most = Math.max(most, Math.abs(list[i]));
  return most;
};

// Rows of nv, each entry times the size of its velocity.
const scaledRows = ({ r, J }: Residuals, { nv, size }: Movable): Row[] =>
  Array.from(r, (_, i) => Float64Array.from(size, (s, j) => J[i * nv + j] * s));

// An orthonormal basis of what the rows span; what depends on others adds nothing. Twice is enough (Kahan).
function orthonormal(rows: Row[], basis: Row[] = [], least = 1e-7): Row[] {
  for (const row of rows) {
    const b = row.slice();
    const length = Math.sqrt(dot(b, b));
    for (let again = 0; again < 2; ++again) makeOrthogonal(b, basis);
    const left = Math.sqrt(dot(b, b));
    if (left > least * length && left > 0) basis.push(b.map((x) => x / left));
  }
  return basis;
}
function makeOrthogonal(row: Row, basis: Row[]): void {
  for (const b of basis) {
    const share = dot(row, b);
    if (share === 0) continue;
    for (let j = 0; j < row.length; ++j) row[j] -= share * b[j];
  }
}

// A symmetric positive system of two or three unknowns.
function solved(A: number[][], right: number[]): number[] {
  const n = right.length;
  const rows = A.map((row, i) => [...row, right[i]]);
  for (let k = 0; k < n; ++k)
    for (let i = k + 1; i < n; ++i) {
      const f = rows[i][k] / rows[k][k];
      for (let j = k; j <= n; ++j) rows[i][j] -= f * rows[k][j];
    }
  const y = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; --i) y[i] = (rows[i][n] - rows[i].slice(i + 1, n).reduce((sum, a, k) => sum + a * y[i + 1 + k], 0)) / rows[i][i];
  return y;
}

// Where a held place is in a frame.
export function placeIn(frame: Float64Array, { raw, local }: Grip): [number, number, number] {
  const [x, y, z] = frame.subarray(raw, raw + 3);
  if (!local) return [x, y, z];
  const R = frame.subarray(raw + 3, raw + 12);
  return [x + dot(R.subarray(0, 3), local), y + dot(R.subarray(3, 6), local), z + dot(R.subarray(6, 9), local)];
}

export class Hand {
  constructor(
    private machine: Movable,
    private limits: Limit[],
    public x: Float64Array,
  ) {}

  // The loops, from where the machine is.
  closeLoops(): boolean {
    return this.closed(this.x, new Set());
  }
  get error(): number {
    return largest(this.machine.at(this.x).loops.r);
  }
  // Coordinates at an end stop.
  reached(): number[] {
    const { r } = this.machine.at(this.x).limited;
    return [...this.limits.keys()].filter((k) => Math.abs(this.beyond(k, r[k])) <= this.slack(k));
  }
  // The first of these velocities that, with the loops, determine the pose.
  independent(order: number[]): number[] {
    const basis = orthonormal(scaledRows(this.machine.at(this.x).loops, this.machine));
    return order.filter((j) => {
      const before = basis.length;
      orthonormal([Float64Array.from({ length: this.machine.nv }, (_, k) => (k === j ? 1 : 0))], basis, 1e-3); // one that hardly moves says little
      return basis.length > before;
    });
  }
  away(pull: Pull, x = this.x): number {
    return Math.hypot(...this.way(pull, x));
  }

  // Nearer, until it can come no nearer or has to stop. Whether it cannot.
  pull(pull: Pull, mustStop: () => boolean): boolean {
    for (let pass = 0; pass < 60; ++pass) {
      const away = this.away(pull);
      const step = this.towards(pull);
      if (largest(step) === 0 || !this.take(step, pull, away)) return true;
      if (this.away(pull) < 1e-9) return true;
      if (mustStop()) return false;
    }
    return true;
  }

  private way({ grip, target, directions }: Pull, x: Float64Array): number[] {
    const at = placeIn(this.machine.frame(x), grip);
    return directions.map((d) => dot(d, [target[0] - at[0], target[1] - at[1], target[2] - at[2]]));
  }
  // How the place moves with the velocities, by differences: it only shows the way.
  private motion(pull: Pull): Row[] {
    const { nv, size } = this.machine;
    const before = this.way(pull, this.x);
    const rows = before.map(() => new Float64Array(nv));
    const dv = new Float64Array(nv);
    for (let j = 0; j < nv; ++j) {
      const x = this.x.slice();
      const h = 1e-6 * size[j];
      dv[j] = h;
      this.machine.move(x, dv);
      dv[j] = 0;
      this.way(pull, x).forEach((way, i) => (rows[i][j] = ((before[i] - way) / h) * size[j]));
    }
    return rows;
  }

  // The step, in velocities. An end stop that it would lead beyond is held, and the step is found anew.
  private towards(pull: Pull): Float64Array {
    const { loops, limited } = this.machine.at(this.x);
    const basis = orthonormal(scaledRows(loops, this.machine));
    const stops = scaledRows(limited, this.machine);
    const e = this.way(pull, this.x);
    const G = this.motion(pull);
    const held = new Set<number>();
    for (;;) {
      const free = G.map((row) => row.slice());
      for (const row of free) makeOrthogonal(row, basis);
      const A = free.map((a) => free.map((b) => dot(a, b)));
      const damping = 1e-6 * Math.max(...A.map((row, i) => row[i])) + 1e-300;
      const y = solved(A.map((row, i) => row.map((a, j) => a + (i === j ? damping : 0))), e);
      const u = new Float64Array(this.machine.nv);
      free.forEach((row, i) => row.forEach((g, j) => (u[j] += g * y[i])));
      const pushed = this.limits.findIndex((_, k) => !held.has(k) && this.pushes(k, limited.r[k], dot(stops[k], u)));
      if (pushed < 0) return this.shortened(u);
      held.add(pushed);
      orthonormal([stops[pushed]], basis);
    }
  }
  private shortened(u: Float64Array): Float64Array {
    const { size } = this.machine;
    const factor = Math.min(1, longest / Math.max(largest(u), 1e-300));
    return u.map((x, j) => factor * x * size[j]);
  }

  private take(step: Float64Array, pull: Pull, away: number): boolean {
    for (let share = 1; share > 0.01; share /= 2) {
      const x = this.x.slice();
      this.machine.move(x, step.map((dv) => share * dv));
      if (!this.closed(x, new Set()) || !this.withinLimits(x)) continue;
      if (this.away(pull, x) > (1 - still * share) * away) continue;
      this.x = x;
      return true;
    }
    return false;
  }

  // ---- loops and end stops

  private closed(x: Float64Array, held: Set<number>): boolean {
    const { nv, size } = this.machine;
    const residuals = (): Residuals => {
      const { loops, limited } = this.machine.at(x);
      if (held.size === 0) return loops;
      const J = new Float64Array(loops.J.length + held.size * nv);
      J.set(loops.J);
      [...held].forEach((k, i) => J.set(limited.J.subarray(k * nv, (k + 1) * nv), loops.J.length + i * nv));
      return { r: Float64Array.from([...loops.r, ...[...held].map((k) => this.beyond(k, limited.r[k]))]), J };
    };
    return close({ values: x, nv, size, linear: false, residuals, move: (dv) => this.machine.move(x, dv) });
  }
  private withinLimits(x: Float64Array): boolean {
    const held = new Set<number>();
    for (let pass = 0; pass <= this.limits.length; ++pass) {
      const { r } = this.machine.at(x).limited;
      const exceeded = [...this.limits.keys()].filter((k) => !held.has(k) && this.exceeds(k, r[k]));
      if (exceeded.length === 0) return true;
      exceeded.forEach((k) => held.add(k));
      if (!this.closed(x, held)) return false;
    }
    return false;
  }
  private slack(k: number): number {
    const { lower, upper } = this.limits[k];
    return 1e-9 * Math.max(1, Math.abs(lower ?? 0), Math.abs(upper ?? 0));
  }
  private exceeds(k: number, value: number): boolean {
    const { lower, upper } = this.limits[k];
    return (upper !== null && value > upper + this.slack(k)) || (lower !== null && value < lower - this.slack(k));
  }
  // By how much it lies above the nearer of its stops.
  private beyond(k: number, value: number): number {
    const { lower, upper } = this.limits[k];
    const [below, above] = [lower === null ? Infinity : value - lower, upper === null ? Infinity : value - upper];
    return Math.abs(below) < Math.abs(above) ? below : above;
  }
  private pushes(k: number, value: number, rate: number): boolean {
    const { lower, upper } = this.limits[k];
    return (upper !== null && value >= upper - this.slack(k) && rate > 0) || (lower !== null && value <= lower + this.slack(k) && rate < 0);
  }
}
