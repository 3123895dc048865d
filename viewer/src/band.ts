// A filled strip between two lines, with an outline: cylinders, gas springs, shoes of brakes.
import { BufferAttribute, BufferGeometry, Group, Mesh, Vector3 } from "three";
import type { Line2 } from "three/examples/jsm/lines/Line2.js";
import { as, polyline, setPoints } from "./lines";
import type { Paint, Role } from "./paint";

export interface BandLook {
  kind: string;
  fill: Role;
  edge: Role;
  over: boolean; // everything else
}

export class Band {
  readonly root: Group;
  private edge: Line2;
  private corners: BufferAttribute;

  // count: of points of each line
  constructor(paint: Paint, count: number, { kind, fill, edge, over }: BandLook) {
    const geometry = new BufferGeometry();
    this.corners = new BufferAttribute(new Float32Array(6 * count), 3);
    geometry.setAttribute("position", this.corners);
    geometry.setIndex(Array.from({ length: count - 1 }, (_, k) => [2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 2, 2 * k + 1, 2 * k + 3]).flat());
    const inside = new Mesh(geometry, paint.flat(fill));
    inside.frustumCulled = false;
    this.edge = polyline([new Vector3(), new Vector3(1, 0, 0)], paint.line(edge, 1.6));
    this.root = as(kind, new Group());
    this.root.add(inside, this.edge);
    if (!over) return;
    for (const part of [inside, this.edge]) [part.renderOrder, part.material.depthTest] = [2, false];
  }

  // nearer: by so much the outline lies before the strip
  set(left: Vector3[], right: Vector3[], nearer: Vector3): void {
    left.forEach(({ x, y, z }, k) => this.corners.setXYZ(2 * k, x, y, z));
    right.forEach(({ x, y, z }, k) => this.corners.setXYZ(2 * k + 1, x, y, z));
    this.corners.needsUpdate = true;
    setPoints(this.edge, [...left, ...[...right].reverse(), left[0]].map((at) => at.clone().add(nearer)));
  }
}
