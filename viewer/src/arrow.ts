// An arrow with a filled head, as `armature draw` has it (src/report/sketch.cpp, symbols.cpp).
import { BufferAttribute, BufferGeometry, Group, Mesh, Vector3 } from "three";
import type { Line2 } from "three/examples/jsm/lines/Line2.js";
import { as, polyline, setPoints } from "./lines";
import type { Paint, Role } from "./paint";
import { sideways, type Axes } from "./view";

export interface Look {
  kind: string;
  role: Role;
  width: number; // of the shaft, px
  over: boolean; // everything else
}

export class Arrow {
  readonly root: Group;
  private shaft: Line2;
  private corners = new BufferAttribute(new Float32Array(9), 3);

  constructor(
    paint: Paint,
    private unit: number,
    { kind, role, width, over }: Look,
  ) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.corners);
    this.shaft = polyline([new Vector3(), new Vector3(1, 0, 0)], paint.line(role, width));
    const head = new Mesh(geometry, paint.flat(role));
    head.frustumCulled = false;
    this.root = as(kind, new Group());
    this.root.add(this.shaft, head);
    if (!over) return;
    for (const part of [this.shaft, head]) [part.renderOrder, part.material.depthTest] = [2, false];
  }

  // Straight, its head as broad as `aside` shows it.
  point(from: Vector3, to: Vector3, aside: Vector3): void {
    const way = to.clone().sub(from);
    const length = Math.min(1.9 * this.unit, 0.6 * way.length());
    const base = to.clone().addScaledVector(way.normalize(), -length);
    this.set([from, base], base, to, aside.clone().multiplyScalar(0.42 * length));
  }
  // Around a point, from the first angle to the second, counted from `first` to `second`; its head as broad as the picture shows it.
  turn(middle: Vector3, first: Vector3, second: Vector3, radius: number, from: number, to: number, axes: Axes): void {
    const ray = (angle: number) => first.clone().multiplyScalar(Math.cos(angle)).addScaledVector(second, Math.sin(angle));
    const at = (angle: number) => middle.clone().addScaledVector(ray(angle), radius);
    const [pieces, end] = [32, to - (1.2 * this.unit) / radius];
    const way = Array.from({ length: pieces + 1 }, (_, k) => at(from + ((end - from) * k) / pieces));
    const along = at(to).sub(way[pieces]).normalize();
    this.set(way, at(to).addScaledVector(along, -1.6 * this.unit), at(to), sideways(along, axes).multiplyScalar(0.75 * this.unit));
  }
  private set(way: Vector3[], base: Vector3, tip: Vector3, half: Vector3): void {
    setPoints(this.shaft, way);
    [tip, base.clone().add(half), base.clone().sub(half)].forEach(({ x, y, z }, k) => this.corners.setXYZ(k, x, y, z));
    this.corners.needsUpdate = true;
  }
}
