// Paths of named points: the whole path faintly, what is behind strongly.
import { Group, type Vector3 } from "three";
import type { Line2 } from "three/examples/jsm/lines/Line2.js";
import type { RunDocument, Vector } from "./document";
import { polyline, showSegments } from "./lines";
import { seriesColor, type Paint } from "./paint";
import type { Poses } from "./poses";

const most = 24; // points whose paths are offered

interface Trace {
  name: string;
  body: number;
  at: Vector;
  past: Line2 | null; // made when it is first shown
  group: Group;
  shown: boolean;
}

export class Traces {
  readonly root = new Group();
  readonly list: Trace[] = [];
  private frame = 0;

  constructor(
    run: RunDocument,
    private poses: Poses,
    private paint: Paint,
  ) {
    const joints = run.scene.joints.flatMap((joint) => [joint.a, joint.b]);
    const atJoint = (body: number, at: Vector) =>
      joints.some((place) => place.body === body && Math.hypot(...place.at.map((x, i) => x - at[i])) < 1e-9);
    if (poses.frames < 2) return;
    run.scene.bodies.forEach((body, index) => {
      for (const point of body.points) {
        const first = poses.place({ body: index, at: point.at }, 0, 0);
        if (this.list.length >= most || !Number.isFinite(first.x + first.y + first.z)) continue;
        const group = new Group();
        this.root.add(group);
        this.list.push({ name: `${body.name}.${point.name}`, body: index, at: point.at, past: null, group, shown: false });
        this.show(this.list.length - 1, !atJoint(index, point.at));
      }
    });
  }

  // Up to where the path is known: a run may end in numbers that are none.
  private path(trace: Trace): Vector3[] {
    const path: Vector3[] = [];
    const { held } = this.poses;
    this.poses.held = null;
    for (let frame = 0; frame < this.poses.frames; ++frame) {
      const at = this.poses.place({ body: trace.body, at: trace.at }, frame, 0);
      if (!Number.isFinite(at.x + at.y + at.z)) break;
      path.push(at);
    }
    this.poses.held = held;
    return path;
  }
  private make(trace: Trace, index: number): void {
    const path = this.path(trace);
    if (path.length < 2) return;
    const role = seriesColor(index);
    trace.past = polyline(path, this.paint.line(role, 2));
    trace.group.add(polyline(path, this.paint.line(role, 1.6, 0.55)), trace.past);
    showSegments(trace.past, Math.min(this.frame, path.length - 1));
  }

  show(index: number, shown: boolean): void {
    const trace = this.list[index];
    if (shown && !trace.past) this.make(trace, index);
    trace.shown = shown;
    trace.group.visible = shown;
  }
  update(frame: number): void {
    this.frame = frame;
    for (const trace of this.list) if (trace.past) showSegments(trace.past, frame);
  }
}
