// Over the machine: axes, centers of mass, arrows for the velocities of these, for the forces that joints apply to their second bodies, and for what
// can move at a singular pose. Colors as in `armature draw` (src/report/pose_marks.cpp).
import { CircleGeometry, Group, Mesh, Quaternion, Vector3 } from "three";
import { Arrow } from "./arrow";
import { float32, float64, type Joint, type Place, type RunDocument } from "./document";
import { as } from "./lines";
import { background, bad, seriesColor, text, type Paint, type Role } from "./paint";
import { locate } from "./player";
import type { Poses } from "./poses";
import { basis, sideways, type Axes } from "./view";

const longest = 0.25; // of the picture: the arrow of the largest velocity of the run
const samples = 200; // frames in which the largest one is looked for
const [velocityColor, freeColor] = [seriesColor(0), seriesColor(2)];

interface Center {
  body: number;
  at: [number, number, number];
  disc: Group;
  arrow: Arrow;
}

// A joint whose reaction is recorded.
interface Reaction {
  joint: Joint;
  parts: Float32Array[]; // fx, fy, fz
  arrow: Arrow;
}

// Joints whose reactions the run has recorded.
export function reactionsIn({ scene, series }: RunDocument): { joint: Joint; parts: Float32Array[] }[] {
  const channels = new Map(series.channels.map((channel) => [channel.name, channel]));
  return scene.joints.flatMap((joint) => {
    const parts = ["fx", "fy", "fz"].map((part) => channels.get(`${joint.name}.${part}`));
    return parts.every(Boolean) ? [{ joint, parts: parts.map((channel) => float32(channel!.data)) }] : [];
  });
}

// An arrow for what can move at a singular pose: on a body or a joint.
interface Free {
  place: Place;
  arrow: Arrow;
}

// Of the ground or of a body.
interface Axis {
  body: number;
  along: [number, number, number];
  arrow: Arrow;
}

export const markKinds = ["frames", "centers", "velocities", "reactions", "free"] as const;
export type MarkKind = (typeof markKinds)[number];

export class Marks {
  readonly root = new Group();
  private centers: Center[] = [];
  private scale = 0; // m of arrow per m/s; 0: not known yet
  private shown: Record<MarkKind, boolean> = { frames: false, centers: false, velocities: false, reactions: false, free: false };
  private frames: Axis[] = [];
  private free: Free[] = [];
  private poseTimes: number[] = []; // of singular poses
  private ways: Float32Array[] = [];
  private reactions: Reaction[] = [];
  private largestReaction = 0;
  private times: Float64Array = new Float64Array();

  constructor(
    private run: RunDocument,
    private poses: Poses,
    private paint: Paint,
    private unit: number,
    private axes: Axes,
    private size: number, // of the picture, m
  ) {}

  // Made when it is first shown.
  private make(): void {
    this.run.scene.bodies.forEach((body, index) => {
      if (!(body.mass > 0) || body.beam) return;
      const disc = this.quartered();
      this.root.add(disc);
      this.centers.push({ body: index, at: body.center, disc, arrow: this.arrow("velocity", velocityColor) });
    });
  }
  // A disc of four quarters, two of them dark; never hidden by what it belongs to.
  private quartered(): Group {
    const disc = as("center", new Group());
    const add = (role: Role, r: number, from = 0, angle = 2 * Math.PI) => {
      const part = new Mesh(new CircleGeometry(r * this.unit, 48, from, angle), this.paint.flat(role));
      part.material.depthTest = false;
      part.renderOrder = 3 + disc.children.length;
      part.position.z = 0.01 * this.unit * disc.children.length;
      disc.add(part);
    };
    add(text, 1.1);
    add(background, 0.95);
    for (const quarter of [1, 3]) add(text, 1.1, (quarter * Math.PI) / 2, Math.PI / 2);
    return disc;
  }

  // x orange, y green, z blue.
  private makeFrames(): void {
    for (const body of [-1, ...this.run.scene.bodies.keys()])
      [1, 2, 0].forEach((color, axis) => this.frames.push({ body, along: new Vector3().setComponent(axis, 1).toArray(), arrow: this.arrow("frame", seriesColor(color)) }));
  }

  private makeReactions(): void {
    this.times = float64(this.run.series.t);
    for (const { joint, parts } of reactionsIn(this.run)) {
      this.reactions.push({ joint, parts, arrow: this.arrow("reaction", bad) });
      for (let k = 0; k < this.times.length; ++k) {
        const size = Math.hypot(parts[0][k], parts[1][k], parts[2][k]);
        if (Number.isFinite(size)) this.largestReaction = Math.max(this.largestReaction, size);
      }
    }
  }

  // One arrow a place, for all singular poses.
  private makeFree(): void {
    const { scene, free = [] } = this.run;
    this.poseTimes = free.map(({ t }) => t);
    this.ways = free.map(({ ways }) => float32(ways));
    const bodies = scene.bodies.map((body, index): Place => ({ body: index, at: body.center }));
    for (const place of [...bodies, ...scene.joints.map(({ b }) => b)]) this.free.push({ place, arrow: this.arrow("free", freeColor) });
  }
  private arrow(kind: string, role: Role): Arrow {
    const arrow = new Arrow(this.paint, this.unit, { kind, role, width: 2.5, over: true });
    this.root.add(arrow.root);
    return arrow;
  }

  show(what: MarkKind, shown: boolean): void {
    this.shown[what] = shown;
    if (shown && what === "free" && this.free.length === 0) this.makeFree();
    if (shown && what === "frames" && this.frames.length === 0) this.makeFrames();
    if (shown && what === "reactions" && this.reactions.length === 0) this.makeReactions();
    if (shown && (what === "centers" || what === "velocities") && this.centers.length === 0) this.make();
    for (const { disc } of this.centers) disc.visible = this.shown.centers;
    for (const { arrow } of this.frames) arrow.root.visible = this.shown.frames;
  }

  // A frame that is held in place of the motion has neither velocities nor forces.
  update(frame: number, share: number): void {
    if (this.shown.frames)
      for (const { body, along, arrow } of this.frames)
        this.point(arrow, this.poses.place({ body, at: [0, 0, 0] }, frame, share), this.poses.direction(body, along, frame, share), 6 * this.unit);
    const turn = new Quaternion().setFromRotationMatrix(basis(this.axes)); // towards the reader
    for (const center of this.centers) {
      center.disc.position.copy(this.poses.place(center, frame, share));
      center.disc.quaternion.copy(turn);
    }
    for (const { arrow } of [...this.centers, ...this.reactions, ...this.free]) arrow.root.visible = false;
    if (this.poses.held) return;
    if (this.shown.velocities) for (const center of this.centers) this.pointVelocity(center, frame, share);
    if (this.shown.reactions) for (const reaction of this.reactions) this.pointReaction(reaction, frame, share);
    if (this.shown.free) this.pointFree(frame, share);
  }

  private pointVelocity(center: Center, frame: number, share: number): void {
    if (this.scale === 0) this.scale = this.arrowScale();
    this.point(center.arrow, this.poses.place(center, frame, share), this.velocity(center, frame), this.scale);
  }

  private pointReaction({ joint, parts, arrow }: Reaction, frame: number, share: number): void {
    const { times } = this.poses;
    const next = Math.min(frame + 1, times.length - 1);
    const [k, part] = locate(this.times, times[frame] + share * (times[next] - times[frame]));
    const [x, y, z] = parts.map((values) => values[k] + (part > 0 ? part * (values[k + 1] - values[k]) : 0));
    const body = joint.reaction_axes === "ground" ? -1 : joint.reaction_axes === "second" ? joint.b.body : joint.a.body;
    const size = Math.hypot(x, y, z);
    const force = size > 0 ? this.poses.direction(body, [x, y, z], frame, share).multiplyScalar(size) : new Vector3();
    this.point(arrow, this.poses.place(joint.b, frame, share), force, this.largestReaction > 0 ? (longest * this.size) / this.largestReaction : 0);
  }

  // At the singular pose that is nearest in time, if that is not farther than the next frame.
  private pointFree(frame: number, share: number): void {
    const { times } = this.poses;
    const [from, to] = [times[Math.max(frame - 1, 0)], times[Math.min(frame + 1, times.length - 1)]];
    const t = times[frame] + share * (times[Math.min(frame + 1, times.length - 1)] - times[frame]);
    const [nearest] = this.poseTimes.map((_, k) => k).sort((a, b) => Math.abs(this.poseTimes[a] - t) - Math.abs(this.poseTimes[b] - t));
    if (!(this.poseTimes[nearest] >= from && this.poseTimes[nearest] <= to)) return;
    this.free.forEach(({ place, arrow }, k) => {
      const way = new Vector3().fromArray(this.ways[nearest], 3 * k);
      if (way.length() > 0.02) this.point(arrow, this.poses.place(place, frame, share), way, longest * this.size);
    });
  }

  // By the parabola through three frames, the one before and the one after if there are, so that who starts from rest has none; two frames of
  // one time, as at an impact, make it a secant.
  private velocity(center: Center, frame: number): Vector3 {
    const { times } = this.poses;
    const last = times.length - 1;
    const middle = Math.min(Math.max(frame, 1), last - 1);
    const place = (k: number) => this.poses.place(center, k, 0);
    const secant = (from: number, to: number) => (times[to] > times[from] ? place(to).sub(place(from)).divideScalar(times[to] - times[from]) : new Vector3());
    const [before, after] = [times[middle] - times[middle - 1], times[middle + 1] - times[middle]];
    if (!(before > 0 && after > 0)) return secant(Math.max(frame - 1, 0), Math.min(frame + 1, last));
    const bend = secant(middle, middle + 1)
      .sub(secant(middle - 1, middle))
      .divideScalar(before + after);
    return secant(middle - 1, middle).addScaledVector(bend, 2 * times[frame] - times[middle] - times[middle - 1]);
  }
  private arrowScale(): number {
    let largest = 0;
    const every = Math.max(1, Math.floor(this.poses.frames / samples));
    for (let frame = 0; frame < this.poses.frames; frame += every)
      for (const center of this.centers) {
        const speed = this.velocity(center, frame).length();
        if (Number.isFinite(speed)) largest = Math.max(largest, speed);
      }
    return largest > 0 ? (longest * this.size) / largest : 1;
  }
  private point(arrow: Arrow, at: Vector3, vector: Vector3, scale: number): void {
    const way = vector.clone().multiplyScalar(scale);
    arrow.root.visible = way.clone().projectOnPlane(this.axes.normal).length() > 0.5 * this.unit;
    if (arrow.root.visible) arrow.point(at, at.clone().add(way), sideways(way, this.axes));
  }
}
