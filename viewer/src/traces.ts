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
  group: Group;
  past: Line2;
  shown: boolean;
}

export class Traces {
  readonly root = new Group();
  readonly list: Trace[] = [];

  constructor(run: RunDocument, poses: Poses, paint: Paint) {
    const joints = run.scene.joints.flatMap((joint) => [joint.a, joint.b]);
    const atJoint = (body: number, at: Vector) =>
      joints.some((place) => place.body === body && Math.hypot(...place.at.map((x, i) => x - at[i])) < 1e-9);
    run.scene.bodies.forEach((body, index) => {
      for (const point of body.points) {
        const path: Vector3[] = [];
        for (let frame = 0; frame < poses.frames; ++frame)
          path.push(poses.place({ body: index, at: point.at }, frame, 0));
        if (this.list.length >= most || path.length < 2 || path.some((at) => !Number.isFinite(at.x + at.y + at.z)))
          continue;
        this.add(`${body.name}.${point.name}`, path, paint, !atJoint(index, point.at));
      }
    });
  }

  private add(name: string, path: Vector3[], paint: Paint, shown: boolean): void {
    const role = seriesColor(this.list.length);
    const past = polyline(path, paint.line(role, 2));
    const group = new Group().add(polyline(path, paint.line(role, 1.2, 0.35)), past);
    group.visible = shown;
    this.list.push({ name, group, past, shown });
    this.root.add(group);
  }

  show(index: number, shown: boolean): void {
    this.list[index].shown = shown;
    this.list[index].group.visible = shown;
  }
  update(frame: number): void {
    for (const trace of this.list) showSegments(trace.past, frame);
  }
}
