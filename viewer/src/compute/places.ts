// Places in the arrays of a variant (src/step/page_table.hpp), and how velocities move the positions there.
import { type Variant } from "./model";

export class Places {
  readonly nq: number;
  readonly nv: number;
  readonly nx: number;
  readonly nd: number;
  readonly nw: number;
  readonly p: number; // among the inputs
  readonly inputs: number;
  readonly integers: number[];
  readonly at: Variant["places"];

  constructor(variant: Variant) {
    this.integers = variant.integers;
    this.at = variant.places;
    ({ nq: this.nq, nv: this.nv, nx: this.nx, nd: this.nd, nw: this.nw } = this.at);
    this.p = 1 + this.nx + this.nd + this.nw;
    this.inputs = this.p + this.at.np;
  }
  // What the frame takes of the inputs of the kernels.
  inputsOfFrame(t: number, x: Float64Array, p: Float64Array): Float64Array {
    const all = new Float64Array(this.inputs);
    all[0] = t;
    all.set(x, 1);
    all.set(p, this.p);
    return Float64Array.from(this.integers.slice(this.at.frame_inputs), (input) => all[input]);
  }
  slot(which: "discrete" | "frame"): number {
    return this.integers[this.at[which]];
  }

  // Positions that are no parts of quaternions, with their velocities.
  get plainPairs(): [number, number][] {
    const { integers, nq } = this;
    const { pairs, plain, quaternions } = this.at;
    if (quaternions === 0) return Array.from({ length: nq }, (_, i) => [i, i]);
    return Array.from({ length: plain }, (_, i) => [integers[pairs + 2 * i], integers[pairs + 2 * i + 1]]);
  }
  // q + N dv, as step/configuration.hpp.
  advance(x: Float64Array, dv: Float64Array): void {
    const { integers, nq } = this;
    const { pairs, plain, quaternions } = this.at;
    if (quaternions === 0) {
      for (let i = 0; i < nq; ++i) x[i] += dv[i];
      return;
    }
    for (let i = 0; i < plain; ++i) x[integers[pairs + 2 * i]] += dv[integers[pairs + 2 * i + 1]];
    for (let i = plain; i < plain + quaternions; ++i) {
      const q = integers[pairs + 2 * i];
      const v = integers[pairs + 2 * i + 1];
      const [a, b, c, d] = x.subarray(q, q + 4);
      const [wx, wy, wz] = dv.subarray(v, v + 3);
      x[q] -= 0.5 * (b * wx + c * wy + d * wz);
      x[q + 1] += 0.5 * (a * wx + c * wz - d * wy);
      x[q + 2] += 0.5 * (a * wy + d * wx - b * wz);
      x[q + 3] += 0.5 * (a * wz + b * wy - c * wx);
      const norm = Math.hypot(x[q], x[q + 1], x[q + 2], x[q + 3]);
      for (let k = q; k < q + 4; ++k) x[k] /= norm;
    }
  }
}

// A variant in the arrays that the kernel takes.
export interface Prepared {
  variant: Variant;
  integers: Int32Array; // with slots of the table of functions
  numbers: Float64Array;
  places: Places;
}
