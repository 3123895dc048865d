// Symbols of what sits between bodies, as `armature draw` has them (src/report/link_drawing.cpp, coupling_drawing.cpp): springs and
// dampers, pitch circles of gears, belts, racks, shafts, applied forces.
import { Vector3 } from "three";
import type { Line2 } from "three/examples/jsm/lines/Line2.js";
import type { Coupling, Joint, Link, Load, SceneDescription } from "./document";
import { threadRadius, travel } from "./guides";
import { arc, MovingLines, pairsOf, type Ends, type Points } from "./moving_lines";
import { dashDotted, zigzag } from "./lines";
import { background, bodyColor, mark, metal, pale, text, type Paint, type Role } from "./paint";
import { largestLoad, loadVector, longestForce, sampledFrames } from "./loads";
import { corners } from "./places";
import type { Poses } from "./poses";
import { sideways, type Axes } from "./view";

export class ElementSymbols extends MovingLines {
  constructor(scene: SceneDescription, poses: Poses, paint: Paint, unit: number, axes: Axes, size: number) {
    super(scene, poses, paint, unit, axes, size);
    for (const link of scene.links) this.addLink(link);
    // where a rope goes on there is a pulley
    scene.links.forEach(({ kind, name, b }, k) => kind === "rope" && scene.links[k + 1]?.name === name && this.addPulley(b));
    for (const coupling of scene.couplings ?? []) this.addCoupling(coupling);
    for (const load of scene.loads ?? []) if (load.offset >= 0) load.kind === "force" ? this.addForce(load) : this.addTorque(load);
  }

  // ---- along lines

  private addLink({ kind, a, b }: Link): void {
    const ends: Ends = (frame, share) => [this.poses.place(a, frame, share), this.poses.place(b, frame, share)];
    if (kind === "spring") this.addSpring(ends);
    else if (kind === "bushing") this.addBushing(b);
    else if (kind === "damper") this.addDamper(ends);
    else if (kind === "spring_damper") {
      const beside = (sign: number): Ends => (frame, share) => {
        const [from, to] = ends(frame, share);
        const side = this.aside(from, to).multiplyScalar(sign * 1.5 * this.unit);
        return [from.add(side), to.add(side)];
      };
      this.addSpring(beside(1));
      this.addDamper(beside(-1));
      for (const end of [0, 1] as const) this.line("spring", text, 1.6, (frame, share) => [beside(1)(frame, share)[end], beside(-1)(frame, share)[end]]);
    } else if (kind === "gas_spring") this.addBarrel("gas_spring", pale(metal), text, ends);
    else this.line(kind === "rope" ? "rope" : "rod", metal, kind === "rope" ? 2 : 4, ends);
  }
  private addPulley(at: Link["b"]): void {
    this.addRimmed("pulley", pale(metal), 1.5 * this.unit, at);
  }
  // A ring of rubber around a pin.
  private addBushing(at: Link["b"]): void {
    this.addRimmed("bushing", pale(metal), 2 * this.unit, at);
    const wave = this.line("bushing", text, 1.4, (frame, share) => {
      const middle = this.poses.place(at, frame, share);
      const side = this.axes.right.clone().multiplyScalar(1.9 * this.unit);
      return zigzag(middle.clone().sub(side), middle.clone().add(side), this.axes.up, 0.6 * this.unit);
    });
    this.above(wave);
    this.addRimmed("bushing", background, 0.7 * this.unit, at);
  }
  private addRimmed(kind: string, role: Role, radius: number, at: Link["b"]): void {
    this.above(this.disc(kind, role, radius, (frame, share) => this.poses.place(at, frame, share), 0));
    this.above(this.line(kind, text, 1.6, this.ring(at, radius)));
  }
  private ring(at: Link["b"], radius: number): Points {
    return (frame, share) => arc(this.poses.place(at, frame, share), this.axes.right, this.axes.up, radius, 0, 2 * Math.PI, 24);
  }

  // ---- between joints

  private addCoupling(coupling: Coupling): void {
    const [a, b] = [this.scene.joints[coupling.a], this.scene.joints[coupling.b]];
    if (coupling.kind === "gear" || coupling.kind === "rack") this.addWheel(a, coupling.radius_a, coupling);
    if (coupling.kind === "gear") this.addWheel(b, coupling.radius_b, coupling);
    if (coupling.kind === "rack") this.overPlane(this.line("rack", text, 1.2, this.rack(a, b, coupling.radius_a)));
    if (coupling.kind === "belt") this.line("belt", text, 2.5, this.belt(a, b, coupling.radius_a, coupling.radius_b));
    if (coupling.kind === "screw") this.addThread(a, b);
    if (coupling.kind === "worm") {
      this.addWheel(b, coupling.radius_b, coupling);
      this.thread(this.worm(a, coupling));
    }
    if (coupling.kind === "shaft") this.addShaft(a, b);
    if (coupling.kind === "clutch") this.addClutch(a, b);
  }
  private addShaft(a: Joint, b: Joint): Line2 {
    return this.line("shaft", metal, 3, (frame, share) => [this.poses.place(a.b, frame, share), this.poses.place(b.b, frame, share)]);
  }
  // Over the wheels on its shaft, which would hide it.
  private addClutch(a: Joint, b: Joint): void {
    this.above(this.addShaft(a, b));
    for (const side of [-0.45, 0.45]) this.above(this.line("clutch", text, 3, this.plate(a, b, side)));
  }

  // A pitch circle, dash-dotted and never hidden by its wheel; a wheel without a shape is filled besides.
  private addWheel(joint: Joint, radius: number, { radius_a, radius_b }: Coupling): void {
    const [points, body] = [this.circle(joint, radius), joint.b.body];
    this.above(this.strokes("gear", text, 1.2, (frame, share) => dashDotted(points(frame, share), this.unit)));
    const filled = this.scene.plane && body >= 0 && this.scene.bodies[body].shapes.length === 0 && radius_a < 3 * radius_b;
    if (filled) this.discBehind("wheel", pale(bodyColor(body)), Math.abs(radius), (frame, share) => this.poses.place(joint.a, frame, share));
  }

  private worm(joint: Joint, { radius_a, radius_b }: Coupling): Points {
    const radius = Math.max(radius_a, threadRadius(joint, this.scene, this.poses, this.unit));
    return (frame, share) => {
      const [axis, first, second] = this.across(joint, frame, share);
      const from = this.poses.place(joint.a, frame, share);
      const turn = (angle: number) => first.clone().multiplyScalar(Math.cos(angle)).addScaledVector(second, Math.sin(angle));
      return Array.from({ length: 193 }, (_, k) => from.clone().addScaledVector(axis, 0.8 * radius_b * (k / 192 - 0.5)).addScaledVector(turn((Math.PI * k) / 12), radius));
    };
  }
  // Of two that face each other on a shaft.
  private plate(a: Joint, b: Joint, side: number): Points {
    return (frame, share) => {
      const [from, to] = [this.poses.place(a.b, frame, share), this.poses.place(b.b, frame, share)];
      const along = to.clone().sub(from).normalize();
      const across = this.aside(from, to);
      const middle = from.lerp(to, 0.5).addScaledVector(along, side * this.unit);
      return [-2.2, 2.2].map((out) => middle.clone().addScaledVector(across, out * this.unit));
    };
  }

  // A helix about the axis of the screw, over the way of the nut.
  private addThread(screw: Joint, nut: Joint): void {
    let [low, high] = [Infinity, -Infinity];
    for (const frame of sampledFrames(this.poses)) {
      const way = this.poses.place(nut.b, frame, 0).sub(this.poses.place(nut.a, frame, 0));
      const x = way.dot(this.poses.direction(screw.a.body, screw.axis, frame, 0));
      if (Number.isFinite(x)) [low, high] = [Math.min(low, x), Math.max(high, x)];
    }
    if (!(low <= high)) return;
    const length = high - low + 8 * this.unit;
    const pieces = 12 * Math.round(Math.min(60, Math.max(4, length / (0.9 * this.unit))));
    const radius = threadRadius(screw, this.scene, this.poses, this.unit);
    this.thread((frame, share) => {
      const [axis, first, second] = this.across(screw, frame, share);
      const from = this.poses.place(nut.a, frame, share).addScaledVector(axis, low - 4 * this.unit);
      return Array.from({ length: pieces + 1 }, (_, k) => {
        const angle = (2 * Math.PI * k) / 12;
        return from
          .clone()
          .addScaledVector(axis, (length * k) / pieces)
          .addScaledVector(first, radius * Math.cos(angle))
          .addScaledVector(second, radius * Math.sin(angle));
      });
    });
  }
  // In pieces, so that pictures as curves show its front alone.
  private thread(points: Points): void {
    this.strokes("screw", text, 1.2, (frame, share) => pairsOf(points(frame, share)));
  }

  // Teeth along a line that moves with the slider and touches the pinion, over the way that the slider takes and along its shapes.
  private rack(pinion: Joint, slider: Joint, radius: number): Points {
    const [low, high] = travel(slider, this.poses);
    const [u, body] = [this.unit, slider.b.body];
    return (frame, share) => {
      const middle = this.poses.place(pinion.a, frame, share);
      const along = this.poses.direction(slider.a.body, slider.axis, frame, share);
      const at = this.poses.place(slider.b, frame, share);
      const out = this.poses.direction(pinion.a.body, pinion.axis, frame, share).cross(along).normalize();
      if (out.dot(at.clone().sub(middle)) < 0) out.negate();
      const touch = middle.clone().addScaledVector(out, radius);
      const slide = along.dot(at.clone().sub(this.poses.place(slider.a, frame, share)));
      let [from, to] = [slide - high - 4 * u, slide - low + 4 * u];
      for (const corner of body < 0 ? [] : corners(this.scene.bodies[body])) {
        const x = along.dot(this.poses.place({ body, at: [corner.x, corner.y, corner.z] }, frame, share).sub(touch));
        [from, to] = [Math.min(from, x + u), Math.max(to, x - u)];
      }
      const teeth = Math.min(120, Math.max(4, Math.floor((to - from) / (1.3 * u))));
      return Array.from({ length: 2 * teeth + 1 }, (_, k) =>
        touch
          .clone()
          .addScaledVector(along, from + ((to - from) * k) / (2 * teeth))
          .addScaledVector(out, (k % 2 ? 0.45 : -0.45) * u),
      );
    };
  }

  // phi: from the line between the axes to where a strand touches; a negative radius crosses the belt.
  private belt(a: Joint, b: Joint, radiusA: number, radiusB: number) {
    const [ra, rb, crossed] = [Math.abs(radiusA), Math.abs(radiusB), radiusA * radiusB < 0];
    return (frame: number, share: number) => {
      const [from, to] = [this.poses.place(a.a, frame, share), this.poses.place(b.a, frame, share)];
      const axis = this.poses.direction(a.a.body, a.axis, frame, share);
      const gap = to.clone().sub(from);
      gap.addScaledVector(axis, -axis.dot(gap));
      const cosine = (crossed ? ra + rb : ra - rb) / gap.length();
      if (!(Math.abs(cosine) < 1)) return [from, to];
      const phi = Math.acos(cosine);
      const first = gap.normalize();
      const second = axis.clone().cross(first);
      const strand = (middle: Vector3, radius: number, begin: number, end: number) => arc(middle, first, second, radius, begin, end, 32);
      const points = [
        ...strand(from, ra, phi, 2 * Math.PI - phi),
        ...(crossed ? strand(to, rb, Math.PI - phi, phi - Math.PI) : strand(to, rb, -phi, phi)),
      ];
      return [...points, points[0]];
    };
  }

  // ---- loads

  // An arrow about the torque.
  private addTorque(load: Load): void {
    const vector = loadVector(load, this.poses);
    const largest = largestLoad(this.scene, "torque", this.poses);
    if (!(largest > 0)) return;
    this.arrow({ kind: "torque", role: mark, width: 2.5, over: false }, (arrow, frame, share) => {
      const torque = vector(frame, share);
      if (!(torque.length() > 1e-3 * largest)) return false;
      const axis = torque.normalize();
      const first = (Math.abs(axis.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0)).cross(axis).normalize();
      arrow.turn(this.poses.place(load.at, frame, share), first, axis.clone().cross(first), 3.2 * this.unit, 0, 4.4, this.axes);
      return true;
    });
  }
  private addForce(load: Load): void {
    const vector = loadVector(load, this.poses);
    const largest = largestLoad(this.scene, "force", this.poses);
    if (!(largest > 0)) return;
    this.arrow({ kind: "force", role: mark, width: 2.5, over: false }, (arrow, frame, share) => {
      const way = vector(frame, share).multiplyScalar((longestForce * this.size) / largest);
      if (!(way.length() > 0.5 * this.unit)) return false;
      const at = this.poses.place(load.at, frame, share);
      arrow.point(at, at.clone().add(way), sideways(way, this.axes));
      return true;
    });
  }
}
