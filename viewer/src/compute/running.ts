// A machine that runs on while it is pulled and its values change. A spring and a damper between the pointer and a place of a body pull it:
//
//   F = m (w^2 (target - place) - 2 z w (rate of place))        f = G' F,   G = d place/d v
//
// m is the mass that the place has against forces, one over the largest acceleration of the place by a force of 1 N along x, y or z: so the
// pull is as quick for every machine. At a dead center a place has no acceleration: m is the mass of the whole machine at most. The forces f on the velocities are inputs of the equations, and hold for a short time each.
import { placeIn } from "./hand";
import type { Grip, Moment, Status, Values } from "./model";

export interface Runnable {
  nq: number;
  nv: number;
  readonly t: number;
  state(): Float64Array;
  move(x: Float64Array, dv: Float64Array): void; // positions by velocities
  frame(x: Float64Array): Float64Array; // raw
  layout(values: Values): Float64Array; // numbers of the scene
  respond(values: Values): Float64Array; // accelerations with these parameters
  set(values: Values): void; // they act from now on
  advance(until: number): Status;
}

export interface Force {
  grip: Grip;
  target: [number, number, number];
  rate: number; // w, rad/s
  mass: number; // kg, at most
}

const least = 1e-7; // rad or m, by which G is found
const damping = 0.7; // z
const longest = 0.1; // rad of the pointer's oscillation for which a force holds

type Triple = [number, number, number];
interface Place {
  at: Triple;
  velocity: number[];
  G: Triple[]; // by velocities
}

export class Running {
  private shown: Values = {}; // that act

  constructor(
    private machine: Runnable,
    private forces: string[],
  ) {}

  flow(seconds: number, values: Values, pull: Force | null): Moment {
    const { machine } = this;
    const parts = pull ? Math.min(64, Math.ceil((seconds * pull.rate) / longest)) : 1;
    const end = machine.t + seconds;
    let status: Status = "goes on";
    let [at, force]: [Triple | null, number[]] = [null, [0, 0, 0]];
    for (let part = 1; part <= parts && (status === "goes on" || status === "finished"); ++part) {
      let acting = values;
      if (pull) {
        const place = this.place(pull.grip);
        at = place.at;
        force = this.force(place, pull, values);
        acting = { ...values, ...this.onVelocities(place, force) };
      }
      this.act(acting);
      status = machine.advance(part === parts ? end : machine.t + seconds / parts);
    }
    return { t: machine.t, frame: machine.frame(machine.state()), layout: machine.layout(values), force, at, status: status === "finished" ? "goes on" : status };
  }
  private act(values: Values): void {
    const names = new Set([...Object.keys(values), ...Object.keys(this.shown)]);
    if ([...names].every((name) => values[name] === this.shown[name])) return;
    this.machine.set(values);
    this.shown = values;
  }

  private place(grip: Grip): Place {
    const { machine } = this;
    const { nq, nv } = machine;
    const x = machine.state();
    const at = placeIn(machine.frame(x), grip);
    const G = Array.from({ length: nv }, (_, j) => {
      const moved = x.slice();
      machine.move(moved, Float64Array.from({ length: nv }, (_, i) => (i === j ? least : 0)));
      return placeIn(machine.frame(moved), grip).map((each, i) => (each - at[i]) / least) as Triple;
    });
    return { at, G, velocity: [0, 1, 2].map((i) => G.reduce((sum, g, j) => sum + g[i] * x[nq + j], 0)) };
  }
  private onVelocities({ G }: Place, [x, y, z]: number[]): Values {
    return Object.fromEntries(this.forces.map((name, j) => [name, G[j][0] * x + G[j][1] * y + G[j][2] * z]));
  }
  private force(place: Place, { target, rate, mass: most }: Force, values: Values): number[] {
    const { machine } = this;
    const without = machine.respond(values);
    const mobility = [0, 1, 2].map((i) => {
      const along = machine.respond({ ...values, ...this.onVelocities(place, [0, 1, 2].map((k) => (k === i ? 1 : 0))) });
      return place.G.reduce((sum, g, j) => sum + g[i] * (along[j] - without[j]), 0);
    });
    this.shown = {}; // what was tried is not what acts
    const mass = Math.min(1 / Math.max(...mobility, 0), most);
    if (!Number.isFinite(mass)) return [0, 0, 0];
    return target.map((x, i) => mass * (rate ** 2 * (x - place.at[i]) - 2 * damping * rate * place.velocity[i]));
  }
}
