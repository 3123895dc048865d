// The display list of a machine in the scene of a page: what `armature draw` puts into a picture (src/report/list_drawing.cpp).
import { BufferAttribute, BufferGeometry, Group, Mesh, ShapeUtils, Vector2, Vector3, type Material, type Object3D } from "three";
import { disc } from "./flat";
import type { Corner, SymbolOf, SymbolPart } from "./document";
import { as, dashDotted, pairsOf, polyline, setPoints, setStrokes, strokes } from "./lines";
import type { Measures } from "./measures";
import { roleOf, type Paint, type Role } from "./paint";
import { PlacedSymbol } from "./placed_symbol";
import type { Swept } from "./places";
import { postHeight } from "./posts";
import { ball, rod, stretch } from "./solid";
import { basis, sideways, type Axes } from "./view";

export interface Moving {
  update(frame: number, share: number): void;
}
export type Letter = (frame: number, share: number) => [symbol: Vector3, edge: Vector3]; // an M stands at the edge of a symbol, away from its middle

const pixels = 5.2; // of a line that is a unit wide
const layers = { paths: 0, behind: -350, ground: -300, machine: -200, elements: 100, joints: 200, marks: 300 }; // bodies are at 0
export const shapesLayer = -400;
const none = [new Vector3(), new Vector3(1, 0, 0)];

export class Symbols {
  readonly group = new Group();
  readonly moving: Moving[] = [];
  readonly letters: Letter[] = [];
  private drawn = 0; // parts

  constructor(
    private measures: Measures,
    private paint: Paint,
    private axes: Axes,
    private down: Vector3,
    private sweep: Swept,
  ) {
    for (const symbol of measures.scene.symbols?.list ?? []) this.add(symbol);
  }

  private get isFlat(): boolean {
    return this.measures.scene.plane !== "";
  }
  private add(symbol: SymbolOf): void {
    const placed = new PlacedSymbol(symbol, this.measures, this.axes);
    placed.move(0, 0);
    if (symbol.base && !this.isFlat) return this.addFoot(placed.corner([]));
    const updates = placed.parts.map((part) => this.part(part, symbol, placed)).filter((update) => update !== null);
    const { isFixed } = placed;
    let isPlaced = false;
    this.moving.push({
      update: (frame, share) => {
        if (isFixed && isPlaced) return;
        isPlaced = true;
        placed.move(frame, share);
        for (const update of updates) update();
      },
    });
  }

  // What moves it.
  private part(part: SymbolPart, symbol: SymbolOf, placed: PlacedSymbol): (() => void) | null {
    const { unit } = this.measures;
    const lift = this.lift(symbol);
    const corners = (list: Corner[]) => list.map((corner) => lift(placed.corner(corner)));
    const at = PlacedSymbol.cornersOf(part);
    if (part.kind === "letter") {
      this.letters.push((frame, share) => (placed.move(frame, share), [placed.corner(at[0]), placed.corner(at[1])]));
      return null;
    }
    const role = roleOf(part.color);
    if (part.kind === "rod" || part.kind === "ball") return this.solid(part, symbol, placed, role);
    if (part.kind === "hatch") return this.hatch(symbol, placed, corners, at);
    if (part.kind === "circle") return this.circle(part, symbol, () => corners([[]])[0]);
    if (part.kind === "area") return this.area(part, symbol, at, () => this.broad(part, corners(at)));
    const isThread = part.turns && symbol.to; // in pieces, so that pictures as curves show its front alone
    if (!part.dashed && !isThread) return this.line(symbol, role, part.size!, () => corners(at));
    const line = this.put(symbol, strokes(none, this.paint.line(role, this.width(part.size!))));
    return () => setStrokes(line, isThread ? pairsOf(corners(at)) : dashDotted(corners(at), unit));
  }

  // Nearer to the reader, where it is seen at the same place: in space each part before those that were made first, of pinned runs in a plane
  // over their bodies.
  private lift({ layer, lift = 0 }: SymbolOf): (at: Vector3) => Vector3 {
    const inPlane = this.paint.ghost && layers[layer] > 0 ? 0.1 : 0;
    const way = (this.isFlat ? inPlane : lift + 0.02 * (this.drawn % 8)) * this.measures.unit;
    const { axes } = this;
    return (at) => (axes.eye && !this.isFlat ? at.add(axes.eye.clone().sub(at).setLength(way)) : at.addScaledVector(axes.normal, way));
  }
  // In a plane layers decide what is above, and of pinned runs their depth.
  private put<T extends Object3D & { material?: unknown }>(symbol: SymbolOf, object: T): T {
    const layer = this.isFlat ? layers[symbol.layer] + 10 * (symbol.depth ?? 0) : 2;
    object.renderOrder = this.isFlat || symbol.over ? layer + 1e-3 * this.drawn : 0;
    ++this.drawn;
    const material = object.material as Material;
    if ((this.isFlat && !this.paint.ghost) || symbol.over) material.depthTest = material.depthWrite = false;
    this.group.add(as(symbol.kind, object));
    return object;
  }
  private width(units: number): number {
    return Math.max(1, pixels * units);
  }

  // The head of an arrow shows its broad side.
  private broad({ edge }: SymbolPart, corners: Vector3[]): Vector3[] {
    if (edge || corners.length !== 3) return corners;
    const [tip, left, right] = corners;
    const base = left.clone().lerp(right, 0.5);
    const half = sideways(tip.clone().sub(base), this.axes).multiplyScalar(0.5 * left.distanceTo(right));
    return [tip, base.clone().add(half), base.sub(half)];
  }
  private line(symbol: SymbolOf, role: Role, size: number, points: () => Vector3[]): () => void {
    const line = this.put(symbol, polyline(none, this.paint.line(role, this.width(size))));
    return () => setPoints(line, points());
  }
  // A line, and short slanted strokes on the side of what stands still.
  private hatch(symbol: SymbolOf, placed: PlacedSymbol, corners: (list: Corner[]) => Vector3[], [from, to, away]: Corner[]): () => void {
    const metal = roleOf("metal");
    const line = this.line(symbol, metal, 0.34, () => corners([from, to]));
    const slants = this.put(symbol, strokes(none, this.paint.line(metal, this.width(0.18))));
    return () => {
      line();
      const [a, b] = corners([from, to]);
      const { unit } = this.measures;
      const count = Math.min(Math.max(Math.floor(a.distanceTo(b) / (0.95 * unit)), 2), 200);
      const slant = b.clone().sub(a).setLength(-0.65 * unit).addScaledVector(placed.direction(away), 0.9 * unit);
      setStrokes(slants, Array.from({ length: count + 1 }, (_, k) => a.clone().lerp(b, k / count)).flatMap((at) => [at, at.clone().add(slant)]));
    };
  }
  // Faces the reader.
  private circle({ color, edge, size }: SymbolPart, symbol: SymbolOf, at: () => Vector3): () => void {
    const radius = size! * this.measures.unit;
    const half = 0.083 * this.measures.unit;
    const discs = [
      [edge!, radius + half],
      [color, radius - half],
    ].map(([role, r]) => this.put(symbol, new Mesh(disc([0, 0], r as number), this.paint.flat(roleOf(role as string)))));
    return () =>
      discs.forEach((each, k) => {
        each.position.copy(at()).addScaledVector(this.axes.normal, this.isFlat ? 0 : 0.02 * k * this.measures.unit);
        each.quaternion.setFromRotationMatrix(basis(this.axes));
      });
  }
  private area({ color, edge }: SymbolPart, symbol: SymbolOf, at: Corner[], points: () => Vector3[]): () => void {
    const geometry = new BufferGeometry();
    const position = new BufferAttribute(new Float32Array(3 * at.length), 3);
    geometry.setAttribute("position", position);
    const flat = at.map(([share = 0, along = 0, across = 0, alongM = 0, acrossM = 0]) => new Vector2(20 * share + along + 1e3 * alongM, across + 1e3 * acrossM));
    geometry.setIndex(ShapeUtils.triangulateShape(flat, []).flat());
    const inside = this.put(symbol, new Mesh(geometry, this.paint.flat(roleOf(color))));
    inside.frustumCulled = false;
    const closed = () => [...points(), points()[0]].map((corner) => corner.addScaledVector(this.axes.normal, this.isFlat ? 0 : 0.02 * this.measures.unit));
    const outline = edge ? this.line(symbol, roleOf(edge), 0.24, closed) : null;
    return () => {
      points().forEach(({ x, y, z }, k) => position.setXYZ(k, x, y, z));
      position.needsUpdate = true;
      outline?.();
    };
  }
  private solid({ kind, size }: SymbolPart, symbol: SymbolOf, placed: PlacedSymbol, role: Role): () => void {
    const material = this.paint.solid(role);
    const radius = size! * this.measures.unit;
    const mesh = as(symbol.kind, kind === "ball" ? ball(new Vector3(), radius, material) : rod(...(none as [Vector3, Vector3]), radius, material));
    this.group.add(mesh);
    return () => (kind === "ball" ? mesh.position.copy(placed.corner([])) : stretch(mesh, placed.corner([]), placed.corner([1])));
  }
  // Of what stands on the ground in space: a base, on a post where there is room for one.
  private addFoot(place: Vector3): void {
    const { unit } = this.measures;
    const symbol = as("ground", new Group());
    const material = () => this.paint.solid(roleOf("metal"));
    const foot = this.down.clone().multiplyScalar(baseDepth * unit);
    symbol.add(rod(foot.clone().multiplyScalar(0.5), foot, baseRadius * unit, material()));
    const height = postHeight(place, this.sweep, this.down, baseRadius * unit);
    if (height > 0) symbol.add(rod(foot, this.down.clone().multiplyScalar(height), 0.5 * unit, material()));
    symbol.position.copy(place);
    this.group.add(symbol);
  }
}

// Of a base in space, in drawing units.
export const [baseDepth, baseRadius] = [2.4, 2.6];

// What the symbols reach at the start.
export function symbolCorners(measures: Measures, axes: Axes): Vector3[] {
  return (measures.scene.symbols?.list ?? []).flatMap((symbol) => {
    const placed = new PlacedSymbol(symbol, measures, axes);
    placed.move(0, 0);
    const round = (size: number): Corner[] => [[0, -size], [0, size], [0, 0, -size], [0, 0, size]];
    return placed.parts.flatMap((part) => {
      const { kind, size = 0 } = part;
      const at = PlacedSymbol.cornersOf(part);
      if (kind === "hatch") return [...at.slice(0, 2), [at[1][0], (at[1][1] ?? 0) + (at[2][1] ?? 0), (at[1][2] ?? 0) + (at[2][2] ?? 0)] as Corner].map(placed.corner);
      if (kind === "letter") return [placed.corner(at[1]).addScaledVector(placed.corner(at[1]).sub(placed.corner(at[0])).normalize(), 2.4 * measures.unit)];
      return (kind === "circle" || kind === "ball" ? round(size) : kind === "rod" ? [[], [1]] : at).map((corner) => placed.corner(corner as Corner));
    });
  });
}
