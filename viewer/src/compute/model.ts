// What a report computes with, as src/report/page_model.cpp writes it.
import type { Control } from "../live/api";

// Sizes of a variant, and where lists and entries stand among its integers (slots, discrete, frame, pairs, frame_inputs), and its
// numbers (t to per_velocity).
type PlaceName = "nq" | "nv" | "nx" | "nd" | "nw" | "np" | "plain" | "quaternions" | "frame_outputs" | "slots" | "slot_count" | "discrete" | "frame" | "pairs" | "frame_inputs" | "t" | "end" | "record" | "rtol" | "x" | "d" | "parameters" | "atol" | "per_velocity";
export type VariantPlaces = Record<PlaceName, number>;

export interface Variant {
  integers: number[]; // the lists of src/step/page_table.hpp
  places: VariantPlaces;
  numbers: string; // base64 of float64
  parameters: string[]; // that are inputs, in their order
}

export interface ComputedChannel {
  name: string;
  unit: string;
  group: string;
  column: number; // of a row
  negative?: boolean;
}

export interface PageControl extends Control {
  parameter: string; // its name among the free parameters
  setting: string; // and with --set
  scale: number; // SI over the control's unit
  units?: Record<string, number>; // others that it may be written in, in SI
}

// Conditions of a start and of every pose, as report/page_start.hpp has them; entries: row, column, row, column …
export interface Start {
  function: number;
  kept: number; // values that the file holds, and speeds
  keptSpeeds: number;
  loops: number; // rows
  prescribed: number[]; // rows of loops that follow from the time, an input or a state, as a motor's do
  states: number[]; // entries of x that have start values of their own
  limits: { name: string; unit: string; lower: number | null; upper: number | null }[];
  bounds?: number; // function of the parameters that gives both stops of each limit
  positionEntries: number[];
  speedEntries: number[];
  limitEntries: number[];
  near: number; // values, and speeds, to which the start comes as near as it can
  nearEntries: number[];
  nearSpeeds: number;
  nearSpeedEntries: number[];
  turns: number[]; // discrete values that count whole turns
  angles: number[]; // positions that no value of the file holds: they have as few whole turns as the loops allow,
  nearOf: number[]; // counted from the near value of this row; -1: from zero
  following: number[]; // discrete values that follow every step,
  initial: number[]; // and what they are before the first
  comparisons: number[]; // whose outcomes all of this depends on
  kinds: number[]; // of these, by step::ComparisonKind
  given?: boolean; // a state or an equilibrium, which the file's conditions do not hold
}

export interface Actuator {
  name: string;
  parameter: string;
  unit: string;
  commanded?: number; // by the file, if that is a number
  size?: number; // the largest of an effort whose formula no run records
}

// Function of the parameters. sentences: what it means that a value is not so; else the value is told.
export interface Ranges {
  function: number;
  places: string[];
  positive: boolean[];
  sentences?: string[];
  otherwise?: boolean[]; // where it is not so, the machine has other equations, which only the program makes
}

export interface Computed {
  refused?: string; // why it computes poses and no motions
  method: string;
  note: string; // what differs from the method of the run
  own: Variant; // parameters are numbers, as in the run: the same bits
  free?: Variant; // parameters are inputs
  fixed?: string; // why there is no such variant
  start: Start;
  layout?: { function: number; paths: string[] }; // numbers of the scene that follow parameters
  ranges?: Ranges[]; // values of the file that must be positive, or not negative
  controls: PageControl[];
  channels: ComputedChannel[];
  coordinates: string[]; // positions, in the order of x
  options?: string; // of the command line, which chose the start of the run
  forces?: string[]; // parameters that are forces on the velocities, in their order; of the variant with inputs
  actuators?: Actuator[]; // and that come on top of what drives are commanded
  poses: number;
  statuses: Status[]; // by the number that the kernel returns
  foreign: string[]; // functions of the browser's
  data: number; // bytes that the module needs for its tables
  module: string; // base64 of gzip
}
export type PageModel = Computed | { refused: string };
export const computesMotions = (model: PageModel): model is Computed => !("refused" in model);
export const computesPoses = (model: PageModel): model is Computed => "own" in model;

// How a motion goes on or ends: what the kernel says (Computed.statuses), and what the page finds.
export type Status = "goes on" | "finished" | "singular" | "off" | "step too small" | "out of reach" | "not sound" | "several stick" | "contacts" | "no start" | "slow" | "not allowed" | "other equations";
// Why a motion ends in a page.
export const reasons: Partial<Record<Status, string>> = {
  singular: "the pose is singular",
  off: "the state violates the constraints",
  "step too small": "the steps became too small",
  "out of reach": "an angle or an exponent is too large",
  "not sound": "a step is too long to interpolate",
  "several stick": "several joints stick at once",
  contacts: "rigid contacts do what only the program computes, or warns of",
  "no start": "with these values the page finds no start near that of the run",
  slow: "the motion takes too long to compute in a page",
  "not allowed": "the file does not allow these values",
  "other equations": "with these values the machine has other equations, which the page does not have",
};

// Values in SI by the name of their parameter; what is not there is as in the run.
export type Values = Record<string, number>;

export interface Motion {
  status: Status;
  wrong: string; // the value that the file does not allow, or with which it has other equations
  t: number; // reached, s
  steps: number;
  milliseconds: number;
  count: number; // rows
  size: number; // numbers in a row
  rows: Float64Array;
  frames: Float64Array; // as many, raw: twelve numbers a pose, then three a point
  layout: Float64Array;
}

// A place that is held: of a body, or a point of its own (of a beam, of a drawn line).
export interface Grip {
  raw: number; // where its pose or its point begins in a raw frame
  local: [number, number, number] | null; // in the body's frame; null: a point
}
// Where it is pulled to, as far as these directions go, m.
export interface Pull {
  grip: Grip;
  target: [number, number, number];
  directions: [number, number, number][];
}
export interface Pose {
  q: Float64Array;
  frame: Float64Array; // raw
  layout: Float64Array; // numbers of the scene with these values
  error: number; // of the loops
  limits: string[]; // sentences: which coordinates are at an end stop
  independent: string[]; // coordinates that determine the pose
  away: number; // m, between the place and where it is pulled to
  settled: boolean; // it comes no nearer
}

// A machine that runs on (compute/running.ts), at one moment.
export interface Moment {
  t: number; // s
  frame: Float64Array; // raw
  layout: Float64Array; // numbers of the scene with the values then
  force: number[]; // that pulls, N
  at: [number, number, number] | null; // where
  status: Status;
}
