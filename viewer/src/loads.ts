// Applied forces and torques: their vectors, and the largest, by which arrows are as long as the forces are large.
import { Vector3 } from "three";
import type { Load, SceneDescription } from "./document";
import type { Poses } from "./poses";

export const longestForce = 0.2; // of the picture: the arrow of the largest force of the run
const samples = 100; // frames in which the largest one is looked for

export function loadVector(load: Load, poses: Poses): (frame: number, share: number) => Vector3 {
  return (frame, share) => {
    const is = poses.point(load.offset, frame, share, new Vector3());
    return load.in_body ? poses.direction(load.at.body, [is.x, is.y, is.z], frame, share).multiplyScalar(is.length()) : is;
  };
}

export function sampledFrames(poses: Poses, count = samples): number[] {
  const every = Math.max(1, Math.floor(poses.frames / count));
  return Array.from({ length: Math.ceil(poses.frames / every) }, (_, k) => k * every);
}

export const drawnLoads = (scene: SceneDescription, kind: Load["kind"]): Load[] => (scene.loads ?? []).filter((load) => load.kind === kind && load.offset >= 0);

export function largestLoad(scene: SceneDescription, kind: Load["kind"], poses: Poses): number {
  const vectors = drawnLoads(scene, kind).map((load) => loadVector(load, poses));
  const sizes = sampledFrames(poses).flatMap((frame) => vectors.map((vector) => vector(frame, 0).length()));
  return sizes.filter(Number.isFinite).reduce((most, size) => Math.max(most, size), 0);
}
