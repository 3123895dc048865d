// Where a body is touched: its joints, points and center; and how large things should be drawn.
import { Box3, Vector3 } from "three";
import { float32, type Body, type Joint, type RunDocument, type SceneDescription } from "./document";
import { sampledFrames } from "./loads";
import { Measures } from "./measures";
import type { Poses } from "./poses";
import { symbolPlaces } from "./room";
import { symbolCorners } from "./symbols";
import { downOf, pictureAxes } from "./view";

// Places of a body that its drawing must reach, each once.
export function reachedPlaces(scene: SceneDescription, index: number): Vector3[] {
  const body = scene.bodies[index];
  const places: Vector3[] = [];
  const add = (at: [number, number, number]) => {
    const place = new Vector3(...at);
    if (!places.some((known) => known.distanceTo(place) < 1e-9)) places.push(place);
  };
  for (const joint of scene.joints) {
    if (joint.a.body === index) add(joint.a.at);
    if (joint.b.body === index) add(joint.b.at);
  }
  for (const link of scene.links) {
    if (link.a.body === index) add(link.a.at);
    if (link.b.body === index) add(link.b.at);
  }
  for (const { kind, at } of scene.loads ?? []) if (kind === "force" && at.body === index) add(at.at);
  for (const point of body.points) add(point.at);
  for (const at of body.touched ?? []) add(at);
  if (places.length < 2) add(body.center);
  return places;
}

// Around the shapes of a body.
export function corners(body: Body): Vector3[] {
  const found: Vector3[] = [];
  for (const shape of body.shapes) {
    if (shape.triangles) {
      const box = new Box3().setFromArray(Array.from(float32(shape.triangles)));
      const at = new Vector3(...shape.at);
      for (let k = 0; k < 8; ++k)
        found.push(new Vector3(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z).add(at));
      continue;
    }
    const half = shape.sides
      ? new Vector3(...shape.sides).multiplyScalar(0.5)
      : new Vector3().setScalar(shape.radius ?? 0);
    for (const at of [shape.from ?? shape.at, shape.to ?? shape.at]) {
      found.push(new Vector3(...at).add(half), new Vector3(...at).sub(half));
    }
  }
  return found;
}

// How far the shapes of a body reach from a place in a direction, both in the body's axes.
export function reach(body: Body, from: Vector3, direction: Vector3): number {
  let most = 0;
  const look = (point: Vector3) => (most = Math.max(most, point.sub(from).dot(direction)));
  for (const shape of body.shapes) {
    const at = new Vector3(...shape.at);
    const numbers = shape.triangles ? float32(shape.triangles) : [];
    for (let k = 0; k + 2 < numbers.length; k += 3) look(new Vector3(numbers[k], numbers[k + 1], numbers[k + 2]).add(at));
    const half = shape.sides && new Vector3(...shape.sides).multiplyScalar(0.5);
    for (let k = 0; half && k < 8; ++k) look(new Vector3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z).add(at));
    if (!shape.radius) continue;
    for (const end of [shape.from ?? shape.at, shape.to ?? shape.at]) {
      const round = shape.kind === "cylinder" ? across(direction, new Vector3(...shape.to!).sub(new Vector3(...shape.from!))) : direction;
      look(new Vector3(...end).addScaledVector(round, shape.radius));
    }
  }
  return most;
}
// A unit vector in the plane across an axis, towards a direction.
function across(direction: Vector3, axis: Vector3): Vector3 {
  const n = axis.clone().normalize();
  const out = direction.clone().addScaledVector(n, -n.dot(direction));
  return out.length() > 1e-9 ? out.normalize() : out;
}

// All that the machine sweeps over, from some sixty frames: places, and a box around them with a margin.
export interface Swept {
  box: Box3;
  places: Vector3[];
  machine: Vector3[]; // of these without symbols
}
export function swept(run: RunDocument, poses: Poses): Swept {
  const { scene } = run;
  const places = sweptPlaces(scene, poses).filter(({ x, y, z }) => Number.isFinite(x + y + z));
  const box = new Box3().setFromPoints(places);
  if (box.isEmpty()) box.set(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
  const size = box.getSize(new Vector3());
  const reach = Math.max(size.x, size.y, size.z) || 1;
  const all = [...places];
  const beside = (places: Vector3[]) => places.filter(({ x, y, z }) => Number.isFinite(x + y + z)).forEach((place) => (box.expandByPoint(place), all.push(place)));
  const measures = new Measures(scene, poses, drawingUnit(scene, box));
  beside(symbolCorners(measures, pictureAxes(scene.plane, downOf(scene.gravity, scene.plane).negate())));
  beside(symbolPlaces(measures, size.length()));
  return { box: box.expandByScalar(0.09 * reach), places: all, machine: places };
}
function sweptPlaces(scene: SceneDescription, poses: Poses): Vector3[] {
  const local = scene.bodies.map((body, i) => [...reachedPlaces(scene, i), ...corners(body)]);
  for (const { body, outline } of scene.profiles ?? []) {
    const numbers = float32(outline);
    for (let k = 0; k + 2 < numbers.length; k += 18) local[body].push(new Vector3().fromArray(numbers, k));
  }
  const moving = sampledFrames(poses, 60).flatMap((frame) => [
    ...scene.bodies.flatMap((body, i) => [
      ...local[i].map((at) => poses.place({ body: i, at: [at.x, at.y, at.z] }, frame, 0)),
      ...(body.beam ? poses.beamPoints(body, frame, 0) : []),
    ]),
    ...scene.drawings.flatMap(({ points, offset }) => Array.from({ length: points }, (_, k) => poses.point(offset + 3 * k, frame, 0, new Vector3()))),
  ]);
  const stops = scene.joints
    .filter(({ glyph }) => glyph === "slider")
    .flatMap((joint) => (joint.stops ?? []).flatMap((stop) => (stop === null ? [] : placesAtStop(scene, joint, stop, poses))));
  const ground = [...scene.joints, ...scene.links].flatMap(({ a, b }) => [a, b].filter(({ body }) => body < 0).map(({ at }) => new Vector3(...at)));
  return [...moving, ...stops, ...ground];
}
// The block and the shapes of its body where it meets an end stop.
function placesAtStop(scene: SceneDescription, { a, b, axis }: Joint, stop: number, poses: Poses): Vector3[] {
  const along = poses.direction(a.body, axis, 0, 0);
  const block = poses.place(b, 0, 0);
  const moved = along.clone().multiplyScalar(stop - along.dot(block.clone().sub(poses.place(a, 0, 0))));
  const places = b.body < 0 ? [] : corners(scene.bodies[b.body]).map((at) => poses.place({ body: b.body, at: [at.x, at.y, at.z] }, 0, 0));
  return [block, ...places].map((place) => place.add(moved));
}

// A length by which rods, pins and symbols are drawn: of the order of a link's width.
export function drawingUnit(scene: SceneDescription, box: Box3): number {
  const size = box.getSize(new Vector3()).length();
  const lengths = scene.bodies
    .flatMap((body, i) => {
      if (body.beam) return [body.beam.length];
      const places = reachedPlaces(scene, i);
      return places.slice(1).map((place) => place.distanceTo(places[0]));
    })
    .filter((length) => length > 1e-9)
    .sort((a, b) => a - b);
  const typical = lengths.length > 0 ? lengths[lengths.length >> 1] : size;
  return Math.min(Math.max(0.045 * typical, 0.004 * size), 0.016 * size);
}
