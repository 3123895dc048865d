// Where a motion begins with other values: conditions of the file and loops hold, and what the file leaves open is as near as it can be to what the
// file prefers. It is found from the start of the run, or from a pose of the machine.
import { Conditions } from "./conditions";
import type { Start } from "./model";
import { approach, close, withoutTurns, type Residuals, type Unknowns } from "./start";

// A state, with its discrete values and outcomes of comparisons.
export interface Point {
  x: Float64Array;
  d: Float64Array;
  w: Float64Array;
}
// At a pose of the machine. loose: whatever values the file keeps.
export interface Place {
  q: number[];
  loose: boolean;
}

export interface Machine {
  start: Start;
  nq: number;
  nv: number;
  size: Float64Array; // of velocities: radians, or lengths of the machine
  parameters: Float64Array; // of the run
  recorded: Point; // the start of the run, to be changed
  conditionsAt(conditions: Conditions, at: Point, p: Float64Array): Float64Array;
  discreteAfter(at: Point, p: Float64Array): Float64Array;
  advance(x: Float64Array, dv: Float64Array): void;
}

const leastPart = 1 / 16; // of the way from the parameters of the run
const noticeable = 1e-6; // rad: more is farther from what the file prefers, less is round-off
const norm = (list: Float64Array) => Math.hypot(...list);

export class FirstState {
  private readonly conditions: Conditions;
  private readonly point: Point;
  private p: Float64Array;
  private readonly unknownPositions: Unknowns;
  private readonly unknownVelocities: Unknowns;

  constructor(
    private machine: Machine,
    private wanted: Float64Array,
    private pose?: Place,
  ) {
    const { start, nq, nv, size } = machine;
    this.conditions = new Conditions(start, nv);
    this.point = machine.recorded;
    this.p = wanted;
    const { x } = this.point;
    if (pose) x.set(pose.q);
    const v = x.subarray(nq, nq + nv);
    const move = (step: Float64Array) => machine.advance(x, step);
    const quicken = (step: Float64Array) => step.forEach((dv, i) => (v[i] += dv));
    this.unknownPositions = { values: x.subarray(0, nq), nv, size, linear: false, residuals: () => this.positions(), move };
    this.unknownVelocities = { values: v, nv, size, linear: true, residuals: () => this.conditions.velocities(this.outputs()), move: quicken };
  }

  // null: none is found.
  find(): Point | null {
    const { start } = this.machine;
    const found = this.pose ? close(this.unknownPositions) : this.closeOnTheWay() && this.preferPositions();
    if (!found || !this.findVelocities()) return null;
    const states = this.conditions.states(this.outputs());
    start.states.forEach((place, i) => (this.point.x[place] = states[i]));
    this.followSteps();
    return this.point;
  }

  private outputs(): Float64Array {
    return this.machine.conditionsAt(this.conditions, this.point, this.p);
  }
  private positions(): Residuals {
    const all = this.conditions.positions(this.outputs());
    const { kept } = this.machine.start;
    return this.pose?.loose ? { r: all.r.subarray(kept), J: all.J.subarray(kept * this.machine.nv) } : all;
  }
  private near(): Residuals {
    return this.conditions.near(this.outputs());
  }

  // From the parameters of the run to those that are wanted: at once or, where the loops do not close so, a part of the way at a time.
  private closeOnTheWay(): boolean {
    const { x, w } = this.point;
    for (let [there, part] = [0, 1]; there < 1; ) {
      const before = { x: x.slice(), w: w.slice() };
      this.p = this.parametersAt(there + part);
      this.turnKept();
      if (close(this.unknownPositions)) there += part;
      else if (part === leastPart) return false;
      else {
        part /= 2;
        x.set(before.x);
        w.set(before.w);
      }
    }
    return true;
  }
  private parametersAt(share: number): Float64Array {
    const { parameters } = this.machine;
    return share === 1 ? this.wanted : parameters.map((own, i) => own + share * (this.wanted[i] - own));
  }
  // Kept angles many turns away: a hinge turns by whole turns and closes its loops again.
  private turnKept(): void {
    const turn = 2 * Math.PI;
    const { start, nv } = this.machine;
    for (let i = 0; i < start.kept; ++i) {
      const { r, J } = this.positions();
      const row = J.subarray(i * nv, (i + 1) * nv);
      if (!(Math.abs(r[i]) > turn / 2) || row.filter((x) => x !== 0).length !== 1) continue;
      const before = this.point.x.slice();
      this.machine.advance(this.point.x, row.map((x) => -x * turn * Math.round(r[i] / turn)));
      if (!(norm(this.positions().r) < norm(r))) this.point.x.set(before);
    }
  }

  // What the conditions leave open.
  private preferPositions(): boolean {
    const { near, turns } = this.machine.start;
    this.dropTurns();
    if (near > 0) {
      if (!approach(() => this.near(), this.unknownPositions)) return false;
      this.dropTurns();
    }
    if (turns.length === 0) return true;
    this.conditions.takeTurns(this.outputs(), this.point.d);
    return close(this.unknownPositions);
  }
  private dropTurns(): void {
    const { x } = this.point;
    const { angles } = this.machine.start;
    const before = x.slice();
    const missed = this.near().r;
    const fewer = withoutTurns(x, angles, this.awayOf(missed));
    if (!fewer) return;
    x.set(fewer);
    const closed = close(this.unknownPositions);
    const now = this.near().r;
    if (!closed || withoutTurns(x, angles, this.awayOf(now)) || norm(now) > norm(missed) + noticeable) x.set(before);
  }
  // Of angles from where they are wanted: near a value of the file, or at zero.
  private awayOf(near: Float64Array): number[] {
    const { angles, nearOf } = this.machine.start;
    return angles.map((place, k) => (nearOf[k] < 0 ? this.point.x[place] : near[nearOf[k]]));
  }

  private findVelocities(): boolean {
    const { given, nearSpeeds } = this.machine.start;
    if (!given) this.unknownVelocities.values.fill(0);
    if (!close(this.unknownVelocities)) return false;
    return nearSpeeds === 0 || approach(() => this.conditions.nearSpeeds(this.outputs()), this.unknownVelocities);
  }
  // Discrete values that follow every step: what the first one makes of them.
  private followSteps(): void {
    const { following, given, initial } = this.machine.start;
    if (following.length === 0) return;
    const { d } = this.point;
    if (!given) following.forEach((i, k) => (d[i] = initial[k]));
    const next = this.machine.discreteAfter(this.point, this.p);
    for (const i of following) d[i] = next[i];
  }
}
