// A computed motion as the document of a run, so that picture and plots show it as they show the recorded one.
import type { RunDocument, SceneDescription } from "../document";
import type { Computed, Motion } from "./model";

// A turn as a quaternion x, y, z, w, from its matrix row by row: by the largest of the four, so that nothing is divided by little.
function quaternion(m: ArrayLike<number>, at: number): [number, number, number, number] {
  const [a, b, c] = [m[at], m[at + 4], m[at + 8]];
  const squares = [a - b - c, b - a - c, c - a - b, a + b + c];
  const largest = squares.indexOf(Math.max(...squares));
  const s = 2 * Math.sqrt(1 + squares[largest]);
  const sum = (i: number, j: number) => (m[at + i] + m[at + j]) / s;
  const less = (i: number, j: number) => (m[at + i] - m[at + j]) / s;
  if (largest === 0) return [s / 4, sum(1, 3), sum(2, 6), less(7, 5)];
  if (largest === 1) return [sum(1, 3), s / 4, sum(5, 7), less(2, 6)];
  if (largest === 2) return [sum(2, 6), sum(5, 7), s / 4, less(3, 1)];
  return [less(7, 5), less(2, 6), less(3, 1), s / 4];
}

// Frames as a document has them, from raw ones.
export function framesOf(frames: Float64Array, count: number, poses: number, stride: number): Float32Array {
  const raw = count > 0 ? frames.length / count : 0;
  const data = new Float32Array(count * stride);
  for (let k = 0; k < count; ++k) {
    let from = k * raw;
    let to = k * stride;
    for (let pose = 0; pose < poses; ++pose, from += 12, to += 7) {
      data.set(frames.subarray(from, from + 3), to);
      data.set(quaternion(frames, from + 3), to + 3);
    }
    data.set(frames.subarray(from, (k + 1) * raw), to);
  }
  return data;
}

// A number of a scene that follows parameters: the part that has it, and its name there.
function numberAt(scene: SceneDescription, path: string): [Record<string, number>, string] | null {
  const keys = path.split("/");
  const last = keys.pop()!;
  const part = keys.reduce<Record<string, never> | undefined>((part, key) => part?.[key], scene as never) as Record<string, number> | undefined;
  return part && last in part ? [part, last] : null;
}
// With these numbers at their places.
function sceneOf(scene: SceneDescription, compute: Computed, numbers: Float64Array): SceneDescription {
  const copy = structuredClone(scene);
  compute.layout?.paths.forEach((path, i) => {
    const [part, name] = numberAt(copy, path) ?? [];
    if (part && name && i < numbers.length) part[name] = numbers[i];
  });
  return copy;
}
// A run as it is drawn with these numbers: itself, where they are its own.
export function drawnWith(run: RunDocument, compute: Computed, numbers: Float64Array): RunDocument {
  const isOwn = (path: string, i: number) => {
    const [part, name] = numberAt(run.scene, path) ?? [];
    return !part || !name || i >= numbers.length || part[name] === numbers[i];
  };
  return compute.layout?.paths.every(isOwn) ?? true ? run : { ...run, scene: sceneOf(run.scene, compute, numbers) };
}

export function documentOf(motion: Motion, recorded: RunDocument, settings: Record<string, string>): RunDocument {
  const compute = recorded.compute as Computed;
  const times = Float64Array.from({ length: motion.count }, (_, k) => motion.rows[k * motion.size]);
  const channels = compute.channels.map(({ name, unit, group, column, negative }) => ({
    name,
    unit,
    group,
    data: Float32Array.from({ length: motion.count }, (_, k) => (negative ? -1 : 1) * motion.rows[k * motion.size + column]),
  }));
  const { stride } = recorded.frames;
  const drawn = recorded.frames.count > 0 ? framesOf(motion.frames, motion.count, compute.poses, stride) : new Float32Array();
  return {
    run: { ...recorded.run, settings: { ...recorded.run.settings, ...settings }, events: [], warnings: [], numbers: undefined, peaks: undefined },
    scene: sceneOf(recorded.scene, compute, motion.layout),
    frames: { count: recorded.frames.count > 0 ? motion.count : 0, stride, t: recorded.frames.count > 0 ? times : new Float64Array(), data: drawn },
    series: { rows: motion.count, recorded: motion.count, t: times, channels },
  };
}
