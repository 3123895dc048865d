// Symbols of joints: pins, balls, sliders in their guides, and what stands on the ground.
import { Group, Matrix4, Quaternion, Vector3 } from "three";
import { Arrow } from "./arrow";
import type { Joint, Place, SceneDescription, Vector } from "./document";
import { disc, polygon, rectangle, type Flat } from "./flat";
import { as, dashDotted, polyline, setStrokes, strokes } from "./lines";
import { extent, guideSide, halfBlock, isHeld, isShaped, postPlace, rail, shaftEnd, shoeLength, threadRadius, travel, wayOut, type Rail } from "./guides";
import { pairsOf, type Ends, type Letter } from "./moving_lines";
import { background, bodyColor, mark, metal, text, type Paint } from "./paint";
import type { Swept } from "./places";
import type { Poses } from "./poses";
import { postHeight } from "./posts";
import { ball, rod, stretch as stretchTo } from "./solid";
import { axesOf, sideways, type Axes } from "./view";

export interface Moving {
  update(frame: number, share: number): void;
}

const slides = (joint: Joint) => joint.glyph === "slider";

export class JointSymbols {
  readonly group = new Group();
  readonly moving: Moving[] = [];
  readonly letters: Letter[] = [];
  private grounds: Vector3[] = [];

  constructor(
    private poses: Poses,
    private paint: Paint,
    private unit: number,
    private flat: Flat | null,
    private axes: Axes,
    private down: Vector3,
    private top: number, // layer above all bodies
    private scene: SceneDescription,
    private sweep: Swept,
  ) {}
  private isShaped(body: number): boolean {
    return isShaped(this.scene, body);
  }

  add(joint: Joint): void {
    if (joint.glyph === "") return;
    if (slides(joint)) this.addSlider(joint);
    else if (joint.glyph === "screw" && !this.flat) this.addScrew(joint);
    else if (this.isClamp(joint)) this.addClamp(joint);
    else if (this.flat) this.addPin(joint);
    else this.addKnuckle(joint);
    if ((joint.a.body < 0 || joint.b.body < 0) && !slides(joint) && !this.isClamp(joint)) {
      const out = this.poses.direction(joint.a.body, joint.axis, 0, 0).multiplyScalar(shaftEnd(joint, this.poses, this.down, this.unit));
      this.addGround(out.add(new Vector3(...(joint.a.body < 0 ? joint.a.at : joint.b.at))).toArray());
    }
  }

  // What is fixed to the ground sticks out of a wall.
  private isClamp(joint: Joint): boolean {
    return this.flat !== null && joint.glyph === "weld" && (joint.a.body < 0 || joint.b.body < 0);
  }
  private addClamp(joint: Joint): void {
    const out = wayOut(joint, this.scene, this.poses) ?? this.down.clone().negate();
    const side = this.axes.normal.clone().cross(out).normalize();
    const place = this.poses.place(joint.b, 0, 0);
    const at = (x: number, y: number) => place.clone().addScaledVector(side, x).addScaledVector(out, -y);
    const wall = as("ground", new Group());
    wall.add(polyline([at(-2.5 * this.unit, 0), at(2.5 * this.unit, 0)], this.paint.line(metal, 2)));
    this.hatch(wall, at, -2.3 * this.unit, 2.5 * this.unit, 0);
    this.group.add(wall);
  }

  private follow(object: Group, joint: Joint, turned: boolean): void {
    this.group.add(object);
    this.moving.push({
      update: (frame, share) => {
        object.position.copy(this.poses.place(joint.b, frame, share));
        if (turned) object.quaternion.copy(this.along(joint, frame, share));
      },
    });
  }
  // Turns x to the axis of the joint.
  private along(joint: Joint, frame: number, share: number): Quaternion {
    const axis = this.poses.direction(joint.a.body, joint.axis, frame, share);
    if (!this.flat) return new Quaternion().setFromUnitVectors(new Vector3(1, 0, 0), axis);
    const side = this.axes.normal.clone().cross(axis);
    return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(axis, side, this.axes.normal));
  }

  private addPin(joint: Joint): void {
    const welded = joint.glyph === "weld";
    const r = this.unit * (welded ? 0.3 : 0.5);
    const fill = joint.driven ? mark : welded ? metal : background;
    this.follow(
      as("pin", this.flat!.piece((grow) => [disc([0, 0], r + grow)], fill, this.top)),
      joint,
      false,
    );
  }

  // The end of a spring, damper or rod.
  addEnd(place: Place): void {
    const r = 0.45 * this.unit;
    const symbol = as("pin", this.flat ? this.flat.piece((grow) => [disc([0, 0], r + grow)], background, this.top) : new Group().add(ball(new Vector3(), r, this.paint.solid(metal))));
    this.group.add(symbol);
    this.moving.push({ update: (frame, share) => symbol.position.copy(this.poses.place(place, frame, share)) });
  }

  private addKnuckle(joint: Joint): void {
    const symbol = as("pin", new Group());
    const material = this.paint.solid(joint.driven ? mark : metal);
    const r = this.unit;
    const part = (from: number, to: number) => rod(new Vector3(from, 0, 0), new Vector3(to, 0, 0), 1.35 * r, material);
    const [back, front] = joint.shaft ?? [0, 0];
    if (joint.glyph === "pin" && joint.shaft) symbol.add(part(-back - 1.6 * r, -back), part(front, front + 1.6 * r)); // both ends of the shaft
    else if (joint.glyph === "pin") symbol.add(part(-1.5 * r, 1.5 * r));
    else if (joint.glyph !== "weld") symbol.add(ball(new Vector3(), 1.6 * r, material));
    this.follow(symbol, joint, joint.glyph === "pin");
  }

  // A thread on a over the way that b takes, and b's nut on it.
  private addScrew(joint: Joint): void {
    const r = this.unit;
    const nut = as("pin", new Group());
    const half = new Vector3(1.1 * r, 0, 0);
    const radius = threadRadius(joint, this.scene, this.poses, r);
    nut.add(rod(half.clone().negate(), half, radius + 0.7 * r, this.paint.solid(joint.driven ? mark : metal)));
    this.follow(nut, joint, true);
    const [low, high] = travel(joint, this.poses);
    const length = high - low + 4.8 * r;
    const axis = new Vector3(...joint.axis).normalize();
    const side = Math.abs(axis.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    const e1 = side.cross(axis).normalize();
    const e2 = axis.clone().cross(e1);
    const pieces = 16 * Math.round(Math.min(Math.max(length / (0.9 * r), 4), 60));
    const thread: Vector3[] = [];
    for (let k = 0; k <= pieces; ++k) {
      const angle = (2 * Math.PI * k) / 16;
      const at = new Vector3(...joint.a.at).addScaledVector(axis, low - 2.4 * r + (length * k) / pieces);
      thread.push(at.addScaledVector(e1, radius * Math.cos(angle)).addScaledVector(e2, radius * Math.sin(angle)));
    }
    const drawn = as("screw", new Group());
    this.group.add(drawn.add(strokes(pairsOf(thread), this.paint.line(text, 1.2))));
    if (joint.a.body < 0) return;
    this.moving.push({
      update: (frame, share) => {
        drawn.position.copy(this.poses.place({ body: joint.a.body, at: [0, 0, 0] }, frame, share));
        drawn.quaternion.copy(this.poses.turnOf(joint.a.body, frame, share));
      },
    });
  }

  // A block that slides, and its guide over the way that it takes; in space a tube that pulls out.
  private addSlider(joint: Joint): void {
    if (!this.flat) return this.addTube(joint);
    const [w, h] = [1.9 * this.unit, 1.2 * this.unit];
    const fill = joint.driven ? mark : joint.b.body >= 0 ? bodyColor(joint.b.body) : metal;
    if (this.isShaped(joint.b.body)) {
      if (joint.driven) this.follow(as("slider", this.flat.piece((grow) => [rectangle([0, 0], 0.5 * w + grow, 0.4 * h + grow)], mark, this.top)), joint, true);
    } else
      this.follow(
        as("slider", this.flat.piece((grow) => [rectangle([0, 0], w + grow, h + grow)], fill, 0.5)),
        joint,
        true,
      );
    if (joint.driven && joint.drive !== "cylinder") this.addPush(joint, w);
    this.addGuide(joint, h);
    if (joint.a.body < 0 && isHeld(joint) && postPlace(joint, this.scene, this.poses, this.unit) === 0) this.addGround(joint.a.at);
  }
  // An arrow along the guide, in front of what is driven.
  private addPush(joint: Joint, w: number): void {
    const front = Math.max(w, this.isShaped(joint.b.body) ? this.extent(joint.b, this.poses.direction(joint.a.body, joint.axis, 0, 0)) : 0);
    const [from, length] = [front + 0.6 * this.unit, 4.5 * this.unit];
    const arrow = new Arrow(this.paint, this.unit, { kind: joint.drive ?? "effort", role: mark, width: 2.5, over: false });
    const ends: Ends = (frame, share) => {
      const along = this.poses.direction(joint.a.body, joint.axis, frame, share);
      const begin = this.poses.place(joint.b, frame, share).addScaledVector(along, from);
      return [begin, begin.clone().addScaledVector(along, length)];
    };
    const across = (frame: number, share: number) => sideways(this.poses.direction(joint.a.body, joint.axis, frame, share), this.axes);
    this.group.add(arrow.root);
    this.moving.push({ update: (frame, share) => arrow.point(...ends(frame, share), across(frame, share)) });
    if (joint.drive !== "motor") return;
    const besides = this.flat && this.guideSide(joint).negate();
    this.letters.push((frame, share) => {
      const [begin, end] = ends(frame, share);
      const middle = begin.lerp(end, 0.5);
      return [middle, middle.clone().addScaledVector(besides ?? across(frame, share), 0.8 * this.unit)];
    });
  }

  private addGuide(joint: Joint, h: number): void {
    const [low, high] = travel(joint, this.poses);
    const along = this.poses.direction(joint.a.body, joint.axis, 0, 0);
    const [before, behind] = this.isShaped(joint.b.body) ? [this.extent(joint.b, along), this.extent(joint.b, along.clone().negate())] : [1.9 * this.unit, 1.9 * this.unit];
    const [from, to] = [low - behind - shoeLength(joint, this.unit) - 1.5 * this.unit, high + before + 1.5 * this.unit];
    const side = joint.a.body < 0 ? this.guideSide(joint) : new Vector3(...joint.axis).cross(this.axes.normal).normalize();
    const guide = as(joint.a.body < 0 ? "ground" : "guide", new Group());
    const axis = new Vector3(...joint.axis).normalize();
    const at = (x: number, y: number) => new Vector3(...joint.a.at).addScaledVector(axis, x).addScaledVector(side, y);
    const material = this.paint.line(metal, 2);
    const gap = (this.isShaped(joint.b.body) ? Math.max(h, this.extent(joint.b, side)) : h) + 0.28 * this.unit;
    guide.add(polyline([at(from, gap), at(to, gap)], material));
    if (joint.a.body >= 0) guide.add(polyline([at(from, -gap), at(to, -gap)], material));
    else this.hatch(guide, at, from, to, gap);
    this.addStops(guide, at, joint, [behind, before], this.isShaped(joint.b.body) ? gap : 1.5 * this.unit);
    this.group.add(guide);
    if (joint.a.body < 0) return;
    this.moving.push({
      update: (frame, share) => {
        guide.position.copy(this.poses.place({ body: joint.a.body, at: [0, 0, 0] }, frame, share));
        guide.quaternion.copy(this.poses.turnOf(joint.a.body, frame, share));
      },
    });
  }

  private extent(place: Joint["b"], side: Vector3): number {
    return extent(place, side, this.scene, this.poses);
  }
  private guideSide(joint: Joint): Vector3 {
    return guideSide(joint, this.scene, this.poses, this.axes.normal, this.down, this.unit);
  }

  // A hatched bar where the block meets an end stop.
  private addStops(group: Group, at: (x: number, y: number) => Vector3, joint: Joint, half: [number, number], wide: number): void {
    (joint.stops ?? []).forEach((stop, end) => {
      if (stop === null) return;
      const sign = end === 0 ? -1 : 1;
      const across = (y: number, x: number) => at(stop + sign * (half[end] + 0.2 * this.unit + x), y);
      const bar = as("stop", new Group());
      bar.add(polyline([across(-wide, 0), across(wide, 0)], this.paint.line(metal, 2)));
      group.add(bar);
      this.hatch(bar, across, -0.95 * wide, wide, 0);
    });
  }

  // Short slanted strokes below a line: it stands still.
  private hatch(group: Group, at: (x: number, y: number) => Vector3, from: number, to: number, y: number): void {
    const step = 0.9 * this.unit;
    const count = Math.min(Math.floor((to - from) / step), 200);
    const points = Array.from({ length: count + 1 }, (_, k) => {
      const x = from + (k * (to - from)) / Math.max(count, 1);
      return [at(x, y), at(x - 0.55 * this.unit, y + 0.7 * this.unit)];
    });
    group.add(strokes(points.flat(), this.paint.line(metal, 1)));
  }

  // Planes on the ground, over the way of what touches them; two that overlap are one.
  addPlanes(): void {
    const planes: { from: Vector3; along: Vector3; low: number; high: number }[] = [];
    for (const { fixed, offset } of this.scene.drawings) {
      if (!fixed) continue;
      const end = (frame: number, k: number) => this.poses.point(offset + 3 * k, frame, 0, new Vector3());
      const from = end(0, 0);
      const along = end(0, 1).sub(from).normalize();
      const places: number[] = [];
      for (let frame = 0; frame < this.poses.frames; frame += Math.max(1, Math.floor(this.poses.frames / 200)))
        for (const k of [0, 1]) places.push(end(frame, k).sub(from).dot(along));
      const seen = places.filter(Number.isFinite);
      let [low, high] = [Math.min(...seen), Math.max(...seen)];
      const known = planes.find((plane) => {
        const way = from.clone().sub(plane.from);
        const shift = way.dot(plane.along);
        const same = plane.along.dot(along) > 0.999 && way.cross(along).length() < 0.5 * this.unit && shift + high >= plane.low && shift + low <= plane.high;
        if (same) [low, high] = [shift + low, shift + high];
        return same;
      });
      if (known) [known.low, known.high] = [Math.min(known.low, low), Math.max(known.high, high)];
      else planes.push({ from, along, low, high });
    }
    for (const { from, along, low, high } of planes) {
      const away = this.axes.normal.clone().cross(along).multiplyScalar(this.scene.plane === "xz" ? -1 : 1);
      const at = (x: number, y: number) => from.clone().addScaledVector(along, x).addScaledVector(away, y);
      const plane = as("ground", new Group());
      plane.add(polyline([at(low, 0), at(high, 0)], this.paint.line(metal, 2)));
      this.hatch(plane, at, low, high, 0);
      this.group.add(plane);
    }
  }

  // In space a slider is a tube that pulls out; on the ground, where the body has a shape of its own, a line along which a block moves.
  private addTube(joint: Joint): void {
    const line = rail(joint, this.scene, this.poses, this.unit, this.down);
    if (joint.driven && !(line && joint.drive === "cylinder")) this.addPush(joint, 1.4 * this.unit);
    if (line) return this.addRail(joint, line);
    const nearest = Math.min(...travel(joint, this.poses).map(Math.abs));
    if (joint.a.body < 0) this.addGround(joint.a.at);
    const colorOf = (body: number) => this.paint.solid(body >= 0 ? bodyColor(body) : metal);
    const sleeve = rod(new Vector3(), new Vector3(1, 0, 0), 1.25 * this.unit, colorOf(joint.a.body));
    const moved = joint.driven ? this.paint.solid(mark) : colorOf(joint.b.body);
    const piston = rod(new Vector3(), new Vector3(1, 0, 0), 0.7 * this.unit, moved);
    this.group.add(as("slider", sleeve), as("slider", piston));
    this.moving.push({
      update: (frame, share) => {
        const a = this.poses.place(joint.a, frame, share);
        const b = this.poses.place(joint.b, frame, share);
        const length = a.distanceTo(b);
        const part = length > 0 ? Math.max((0.62 * nearest) / length, 0.02) : 0.02;
        stretchTo(sleeve, a, a.clone().lerp(b, Math.min(part, 1)));
        stretchTo(piston, a.clone().lerp(b, Math.min(0.5 * part, 0.5)), b); // it begins inside its sleeve
      },
    });
  }
  private addRail(joint: Joint, { from, to, edge }: Rail): void {
    const r = this.unit;
    const half = new Vector3(halfBlock * r, 0, 0);
    const fill = joint.driven ? mark : joint.b.body >= 0 ? bodyColor(joint.b.body) : metal;
    const block = as("slider", rod(half.clone().negate(), half, 1.2 * r, this.paint.solid(fill)));
    this.follow(new Group().add(block), joint, true);
    block.position.add(edge.clone().applyQuaternion(this.along(joint, 0, 0).invert()));
    const ends = (frame: number, share: number) => {
      const along = this.poses.direction(joint.a.body, joint.axis, frame, share);
      const at = this.poses.place(joint.a, frame, share).add(edge);
      return [at.clone().addScaledVector(along, from), at.addScaledVector(along, to)];
    };
    const line = as("guide", strokes(dashDotted(ends(0, 0), r), this.paint.line(text, 1.4)));
    this.group.add(line);
    if (joint.a.body < 0 && !isHeld(joint)) this.addGround(ends(0, 0)[0].toArray()); // else a wall holds it
    if (joint.a.body >= 0) this.moving.push({ update: (frame, share) => setStrokes(line, dashDotted(ends(frame, share), r)) });
  }

  // Once at each place, whatever stands there.
  addGround(at: Vector): void {
    const place = new Vector3(...at);
    if (this.grounds.some((other) => other.distanceTo(place) < 1e-6 * this.unit)) return;
    this.grounds.push(place);
    const symbol = as("ground", new Group());
    const r = this.unit;
    if (this.flat) {
      const [dx, dy] = this.flat.inPlane(this.down);
      const turn = Math.atan2(dy, dx) + Math.PI / 2;
      const spin = ([x, y]: [number, number]): [number, number] => [
        x * Math.cos(turn) - y * Math.sin(turn),
        x * Math.sin(turn) + y * Math.cos(turn),
      ];
      const triangle = (grow: number) =>
        polygon([
          spin([0, 0.5 * r + 2 * grow]),
          spin([-1.5 * r - 2 * grow, -2 * r - grow]),
          spin([1.5 * r + 2 * grow, -2 * r - grow]),
        ]);
      symbol.add(this.flat.piece((grow) => [triangle(grow)], background, 0));
      const axes = this.axes;
      const at = (x: number, y: number) => {
        const [u, v] = spin([x, -y]);
        return new Vector3().addScaledVector(axes.right, u).addScaledVector(axes.up, v);
      };
      symbol.add(polyline([at(-2.3 * r, 2 * r), at(2.3 * r, 2 * r)], this.paint.line(metal, 2)));
      this.hatch(symbol, at, -2.2 * r, 2.2 * r, 2 * r);
    } else {
      const foot = this.down.clone().multiplyScalar(baseDepth * r);
      symbol.add(rod(foot.clone().multiplyScalar(0.5), foot, baseRadius * r, this.paint.solid(metal)));
      const height = postHeight(place, this.sweep, this.down, baseRadius * r);
      if (height > 0) symbol.add(rod(foot, this.down.clone().multiplyScalar(height), 0.5 * r, this.paint.solid(metal)));
    }
    symbol.position.copy(place);
    this.group.add(symbol);
  }
}

// Of a base in space, in drawing units.
export const [baseDepth, baseRadius] = [2.4, 2.6];

// Down where the picture is looked at: with gravity, else with the plane.
export function downOf(gravity: [number, number, number] | null, plane: "" | "xy" | "xz" | "yz"): Vector3 {
  const g = gravity ? new Vector3(...gravity) : new Vector3();
  if (g.length() > 1e-9) return g.normalize();
  return plane ? axesOf(plane).up.clone().negate() : new Vector3(0, 0, -1);
}
