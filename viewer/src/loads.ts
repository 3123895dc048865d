// Applied forces and torques: their vectors, and the largest, by which arrows are as long as the forces are large.
import { Group, Vector3 } from "three";
import { Arrow } from "./arrow";
import type { Load, SceneDescription } from "./document";
import type { Measures } from "./measures";
import { mark, type Paint } from "./paint";
import type { Poses } from "./poses";
import type { Moving } from "./symbols";
import { acrossAxis, sideways, type Axes } from "./view";

export const longestForce = 0.2; // of the picture: the arrow of the largest force of the run
const samples = 100; // frames in which the largest one is looked for

export function loadVector(load: Load, poses: Poses): (frame: number, share: number) => Vector3 {
  return (frame, share) => {
    const is = poses.point(load.offset, frame, share, new Vector3());
    return load.in_body ? poses.direction(load.at.body, [is.x, is.y, is.z], frame, share).multiplyScalar(is.length()) : is;
  };
}

export function sampledFrames(poses: Poses, count = samples): number[] {
  const every = Math.max(1, Math.floor(poses.frames / count));
  return Array.from({ length: Math.ceil(poses.frames / every) }, (_, k) => k * every);
}

export const drawnLoads = (scene: SceneDescription, kind: Load["kind"]): Load[] => (scene.loads ?? []).filter((load) => load.kind === kind && load.offset >= 0);

export function largestLoad(scene: SceneDescription, kind: Load["kind"], poses: Poses): number {
  const vectors = drawnLoads(scene, kind).map((load) => loadVector(load, poses));
  const sizes = sampledFrames(poses).flatMap((frame) => vectors.map((vector) => vector(frame, 0).length()));
  return sizes.filter(Number.isFinite).reduce((most, size) => Math.max(most, size), 0);
}

// Their arrows.
export class Loads {
  readonly group = new Group();
  readonly moving: Moving[] = [];

  constructor(
    private measures: Measures,
    private paint: Paint,
    private axes: Axes,
    private size: number, // of the picture, m
  ) {
    const { scene } = measures;
    for (const load of drawnLoads(scene, "force")) this.addForce(load);
    for (const load of drawnLoads(scene, "torque")) this.addTorque(load);
  }
  // point: turns it to where it points then; false: nowhere.
  private arrow(kind: string, point: (arrow: Arrow, frame: number, share: number) => boolean): void {
    const arrow = new Arrow(this.paint, this.measures.unit, { kind, role: mark, width: 2.5, over: false });
    this.group.add(arrow.root);
    this.moving.push({ update: (frame, share) => (arrow.root.visible = point(arrow, frame, share)) });
  }

  // About the torque.
  private addTorque(load: Load): void {
    const { scene, poses, unit } = this.measures;
    const vector = loadVector(load, poses);
    const largest = largestLoad(scene, "torque", poses);
    if (!(largest > 0)) return;
    this.arrow("torque", (arrow, frame, share) => {
      const torque = vector(frame, share);
      if (!(torque.length() > 1e-3 * largest)) return false;
      arrow.turn(poses.place(load.at, frame, share), ...acrossAxis(torque.normalize()), 3.2 * unit, 0, 4.4, this.axes);
      return true;
    });
  }
  private addForce(load: Load): void {
    const { scene, poses, unit } = this.measures;
    const vector = loadVector(load, poses);
    const largest = largestLoad(scene, "force", poses);
    if (!(largest > 0)) return;
    this.arrow("force", (arrow, frame, share) => {
      const way = vector(frame, share).multiplyScalar((longestForce * this.size) / largest);
      if (!(way.length() > 0.5 * unit)) return false;
      const at = poses.place(load.at, frame, share);
      arrow.point(at, at.clone().add(way), sideways(way, this.axes));
      return true;
    });
  }
}
