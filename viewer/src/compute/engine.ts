// The motion of a model for some values: the module that Armature wrote for the model, and the step kernel (viewer/kernel), which was compiled
// for WebAssembly. Without a page around it: it runs in a worker, and in Node for tests.
import { Conditions } from "./conditions";
import { FirstState, type Machine, type Place, type Point } from "./first_state";
import { Hand, type Movable } from "./hand";
import { type Computed, type Moment, type Motion, type Pose, type Pull, type Status, type Values, type Variant } from "./model";
import { bytes, unpacked } from "./packed";
import { Places, type Prepared } from "./places";
import { Running, type Force, type Runnable } from "./running";

interface KernelExports {
  memory: WebAssembly.Memory;
  __indirect_function_table: WebAssembly.Table;
  reserve(bytes: number): number;
  prepare(integers: number, numbers: number): void;
  integers(): number;
  numbers(): number;
  room(count: number): number;
  begin(): void;
  advance(steps: number): number;
  turn(): void;
  respond(): number;
  state(): number;
  time(): number;
  steps(): number;
  row_count(): number;
  row_size(): number;
  rows(): number;
  frames(): number;
}
type ModelFunction = (input: number, output: number) => void;

export type { Place } from "./first_state";
export interface Wish {
  values: Values;
  pose?: Place;
  mostRows?: number; // else as many as the run has
  within?: number; // ms: what takes longer than this is computed with a coarse tolerance instead
  own?: boolean; // false: with parameters as inputs, whatever the values
}

const coarse = 1e-5; // relative tolerance of a first look

export class Engine {
  patience = 10_000; // ms
  private own: Prepared;
  private free: Prepared | null;

  private constructor(
    private compute: Computed,
    private k: KernelExports,
    private functions: ModelFunction[],
    private firstSlot: number,
  ) {
    this.own = this.prepared(compute.own);
    this.free = compute.free ? this.prepared(compute.free) : null;
  }

  static async make(kernelBytes: BufferSource, compute: Computed): Promise<Engine> {
    const math = Math as unknown as WebAssembly.ModuleImports;
    const made = await WebAssembly.instantiate(kernelBytes, { math });
    const k = made.instance.exports as unknown as KernelExports;
    const base = new WebAssembly.Global({ value: "i32", mutable: false }, k.reserve(compute.data));
    const imports = { kernel: { ...made.instance.exports, base }, math };
    const model = await WebAssembly.instantiate(await unpacked(compute.module), imports as WebAssembly.Imports);
    const functions = Object.keys(model.instance.exports)
      .sort((a, b) => Number(a) - Number(b))
      .map((name) => model.instance.exports[name] as unknown as ModelFunction);
    const first = k.__indirect_function_table.grow(functions.length);
    functions.forEach((each, i) => k.__indirect_function_table.set(first + i, each));
    return new Engine(compute, k, functions, first);
  }

  private prepared(variant: Variant): Prepared {
    const integers = Int32Array.from(variant.integers);
    const { slots, slot_count } = variant.places;
    for (let i = slots; i < slots + slot_count; ++i) if (integers[i] >= 0) integers[i] += this.firstSlot;
    return { variant, integers, numbers: new Float64Array(bytes(variant.numbers).buffer), places: new Places(variant) };
  }

  private view(at: number, count: number): Float64Array {
    return new Float64Array(this.k.memory.buffer, at, count);
  }

  // Parameters in their order; what is not given is as in the run.
  private parameters({ variant, numbers, places }: Prepared, values: Values): Float64Array {
    return Float64Array.from(variant.parameters, (name, i) => (Object.hasOwn(values, name) ? values[name] : numbers[places.at.parameters + i]));
  }

  // The variant that starts and poses are computed with.
  private get base(): Prepared {
    return this.free ?? this.own;
  }
  // Outputs of a program of the kernels' inputs.
  private evaluated(which: number, { places }: Prepared, t: number, { x, d, w }: Point, p: Float64Array, outputs: number): Float64Array {
    const to = new Float64Array(places.inputs);
    to[0] = t;
    to.set(x, 1);
    to.set(d, 1 + places.nx);
    to.set(w, 1 + places.nx + places.nd);
    to.set(p, places.p);
    return this.alone(which, to, outputs);
  }
  // What the program of the start says, with the outcomes of comparisons that belong to the state.
  private conditionsAt(conditions: Conditions, t: number, at: Point, p: Float64Array): Float64Array {
    for (let pass = 0; ; ++pass) {
      const out = this.evaluated(this.compute.start.function, this.base, t, at, p, conditions.outputs);
      if (!conditions.takeOutcomes(out, at.w) || pass === this.compute.start.comparisons.length) return out;
    }
  }
  // The start of the run.
  private recorded({ places, numbers }: Prepared): Point {
    const part = (from: number, count: number) => numbers.slice(from, from + count);
    return { x: part(places.at.x, places.nx), d: part(places.at.d, places.nd), w: part(places.at.d + places.nd, places.nw) };
  }
  private sizeOfVelocities({ places, numbers }: Prepared): Float64Array {
    return numbers.slice(places.at.per_velocity, places.at.per_velocity + places.nv).map((per) => 1 / per);
  }

  // The state for these parameters; null: none is found.
  private start(p: Float64Array, pose?: Place): Point | null {
    const { base } = this;
    const { places, numbers } = base;
    const t = numbers[places.at.t];
    const machine: Machine = {
      start: this.compute.start,
      nq: places.nq,
      nv: places.nv,
      size: this.sizeOfVelocities(base),
      parameters: this.parameters(base, {}),
      recorded: this.recorded(base),
      conditionsAt: (conditions, at, p) => this.conditionsAt(conditions, t, at, p),
      discreteAfter: (at, p) => this.evaluated(places.slot("discrete"), base, t, at, p, places.nd),
      advance: (x, dv) => places.advance(x, dv),
    };
    return new FirstState(machine, p, pose).find();
  }

  // ---- by hand

  private hand: { hand: Hand; frame: (x: Float64Array) => Float64Array; layout: Float64Array; independent: string[] } | null = null;

  // Takes hold of the machine at a time and at coordinates that are known well enough to close the loops; null: they do not close.
  grab(t: number, values: Values, q: (number | undefined)[]): Pose | null {
    const { base } = this;
    const { places } = base;
    const { nq, nv } = places;
    const p = this.parameters(base, values);
    const { x, d, w } = this.recorded(base);
    for (let i = 0; i < nq; ++i) if (Number.isFinite(q[i])) x[i] = q[i]!;
    const { start } = this.compute;
    const conditions = new Conditions(start, nv);
    const frame = (at: Float64Array) => this.alone(places.slot("frame"), places.inputsOfFrame(t, at, p), places.at.frame_outputs);
    const machine: Movable = {
      nv,
      size: this.sizeOfVelocities(base),
      at: (at) => {
        const out = this.conditionsAt(conditions, t, { x: at, d, w }, p);
        return { loops: conditions.loops(out), limited: conditions.limited(out) };
      },
      move: (at, dv) => places.advance(at, dv),
      frame,
    };
    places.advance(x, new Float64Array(nv)); // quaternions have length one
    const hand = new Hand(machine, this.limits(values), x);
    this.hand = { hand, frame, layout: this.layout(values), independent: [] };
    return hand.closeLoops() ? this.pose(true, 0) : null;
  }
  // End stops, which may follow parameters.
  private limits(values: Values): { lower: number | null; upper: number | null }[] {
    const { limits, bounds } = this.compute.start;
    if (bounds === undefined) return limits;
    const found = this.ofParameters(bounds, values, 2 * limits.length);
    const stop = (k: number) => (Number.isFinite(found[k]) ? found[k] : null);
    return limits.map((_, k) => ({ lower: stop(2 * k), upper: stop(2 * k + 1) }));
  }
  pull(pull: Pull, milliseconds: number): Pose | null {
    if (!this.hand) return null;
    const until = performance.now() + milliseconds;
    const settled = this.hand.hand.pull(pull, () => performance.now() > until);
    return this.pose(settled, this.hand.hand.away(pull));
  }
  private pose(settled: boolean, away: number): Pose {
    const { hand, frame } = this.hand!;
    const { places } = this.base;
    const { start } = this.compute;
    const limits = hand.reached().map((k) => `${start.limits[k].name} is at its end stop`);
    const independent = settled ? this.independent() : this.hand!.independent; // which seldom changes on the way
    this.hand!.independent = independent;
    return { q: hand.x.slice(0, places.nq), frame: frame(hand.x), layout: this.hand!.layout, error: hand.error, limits, independent, away, settled };
  }
  // Coordinates that determine the pose; those that the file keeps come first.
  private independent(): string[] {
    const { coordinates, controls } = this.compute;
    const { hand } = this.hand!;
    const kept = new Set(controls.map(({ parameter }) => parameter.replace(/^start\./, "")));
    const plain = this.base.places.plainPairs;
    const order = [...plain.filter(([q]) => kept.has(coordinates[q])), ...plain.filter(([q]) => !kept.has(coordinates[q]))];
    return hand.independent(order.map(([, v]) => v)).map((v) => coordinates[order.find((pair) => pair[1] === v)![0]]);
  }
  private rooms(inputs: number, outputs: number): [number, number] {
    return [this.k.room(Math.max(inputs, 1)), this.k.room(Math.max(outputs, 1))];
  }

  // The numbers of a motion with these values; null: the loops do not close.
  private numbersOf(use: Prepared, { values, pose }: Wish): Float64Array | null {
    const { places } = use;
    const numbers = use.numbers.slice();
    numbers.set(this.parameters(use, values), places.at.parameters);
    if (Object.keys(values).length === 0 && !pose) return numbers;
    const start = this.start(this.parameters(this.base, values), pose);
    if (!start) return null;
    numbers.set(start.x, places.at.x);
    numbers.set(start.d, places.at.d);
    numbers.set(start.w, places.at.d + places.nd);
    return numbers;
  }
  private begin(use: Prepared, numbers: Float64Array): void {
    this.prepare(use.integers.length, numbers.length);
    new Int32Array(this.k.memory.buffer, this.k.integers(), use.integers.length).set(use.integers);
    this.view(this.k.numbers(), numbers.length).set(numbers);
    this.k.begin();
  }
  // To its end.
  private async advanced(began: number, goesOn: () => Promise<boolean>, every = 40): Promise<Status> {
    for (let asked = began; ; ) {
      const status = this.compute.statuses[this.k.advance(every < 40 ? 20 : 200)];
      const now = performance.now();
      if (status !== "goes on") return status;
      if (now - began > this.patience) return "slow";
      if (now - asked <= every) continue;
      if (!(await goesOn())) return status;
      asked = performance.now();
    }
  }
  // Memory of the kernel: what was there is gone.
  private prepare(integers: number, numbers: number): void {
    this.running = null;
    this.k.prepare(integers, numbers);
  }

  // ---- running on

  private running: Running | null = null;

  // The motion with these values, from time t on, under way. "no start": its loops do not close; else why it does not come to t.
  async goOn(wish: Wish, t: number): Promise<Status> {
    const use = this.base;
    const wrong = this.wrong(wish.values);
    if (wrong) return wrong.status;
    const numbers = this.numbersOf(use, wish);
    if (!numbers || !this.compute.forces) return "no start";
    const { places } = use;
    const begin = numbers[places.at.t];
    numbers[places.at.record] = Math.max(numbers[places.at.end] - begin, 1e-9); // rows are not wanted
    numbers[places.at.end] = Math.max(t, begin);
    this.begin(use, numbers);
    if (t > begin) {
      const status = await this.advanced(performance.now(), async () => true);
      if (status !== "finished") return status;
    }
    this.running = new Running(this.runnable(use), this.compute.forces);
    return "goes on";
  }
  private runnable(use: Prepared): Runnable {
    const { places } = use;
    const { k } = this;
    const outputs = places.at.frame_outputs;
    const rooms = this.rooms(places.inputs, outputs);
    const numbers = () => this.view(k.numbers(), use.numbers.length);
    const { layout } = this.compute;
    const numbersOfScene = layout?.paths.length ?? 0;
    const roomsOfScene = this.rooms(use.variant.parameters.length, numbersOfScene); // beside the motion's
    return {
      nq: places.nq,
      nv: places.nv,
      get t() {
        return k.time();
      },
      state: () => this.view(k.state(), places.nx).slice(),
      move: (x, dv) => places.advance(x, dv),
      frame: (x) => {
        const p = numbers().subarray(places.at.parameters, places.at.parameters + use.variant.parameters.length);
        return this.outputs(places.slot("frame"), rooms, places.inputsOfFrame(k.time(), x, p), outputs);
      },
      layout: (values) => (layout ? this.outputs(layout.function, roomsOfScene, this.parameters(use, values), numbersOfScene) : new Float64Array()),
      set: (values) => {
        numbers().set(this.parameters(use, values), places.at.parameters);
        k.turn();
      },
      respond: (values) => {
        numbers().set(this.parameters(use, values), places.at.parameters);
        return this.view(k.respond(), places.nv).slice();
      },
      advance: (until) => {
        numbers()[places.at.end] = until;
        for (const began = performance.now(); ; ) {
          const status = this.compute.statuses[k.advance(50)];
          if (status !== "goes on") return status;
          if (performance.now() - began > 1000) return "slow";
        }
      },
    };
  }
  // On by so many seconds, pulled at a place; null: something else was computed meanwhile.
  flow(seconds: number, values: Values, pull: Force | null): Moment | null {
    return this.running && this.running.flow(seconds, values, pull);
  }

  // goesOn: asked now and then; false ends the computation.
  async run(wish: Wish, goesOn: () => Promise<boolean> = async () => true): Promise<Motion> {
    if (wish.within === undefined) return this.motion(wish, goesOn);
    if (!this.takesLong) {
      const until = performance.now() + wish.within;
      let wanted = true;
      const motion = await this.motion(wish, async () => performance.now() < until && (wanted = await goesOn()), wish.within / 4);
      if (motion.status !== "goes on" || !wanted) return motion;
      this.takesLong = true;
    }
    // long steps may meet a singular pose that the motion itself does not come to
    const rough = await this.motion(wish, goesOn, 40, true);
    return rough.status === "finished" || rough.status === "goes on" ? rough : this.motion(wish, goesOn);
  }
  private takesLong = false; // a whole motion, with the tolerance of the run
  private async motion(wish: Wish, goesOn: () => Promise<boolean>, every = 40, coarsely = false): Promise<Motion> {
    const began = performance.now();
    const { values } = wish;
    const inOwn = (name: string) => name.startsWith("start.") || this.own.variant.parameters.includes(name);
    const use = (wish.own ?? true) && Object.keys(values).every(inOwn) ? this.own : this.base;
    const { places } = use;
    const layout = this.layout(values);
    const wrong = this.wrong(values);
    const found = wrong ? null : this.numbersOf(use, wish);
    const numbers = found ?? use.numbers.slice();
    const rows = (numbers[places.at.end] - numbers[places.at.t]) / numbers[places.at.record];
    if (wish.mostRows && rows > wish.mostRows) numbers[places.at.record] *= Math.ceil(rows / wish.mostRows);
    if (coarsely) this.coarsen(use, numbers);
    this.begin(use, numbers);
    const status = found ? await this.advanced(began, goesOn, every) : (wrong?.status ?? "no start");
    const count = this.k.row_count();
    const size = this.k.row_size();
    return {
      status,
      wrong: wrong?.sentence ?? "",
      t: this.k.time(),
      steps: this.k.steps(),
      milliseconds: performance.now() - began,
      count,
      size,
      rows: this.view(this.k.rows(), count * size).slice(),
      frames: this.view(this.k.frames(), count * places.at.frame_outputs).slice(),
      layout,
    };
  }

  // Both tolerances, relative and absolute, as much larger.
  private coarsen({ places }: Prepared, numbers: Float64Array): void {
    const larger = coarse / numbers[places.at.rtol];
    if (!(larger > 1)) return;
    numbers[places.at.rtol] = coarse;
    for (let i = 0; i < places.nx; ++i) numbers[places.at.atol + i] *= larger;
  }

  // Outputs of a program of the parameters.
  private ofParameters(which: number | undefined, values: Values, outputs = 0): Float64Array {
    return which === undefined ? new Float64Array() : this.alone(which, this.parameters(this.base, values), outputs);
  }
  // Of a program, where no motion is under way; and beside one.
  private alone(which: number, inputs: ArrayLike<number>, outputs: number): Float64Array {
    this.prepare(1, 1);
    return this.outputs(which, this.rooms(inputs.length, outputs), inputs, outputs);
  }
  private outputs(which: number, [input, output]: [number, number], inputs: ArrayLike<number>, count: number): Float64Array {
    this.view(input, inputs.length).set(inputs);
    this.functions[which](input, output);
    return this.view(output, count).slice();
  }
  // Numbers of the scene.
  private layout(values: Values): Float64Array {
    return this.ofParameters(this.compute.layout?.function, values, this.compute.layout?.paths.length);
  }
  // The first value that the file does not allow, or with which it has other equations, as the program would say it.
  private wrong(values: Values): { status: Status; sentence: string } | null {
    if (Object.keys(values).length === 0) return null;
    for (const ranges of this.compute.ranges ?? []) {
      const { places, positive, sentences, otherwise } = ranges;
      const found = this.ofParameters(ranges.function, values, places.length);
      const k = found.findIndex((value, k) => !(positive[k] ? value > 0 : value >= 0));
      if (k < 0) continue;
      const sentence = sentences?.[k] ?? `must ${positive[k] ? "be positive" : "not be negative"}, but it is ${found[k]}`;
      return { status: otherwise?.[k] ? "other equations" : "not allowed", sentence: `${places[k]}: ${sentence}` };
    }
    return null;
  }
}
