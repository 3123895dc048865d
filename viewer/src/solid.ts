// Parts of spatial machines: bars, plates, balls, given shapes.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  Group,
  Matrix4,
  Mesh,
  Quaternion,
  Shape as Outline,
  SphereGeometry,
  Vector2,
  Vector3,
  type Material,
} from "three";
import { float32, type Shape } from "./document";
import { convexHull, type Point } from "./hull";

const yAxis = new Vector3(0, 1, 0);

export function ball(at: Vector3, r: number, material: Material): Mesh {
  const mesh = new Mesh(new SphereGeometry(r, 24, 16), material);
  mesh.position.copy(at);
  return mesh;
}

// A cylinder between two places; stretch() moves one.
export function rod(a: Vector3, b: Vector3, r: number, material: Material, sides = 24): Mesh {
  const mesh = new Mesh(new CylinderGeometry(r, r, 1, sides), material);
  stretch(mesh, a, b);
  return mesh;
}
export function stretch(mesh: Mesh, a: Vector3, b: Vector3): void {
  const along = b.clone().sub(a);
  mesh.scale.set(1, Math.max(along.length(), 1e-9), 1);
  mesh.position.copy(a).addScaledVector(along, 0.5);
  mesh.quaternion.copy(new Quaternion().setFromUnitVectors(yAxis, along.normalize()));
}

function bar(a: Vector3, b: Vector3, r: number, material: Material): Group {
  return new Group().add(rod(a, b, r, material), ball(a, r, material), ball(b, r, material));
}

// The normal of points that lie in one plane, or null.
function commonNormal(places: Vector3[]): Vector3 | null {
  const [origin, ...rest] = places;
  const arms = rest.map((place) => place.clone().sub(origin));
  let normal = new Vector3();
  for (const a of arms)
    for (const b of arms) if (normal.length() < a.clone().cross(b).length()) normal = a.clone().cross(b);
  const size = Math.max(...arms.map((arm) => arm.length()));
  if (normal.length() < 1e-6 * size * size) return null;
  normal.normalize();
  return arms.every((arm) => Math.abs(arm.dot(normal)) < 1e-3 * size) ? normal : null;
}

// A flat outline of this thickness, to both sides of its plane.
export function extruded(corners: Vector3[], thickness: number, material: Material): Mesh {
  const normal = commonNormal(corners) ?? new Vector3(0, 0, 1);
  const right = corners[1].clone().sub(corners[0]).normalize();
  const up = normal.clone().cross(right);
  const outline = new Outline(corners.map((at) => new Vector2(at.clone().sub(corners[0]).dot(right), at.clone().sub(corners[0]).dot(up))));
  const mesh = new Mesh(new ExtrudeGeometry(outline, { depth: thickness, bevelEnabled: false }), material);
  mesh.applyMatrix4(new Matrix4().makeBasis(right, up, normal));
  mesh.position.add(corners[0]).addScaledVector(normal, -0.5 * thickness);
  return mesh;
}

function plate(places: Vector3[], normal: Vector3, r: number, material: Material): Mesh {
  const right = places[1].clone().sub(places[0]).normalize();
  const up = normal.clone().cross(right);
  const to = new Matrix4().makeBasis(right, up, normal).setPosition(places[0]);
  const back = to.clone().invert();
  const hull = convexHull(
    places.map((place): Point => [place.clone().applyMatrix4(back).x, place.clone().applyMatrix4(back).y]),
  );
  const geometry = new ExtrudeGeometry(rounded(hull, 1.6 * r), { depth: 1.2 * r, bevelEnabled: false });
  geometry.translate(0, 0, -0.6 * r).applyMatrix4(to);
  return new Mesh(geometry, material);
}

// Around a convex outline that turns to the left, at a distance.
function rounded(hull: Point[], r: number): Outline {
  const outline = new Outline();
  const normal = ([ax, ay]: Point, [bx, by]: Point) => Math.atan2(by - ay, bx - ax) - Math.PI / 2;
  hull.forEach((at, k) => {
    const [before, after] = [hull[(k + hull.length - 1) % hull.length], hull[(k + 1) % hull.length]];
    outline.absarc(...at, r, normal(before, at), normal(at, after), false);
  });
  return outline;
}

export function solidLink(places: Vector3[], r: number, material: Material): Group {
  const group = new Group();
  if (places.length === 1) return group.add(ball(places[0], 1.3 * r, material));
  if (places.length === 2) return group.add(bar(places[0], places[1], r, material));
  const normal = commonNormal(places);
  if (normal) return group.add(plate(places, normal, r, material));
  const middle = places.reduce((sum, place) => sum.add(place), new Vector3()).divideScalar(places.length);
  for (const place of places) if (place.distanceTo(middle) > 1e-9) group.add(bar(middle, place, r, material));
  return group;
}

export function givenShape(shape: Shape, material: Material): Group {
  const group = new Group();
  const at = new Vector3(...shape.at);
  if (shape.kind === "box") {
    const mesh = new Mesh(new BoxGeometry(...shape.sides!), material);
    mesh.position.copy(at);
    group.add(mesh);
  }
  if (shape.kind === "sphere") group.add(ball(at, shape.radius!, material));
  if (shape.kind === "cylinder")
    group.add(rod(new Vector3(...shape.from!), new Vector3(...shape.to!), shape.radius!, material, 72)); // a wheel
  if (shape.kind === "rod")
    group.add(bar(new Vector3(...shape.from!), new Vector3(...shape.to!), shape.radius!, material));
  if (shape.kind === "mesh") {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(float32(shape.triangles!), 3));
    geometry.computeVertexNormals();
    const mesh = new Mesh(geometry, material);
    mesh.position.copy(at);
    group.add(mesh);
  }
  return group;
}
