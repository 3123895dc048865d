// Parts of planar machines as flat pieces with an outline: bars with round ends, plates, discs, blocks.
import { Group, Mesh, Shape, ShapeGeometry, Vector2, type Vector3, type BufferGeometry, type Material } from "three";
import { convexHull, type Point } from "./hull";
import type { Paint, Role } from "./paint";
import { outline } from "./paint";
import { basis, type Axes } from "./view";

const segments = 20;

function bar([ax, ay]: Point, [bx, by]: Point, r: number): BufferGeometry {
  const angle = Math.atan2(by - ay, bx - ax);
  const shape = new Shape();
  shape.absarc(bx, by, r, angle - Math.PI / 2, angle + Math.PI / 2, false);
  shape.absarc(ax, ay, r, angle + Math.PI / 2, angle + (3 * Math.PI) / 2, false);
  return new ShapeGeometry(shape, segments);
}

export function disc([x, y]: Point, r: number): BufferGeometry {
  const shape = new Shape();
  shape.absarc(x, y, r, 0, 2 * Math.PI, false);
  return new ShapeGeometry(shape, 2 * segments);
}

export function rectangle([x, y]: Point, halfWidth: number, halfHeight: number): BufferGeometry {
  return polygon([
    [x - halfWidth, y - halfHeight],
    [x + halfWidth, y - halfHeight],
    [x + halfWidth, y + halfHeight],
    [x - halfWidth, y + halfHeight],
  ]);
}

export function polygon(points: Point[]): BufferGeometry {
  return new ShapeGeometry(new Shape(points.map(([x, y]) => new Vector2(x, y))));
}

// How far a point is from a line.
const away = ([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number => Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / Math.hypot(bx - ax, by - ay);

export class Flat {
  constructor(
    private axes: Axes,
    private paint: Paint,
    private unit: number,
  ) {}

  inPlane(at: Vector3): Point {
    return [at.dot(this.axes.right), at.dot(this.axes.up)];
  }

  // Pieces drawn as one: outlines below, fills above, `layer` steps towards the viewer.
  piece(geometries: (grow: number) => BufferGeometry[], role: Role, layer: number, edge = 0.16): Group {
    const group = new Group();
    const lift = 1e-3 * this.unit;
    const add = (geometry: BufferGeometry, material: Material, z: number) => {
      const mesh = new Mesh(geometry, material);
      mesh.position.z = z;
      group.add(mesh);
    };
    for (const geometry of geometries(edge * this.unit)) add(geometry, this.paint.flat(outline(role)), layer * lift);
    for (const geometry of geometries(0)) add(geometry, this.paint.flat(role), (layer + 0.5) * lift);
    group.applyMatrix4(basis(this.axes));
    return group;
  }

  // A link through its places: a bar for two, a plate with round corners for more; arms where a pin is well inside, as of a wheel carrier.
  link(places: Vector3[], role: Role, layer: number, r = this.unit, pins: Vector3[] = []): Group {
    const hull = convexHull(places.map((place) => this.inPlane(place)));
    const hub = pins.map((pin) => this.inPlane(pin)).find((pin) => hull.length > 2 && hull.every((at, i) => away(pin, at, hull[(i + 1) % hull.length]) > 2 * this.unit));
    return this.piece(
      (grow) => {
        if (hull.length === 1) return [disc(hull[0], r + grow)];
        if (hub) return hull.map((end) => bar(hub, end, r + grow));
        const edges = hull.map((point, i) => bar(point, hull[(i + 1) % hull.length], r + grow));
        return hull.length > 2 ? [...edges, polygon(hull)] : edges.slice(0, 1);
      },
      role,
      layer,
    );
  }
}
