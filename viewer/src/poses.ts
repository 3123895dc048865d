// Where everything is at a time: poses of bodies and points of beams, between two frames on the straight way.
import { Matrix4, Quaternion, Vector3 } from "three";
import { float32, float64, type Body, type Place, type RunDocument, type Vector } from "./document";

const one = new Vector3(1, 1, 1);

export class Poses {
  readonly times: Float64Array;
  private data: Float32Array;
  private stride: number;
  private turnA = new Quaternion();
  private turnB = new Quaternion();
  beamScale = 1; // exaggerates how beams bend
  held: Float32Array | null = null; // one frame that is shown at every time: a pose of the machine by hand

  constructor(private run: RunDocument) {
    this.times = float64(run.frames.t);
    this.data = float32(run.frames.data);
    this.stride = run.frames.stride;
  }

  get frames(): number {
    return this.times.length;
  }

  // Three numbers of a frame, `share` of the way to the next one.
  point(offset: number, frame: number, share: number, out: Vector3): Vector3 {
    const at = (this.held ? 0 : frame * this.stride) + offset;
    const d = this.held ?? this.data;
    out.set(d[at], d[at + 1], d[at + 2]);
    if (share > 0 && frame + 1 < this.frames && !this.held) {
      const to = at + this.stride;
      out.x += share * (d[to] - d[at]);
      out.y += share * (d[to + 1] - d[at + 1]);
      out.z += share * (d[to + 2] - d[at + 2]);
    }
    return out;
  }

  turn(body: Body, frame: number, share: number, out: Quaternion): Quaternion {
    if (this.held) return out.fromArray(this.held, body.offset + 3);
    const at = frame * this.stride + body.offset + 3;
    out.copy(this.turnA.fromArray(this.data, at));
    if (share > 0 && frame + 1 < this.frames) out.slerp(this.turnB.fromArray(this.data, at + this.stride), share);
    return out;
  }

  turnOf(bodyIndex: number, frame: number, share: number): Quaternion {
    return this.turn(this.run.scene.bodies[bodyIndex], frame, share, new Quaternion());
  }

  pose(body: Body, frame: number, share: number, out: Matrix4): Matrix4 {
    return out.compose(
      this.point(body.offset, frame, share, new Vector3()),
      this.turn(body, frame, share, new Quaternion()),
      one,
    );
  }

  // Points along a beam, its bending exaggerated: from its chord where both ends are held, else from its straight shape.
  beamPoints(body: Body, frame: number, share: number): Vector3[] {
    const beam = body.beam!;
    const points: Vector3[] = [];
    for (let k = 0; k < beam.nodes; ++k) points.push(this.point(beam.offset + 3 * k, frame, share, new Vector3()));
    if (this.beamScale === 1) return points;
    const first = points[0].clone();
    const end = beam.held ? points[points.length - 1].clone() : this.straightEnd(body, frame, share);
    points.forEach((point, k) => {
      const straight = first.clone().lerp(end, k / (beam.nodes - 1));
      point.sub(straight).multiplyScalar(this.beamScale).add(straight);
    });
    return points;
  }
  // Sizes of the stress or bending moment at its points; and the largest of the whole motion, by units.
  beamLoads(body: Body, frame: number, share: number): number[] {
    const beam = body.beam!;
    const d = this.held ?? this.data;
    const at = (this.held ? 0 : frame * this.stride) + beam.load;
    const next = share > 0 && frame + 1 < this.frames && !this.held ? this.stride : 0;
    return Array.from({ length: beam.nodes }, (_, k) => Math.abs(d[at + k] + share * (d[at + k + next] - d[at + k])));
  }
  largestLoads(): Record<string, number> {
    const largest: Record<string, number> = {};
    for (const { beam } of this.run.scene.bodies)
      for (let frame = 0; beam && frame < this.frames; ++frame)
        for (let k = 0; k < beam.nodes; ++k)
          largest[beam.unit] = Math.max(largest[beam.unit] ?? 0, Math.abs(this.data[frame * this.stride + beam.load + k]));
    return largest;
  }
  private straightEnd(body: Body, frame: number, share: number): Vector3 {
    return new Vector3(body.beam!.length, 0, 0).applyMatrix4(this.pose(body, frame, share, new Matrix4()));
  }

  place(place: Place, frame: number, share: number): Vector3 {
    const at = new Vector3(...place.at);
    if (place.body < 0) return at;
    const body = this.run.scene.bodies[place.body];
    if (body.beam) return this.onBeam(body, place.at, frame, share);
    return at.applyMatrix4(this.pose(body, frame, share, new Matrix4()));
  }
  private onBeam(body: Body, at: Vector, frame: number, share: number): Vector3 {
    const points = this.beamPoints(body, frame, share);
    const along = Math.min(Math.max(at[0] / body.beam!.length, 0), 1) * (points.length - 1);
    const k = Math.min(Math.floor(along), points.length - 2);
    return points[k].clone().lerp(points[k + 1], along - k);
  }

  // A direction given in a body's axes.
  direction(bodyIndex: number, axis: Vector, frame: number, share: number): Vector3 {
    const out = new Vector3(...axis).normalize();
    if (bodyIndex < 0) return out;
    return out.applyQuaternion(this.turn(this.run.scene.bodies[bodyIndex], frame, share, new Quaternion()));
  }
}
