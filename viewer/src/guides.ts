// Where the guide of a slider lies, and how far it reaches; where shafts come out of bodies. As in src/report/slider_drawing.cpp and joint_drawing.cpp.
import { Vector3 } from "three";
import type { Joint, SceneDescription } from "./document";
import { reach, reachedPlaces } from "./places";
import type { Poses } from "./poses";
import { fromAside } from "./view";

export const isHeld = ({ spring, damper, drive }: Joint): boolean => Boolean(spring || damper || drive === "cylinder"); // something sits along a slider
export const isShaped = (scene: SceneDescription, body: number): boolean => body >= 0 && scene.bodies[body].shapes.length > 0; // its look is given

export const halfBlock = 1.4; // of a slider on a rail without a shape, units
export const shoeLength = ({ brake }: Joint, unit: number): number => (brake === undefined ? 0 : 2.4 * unit); // of a brake behind a slider

// The least and the largest distance that a slider goes, and its end stops.
export function travel(joint: Joint, poses: Poses): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  const every = Math.max(1, Math.floor(poses.frames / 200));
  for (let frame = 0; frame < poses.frames; frame += every) {
    const way = poses.place(joint.b, frame, 0).sub(poses.place(joint.a, frame, 0));
    const x = way.dot(poses.direction(joint.a.body, joint.axis, frame, 0));
    if (Number.isFinite(x)) [low, high] = [Math.min(low, x), Math.max(high, x)];
  }
  if (!(low <= high)) return [0, 0];
  const [lower, upper] = joint.stops ?? [null, null];
  return [Math.min(low, lower ?? low), Math.max(high, upper ?? high)];
}

// To the side of the guide, at the start: below the block, or to the right of the direction in which it goes up, unless something hangs or
// turns there.
export function guideSide(joint: Joint, scene: SceneDescription, poses: Poses, normal: Vector3, down: Vector3, unit: number): Vector3 {
  const side = poses.direction(joint.a.body, joint.axis, 0, 0).cross(normal).normalize();
  if (side.dot(down) < -1e-9) side.negate();
  return hangs(joint, scene, poses, side, unit) || hasPinion(joint, scene, poses, side) ? side.negate() : side;
}

// Whether a pinion drives the slider from this side.
function hasPinion(joint: Joint, scene: SceneDescription, poses: Poses, side: Vector3): boolean {
  const racks = (scene.couplings ?? []).filter(({ kind, b }) => kind === "rack" && scene.joints[b] === joint);
  return racks.some(({ a }) => poses.place(scene.joints[a].a, 0, 0).sub(poses.place(joint.b, 0, 0)).dot(side) > 0);
}

// Whether something hangs on the block on this side, which the ground would cut.
function hangs(joint: Joint, scene: SceneDescription, poses: Poses, side: Vector3, unit: number): boolean {
  let sum = 0;
  for (const other of scene.joints) {
    const partner = other.a.body === joint.b.body ? other.b.body : other.b.body === joint.b.body ? other.a.body : -1;
    if (other === joint || partner < 0 || partner === joint.a.body) continue;
    const at = poses.place(joint.b, 0, 0);
    for (const place of reachedPlaces(scene, partner)) {
      const out = poses.place({ body: partner, at: [place.x, place.y, place.z] }, 0, 0).sub(at);
      if (out.length() > unit) sum += out.normalize().dot(side);
    }
  }
  return sum > 0.9;
}

// How far the shapes of a body reach from a place, at the start.
export function extent(place: Joint["b"], side: Vector3, scene: SceneDescription, poses: Poses): number {
  const inBody = side.clone().applyQuaternion(poses.turnOf(place.body, 0, 0).invert());
  return reach(scene.bodies[place.body], new Vector3(...place.at), inBody);
}

// Half the length of the block, or how far the shapes of the body reach back along the guide; forwards with a sign of -1.
export function reachBack(joint: Joint, scene: SceneDescription, poses: Poses, unit: number, sign = 1): number {
  if (!isShaped(scene, joint.b.body)) return 1.9 * unit;
  return extent(joint.b, poses.direction(joint.a.body, joint.axis, 0, 0).multiplyScalar(-sign), scene, poses);
}

// Where a spring or damper of a slider begins: at the joint's place if the slider stays away from it, else at a post behind the way that it takes.
// Given along the joint, from its first place.
export function postPlace(joint: Joint, scene: SceneDescription, poses: Poses, unit: number): number {
  const [low, high] = travel(joint, poses);
  if (low * high > 0 && Math.min(Math.abs(low), Math.abs(high)) > 8 * unit) return 0;
  const sign = postInFront(joint, scene, poses) ? -1 : 1;
  return (sign < 0 ? high : low) - sign * (reachBack(joint, scene, poses, unit, sign) + 9.4 * unit);
}
// Whether the post stands better in front of the slider, at the start: other bodies lie behind, and nothing in front.
export function postInFront(joint: Joint, scene: SceneDescription, poses: Poses): boolean {
  if (joint.driven) return false; // its arrow is in front
  const axis = poses.direction(joint.a.body, joint.axis, 0, 0);
  const block = poses.place(joint.b, 0, 0);
  const sides = scene.bodies.flatMap((_, body) =>
    body === joint.a.body || body === joint.b.body
      ? []
      : reachedPlaces(scene, body).map((at) => {
          const out = poses.place({ body, at: at.toArray() }, 0, 0).sub(block);
          const along = axis.dot(out);
          return out.addScaledVector(axis, -along).length() < 0.5 * Math.abs(along) ? Math.sign(along) : 0;
        }),
  );
  return sides.includes(-1) && !sides.includes(1);
}
export function postOf(joint: Joint, scene: SceneDescription, poses: Poses, unit: number): Vector3 {
  return poses.place(joint.a, 0, 0).addScaledVector(poses.direction(joint.a.body, joint.axis, 0, 0), postPlace(joint, scene, poses, unit));
}

// Into which direction the body that is fixed to the ground leaves the joint, at the start. null: it reaches nowhere.
export function wayOut({ a, b }: Joint, scene: SceneDescription, poses: Poses): Vector3 | null {
  const [body, at] = [Math.max(a.body, b.body), poses.place(b, 0, 0)];
  const description = scene.bodies[body];
  let ways = reachedPlaces(scene, body).map((place) => poses.place({ body, at: place.toArray() }, 0, 0).sub(at));
  if (description.beam) {
    const line = poses.beamPoints(description, 0, 0).map((point) => point.clone().sub(at));
    const first = line[0].length() < line[line.length - 1].length();
    ways = [first ? poses.direction(body, [1, 0, 0], 0, 0) : line[line.length - 2]];
  }
  const way = ways.reduce((far, each) => (each.length() > far.length() ? each : far));
  return way.length() > 1e-9 ? way.normalize() : null;
}

// Of a thread: a little outside of the thinnest round shape about the axis of its screw, which may have a handwheel, too; without one a unit.
export function threadRadius({ a, b, axis }: Joint, scene: SceneDescription, poses: Poses, unit: number): number {
  const [at, along] = [poses.place(a, 0, 0), poses.direction(a.body, axis, 0, 0)];
  const radii = [a.body, b.body].flatMap((body) => {
    const away = (place: [number, number, number]) => poses.place({ body, at: place }, 0, 0).sub(at).cross(along).length();
    const shapes = body < 0 ? [] : scene.bodies[body].shapes;
    return shapes.flatMap(({ from, to, radius }) => (from && to && radius && away(from) < radius && away(to) < radius ? [radius] : []));
  });
  return radii.length > 0 ? Math.min(...radii) + 0.2 * unit : unit;
}

// Where the shaft of a revolute joint comes out of the shapes around it, towards the reader: along the axis from its place. 0: nothing hides it.
export function shaftEnd({ a, axis, shaft }: Joint, poses: Poses, down: Vector3, unit: number): number {
  if (!shaft) return 0;
  const end = poses.direction(a.body, axis, 0, 0).dot(fromAside(down.clone().negate())) < 0 ? 0 : 1;
  return (end ? 1 : -1) * (shaft[end] + 0.8 * unit);
}

// In space: the line along which a block moves, of a body with a shape along its lower edge.
export interface Rail {
  from: number; // ends along the joint, from its first place
  to: number;
  behind: number; // how far the slider reaches
  before: number;
  edge: Vector3; // where it lies
}
// null: a tube that pulls out.
export function rail(joint: Joint, scene: SceneDescription, poses: Poses, unit: number, down: Vector3): Rail | null {
  const [low, high] = travel(joint, poses);
  const nearest = low * high > 0 ? Math.min(Math.abs(low), Math.abs(high)) : 0;
  const shaped = isShaped(scene, joint.b.body);
  if (nearest >= 4 * unit && !(joint.a.body < 0 && shaped)) return null;
  const axis = poses.direction(joint.a.body, joint.axis, 0, 0);
  const reachTo = (side: Vector3) => (shaped ? extent(joint.b, side, scene, poses) : 0);
  const reader = fromAside(down.clone().negate());
  const forward = (side: Vector3) => (side.dot(reader) < 0 ? side.negate() : side).normalize();
  let below = down.clone().addScaledVector(axis, -axis.dot(down));
  if (below.length() < 0.3) below = forward((Math.abs(axis.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0)).cross(axis));
  const front = forward(axis.clone().cross(below.normalize()));
  const edge = below.multiplyScalar(reachTo(below)).add(front.multiplyScalar(reachTo(front)));
  const [behind, before] = [axis.clone().negate(), axis].map((side) => (shaped ? reachTo(side) : halfBlock * unit));
  return { from: low - behind - shoeLength(joint, unit) - (isHeld(joint) ? 9.4 : 3) * unit, to: high + before + 3 * unit, behind, before, edge };
}
