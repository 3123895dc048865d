// What lies under the pointer: a place of a body, a point of a beam or of a drawn line.
import { Raycaster, Vector2, Vector3, type Intersection, type Mesh, type Object3D } from "three";
import type { Grip } from "./compute/model";
import type { RunDocument } from "./document";
import type { Machine } from "./machine";
import { reachedPlaces } from "./places";
import type { Poses } from "./poses";
import type { View } from "./view";

export interface Picked {
  grip: Grip;
  body: number; // -1: a drawn line
  at: Vector3; // in ground axes
}

export class Picker {
  private ray = new Raycaster();

  constructor(
    private run: RunDocument,
    private poses: Poses,
    private machine: Machine,
    private view: View,
    private canvas: HTMLElement,
  ) {}

  // radius: px within which a joint or a point is meant.
  pick(x: number, y: number, frame: number, share: number, radius: number): Picked | null {
    const near = this.nearest(x, y, frame, share);
    if (near && near.distance < radius) return near.picked;
    const hit = this.hit(x, y);
    if (!hit) return near && near.distance < 1.6 * radius ? near.picked : null;
    const local = this.machine.bodies[hit.body].worldToLocal(hit.at.clone());
    return { grip: this.onBody(hit.body, local), body: hit.body, at: hit.at };
  }

  // Raw frames have twelve numbers a pose, those of documents seven.
  private onBody(body: number, local: Vector3): Grip {
    return { raw: (this.run.scene.bodies[body].offset / 7) * 12, local: [local.x, local.y, local.z] };
  }
  private onPoint(offset: number): Grip {
    const poses = this.run.scene.bodies.length;
    return { raw: 12 * poses + (offset - 7 * poses), local: null };
  }

  private *candidates(frame: number, share: number): Generator<Picked> {
    const { scene } = this.run;
    for (const [body, description] of scene.bodies.entries()) {
      const { beam } = description;
      if (beam) {
        const points = this.poses.beamPoints(description, frame, share);
        for (let k = 0; k < beam.nodes; ++k) yield { grip: this.onPoint(beam.offset + 3 * k), body, at: points[k] };
        continue;
      }
      for (const place of reachedPlaces(scene, body))
        yield { grip: this.onBody(body, place), body, at: this.poses.place({ body, at: [place.x, place.y, place.z] }, frame, share) };
    }
    for (const drawing of scene.drawings)
      for (let k = 0; k < drawing.points; ++k) {
        const offset = drawing.offset + 3 * k;
        yield { grip: this.onPoint(offset), body: -1, at: this.poses.point(offset, frame, share, new Vector3()) };
      }
  }
  private nearest(x: number, y: number, frame: number, share: number): { picked: Picked; distance: number } | null {
    const { width, height } = this.canvas.getBoundingClientRect();
    let best: { picked: Picked; distance: number } | null = null;
    for (const picked of this.candidates(frame, share)) {
      const seen = picked.at.clone().project(this.view.camera);
      if (!(seen.z < 1)) continue;
      const distance = Math.hypot(((seen.x + 1) / 2) * width - x, ((1 - seen.y) / 2) * height - y);
      if (!best || distance < best.distance) best = { picked, distance };
    }
    return best;
  }

  // The surface nearest to the viewer.
  private hit(x: number, y: number): { body: number; at: Vector3 } | null {
    const { width, height } = this.canvas.getBoundingClientRect();
    this.ray.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.view.camera);
    let best: { body: number; found: Intersection } | null = null;
    this.machine.bodies.forEach((group, body) => {
      for (const mesh of surfaces(group))
        for (const found of this.ray.intersectObject(mesh, false)) if (!best || found.distance < best.found.distance) best = { body, found };
    });
    const nearest = best as { body: number; found: Intersection } | null;
    return nearest && { body: nearest.body, at: nearest.found.point };
  }
}

// Meshes that are seen; lines with a width are meshes, too, but no surfaces.
function surfaces(group: Object3D): Mesh[] {
  if (!group.visible) return [];
  const own = (group as Mesh).isMesh && !("isLineSegments2" in group) ? [group as Mesh] : [];
  return [...own, ...group.children.flatMap(surfaces)];
}
