// Symbols of what acts on joints, as `armature draw` has them (src/report/joint_drawing.cpp, slider_drawing.cpp): motors, arrows of efforts, springs, dampers, end stops.
import { Vector3 } from "three";
import type { Joint, SceneDescription } from "./document";
import { extent, guideSide, isHeld, isShaped, postInFront, postPlace, rail, reachBack, shaftEnd, shoeLength, travel, type Rail } from "./guides";
import { downOf } from "./joints";
import { arc, MovingLines, pairsOf, type Ends } from "./moving_lines";
import { mark, metal, pale, text, type Paint } from "./paint";
import { reachedPlaces } from "./places";
import type { Poses } from "./poses";
import { sideways, type Axes } from "./view";

export class JointElements extends MovingLines {
  private down: Vector3;

  constructor(scene: SceneDescription, poses: Poses, paint: Paint, unit: number, axes: Axes, size: number) {
    super(scene, poses, paint, unit, axes, size);
    this.down = downOf(scene.gravity, scene.plane);
    for (const joint of scene.joints) {
      if (joint.glyph === "pin" || joint.glyph === "ball" || joint.glyph === "screw") this.addDrive(joint);
      if (joint.glyph === "pin") this.addOnPin(joint);
      if (joint.glyph === "slider" && joint.brake !== undefined) scene.plane ? this.addShoe(joint) : this.addCollar(joint);
      if (joint.glyph === "slider" && !scene.plane) this.addSlidingStops(joint); // in a plane they are part of the guide
      if (joint.glyph === "slider" && isHeld(joint)) scene.plane ? this.addOnSlider(joint) : this.addOnTube(joint);
    }
  }

  // ---- revolute joints

  private addDrive(joint: Joint): void {
    if (joint.drive === "motor") this.addMotor(joint);
    if (joint.drive === "effort" || joint.drive === "prescribed") this.addTurning(joint);
  }
  private addOnPin(joint: Joint): void {
    // one at each place, since joints of a hip share theirs
    const place = this.poses.place(joint.b, 0, 0);
    const isNew = (kind: string) => !this.known.some((other) => other.kind === kind && other.place.distanceTo(place) < 0.03 * this.unit) && this.known.push({ kind, place });
    if (joint.spring && isNew("spring")) this.addSpiral(joint);
    if (joint.damper && isNew("damper")) this.addTurningDamper(joint);
    if (joint.brake !== undefined) this.addBrake(joint, Math.max(joint.brake, 2.6 * this.unit));
    (joint.stops ?? []).forEach((stop, end) => stop !== null && joint.stop_arm && this.addStop(joint, stop, end === 0 ? -1 : 1));
  }
  private known: { kind: string; place: Vector3 }[] = []; // what is drawn about joints
  // Smaller where another joint is near.
  private symbolSize(at: Vector3): number {
    const ways = this.scene.joints.map(({ b }) => this.poses.place(b, 0, 0).distanceTo(at)).filter((way) => way > 0.5 * this.unit);
    return Math.min(1, Math.max(0.5, Math.min(...ways) / (9 * this.unit)));
  }
  // Where a symbol about a revolute joint is seen.
  private outside(joint: Joint, frame: number, share: number): Vector3 {
    const end = shaftEnd(joint, this.poses, this.down, this.unit);
    return this.poses.place(joint.b, frame, share).addScaledVector(this.poses.direction(joint.a.body, joint.axis, frame, share), end);
  }
  // A disc with an M beside it.
  private addMotor(joint: Joint): void {
    const { right, up, normal } = this.axes;
    const at = (frame: number, share: number) => this.outside(joint, frame, share);
    this.line("motor", mark, 2, (frame, share) => arc(at(frame, share).addScaledVector(normal, this.scene.plane ? 0 : -2 * this.unit), right, up, 2.1 * this.unit, 0, 2 * Math.PI, 48));
    this.discBehind("motor", pale(mark), 2.1 * this.unit, at);
    this.letters.push((frame, share) => {
      const middle = at(frame, share);
      return [middle, middle.clone().addScaledVector(this.freeSide(joint), 2.1 * this.unit)];
    });
  }
  // Of eight directions the one that is farthest from the bodies that meet at a joint at the start, from its support and from what else is
  // drawn there.
  private freeSide({ a, b }: Joint, drawn: Vector3[] = []): Vector3 {
    const at = this.poses.place(a, 0, 0);
    const bodies = [a.body, b.body].flatMap((body) => {
      if (body < 0) return [this.down];
      const places = reachedPlaces(this.scene, body).map((place) => this.poses.place({ body, at: [place.x, place.y, place.z] }, 0, 0).sub(at).projectOnPlane(this.axes.normal));
      return places.filter((out) => out.length() > this.unit).map((out) => out.normalize());
    });
    const taken = [...drawn, ...bodies];
    const sides = Array.from({ length: 8 }, (_, k) => {
      const angle = (Math.PI / 4) * (k + 0.5);
      return new Vector3().addScaledVector(this.axes.right, Math.cos(angle)).addScaledVector(this.axes.up, Math.sin(angle));
    });
    const nearest = (side: Vector3) => Math.max(-1, ...taken.map((other) => side.dot(other)));
    return sides.reduce((best, side) => (nearest(side) < nearest(best) - 1e-6 ? side : best));
  }
  // An arrow about the axis, over all bodies.
  private addTurning(joint: Joint): void {
    this.arrow({ kind: joint.drive!, role: mark, width: 2, over: true }, (arrow, frame, share) => {
      const [, first, second] = this.across(joint, frame, share);
      arrow.turn(this.outside(joint, frame, share), first, second, 3.3 * this.unit, 0.6, 4.8, this.axes);
      return true;
    });
  }
  private addSpiral(joint: Joint): void {
    const u = this.unit * this.symbolSize(this.poses.place(joint.b, 0, 0));
    const spiral = this.line("torsion_spring", text, 1.6, (frame, share) => {
      const middle = this.outside(joint, frame, share);
      const [, first, second] = this.across(joint, frame, share);
      return Array.from({ length: 61 }, (_, k) => {
        const [angle, r] = [(2.4 * 2 * Math.PI * k) / 60, u * (0.9 + (2 * k) / 60)];
        return middle.clone().addScaledVector(first, r * Math.cos(angle)).addScaledVector(second, r * Math.sin(angle));
      });
    });
    this.overPlane(spiral);
  }
  // A curved dashpot: a cup along a circle about the joint, and a piston in it. Farther out where something else is drawn about the joint.
  private addTurningDamper(joint: Joint): void {
    const towards = joint.drive === "motor" ? this.freeSide(joint, [this.freeSide(joint)]) : this.freeSide(joint);
    const u = this.unit * this.symbolSize(this.poses.place(joint.b, 0, 0));
    const inner = (joint.spring || joint.driven ? 3.6 : 1.7) * u;
    const [outer, half] = [inner + 1.5 * u, (1.1 * u) / inner];
    const dashpot = this.strokes("damper", text, 1.6, (frame, share) => {
      const middle = this.outside(joint, frame, share);
      const axis = this.poses.direction(joint.a.body, joint.axis, frame, share);
      const first = towards.clone().addScaledVector(axis, -axis.dot(towards)).normalize();
      const second = first.clone().cross(axis);
      const along = (radius: number, from: number, to: number) => arc(middle, first, second, radius, from, to, 8);
      const cup = [...along(inner, half, -half), ...along(outer, -half, half)];
      const piston = [inner + 0.25 * u, outer - 0.25 * u].map((r) => middle.clone().addScaledVector(first, r));
      return [...pairsOf(cup), ...piston, ...pairsOf(along((inner + outer) / 2, 0, 1.8 * half))];
    });
    this.overPlane(dashpot);
  }
  // A shoe on the rim of the wheel, hatched where the ground holds it.
  private addBrake(joint: Joint, inner: number): void {
    const [u, half] = [this.unit, Math.min(0.6, (4 * this.unit) / inner)];
    const rims = (frame: number, share: number) => {
      const [middle, axis] = [this.outside(joint, frame, share), this.poses.direction(joint.a.body, joint.axis, frame, share)];
      const up = (Math.abs(axis.dot(this.down)) < 0.9 ? this.down.clone().negate() : this.across(joint, frame, share)[1]).projectOnPlane(axis).normalize();
      const side = axis.clone().cross(up);
      const rim = (r: number) => arc(middle, up, side, inner + r * u, -half, half, 6);
      return [rim(0.2), rim(1.4), rim(2.3)];
    };
    this.band({ kind: "brake", fill: metal, edge: text, over: this.scene.plane !== "" }, 7, (frame, share) => {
      const [low, high] = rims(frame, share);
      return [low, high];
    });
    if (joint.a.body >= 0) return;
    const hatch = this.strokes("brake", metal, 1.2, (frame, share) => {
      const [, high, far] = rims(frame, share);
      return high.slice(0, -1).flatMap((at, k) => [at, far[k + 1]]);
    });
    this.overPlane(hatch);
  }
  // A hatched bar beside the arm of a revolute joint where it meets an end stop; as one line that goes back and forth.
  private addStop(joint: Joint, stop: number, sign: 1 | -1): void {
    const { body, axis, arm } = joint.stop_arm!;
    const [strokes, u] = [5, this.unit];
    this.line("stop", metal, 1.8, (frame, share) => {
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

  // ---- prismatic joints

  // Spring, damper and cylinder of a slider: between its places where they stay apart, else from a post behind the way that it takes.
  private addOnSlider(joint: Joint): void {
    const u = this.unit;
    const from = postPlace(joint, this.scene, this.poses, u);
    const sign = (from === 0 ? travel(joint, this.poses)[0] < 0 : postInFront(joint, this.scene, this.poses)) ? -1 : 1;
    this.addSideBySide(joint, this.along(joint, from, sign * reachBack(joint, this.scene, this.poses, u, sign)), from !== 0 && joint.a.body < 0);
  }
  // The same on a rail in space.
  private addOnRail(joint: Joint, { from, behind, edge }: Rail): void {
    this.addSideBySide(joint, this.along(joint, from, behind, edge), joint.a.body < 0);
  }
  // From a place along the joint to one behind the slider.
  private along(joint: Joint, from: number, behind: number, shift = new Vector3()): Ends {
    return (frame, share) => {
      const along = this.poses.direction(joint.a.body, joint.axis, frame, share);
      const [a, b] = [joint.a, joint.b].map((place) => this.poses.place(place, frame, share).add(shift));
      return [a.addScaledVector(along, from), b.addScaledVector(along, -behind)];
    };
  }
  private addSideBySide({ spring, damper, drive }: Joint, ends: Ends, onWall: boolean): void {
    const drawn = [spring && this.addSpring, damper && this.addDamper, drive === "cylinder" && this.addCylinder].filter((add) => !!add);
    const first = 1.5 * (drawn.length - 1);
    drawn.forEach((add, k) => add.call(this, this.beside(ends, first - 3 * k)));
    if (first > 0) this.join(ends, first, -first, spring ? "spring" : "damper");
    if (onWall) this.addWall(ends, first + 2.2);
  }
  // So many units to the right.
  private beside(ends: Ends, units: number): Ends {
    return (frame, share) => {
      const [a, b] = ends(frame, share);
      const side = this.aside(a, b).multiplyScalar(units * this.unit);
      return [a.add(side), b.add(side)];
    };
  }
  // Lines at both ends from what lies on one side to what lies on the other.
  private join(ends: Ends, from: number, to: number, kind: string): void {
    for (const end of [0, 1] as const) this.line(kind, text, 1.6, (frame, share) => [this.beside(ends, from)(frame, share)[end], this.beside(ends, to)(frame, share)[end]]);
  }
  // Hatched, as it stands on the ground.
  private addWall(ends: Ends, half: number): void {
    this.strokes("ground", metal, 1.5, (frame, share) => {
      const [[bottom], [top], [post, block]] = [this.beside(ends, -half), this.beside(ends, half), ends].map((each) => each(frame, share));
      return this.hatched(bottom, top, post.sub(block).normalize());
    });
  }
  // The shoe of a brake: behind the block, on its guide.
  private addShoe(joint: Joint): void {
    const [u, shaped, { normal }] = [this.unit, isShaped(this.scene, joint.b.body), this.axes];
    const ground = guideSide(joint, this.scene, this.poses, normal, this.down, u);
    const [behind, gap] = [reachBack(joint, this.scene, this.poses, u), (shaped ? Math.max(1.2 * u, extent(joint.b, ground, this.scene, this.poses)) : 1.2 * u) + 0.2 * u];
    this.brake((frame, share) => {
      const along = this.poses.direction(joint.a.body, joint.axis, frame, share);
      const side = joint.a.body < 0 ? ground : along.clone().cross(normal).normalize();
      return [this.poses.place(joint.b, frame, share).addScaledVector(along, -behind).addScaledVector(side, gap - 0.6 * u), along, side.clone().multiplyScalar(0.6 * u)];
    }, joint);
  }
  // The same in space: a collar on the rail, or on the tube.
  private addCollar(joint: Joint): void {
    const u = this.unit;
    const line = rail(joint, this.scene, this.poses, u, this.down);
    this.brake((frame, share) => {
      const axis = this.poses.direction(joint.a.body, joint.axis, frame, share);
      const front = this.poses.place(joint.b, frame, share).addScaledVector(axis, -(line?.behind ?? u));
      return [line ? front.add(line.edge) : front, axis, sideways(axis, this.axes).multiplyScalar(1.5 * u)];
    }, joint);
  }
  // A block behind a place, to both sides of it.
  private brake(at: (frame: number, share: number) => [front: Vector3, along: Vector3, half: Vector3], joint: Joint): void {
    this.band({ kind: "brake", fill: metal, edge: text, over: this.scene.plane !== "" }, 2, (frame, share) => {
      const [front, along, half] = at(frame, share);
      const rear = front.clone().addScaledVector(along, -shoeLength(joint, this.unit));
      return [[front.clone().add(half), rear.clone().add(half)], [front.sub(half), rear.sub(half)]];
    });
  }
  private addCylinder(ends: Ends): void {
    this.addBarrel("cylinder", pale(mark), mark, ends);
  }
  // Hatched bars in space across the way of a slider, where it meets its end stops.
  private addSlidingStops(joint: Joint): void {
    const u = this.unit;
    const line = rail(joint, this.scene, this.poses, u, this.down);
    (joint.stops ?? []).forEach((stop, end) => {
      if (stop === null) return;
      const [sign, reach] = end === 0 ? [-1, line?.behind ?? 0] : [1, line?.before ?? 0];
      this.strokes("stop", metal, 1.6, (frame, share) => {
        const along = this.poses.direction(joint.a.body, joint.axis, frame, share);
        const side = sideways(along, this.axes).multiplyScalar(2.2 * u);
        const foot = this.poses.place(joint.a, frame, share).add(line?.edge ?? new Vector3()).addScaledVector(along, stop + sign * reach);
        return this.hatched(foot.clone().sub(side), foot.add(side), along.multiplyScalar(sign));
      });
    });
  }
  // A line, and short slanted strokes on the side of what stands still.
  private hatched(from: Vector3, to: Vector3, away: Vector3): Vector3[] {
    const slant = to.clone().sub(from).setLength(-0.55 * this.unit).addScaledVector(away, 0.7 * this.unit);
    const pieces = 5;
    const strokes = Array.from({ length: pieces + 1 }, (_, k) => from.clone().lerp(to, k / pieces)).flatMap((at) => [at, at.clone().add(slant)]);
    return [from, to, ...strokes];
  }
  // On a tube the spring is around it, and the damper beside.
  private addOnTube(joint: Joint): void {
    const line = rail(joint, this.scene, this.poses, this.unit, this.down);
    if (line) return this.addOnRail(joint, line);
    const ends = this.along(joint, 0, 0);
    if (joint.spring) this.addCoil(joint, ends);
    if (!joint.damper) return;
    this.addDamper(this.beside(ends, 3));
    this.join(ends, 0, 3, "damper");
  }
  private addCoil(joint: Joint, ends: Ends): void {
    this.line("spring", text, 1.6, (frame, share) => {
      const [a, b] = ends(frame, share);
      const [, first, second] = this.across(joint, frame, share);
      return a.distanceTo(b) > 4 * this.unit ? this.coil(a, b, first, second) : [a, b];
    });
  }
  // Around the tube.
  private coil(a: Vector3, b: Vector3, first: Vector3, second: Vector3): Vector3[] {
    const [turns, corners, r] = [9, 14, 1.9 * this.unit];
    return Array.from({ length: turns * corners + 1 }, (_, k) => {
      const angle = (2 * Math.PI * k) / corners;
      return a
        .clone()
        .lerp(b, 0.15 + (0.7 * k) / (turns * corners))
        .addScaledVector(first, r * Math.cos(angle))
        .addScaledVector(second, r * Math.sin(angle));
    });
  }

}
