// Symbols of what sits between bodies and on joints, as `armature draw` has them (src/report/machine_drawing.cpp): pitch circles of gears,
// belts, racks, shafts, springs of joints, motors, applied forces.
import { Group, Vector3 } from "three";
import type { Line2 } from "three/examples/jsm/lines/Line2.js";
import type { Coupling, Joint, Link, Load, SceneDescription } from "./document";
import { downOf, type Moving } from "./joints";
import { polyline, setPoints, zigzag } from "./lines";
import { mark, metal, text, type Paint, type Role } from "./paint";
import { reachedPlaces } from "./places";
import type { Poses } from "./poses";
import type { Axes } from "./view";

const around = 72; // corners of a pitch circle
const longest = 0.2; // of the picture: the arrow of the largest force of the run
const samples = 100; // frames in which the largest one is looked for

type Ends = (frame: number, share: number) => [Vector3, Vector3];

export class ElementSymbols {
  readonly group = new Group();
  readonly moving: Moving[] = [];
  private down: Vector3;

  constructor(
    private scene: SceneDescription,
    private poses: Poses,
    private paint: Paint,
    private unit: number,
    private axes: Axes,
    private size: number, // of the picture, m
  ) {
    this.down = downOf(scene.gravity, scene.plane);
    for (const link of scene.links) this.addLink(link);
    // where a rope goes on there is a pulley
    scene.links.forEach(({ kind, name, b }, k) => kind === "rope" && scene.links[k + 1]?.name === name && this.addPulley(b));
    for (const coupling of scene.couplings ?? []) this.addCoupling(coupling);
    for (const joint of scene.joints) this.addOnJoint(joint);
    for (const load of scene.loads ?? []) if (load.offset >= 0) load.kind === "force" ? this.addForce(load) : this.addTorque(load);
  }

  // A line whose points follow the motion.
  private line(role: Role, width: number, points: (frame: number, share: number) => Vector3[]): Line2 {
    const line = polyline([new Vector3(), new Vector3(1, 0, 0)], this.paint.line(role, width));
    this.group.add(line);
    this.moving.push({ update: (frame, share) => setPoints(line, points(frame, share)) });
    return line;
  }
  // The axis of a joint and two directions across it.
  private across(joint: Joint, frame: number, share: number): [Vector3, Vector3, Vector3] {
    const axis = this.poses.direction(joint.a.body, joint.axis, frame, share);
    const first = (Math.abs(axis.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0)).cross(axis).normalize();
    return [axis, first, axis.clone().cross(first)];
  }
  private circle(joint: Joint, radius: number, from = 0, to = 2 * Math.PI) {
    return (frame: number, share: number) => {
      const middle = this.poses.place(joint.a, frame, share);
      const [, first, second] = this.across(joint, frame, share);
      return Array.from({ length: around + 1 }, (_, k) => {
        const angle = from + ((to - from) * k) / around;
        return middle.clone().addScaledVector(first, radius * Math.cos(angle)).addScaledVector(second, radius * Math.sin(angle));
      });
    };
  }

  // ---- along lines

  private addLink({ kind, a, b }: Link): void {
    const ends: Ends = (frame, share) => [this.poses.place(a, frame, share), this.poses.place(b, frame, share)];
    if (kind === "spring" || kind === "bushing") this.addSpring(ends);
    else if (kind === "damper") this.addDamper(ends);
    else if (kind === "spring_damper") {
      const beside = (sign: number): Ends => (frame, share) => {
        const [from, to] = ends(frame, share);
        const side = this.aside(from, to).multiplyScalar(sign * 1.3 * this.unit);
        return [from.add(side), to.add(side)];
      };
      this.addSpring(beside(1));
      this.addDamper(beside(-1));
      for (const end of [0, 1] as const) this.line(text, 1.6, (frame, share) => [beside(1)(frame, share)[end], beside(-1)(frame, share)[end]]);
    } else if (kind === "gas_spring") {
      this.line(metal, 2.5, ends);
      this.line(metal, 7, (frame, share) => {
        const [from, to] = ends(frame, share);
        return [from, from.clone().lerp(to, 0.58)];
      });
    } else this.line(metal, kind === "rope" ? 2 : 4, ends);
  }
  private addPulley(at: Link["b"]): void {
    const { right, up } = this.axes;
    const ring = this.line(text, 1.8, (frame, share) => {
      const middle = this.poses.place(at, frame, share);
      return Array.from({ length: 25 }, (_, k) => {
        const angle = (2 * Math.PI * k) / 24;
        return middle.clone().addScaledVector(right, 1.5 * this.unit * Math.cos(angle)).addScaledVector(up, 1.5 * this.unit * Math.sin(angle));
      });
    });
    this.overPlane(ring);
  }
  // Across a line, in the picture's plane where there is one.
  private aside(a: Vector3, b: Vector3): Vector3 {
    const along = b.clone().sub(a);
    const side = this.scene.plane ? this.axes.normal.clone().cross(along) : new Vector3(0.3, 0.5, 0.8).cross(along);
    return side.length() > 0 ? side.normalize() : side.set(1, 0, 0);
  }
  private addSpring(ends: Ends): void {
    this.line(text, 1.6, (frame, share) => {
      const [a, b] = ends(frame, share);
      return zigzag(a, b, this.aside(a, b), 0.9 * this.unit);
    });
  }
  // A cup, and a piston in it.
  private addDamper(ends: Ends): void {
    const at = (frame: number, share: number) => {
      const [a, b] = ends(frame, share);
      const side = this.aside(a, b).multiplyScalar(this.unit);
      return (along: number, across: number) => a.clone().lerp(b, along).addScaledVector(side, across);
    };
    this.line(text, 1.6, (frame, share) => {
      const to = at(frame, share);
      return [to(0, 0), to(0.35, 0), to(0.35, 1), to(0.65, 1), to(0.35, 1), to(0.35, -1), to(0.65, -1)];
    });
    this.line(text, 1.6, (frame, share) => {
      const to = at(frame, share);
      return [to(0.5, 0.7), to(0.5, -0.7), to(0.5, 0), to(1, 0)];
    });
  }

  // ---- between joints

  private addCoupling(coupling: Coupling): void {
    const [a, b] = [this.scene.joints[coupling.a], this.scene.joints[coupling.b]];
    if (coupling.kind === "gear" || coupling.kind === "rack") this.overPlane(this.line(text, 1.2, this.circle(a, coupling.radius_a)));
    if (coupling.kind === "gear") this.overPlane(this.line(text, 1.2, this.circle(b, coupling.radius_b)));
    if (coupling.kind === "rack") this.overPlane(this.line(text, 1.2, this.rack(a, b, coupling.radius_a)));
    if (coupling.kind === "belt") this.line(metal, 3, this.belt(a, b, coupling.radius_a, coupling.radius_b));
    if (coupling.kind === "screw") this.addThread(a, b);
    if (coupling.kind === "shaft")
      this.line(metal, 3, (frame, share) => [this.poses.place(a.b, frame, share), this.poses.place(b.b, frame, share)]);
  }

  // A helix about the axis of the screw, over the way of the nut.
  private addThread(screw: Joint, nut: Joint): void {
    let [low, high] = [Infinity, -Infinity];
    for (let frame = 0; frame < this.poses.frames; frame += Math.max(1, Math.floor(this.poses.frames / samples))) {
      const way = this.poses.place(nut.b, frame, 0).sub(this.poses.place(nut.a, frame, 0));
      const x = way.dot(this.poses.direction(screw.a.body, screw.axis, frame, 0));
      if (Number.isFinite(x)) [low, high] = [Math.min(low, x), Math.max(high, x)];
    }
    if (!(low <= high)) return;
    const length = high - low + 8 * this.unit;
    const pieces = 12 * Math.round(Math.min(60, Math.max(4, length / (0.9 * this.unit))));
    this.line(metal, 1.5, (frame, share) => {
      const [axis, first, second] = this.across(screw, frame, share);
      const from = this.poses.place(nut.a, frame, share).addScaledVector(axis, low - 4 * this.unit);
      return Array.from({ length: pieces + 1 }, (_, k) => {
        const angle = (2 * Math.PI * k) / 12;
        return from
          .clone()
          .addScaledVector(axis, (length * k) / pieces)
          .addScaledVector(first, this.unit * Math.cos(angle))
          .addScaledVector(second, this.unit * Math.sin(angle));
      });
    });
  }

  // Teeth where the pinion touches, moving with the slider.
  private rack(pinion: Joint, slider: Joint, radius: number) {
    return (frame: number, share: number) => {
      const middle = this.poses.place(pinion.a, frame, share);
      const along = this.poses.direction(slider.a.body, slider.axis, frame, share);
      const at = this.poses.place(slider.b, frame, share);
      const out = this.poses.direction(pinion.a.body, pinion.axis, frame, share).cross(along).normalize();
      if (out.dot(at.clone().sub(middle)) < 0) out.negate();
      const touch = middle.clone().addScaledVector(out, radius);
      const [tooth, teeth] = [0.9 * this.unit, 24];
      const slide = along.dot(at.clone().sub(touch));
      const phase = slide - 2 * tooth * Math.round(slide / (2 * tooth));
      return Array.from({ length: 2 * teeth + 1 }, (_, k) =>
        touch
          .clone()
          .addScaledVector(along, phase + (k - teeth) * tooth)
          .addScaledVector(out, (k % 2 ? 0.4 : -0.4) * this.unit),
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
      const arc = (middle: Vector3, radius: number, begin: number, end: number) =>
        Array.from({ length: 33 }, (_, k) => {
          const angle = begin + ((end - begin) * k) / 32;
          return middle.clone().addScaledVector(first, radius * Math.cos(angle)).addScaledVector(second, radius * Math.sin(angle));
        });
      const points = [
        ...arc(from, ra, phi, 2 * Math.PI - phi),
        ...(crossed ? arc(to, rb, Math.PI - phi, phi - Math.PI) : arc(to, rb, -phi, phi)),
      ];
      return [...points, points[0]];
    };
  }

  private addOnJoint(joint: Joint): void {
    if (joint.glyph === "pin" && joint.drive === "motor") this.addMotor(joint);
    if (joint.glyph === "pin" && (joint.drive === "effort" || joint.drive === "prescribed")) this.addTurning(joint);
    if (joint.glyph === "slider" && joint.damper && !joint.spring && joint.a.body >= 0)
      this.addDamper((frame, share) => [this.poses.place(joint.a, frame, share), this.poses.place(joint.b, frame, share)]);
    (joint.stops ?? []).forEach((stop, end) => stop !== null && joint.stop_arm && this.addStop(joint, stop, end === 0 ? -1 : 1));
    if (!joint.spring) return;
    if (joint.glyph === "pin")
      this.line(metal, 1.5, (frame, share) => {
        const middle = this.poses.place(joint.b, frame, share);
        const [, first, second] = this.across(joint, frame, share);
        return Array.from({ length: 61 }, (_, k) => {
          const [angle, r] = [(2.4 * 2 * Math.PI * k) / 60, this.unit * (0.9 + (2 * k) / 60)];
          return middle.clone().addScaledVector(first, r * Math.cos(angle)).addScaledVector(second, r * Math.sin(angle));
        });
      });
    if (joint.glyph === "slider")
      this.line(text, 1.6, (frame, share) => {
        const [a, b] = [this.poses.place(joint.a, frame, share), this.poses.place(joint.b, frame, share)];
        if (!(a.distanceTo(b) > 4 * this.unit)) return [a, b];
        return this.scene.plane ? zigzag(a, b, this.aside(a, b), 1.3 * this.unit) : this.coil(a, b);
      });
  }
  // A ring; in a plane with an M beside it.
  private addMotor(joint: Joint): void {
    this.line(mark, 2, this.circle(joint, 1.9 * this.unit));
    if (!this.scene.plane) return;
    const [size, { right, up }, side] = [1.1 * this.unit, this.axes, this.freeSide(joint).multiplyScalar(3.5 * this.unit)];
    const letter = this.line(mark, 2, (frame, share) => {
      const middle = this.poses.place(joint.a, frame, share).add(side);
      const at = (x: number, y: number) => middle.clone().addScaledVector(right, x * size).addScaledVector(up, y * size);
      return [at(-0.8, -1), at(-0.8, 1), at(0, -0.2), at(0.8, 1), at(0.8, -1)];
    });
    this.above(letter);
  }
  // Of eight directions the one that is farthest from the bodies that meet at a joint at the start, and from its support.
  private freeSide({ a, b }: Joint): Vector3 {
    const at = this.poses.place(a, 0, 0);
    const taken = [a.body, b.body].flatMap((body) => {
      if (body < 0) return [this.down];
      const places = reachedPlaces(this.scene, body).map((place) => this.poses.place({ body, at: [place.x, place.y, place.z] }, 0, 0).sub(at));
      return places.filter((out) => out.length() > this.unit).map((out) => out.normalize());
    });
    const sides = Array.from({ length: 8 }, (_, k) => {
      const angle = (Math.PI / 4) * (k + 0.5);
      return new Vector3().addScaledVector(this.axes.right, Math.cos(angle)).addScaledVector(this.axes.up, Math.sin(angle));
    });
    const nearest = (side: Vector3) => Math.max(-1, ...taken.map((other) => side.dot(other)));
    return sides.reduce((best, side) => (nearest(side) < nearest(best) - 1e-6 ? side : best));
  }
  // An arrow about the axis, over all bodies.
  private addTurning(joint: Joint): void {
    const [r, u] = [3 * this.unit, this.unit];
    const arrow = this.line(mark, 2, (frame, share) => {
      const middle = this.poses.place(joint.a, frame, share);
      const [, first, second] = this.across(joint, frame, share);
      const at = (angle: number, radius: number) => middle.clone().addScaledVector(first, radius * Math.cos(angle)).addScaledVector(second, radius * Math.sin(angle));
      const arc = Array.from({ length: 33 }, (_, k) => at(0.6 + (4.2 * k) / 32, r));
      return [...arc, at(4.45, r + 0.6 * u), arc[32], at(4.45, r - 0.6 * u)];
    });
    this.above(arrow);
  }
  // Over the bodies of a planar machine; in space the depth decides.
  private overPlane(line: Line2): void {
    if (this.scene.plane) this.above(line);
  }
  private above(line: Line2): void {
    line.material.depthTest = false;
    line.renderOrder = 2;
  }
  // A hatched bar beside the arm of a revolute joint where it meets an end stop; as one line that goes back and forth.
  private addStop(joint: Joint, stop: number, sign: 1 | -1): void {
    const { body, axis, arm } = joint.stop_arm!;
    const [strokes, u] = [5, this.unit];
    this.line(text, 1.8, (frame, share) => {
      const about = this.poses.direction(body, axis, frame, share);
      const along = this.poses.direction(body, arm, frame, share).applyAxisAngle(about, stop);
      const away = about.cross(along).multiplyScalar(sign);
      const foot = this.poses.place(joint.b, frame, share).addScaledVector(away, u);
      const at = (x: number, y: number) => foot.clone().addScaledVector(along, x * u).addScaledVector(away, y * u);
      return Array.from({ length: strokes + 1 }, (_, k) => {
        const x = 3 + (3 * k) / strokes;
        return [at(x, 0), at(x - 0.55, 0.75), at(x, 0)];
      }).flat();
    });
  }
  // In space, around the tube.
  private coil(a: Vector3, b: Vector3): Vector3[] {
    const [turns, corners, r] = [9, 14, 1.9 * this.unit];
    const along = b.clone().sub(a).normalize();
    const first = this.aside(a, b);
    const second = along.clone().cross(first);
    return Array.from({ length: turns * corners + 1 }, (_, k) => {
      const angle = (2 * Math.PI * k) / corners;
      return a
        .clone()
        .lerp(b, 0.15 + (0.7 * k) / (turns * corners))
        .addScaledVector(first, r * Math.cos(angle))
        .addScaledVector(second, r * Math.sin(angle));
    });
  }

  // ---- loads

  private vectorOf(load: Load) {
    return (frame: number, share: number) => {
      const is = this.poses.point(load.offset, frame, share, new Vector3());
      return load.in_body ? this.poses.direction(load.at.body, [is.x, is.y, is.z], frame, share).multiplyScalar(is.length()) : is;
    };
  }
  private largest(vector: (frame: number, share: number) => Vector3): number {
    let largest = 0;
    for (let frame = 0; frame < this.poses.frames; frame += Math.max(1, Math.floor(this.poses.frames / samples))) {
      const size = vector(frame, 0).length();
      if (Number.isFinite(size)) largest = Math.max(largest, size);
    }
    return largest;
  }
  // An arrow about the torque.
  private addTorque(load: Load): void {
    const vector = this.vectorOf(load);
    const largest = this.largest(vector);
    if (!(largest > 0)) return;
    this.line(mark, 2.5, (frame, share) => {
      const middle = this.poses.place(load.at, frame, share);
      const torque = vector(frame, share);
      if (!(torque.length() > 1e-3 * largest)) return [middle, middle];
      const axis = torque.normalize();
      const first = (Math.abs(axis.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0)).cross(axis).normalize();
      const second = axis.clone().cross(first);
      const at = (angle: number, r: number) => middle.clone().addScaledVector(first, r * Math.cos(angle)).addScaledVector(second, r * Math.sin(angle));
      const arc = Array.from({ length: 25 }, (_, k) => at((4.4 * k) / 24, 3.2 * this.unit));
      const tip = arc[24];
      return [...arc, at(4.05, 3.9 * this.unit), tip, at(4.05, 2.5 * this.unit)];
    });
  }
  private addForce(load: Load): void {
    const vector = this.vectorOf(load);
    const largest = this.largest(vector);
    if (!(largest > 0)) return;
    this.line(mark, 2.5, (frame, share) => {
      const at = this.poses.place(load.at, frame, share);
      const way = vector(frame, share).multiplyScalar((longest * this.size) / largest);
      const tip = at.clone().add(way);
      const back = way.clone().multiplyScalar(-Math.min(1.4 * this.unit, 0.5 * way.length()) / Math.max(way.length(), 1e-30));
      const aside = back.clone().cross(this.axes.normal).multiplyScalar(0.4);
      return [at, tip, tip.clone().add(back).add(aside), tip, tip.clone().add(back).sub(aside)];
    });
  }
}
