// The document of a page of vibrations, written by src/report/modes_document.cpp.
import { float32, float64, type RunDocument, type SceneDescription } from "../document";

export type Complex = [number, number];

export interface Mode {
  eigenvalue: Complex; // 1/s; of a pair the one of positive frequency
  frequency: number; // |s|, rad/s
  damping: number;
  coordinates: { name: string; value: Complex }[]; // those that move most
  frames: string | null; // over a period, or back to rest; null: nothing moves, or it is not drawn
  sensitivity?: Complex[]; // one a parameter
}

export interface ModesDocument {
  armature: string;
  model: { name: string; file: string; text: string };
  settings: Record<string, string>;
  equilibrium: boolean;
  notes: string[];
  warnings: string[];
  state: { name: string; unit: string; value: number }[];
  scene: SceneDescription;
  stride: number;
  phases: number;
  rest: string; // one frame
  parameters: string[];
  modes: Mode[];
  linear: { states: string[]; inputs: string[]; outputs: string[]; inputUnits: string[]; outputUnits: string[]; A: string; B: string; C: string; D: string };
}

export function embeddedModes(): ModesDocument {
  const found = document.getElementById("armature-modes");
  if (!found?.textContent) throw new Error("this page has no modes");
  return JSON.parse(found.textContent) as ModesDocument;
}

export const oscillates = ({ eigenvalue }: Mode) => eigenvalue[1] !== 0;

// One period; of what does not oscillate, four time constants; of what neither swings nor creeps, a second.
export function duration(mode: Mode): number {
  if (oscillates(mode)) return (2 * Math.PI) / Math.abs(mode.eigenvalue[1]);
  return mode.frequency > 1e-9 ? 4 / mode.frequency : 1;
}

// The machine in one mode, or at rest, as a run that the picture can show.
export function runOf(modes: ModesDocument, mode: Mode | null): RunDocument {
  const frames = mode?.frames ? float32(mode.frames) : float32(modes.rest);
  const count = modes.stride > 0 ? frames.length / modes.stride : 0;
  const length = mode ? duration(mode) : 1;
  const t = Float64Array.from({ length: count }, (_, k) => (count > 1 ? (k / (count - 1)) * length : 0));
  return {
    run: { armature: modes.armature, status: "", sentence: "", model: modes.model, settings: modes.settings, options: {}, notes: [], warnings: [], events: [], statistics: {} },
    scene: modes.scene,
    frames: { count, stride: modes.stride, t, data: frames },
    series: { rows: 0, recorded: 0, t: new Float64Array(), channels: [] },
  };
}

export const matrix = (text: string) => float64(text);
