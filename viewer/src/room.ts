// Places that symbols reach beside the machine, so that the picture is fitted to them, too: guides, bases, racks, pitch circles, arrows.
import { Vector3 } from "three";
import type { Coupling, Joint, SceneDescription } from "./document";
import { rail, reachBack, shoeLength, travel } from "./guides";
import { baseDepth, baseRadius, downOf } from "./joints";
import { drawnLoads, largestLoad, loadVector, longestForce, sampledFrames } from "./loads";
import type { Poses } from "./poses";

export function symbolPlaces(scene: SceneDescription, poses: Poses, unit: number, size: number): Vector3[] {
  const down = downOf(scene.gravity, scene.plane);
  return [
    ...scene.joints.filter(({ glyph }) => glyph === "slider").flatMap((joint) => guideEnds(joint, scene, poses, unit, down)),
    ...(scene.couplings ?? []).flatMap((coupling) => couplingPlaces(coupling, scene, poses, unit)),
    ...forceTips(scene, poses, size),
    ...(scene.plane ? [] : baseRims(scene, unit, down)),
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

// Of a slider on the ground both ends of its guide, with the base of a rail, and the tip of the arrow that drives it.
function guideEnds(joint: Joint, scene: SceneDescription, poses: Poses, unit: number, down: Vector3): Vector3[] {
  const line = scene.plane ? null : rail(joint, scene, poses, unit, down);
  if (joint.a.body >= 0 || (!scene.plane && !line)) return [];
  const [low, high] = travel(joint, poses);
  const [behind, before] = [1, -1].map((sign) => reachBack(joint, scene, poses, unit, sign));
  const arrow = joint.driven && joint.drive !== "cylinder" ? 5.1 * unit : 1.5 * unit;
  const [from, to] = [line?.from ?? low - behind - shoeLength(joint, unit) - 1.5 * unit, Math.max(line?.to ?? low, high + before + arrow)];
  const at = poses.place(joint.a, 0, 0).add(line?.edge ?? new Vector3());
  const along = poses.direction(-1, joint.axis, 0, 0).normalize();
  const ends = [from, to].map((x) => at.clone().addScaledVector(along, x));
  return line ? [...ends, ends[0].clone().addScaledVector(down, 4 * unit)] : ends;
}

function couplingPlaces({ kind, a, b, radius_a, radius_b }: Coupling, scene: SceneDescription, poses: Poses, unit: number): Vector3[] {
  const [first, second] = [scene.joints[a], scene.joints[b]];
  if (kind === "rack") {
    const [low, high] = travel(second, poses);
    const along = poses.direction(second.a.body, second.axis, 0, 0).normalize();
    return [-1, 1].map((sign) => poses.place(first.a, 0, 0).addScaledVector(along, sign * (high - low + 4 * unit)));
  }
  return kind === "gear" ? [...circle(first, radius_a, poses), ...circle(second, radius_b, poses)] : [];
}
function circle(joint: Joint, radius: number, poses: Poses): Vector3[] {
  const axis = poses.direction(joint.a.body, joint.axis, 0, 0).normalize();
  const first = (Math.abs(axis.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0)).cross(axis).normalize();
  const second = axis.cross(first);
  return Array.from({ length: 12 }, (_, k) => {
    const angle = (Math.PI * k) / 6;
    const at = poses.place(joint.a, 0, 0).addScaledVector(first, radius * Math.cos(angle));
    return at.addScaledVector(second, radius * Math.sin(angle));
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
