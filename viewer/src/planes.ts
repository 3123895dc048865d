// Planes on the ground that something touches, hatched.
import { Group, Vector3 } from "three";
import type { SceneDescription } from "./document";
import { as, polyline, strokes } from "./lines";
import { metal, type Paint } from "./paint";
import type { Poses } from "./poses";
import type { Axes } from "./view";

// Over the way of what touches them; two that overlap are one.
export function planes(scene: SceneDescription, poses: Poses, paint: Paint, unit: number, axes: Axes): Group {
  const group = new Group();
  const found: { from: Vector3; along: Vector3; low: number; high: number }[] = [];
  for (const { fixed, offset } of scene.drawings) {
    if (!fixed) continue;
    const end = (frame: number, k: number) => poses.point(offset + 3 * k, frame, 0, new Vector3());
    const from = end(0, 0);
    const along = end(0, 1).sub(from).normalize();
    const places: number[] = [];
    for (let frame = 0; frame < poses.frames; frame += Math.max(1, Math.floor(poses.frames / 200)))
      for (const k of [0, 1]) places.push(end(frame, k).sub(from).dot(along));
    const seen = places.filter(Number.isFinite);
    let [low, high] = [Math.min(...seen), Math.max(...seen)];
    const known = found.find((plane) => {
      const way = from.clone().sub(plane.from);
      const shift = way.dot(plane.along);
      const same = plane.along.dot(along) > 0.999 && way.cross(along).length() < 0.5 * unit && shift + high >= plane.low && shift + low <= plane.high;
      if (same) [low, high] = [shift + low, shift + high];
      return same;
    });
    if (known) [known.low, known.high] = [Math.min(known.low, low), Math.max(known.high, high)];
    else found.push({ from, along, low, high });
  }
  for (const { from, along, low, high } of found) {
    const away = axes.normal.clone().cross(along).multiplyScalar(scene.plane === "xz" ? -1 : 1);
    const at = (x: number, y: number) => from.clone().addScaledVector(along, x).addScaledVector(away, y);
    const plane = as("ground", new Group());
    const count = Math.min(Math.floor((high - low) / (0.95 * unit)), 200);
    const foot = (k: number) => low + (k * (high - low)) / Math.max(count, 1);
    const slants = Array.from({ length: count + 1 }, (_, k) => [at(foot(k), 0), at(foot(k) - 0.65 * unit, 0.9 * unit)]);
    group.add(plane.add(polyline([at(low, 0), at(high, 0)], paint.line(metal, 2)), strokes(slants.flat(), paint.line(metal, 1))));
  }
  return group;
}
