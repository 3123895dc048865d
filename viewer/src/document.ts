// The one document that everything here is fed by: what was run, what the machine looks like, where it was at each drawn
// frame, and the recorded channels. Written by src/report/document.cpp; long lists of numbers are base64 of little-endian
// floats.
import type { PageModel } from "./compute/model";

export type Vector = [number, number, number];

export interface Place {
  body: number; // -1: ground
  at: Vector; // in the body's frame, m
}

export interface Shape {
  kind: "box" | "cylinder" | "rod" | "sphere" | "mesh";
  at: Vector;
  sides?: Vector;
  radius?: number;
  from?: Vector;
  to?: Vector;
  triangles?: string; // base64 of float32: nine numbers a triangle, m
}

export interface Beam {
  length: number;
  offset: number; // of its points in a frame
  nodes: number;
  held: boolean; // at both ends
  load: number; // offset in a frame of the stress or bending moment at its points
  unit: "Pa" | "N m"; // of these
}

export interface Body {
  name: string;
  mass: number; // kg
  center: Vector;
  points: { name: string; at: Vector }[];
  shapes: Shape[];
  touched?: Vector[]; // centers of its surfaces that touch others
  offset: number; // of its pose in a frame: x, y, z, then a quaternion x, y, z, w
  beam?: Beam;
}

export interface Joint {
  name: string;
  type: string;
  glyph: "pin" | "ball" | "slider" | "screw" | "weld" | ""; // how it is drawn; "": not at all
  a: Place;
  b: Place;
  axis: Vector; // in a's axes
  reaction_axes?: "second" | "ground"; // in which its reaction is recorded; else in those of a
  stops?: [number | null, number | null]; // lower and upper value of an end stop, rad or m
  // of a revolute joint with end stops: the body that carries them; the axis about which the other one turns, and the direction of its arm
  // where the joint is zero, in the axes of this body
  stop_arm?: { body: number; axis: Vector; arm: Vector };
}

export interface Link {
  name: string;
  kind: "spring" | "damper" | "spring_damper" | "gas_spring" | "bushing" | "rope" | "distance";
  a: Place;
  b: Place;
}

// A closed outline on a body: of a cam, of the wheel and the disc of a Geneva drive, of its pin.
export interface Profile {
  name: string;
  kind: "cam" | "geneva" | "pin";
  body: number;
  outline: string; // base64 of float32: three numbers a corner, m, in the body's frame
}

// A force or torque on a body.
export interface Load {
  name: string;
  kind: "force" | "torque";
  at: Place;
  offset: number; // of its vector in a frame; -1: it depends on more than the motion
  in_body: boolean; // the vector is in the body's axes
}

export interface Drawing {
  name: string;
  offset: number;
  points: number;
  outline: boolean; // of a surface: a thin line, without dots
  fixed?: boolean; // of a plane on the ground, which lies to the left of it, seen from the normal of the plane of the machine
}

// The symbols of the machine (src/report/display_list.hpp): shapes, in units of the drawing, at places that move.
export type Corner = number[]; // a share of the way to the second end; units along and across; m along and across
export interface SymbolPart {
  kind: "line" | "area" | "circle" | "hatch" | "rod" | "ball" | "letter";
  color: string; // a role: "ink", "pale mark", "body 3", …
  edge?: string;
  size?: number; // units
  dashed?: boolean;
  turns?: number; // of a circle or a helix in place of the corners; its radius is that of the first one
  at?: Corner[];
}
export interface SymbolLength {
  m?: number;
  u?: number; // units
  low?: number; // shares of the least and the largest slide
  high?: number;
  reach?: number; // times how far shapes reach, at least so many units
  least?: number;
  stop?: 0 | 1; // and the value of this end stop
}
export interface Anchor {
  of: "joints" | "links";
  k: number;
  end: "a" | "b";
  by?: (SymbolLength & { along: Vector })[]; // in the axes of the joint's first body
}
export type SymbolDirection = [body: number, along: Vector];
export interface SymbolOf {
  kind: string;
  layer: "paths" | "behind" | "ground" | "machine" | "elements" | "joints" | "marks";
  shape: number;
  at: Anchor;
  to?: Anchor;
  along?: SymbolDirection;
  across?: SymbolDirection;
  depth?: number;
  lift?: number; // in space, units towards the reader
  about?: number; // a joint
  stop?: 0 | 1; // by which the directions are turned
  over?: boolean; // never hidden by what it belongs to
  base?: boolean; // it stands on the ground
}

export interface SceneDescription {
  plane: "" | "xy" | "xz" | "yz";
  gravity: Vector | null;
  ground: { name: string; at: Vector }[];
  bodies: Body[];
  joints: Joint[];
  links: Link[];
  profiles?: Profile[];
  loads?: Load[];
  drawings: Drawing[]; // of models given by a Lagrangian
  symbols?: { shapes: SymbolPart[][]; list: SymbolOf[] };
  notes: string[];
}

export interface Channel {
  name: string;
  unit: string;
  group: string;
  data: string | Float32Array;
}

export interface Run {
  armature: string;
  status: string;
  sentence: string;
  model: { name: string; file: string; text: string };
  settings: Record<string, string>;
  options: Record<string, unknown>;
  notes: string[];
  warnings: string[];
  events: { t: number; what: string }[];
  statistics: Record<string, number | null>;
  numbers?: Record<string, number | null>; // of --result
  number_units?: Record<string, string>; // where they are known
  number_errors?: Record<string, number | null>; // as a repetition shows them
  peaks?: Record<string, { value: number | null; t: number; error?: number | null }>; // of drives
}

// What can move at a singular pose: ways of the centers of bodies, then of joints, the longest of length one.
export interface FreeMotion {
  t: number;
  kind: string;
  ways: string; // base64 of float32: three numbers each
}

export interface RunDocument {
  run: Run;
  scene: SceneDescription;
  frames: { count: number; stride: number; t: string | Float64Array; data: string | Float32Array };
  series: { rows: number; recorded: number; t: string | Float64Array; channels: Channel[] };
  free?: FreeMotion[]; // at the singular poses of the run
  compute?: PageModel; // what the page computes other motions with
  others?: RunDocument[]; // runs beside it, of a comparison
  label?: string; // of a run beside another
  tables?: { title: string; header: string[]; rows: string[][] }[]; // of a comparison or a plan
}

function bytes(base64: string): ArrayBuffer {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) out[i] = text.charCodeAt(i);
  return out.buffer;
}

// Lists of a motion that the page has computed itself are numbers already.
export const float32 = (list: string | Float32Array) => (typeof list === "string" ? new Float32Array(bytes(list)) : list);
export const float64 = (list: string | Float64Array) => (typeof list === "string" ? new Float64Array(bytes(list)) : list);

function base64(list: ArrayBufferView): string {
  let text = "";
  for (const byte of new Uint8Array(list.buffer, list.byteOffset, list.byteLength)) text += String.fromCharCode(byte);
  return btoa(text);
}
// The text that a report carries: no "<" of it ends the element around it.
export const textOf = (run: RunDocument) =>
  JSON.stringify(run, (_, value: unknown) => (ArrayBuffer.isView(value) ? base64(value) : value)).replaceAll("<", "\\u003c");

// The document in the text of another report.
export function documentIn(page: string): RunDocument {
  const begin = '<script type="application/json" id="armature-run">';
  const from = page.indexOf(begin);
  if (from < 0) throw new Error("this is not the report of a run");
  return JSON.parse(page.slice(from + begin.length, page.indexOf("</script>", from))) as RunDocument;
}

// The document that a report carries within itself.
export function embeddedDocument(): RunDocument {
  const element = document.getElementById("armature-run");
  if (!element?.textContent) throw new Error("this page has no run");
  return JSON.parse(element.textContent) as RunDocument;
}
