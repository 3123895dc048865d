// Over the machine: centers of mass, arrows for the velocities of these, for the forces that joints apply to their second bodies, and for what
// can move at a singular pose. Colors as in `armature draw` (src/report/pose_marks.cpp).
import { Group, Vector3, type Mesh } from "three";
import { Arrow } from "./arrow";
import { float32, float64, type Joint, type Place, type RunDocument } from "./document";
import { as } from "./lines";
import { bad, seriesColor, text, type Paint, type Role } from "./paint";
import { locate } from "./player";
import type { Poses } from "./poses";
import { ball } from "./solid";
import { sideways } from "./view";

const longest = 0.25; // of the picture: the arrow of the largest velocity of the run
const samples = 200; // frames in which the largest one is looked for
const [velocityColor, freeColor] = [seriesColor(0), seriesColor(2)];

interface Center {
  body: number;
  at: [number, number, number];
  dot: Mesh;
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

export const markKinds = ["centers", "velocities", "reactions", "free"] as const;
export type MarkKind = (typeof markKinds)[number];

export class Marks {
  readonly root = new Group();
  private centers: Center[] = [];
  private scale = 0; // m of arrow per m/s; 0: not known yet
  private shown: Record<MarkKind, boolean> = { centers: false, velocities: false, reactions: false, free: false };
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
    private size: number, // of the picture, m
  ) {}

  // Made when it is first shown.
  private make(): void {
    this.run.scene.bodies.forEach((body, index) => {
      if (!(body.mass > 0) || body.beam) return;
      const disc = this.paint.flat(text);
      disc.depthTest = false; // never hidden by what it belongs to
      const dot = ball(new Vector3(), 0.42 * this.unit, disc);
      dot.renderOrder = 2;
      this.root.add(as("center", dot));
      this.centers.push({ body: index, at: body.center, dot, arrow: this.arrow("velocity", velocityColor) });
    });
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
    if (shown && what === "reactions" && this.reactions.length === 0) this.makeReactions();
    if (shown && (what === "centers" || what === "velocities") && this.centers.length === 0) this.make();
    for (const { dot } of this.centers) dot.visible = this.shown.centers;
  }

  // A frame that is held in place of the motion has neither velocities nor forces.
  update(frame: number, share: number): void {
    for (const center of this.centers) center.dot.position.copy(this.poses.place(center, frame, share));
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

  // By the frames before and after.
  private velocity(center: Center, frame: number): Vector3 {
    const { times } = this.poses;
    const [from, to] = [Math.max(frame - 1, 0), Math.min(frame + 1, times.length - 1)];
    if (!(times[to] > times[from])) return new Vector3();
    return this.poses
      .place(center, to, 0)
      .sub(this.poses.place(center, from, 0))
      .divideScalar(times[to] - times[from]);
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
    arrow.root.visible = way.length() > 0.5 * this.unit;
    if (arrow.root.visible) arrow.point(at, at.clone().add(way), sideways(way, this.run.scene.plane));
  }
}
