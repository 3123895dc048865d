// How far sliders go and shapes reach, by which symbols are as long as they must be.
import type { Vector3 } from "three";
import type { Joint, SceneDescription, SymbolLength } from "./document";
import { reach } from "./places";
import type { Poses } from "./poses";

export class Measures {
  private ways = new Map<number, [number, number]>();

  constructor(
    readonly scene: SceneDescription,
    readonly poses: Poses,
    readonly unit: number,
  ) {}

  // m; along: a direction of the ground, at the start
  length({ m = 0, u = 0, low = 0, high = 0, reach = 0, least = 0, stop }: SymbolLength, joint: number, along: Vector3): number {
    const { unit, scene } = this;
    const [from, to] = low || high ? this.travel(joint) : [0, 0];
    const value = stop === undefined ? 0 : (scene.joints[joint].stops?.[stop] ?? 0);
    const far = reach ? Math.max(least * unit, this.reach(scene.joints[joint].b, along.clone().multiplyScalar(Math.sign(reach)))) : 0;
    return m + u * unit + low * from + high * to + reach * far + value;
  }
  // The least and the largest distance that a slider goes, and its end stops.
  travel(index: number): [number, number] {
    const known = this.ways.get(index);
    if (known) return known;
    const { poses } = this;
    const joint = this.scene.joints[index];
    let [low, high] = [Infinity, -Infinity];
    const every = Math.max(1, Math.floor(poses.frames / 200));
    for (let frame = 0; frame < poses.frames; frame += every) {
      const way = poses.place(joint.b, frame, 0).sub(poses.place(joint.a, frame, 0));
      const x = way.dot(poses.direction(joint.a.body, joint.axis, frame, 0));
      if (Number.isFinite(x)) [low, high] = [Math.min(low, x), Math.max(high, x)];
    }
    const [lower, upper] = joint.stops ?? [null, null];
    const found: [number, number] = low <= high ? [Math.min(low, lower ?? low), Math.max(high, upper ?? high)] : [0, 0];
    this.ways.set(index, found);
    return found;
  }
  // Of the shapes of a body from a place of it, at the start.
  private reach(place: Joint["b"], side: Vector3): number {
    if (place.body < 0) return 0;
    const inBody = side.applyQuaternion(this.poses.turnOf(place.body, 0, 0).invert());
    return reach(this.scene.bodies[place.body], inBody.clone().fromArray(place.at), inBody);
  }
}
