// Places that symbols reach beside the machine, so that the picture is fitted to them, too: bases, arrows.
import { Vector3 } from "three";
import type { SceneDescription } from "./document";
import { drawnLoads, largestLoad, loadVector, longestForce, sampledFrames } from "./loads";
import type { Measures } from "./measures";
import type { Poses } from "./poses";
import { baseDepth, baseRadius } from "./symbols";
import { downOf } from "./view";

export function symbolPlaces(measures: Measures, size: number): Vector3[] {
  const { scene, poses, unit } = measures;
  return [
    ...forceTips(scene, poses, size),
    ...(scene.plane ? [] : baseRims(scene, unit, downOf(scene.gravity, scene.plane))),
  ];
}

// In space, of each place on the ground the rim of its base.
function baseRims(scene: SceneDescription, unit: number, down: Vector3): Vector3[] {
  const first = (Math.abs(down.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0)).cross(down).normalize();
  const second = first.clone().cross(down);
  return [...scene.joints, ...scene.links]
    .flatMap(({ a, b }) => [a, b].filter(({ body }) => body < 0))
    .flatMap(({ at }) => {
      const foot = new Vector3(...at).addScaledVector(down, baseDepth * unit);
      return [first, second].flatMap((side) => [-1, 1].map((sign) => foot.clone().addScaledVector(side, sign * baseRadius * unit)));
    });
}

// Symbols make the box larger, and the arrow grows with it: hence the 1.4.
function forceTips(scene: SceneDescription, poses: Poses, size: number): Vector3[] {
  const largest = largestLoad(scene, "force", poses);
  if (!(largest > 0)) return [];
  return drawnLoads(scene, "force").flatMap((load) => {
    const vector = loadVector(load, poses);
    return sampledFrames(poses, 60).map((frame) => poses.place(load.at, frame, 0).addScaledVector(vector(frame, 0), (1.4 * longestForce * size) / largest));
  });
}
