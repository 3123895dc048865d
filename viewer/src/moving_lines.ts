// Symbols made of lines whose points follow the motion: what elements between bodies and elements on joints share.
import { CircleGeometry, Group, Mesh, Vector3, type BufferGeometry, type Material } from "three";
import type { Line2 } from "three/examples/jsm/lines/Line2.js";
import type { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { Arrow, type Look } from "./arrow";
import { Band, type BandLook } from "./band";
import type { Joint, SceneDescription } from "./document";
import type { Moving } from "./joints";
import { as, polyline, setPoints, setStrokes, strokes, zigzag } from "./lines";
import { text, type Paint, type Role } from "./paint";
import type { Poses } from "./poses";
import { basis, sideways, type Axes } from "./view";

const around = 72; // corners of a circle

export type Points = (frame: number, share: number) => Vector3[];
export type Letter = (frame: number, share: number) => [symbol: Vector3, edge: Vector3]; // an M stands at the edge of a symbol, away from its middle
export type Ends = (frame: number, share: number) => [Vector3, Vector3];

export class MovingLines {
  readonly group = new Group();
  readonly moving: Moving[] = [];
  readonly letters: Letter[] = [];

  constructor(
    protected scene: SceneDescription,
    protected poses: Poses,
    protected paint: Paint,
    protected unit: number,
    protected axes: Axes,
    protected size: number, // of the picture, m
  ) {}

  protected line(kind: string, role: Role, width: number, points: Points): Line2 {
    const line = as(kind, polyline([new Vector3(), new Vector3(1, 0, 0)], this.paint.line(role, width)));
    this.group.add(line);
    this.moving.push({ update: (frame, share) => setPoints(line, points(frame, share)) });
    return line;
  }
  // point: turns it to where it points then; false: nowhere.
  protected arrow(look: Look, point: (arrow: Arrow, frame: number, share: number) => boolean): void {
    const arrow = new Arrow(this.paint, this.unit, look);
    this.group.add(arrow.root);
    this.moving.push({ update: (frame, share) => (arrow.root.visible = point(arrow, frame, share)) });
  }
  // Filled, between two lines of so many points.
  protected band(look: BandLook, count: number, sides: (frame: number, share: number) => [Vector3[], Vector3[]]): void {
    const band = new Band(this.paint, count, look);
    this.group.add(band.root);
    this.moving.push({ update: (frame, share) => band.set(...sides(frame, share), this.axes.normal.clone().multiplyScalar(0.02 * this.unit)) });
  }
  // A cylinder on a, and its rod to b.
  protected addBarrel(kind: string, fill: Role, edge: Role, ends: Ends): void {
    const end = (frame: number, share: number) => {
      const [a, b] = ends(frame, share);
      return [a, a.clone().lerp(b, 0.58), b];
    };
    this.line(kind, edge, 3, (frame, share) => end(frame, share).slice(1));
    this.band({ kind, fill, edge, over: false }, 2, (frame, share) => {
      const [a, b] = end(frame, share);
      const side = this.aside(a, b).multiplyScalar(this.unit);
      return [[a.clone().add(side), b.clone().add(side)], [a.sub(side), b.sub(side)]];
    });
  }
  // Strokes that do not hang together: from, to, from, to …
  protected strokes(kind: string, role: Role, width: number, pairs: Points): LineSegments2 {
    const lines = as(kind, strokes([new Vector3(), new Vector3(1, 0, 0)], this.paint.line(role, width)));
    this.group.add(lines);
    this.moving.push({ update: (frame, share) => setStrokes(lines, pairs(frame, share)) });
    return lines;
  }
  // A disc that faces the reader.
  protected disc(kind: string, role: Role, radius: number, at: (frame: number, share: number) => Vector3, behind: number): Mesh<BufferGeometry, Material> {
    const disc = as(kind, new Mesh(new CircleGeometry(radius, around), this.paint.flat(role)));
    this.group.add(disc);
    this.moving.push({
      update: (frame, share) => {
        disc.quaternion.setFromRotationMatrix(basis(this.axes));
        disc.position.copy(at(frame, share)).addScaledVector(this.axes.normal, -behind);
      },
    });
    return disc;
  }
  // The same behind the bodies of a planar machine, in space behind the joint.
  protected discBehind(kind: string, role: Role, radius: number, at: (frame: number, share: number) => Vector3): void {
    this.disc(kind, role, radius, at, this.scene.plane ? 0.5 * this.size : 2 * this.unit);
  }
  // Over the bodies of a planar machine; in space the depth decides.
  protected overPlane(line: LineSegments2): void {
    if (this.scene.plane) this.above(line);
  }
  // What is made first lies below.
  protected above(part: { material: Material; renderOrder: number }): void {
    part.material.depthTest = false;
    part.renderOrder = 2;
  }

  // The axis of a joint and two directions across it.
  protected across(joint: Joint, frame: number, share: number): [Vector3, Vector3, Vector3] {
    const axis = this.poses.direction(joint.a.body, joint.axis, frame, share);
    const first = (Math.abs(axis.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0)).cross(axis).normalize();
    return [axis, first, axis.clone().cross(first)];
  }
  protected circle(joint: Joint, radius: number): Points {
    return (frame, share) => {
      const middle = this.poses.place(joint.a, frame, share);
      const [, first, second] = this.across(joint, frame, share);
      return arc(middle, first, second, radius, 0, 2 * Math.PI, around);
    };
  }
  // Across a line, in the picture.
  protected aside(a: Vector3, b: Vector3): Vector3 {
    return sideways(b.clone().sub(a), this.axes);
  }

  protected addSpring(ends: Ends): void {
    this.line("spring", text, 1.6, (frame, share) => {
      const [a, b] = ends(frame, share);
      return zigzag(a, b, this.aside(a, b), 0.9 * this.unit);
    });
  }
  // A cup, and a piston in it.
  protected addDamper(ends: Ends): void {
    this.strokes("damper", text, 1.6, (frame, share) => {
      const [a, b] = ends(frame, share);
      const side = this.aside(a, b).multiplyScalar(this.unit);
      const to = (along: number, across: number) => a.clone().lerp(b, along).addScaledVector(side, across);
      const [cup, piston] = [
        [to(0.65, 1), to(0.35, 1), to(0.35, -1), to(0.65, -1)],
        [to(0.5, 0.7), to(0.5, -0.7)],
      ];
      return [to(0, 0), to(0.35, 0), ...pairsOf(cup), ...pairsOf(piston), to(0.5, 0), to(1, 0)];
    });
  }
}

// An arc about a point, from one angle to another.
export function arc(middle: Vector3, first: Vector3, second: Vector3, radius: number, from: number, to: number, pieces: number): Vector3[] {
  return Array.from({ length: pieces + 1 }, (_, k) => {
    const angle = from + ((to - from) * k) / pieces;
    return middle
      .clone()
      .addScaledVector(first, radius * Math.cos(angle))
      .addScaledVector(second, radius * Math.sin(angle));
  });
}

// The pieces of a line, each with its own ends.
export const pairsOf = (points: Vector3[]): Vector3[] => points.slice(1).flatMap((point, k) => [points[k], point]);
