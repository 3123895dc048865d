// What the program of a page's start says at a state (src/report/page_start.hpp), taken apart.
import type { Residuals } from "./start";
import type { Start } from "./model";

const floorKind = 2; // of step::ComparisonKind
const border = 1e-9;

// Rows of nv from their entries.
function dense(rows: number, nv: number, entries: number[], values: Float64Array): Float64Array {
  const J = new Float64Array(rows * nv);
  values.forEach((value, k) => (J[entries[2 * k] * nv + entries[2 * k + 1]] = value));
  return J;
}

export class Conditions {
  readonly outputs: number;
  private readonly at: number[]; // where each list begins

  constructor(
    readonly start: Start,
    readonly nv: number,
  ) {
    const { kept, keptSpeeds, loops, positionEntries, speedEntries, states, limits, limitEntries } = start;
    const { near, nearEntries, nearSpeeds, nearSpeedEntries, turns, comparisons } = start;
    const exact = [kept + loops, positionEntries.length / 2, keptSpeeds + loops, speedEntries.length / 2, states.length, limits.length, limitEntries.length / 2];
    const sizes = [...exact, near, nearEntries.length / 2, nearSpeeds, nearSpeedEntries.length / 2, turns.length, comparisons.length];
    this.at = sizes.map((_, k) => sizes.slice(0, k).reduce((sum, size) => sum + size, 0));
    this.outputs = sizes.reduce((sum, size) => sum + size, 0);
  }
  private list(out: Float64Array, k: number): Float64Array {
    return out.slice(this.at[k], this.at[k + 1] ?? this.outputs);
  }

  // Kept values and loops.
  positions(out: Float64Array): Residuals {
    const r = this.list(out, 0);
    return { r, J: dense(r.length, this.nv, this.start.positionEntries, this.list(out, 1)) };
  }
  // Loops alone: what closes them whatever the file keeps and prescribes.
  loops(out: Float64Array): Residuals {
    const { r, J } = this.positions(out);
    const { kept, loops, prescribed } = this.start;
    const rows = Array.from({ length: loops }, (_, i) => i).filter((i) => !prescribed.includes(i));
    const taken = new Float64Array(rows.length * this.nv);
    rows.forEach((i, k) => taken.set(J.subarray((kept + i) * this.nv, (kept + i + 1) * this.nv), k * this.nv));
    return { r: Float64Array.from(rows, (i) => r[kept + i]), J: taken };
  }
  // Kept speeds and the rates of loops.
  velocities(out: Float64Array): Residuals {
    const r = this.list(out, 2);
    const { keptSpeeds, kept, speedEntries } = this.start;
    const J = dense(r.length, this.nv, speedEntries, this.list(out, 3));
    J.set(this.positions(out).J.subarray(kept * this.nv), keptSpeeds * this.nv);
    return { r, J };
  }
  // Near values, and near speeds.
  near(out: Float64Array): Residuals {
    return { r: this.list(out, 7), J: dense(this.start.near, this.nv, this.start.nearEntries, this.list(out, 8)) };
  }
  nearSpeeds(out: Float64Array): Residuals {
    return { r: this.list(out, 9), J: dense(this.start.nearSpeeds, this.nv, this.start.nearSpeedEntries, this.list(out, 10)) };
  }
  states(out: Float64Array): Float64Array {
    return this.list(out, 4);
  }
  // Whole turns that bring angles to within half a turn of what the file says, in place of those that were counted (dynamics/assembly_pose.cpp).
  takeTurns(out: Float64Array, d: Float64Array): void {
    const turn = 2 * Math.PI;
    this.list(out, 11).forEach((angle, k) => {
      const turns = turn * Math.ceil(angle / turn - 0.5 - border);
      if (Number.isFinite(turns)) d[this.start.turns[k]] -= turns;
    });
  }
  // Outcomes of comparisons, in place of those that were held; whether one is another now. On the border of both it stays.
  takeOutcomes(out: Float64Array, held: Float64Array): boolean {
    const { comparisons, kinds } = this.start;
    let changed = false;
    this.list(out, 12).forEach((root, k) => {
      const before = held[comparisons[k]];
      const floor = kinds[k] === floorKind;
      const [low, high] = floor ? [before, before + 1] : before > 0.5 ? [0, Infinity] : [-Infinity, 0];
      if (!Number.isFinite(root) || (root >= low - border && root <= high + border)) return;
      held[comparisons[k]] = floor ? Math.floor(root) : root >= 0 ? 1 : 0;
      changed = true;
    });
    return changed;
  }
  // Coordinates that have end stops, and their Jacobian.
  limited(out: Float64Array): Residuals {
    const r = this.list(out, 5);
    return { r, J: dense(r.length, this.nv, this.start.limitEntries, this.list(out, 6)) };
  }
}
