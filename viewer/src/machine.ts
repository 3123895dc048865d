// The machine in the scene: bodies, beams, joints, springs and drawn lines, put where a frame says.
import { Group, Matrix4, Mesh, Vector3, type Camera } from "three";
import { Ribbon, Tube } from "./beam";
import { float32, type Body, type Profile, type RunDocument } from "./document";
import { disc, Flat, polygon } from "./flat";
import { as, polyline, setPoints } from "./lines";
import { Loads } from "./loads";
import { Measures } from "./measures";
import { background, bodyColor, metal, outline, pale, text, type Paint, type Role } from "./paint";
import { drawingUnit, reachedPlaces, type Swept } from "./places";
import type { Poses } from "./poses";
import { planes } from "./planes";
import { ball, extruded, givenShape, rod, solidLink, stretch } from "./solid";
import { shapesLayer, Symbols, type Letter, type Moving } from "./symbols";
import { basis, downOf, pictureAxes, type Axes } from "./view";

export class Machine {
  readonly root = new Group();
  readonly bodies: Group[] = [];
  readonly unit: number;
  readonly letters: Letter[];
  private depth: number; // of the whole scene
  readonly axes: Axes; // of the picture
  private flat: Flat | null;
  private moving: Moving[] = [];
  private largestLoads: Record<string, number> | null = null;

  constructor(
    private run: RunDocument,
    private poses: Poses,
    private paint: Paint,
    sweep: Swept,
  ) {
    const { scene } = run;
    const { box } = sweep;
    this.axes = pictureAxes(scene.plane, downOf(scene.gravity, scene.plane).negate());
    this.unit = drawingUnit(scene, box);
    this.depth = box.getSize(new Vector3()).length();
    this.flat = scene.plane ? new Flat(this.axes, paint, this.unit) : null;
    scene.bodies.forEach((body, i) => this.addBody(body, i));
    (scene.profiles ?? []).forEach((profile, i) => this.addProfile(profile, i));
    const measures = new Measures(scene, poses, this.unit);
    const symbols = new Symbols(measures, paint, this.axes, downOf(scene.gravity, scene.plane), sweep);
    const loads = new Loads(measures, paint, this.axes, this.depth);
    this.letters = symbols.letters;
    for (const { group, moving } of [symbols, loads]) {
      this.root.add(group);
      this.moving.push(...moving);
    }
    this.root.add(planes(scene, poses, paint, this.unit, this.axes));
    scene.drawings.forEach(({ fixed }, i) => fixed || this.addDrawing(i));
  }

  // In space symbols turn their broad side to the reader when they are drawn next.
  face(camera: Camera): void {
    if (this.run.scene.plane) return;
    camera.matrixWorld.extractBasis(this.axes.right, this.axes.up, this.axes.normal);
    this.axes.eye = camera.position;
  }
  update(frame: number, share: number): void {
    if (this.poses.frames === 0) return;
    this.run.scene.bodies.forEach((body, i) => {
      this.poses.pose(body, frame, share, this.bodies[i].matrix);
      this.bodies[i].matrixWorldNeedsUpdate = true;
    });
    for (const each of this.moving) each.update(frame, share);
  }

  private addBody(body: Body, index: number): void {
    const group = new Group();
    group.name = body.name;
    group.matrixAutoUpdate = false;
    this.bodies.push(group);
    this.root.add(group);
    if (body.beam) this.addBeam(body, index);
    else if (body.shapes.length > 0) group.add(this.shaped(body, index));
    else if (!(this.run.scene.profiles ?? []).some((profile) => profile.body === index))
      for (const part of this.drawnFromPlaces(body, index)) group.add(as("link", part));
  }

  // A cam or a part of a Geneva drive, with the body. Over a given shape it is paler; a pin lies over all.
  private addProfile({ body, kind, outline: packed }: Profile, index: number): void {
    const numbers = float32(packed);
    const corners = Array.from({ length: numbers.length / 3 }, (_, k) => new Vector3().fromArray(numbers, 3 * k));
    const role = bodyColor(body);
    const edge = polyline([...corners, corners[0]], this.paint.line(outline(role), 1.5));
    if (!this.flat) {
      this.bodies[body].add(as(kind, extruded(corners, 1.6 * this.unit, this.paint.solid(role))), as(kind, edge));
      return;
    }
    const shaped = this.run.scene.bodies[body].shapes.length > 0;
    const layer = kind === "pin" ? 2 * this.run.scene.bodies.length + 5 : -2;
    const lift = 1e-3 * this.unit * (layer + 0.1 * index);
    const geometry = polygon(corners.map((corner) => this.flat!.inPlane(corner)));
    const fill = new Mesh(geometry, this.paint.flat(shaped && kind !== "pin" ? pale(role) : role));
    fill.applyMatrix4(basis(this.axes));
    fill.position.addScaledVector(this.axes.normal, lift);
    edge.position.addScaledVector(this.axes.normal, lift + 5e-4 * this.unit);
    if (kind !== "pin") fill.renderOrder = edge.renderOrder = shapesLayer;
    this.bodies[body].add(as(kind, fill), as(kind, edge));
  }

  // In a planar picture shapes lie behind pins and bars, whatever their depth.
  private shaped(body: Body, index: number): Group {
    const group = as("shape", new Group());
    for (const shape of body.shapes) group.add(givenShape(shape, this.paint.solid(bodyColor(index))));
    for (const lines of this.spokes(body, index)) group.add(lines);
    if (!this.flat) return group;
    group.position.addScaledVector(this.axes.normal, -this.depth);
    group.traverse((part) => (part.renderOrder = shapesLayer));
    return group;
  }

  // Whether a wheel turns shows by the lines from its axis to its points, on both of its faces.
  private spokes(body: Body, index: number): Group[] {
    const wheel = body.shapes.find(({ kind }) => kind === "cylinder");
    if (!wheel) return [];
    const [from, to] = [new Vector3(...wheel.from!), new Vector3(...wheel.to!)];
    const axis = to.clone().sub(from).normalize();
    const lines = as("spoke", new Group());
    for (const { at } of body.points) {
      const out = new Vector3(...at).sub(from);
      const radial = out.addScaledVector(axis, -axis.dot(out));
      if (radial.length() < 0.5 * wheel.radius!) continue;
      for (const [face, sign] of [[from, -1], [to, 1]] as const) {
        const middle = face.clone().addScaledVector(axis, sign * 0.02 * this.unit);
        lines.add(polyline([middle, middle.clone().add(radial)], this.paint.line(outline(bodyColor(index)), 1.5)));
      }
    }
    return [lines];
  }

  private drawnFromPlaces(body: Body, index: number): Group[] {
    const places = reachedPlaces(this.run.scene, index);
    const role = bodyColor(index);
    const parts: Group[] = [];
    if (this.flat) {
      // a body that only slides is its block
      if (places.length > 1 || !this.slides(index))
        parts.push(this.flat.link(places, role, 2 + 2 * index, places.length > 1 ? this.layered(index) : 1.1 * this.unit, this.pins(index)));
    } else if (this.isPartOfTube(index, places)) return [];
    else if (places.length > 1) parts.push(solidLink(places, this.unit, this.paint.solid(role)));
    if (this.isBob(body, index)) parts.push(this.bob(body, index));
    return parts;
  }
  private pins(index: number): Vector3[] {
    return this.run.scene.joints.flatMap(({ glyph, a, b }) => (glyph === "pin" ? [a, b].filter(({ body }) => body === index).map(({ at }) => new Vector3(...at)) : []));
  }
  // The half of a tube that pulls out: all of its places lie on the axis of the tube.
  private isPartOfTube(body: number, places: Vector3[]): boolean {
    const { joints, symbols } = this.run.scene;
    const tubes = (symbols?.list ?? []).filter(({ kind, at }) => kind === "slider" && at.end === "a").map(({ at }) => joints[at.k]);
    return tubes.some((joint) => {
      if (joint.a.body !== body && joint.b.body !== body) return false;
      const [from, axis] = [this.poses.place(joint.a, 0, 0), this.poses.direction(joint.a.body, joint.axis, 0, 0)];
      return places.every((at) => this.poses.place({ body, at: at.toArray() }, 0, 0).sub(from).cross(axis).length() < 0.1 * this.unit);
    });
  }
  // Half the width of a bar, of three kinds: where bars lie over each other, at a dead center, the edges of those below are seen.
  private layered(index: number): number {
    return this.unit * (1 - 0.16 * (index % 3));
  }
  private slides(index: number): boolean {
    return this.run.scene.joints.some(
      (joint) => joint.glyph === "slider" && (joint.a.body === index || joint.b.body === index),
    );
  }

  // The mass at the far end of a body that hangs on one joint is shown.
  private isBob(body: Body, index: number): boolean {
    const joints = this.run.scene.joints.filter((joint) => joint.a.body === index || joint.b.body === index);
    if (joints.length !== 1 || !(body.mass > 0)) return false;
    const hung = new Vector3(...(joints[0].b.body === index ? joints[0].b : joints[0].a).at);
    const reach = Math.max(...reachedPlaces(this.run.scene, index).map((place) => place.distanceTo(hung)));
    return reach > 1e-9 && new Vector3(...body.center).distanceTo(hung) > 0.9 * reach;
  }
  private bob(body: Body, index: number): Group {
    const center = new Vector3(...body.center);
    const role = bodyColor(index);
    const r = 2.1 * this.unit;
    if (!this.flat) return new Group().add(ball(center, r, this.paint.solid(role)));
    const at = this.flat.inPlane(center);
    return this.flat.piece((grow) => [disc(at, r + grow)], role, 3 + 2 * index);
  }

  private addBeam(body: Body, index: number): void {
    if (!this.flat) {
      const tube = new Tube(body.beam!.nodes, 0.5 * this.unit, this.paint.solid(bodyColor(index)), this.paint.loads());
      this.root.add(as("beam", tube.mesh));
      this.moveBeam(body, tube);
      return;
    }
    const lift = 1e-3 * this.unit * (2 + 2 * index);
    const half = 0.42 * this.unit;
    const ribbon = new Ribbon(body.beam!.nodes, this.axes.normal, this.paint.loads())
      .layer(half + 0.16 * this.unit, lift, this.paint.flat(outline(bodyColor(index))))
      .layer(half, lift + 5e-4 * this.unit, this.paint.flat(bodyColor(index)));
    this.root.add(as("beam", ribbon.group));
    this.moveBeam(body, ribbon);
  }
  private moveBeam(body: Body, shape: Ribbon | Tube): void {
    this.moving.push({
      update: (frame, share) => {
        shape.update(this.poses.beamPoints(body, frame, share));
        const largest = this.largestLoads?.[body.beam!.unit];
        shape.color(largest === undefined ? null : this.poses.beamLoads(body, frame, share).map((x) => x / (largest || 1)));
      },
    });
  }
  // Colors beams by their loads, against the largest of each unit; null: plain.
  colorBeams(largest: Record<string, number> | null): void {
    this.largestLoads = largest;
  }

  // A line through points: bars with pins between them; one point is a dot, and the outline of a surface a thin line.
  private addDrawing(index: number): void {
    const { outline: isOutline, points: count, offset } = this.run.scene.drawings[index];
    const points = (frame: number, share: number) => Array.from({ length: count }, (_, k) => this.poses.point(offset + 3 * k, frame, share, new Vector3()));
    if (isOutline) return this.addOutline(points);
    const [role, layer, top] = [bodyColor(index), 2 + 2 * index, 2 * this.run.scene.drawings.length + 6];
    const bars = Array.from({ length: count - 1 }, () => this.bar(role, layer));
    const discs = Array.from({ length: count }, () => {
      const parts = count > 1 ? [as("link", this.disc(0.75, role, layer)), as("pin", this.disc(this.flat ? 0.55 : 0.85, this.flat ? background : metal, top))] : [as("pin", this.disc(1.2, role, layer))];
      this.root.add(...parts);
      return parts;
    });
    this.moving.push({
      update: (frame, share) => {
        const at = points(frame, share);
        bars.forEach((update, k) => update(at[k], at[k + 1]));
        discs.forEach((each, k) => each.forEach((part) => part.position.copy(at[k])));
      },
    });
  }
  private disc(units: number, role: Role, layer: number): Group {
    const r = units * this.unit;
    return this.flat ? this.flat.piece((grow) => [disc([0, 0], r + grow)], role, layer) : new Group().add(ball(new Vector3(), 1.3 * r, this.paint.solid(role)));
  }
  private bar(role: Role, layer: number): (a: Vector3, b: Vector3) => void {
    const half = 0.75 * this.unit;
    if (!this.flat) {
      const mesh = rod(new Vector3(), new Vector3(1, 0, 0), half, this.paint.solid(role));
      this.root.add(as("link", mesh));
      return (a, b) => stretch(mesh, a, b);
    }
    const lift = 1e-3 * this.unit;
    const ribbon = new Ribbon(2, this.axes.normal, this.paint.loads())
      .layer(half + 0.16 * this.unit, layer * lift, this.paint.flat(outline(role)))
      .layer(half, (layer + 0.5) * lift, this.paint.flat(role));
    this.root.add(as("link", ribbon.group));
    return (a, b) => ribbon.update([a, b]);
  }
  private addOutline(points: (frame: number, share: number) => Vector3[]): void {
    const line = as("surface", polyline([new Vector3(), new Vector3(1, 0, 0)], this.paint.line(text, 1.8)));
    if (this.flat) [line.renderOrder, line.material.depthTest] = [2, false]; // over the bodies of a planar machine
    this.root.add(line);
    this.moving.push({ update: (frame, share) => setPoints(line, points(frame, share)) });
  }

  // Where a place of a body is drawn, through the scene itself.
  drawn(body: number, at: Vector3): Vector3 {
    this.root.updateMatrixWorld(true);
    return at.clone().applyMatrix4(body < 0 ? new Matrix4() : this.bodies[body].matrixWorld);
  }
}
