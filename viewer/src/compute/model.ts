// What a report computes with, as src/report/page_model.cpp writes it.
import type { Control } from "../live/api";

export interface Variant {
  integers: number[]; // the lists of src/step/page_table.hpp
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
}

export interface Computed {
  method: string;
  note: string; // what differs from the method of the run
  own: Variant; // parameters are numbers, as in the run: the same bits
  free?: Variant; // parameters are inputs
  fixed?: string; // why there is no such variant
  start?: { function: number; positions: number; velocities: number; states: number[] };
  layout?: { function: number; paths: string[] }; // numbers of the scene that follow parameters
  controls: PageControl[];
  channels: ComputedChannel[];
  poses: number;
  foreign: string[]; // functions of the browser's
  data: number; // bytes that the module needs for its tables
  module: string; // base64 of gzip
}
export type PageModel = Computed | { refused: string };

// Enumerations of src/step/page_table.hpp that the page itself needs.
export const integer = { nq: 0, nv: 1, nz: 2, nd: 3, nw: 4, np: 5, rows: 6, plain: 26, quaternions: 27, frameOutputs: 33, count: 34 };
export const kernel = { placed: 6, discrete: 8, count: 13 };
export const placesOfKernel = 16;
export const number = { t: 0, end: 1, record: 2, count: 9 };

export const statuses = ["goes on", "finished", "singular", "off", "step too small", "out of reach", "not sound", "several stick", "no start", "slow"] as const;
export type Status = (typeof statuses)[number];

// Values in SI by the name of their parameter; what is not there is as in the run.
export type Values = Record<string, number>;

export interface Motion {
  status: Status;
  t: number; // reached, s
  steps: number;
  milliseconds: number;
  count: number; // rows
  size: number; // numbers in a row
  rows: Float64Array;
  frames: Float64Array; // as many, raw: twelve numbers a pose, then three a point
  layout: Float64Array;
}
