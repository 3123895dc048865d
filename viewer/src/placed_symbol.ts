// A symbol of the display list of a machine (src/report/display_list.hpp) where it is at a time.
import { Vector3 } from "three";
import type { Anchor, Corner, Place, SymbolDirection, SymbolOf, SymbolPart } from "./document";
import type { Measures } from "./measures";
import { acrossAxis, sideways, type Axes } from "./view";

// At a time.
interface Where {
  from: Vector3;
  way: Vector3; // to its second end
  along: Vector3;
  across: Vector3;
}

export class PlacedSymbol {
  readonly parts: SymbolPart[];
  private readonly start: (frame: number, share: number) => Vector3;
  private readonly end: ((frame: number, share: number) => Vector3) | null;
  private where!: Where;

  constructor(
    readonly symbol: SymbolOf,
    private measures: Measures,
    private axes: Axes, // of the picture
  ) {
    this.parts = measures.scene.symbols!.shapes[symbol.shape];
    this.start = this.place(symbol.at);
    this.end = symbol.to ? this.place(symbol.to) : null;
  }

  // Whether it stands still, whatever moves.
  get isFixed(): boolean {
    const { scene } = this.measures;
    const { at, to, along, across, about } = this.symbol;
    const bodies = [this.placeOf(at).body, to ? this.placeOf(to).body : -1, along?.[0] ?? -1, across?.[0] ?? -1];
    return scene.plane !== "" && about === undefined && bodies.every((body) => body < 0) && [at, to].every((anchor) => !anchor || anchor.by === undefined || this.bodyOf(anchor) < 0);
  }

  move(frame: number, share: number): Where {
    const from = this.start(frame, share);
    const way = this.end ? this.end(frame, share).sub(from) : new Vector3();
    return (this.where = { from, way, ...this.turned(way, frame, share) });
  }
  static cornersOf({ turns, at = [] }: SymbolPart): Corner[] {
    if (!turns) return at;
    const pieces = Math.max(72, 16 * turns);
    const [, r = 0, , m = 0] = at[0];
    return Array.from({ length: pieces + 1 }, (_, k) => {
      const angle = (2 * Math.PI * turns * k) / pieces;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      return [k / pieces, r * c, r * s, m * c, m * s];
    });
  }
  // Where a corner is since it was moved last.
  corner = ([share = 0, along = 0, across = 0, alongM = 0, acrossM = 0]: Corner): Vector3 => {
    const { unit } = this.measures;
    const { from, way } = this.where;
    return from.clone().addScaledVector(way, share).addScaledVector(this.where.along, along * unit + alongM).addScaledVector(this.where.across, across * unit + acrossM);
  };
  direction([, along = 0, across = 0]: Corner): Vector3 {
    return this.where.along.clone().multiplyScalar(along).addScaledVector(this.where.across, across);
  }

  private placeOf({ of, k, end }: Anchor): Place {
    return this.measures.scene[of][k][end];
  }
  private bodyOf({ of, k }: Anchor): number {
    return of === "joints" ? this.measures.scene.joints[k].a.body : -1;
  }
  private place(anchor: Anchor): (frame: number, share: number) => Vector3 {
    const { poses } = this.measures;
    const [place, body] = [this.placeOf(anchor), this.bodyOf(anchor)];
    const shifts = (anchor.by ?? []).map(({ along, ...length }) => ({ along, length: this.measures.length(length, anchor.k, poses.direction(body, along, 0, 0)) }));
    return (frame, share) => {
      const at = poses.place(place, frame, share);
      for (const { along, length } of shifts) at.addScaledVector(poses.direction(body, along, frame, share), length);
      return at;
    };
  }
  private turned(way: Vector3, frame: number, share: number): { along: Vector3; across: Vector3 } {
    const { symbol, axes, measures } = this;
    const beside = (along: Vector3) => ({ along, across: sideways(along, axes) });
    if (symbol.along && symbol.across) return { along: this.given(symbol.along, frame, share), across: this.given(symbol.across, frame, share) };
    if (symbol.about === undefined) return beside(symbol.to ? way.clone().normalize() : symbol.along ? this.given(symbol.along, frame, share) : axes.right.clone());
    const joint = measures.scene.joints[symbol.about];
    const axis = measures.poses.direction(joint.a.body, joint.axis, frame, share);
    if (symbol.to) {
      const along = way.clone().projectOnPlane(axis).normalize();
      return { along, across: axis.cross(along) };
    }
    if (symbol.along) {
      const along = this.given(symbol.along, frame, share).projectOnPlane(axis).normalize();
      return { along, across: measures.scene.plane ? sideways(along, axes) : along.clone().cross(axis) };
    }
    if (measures.scene.plane) return { along: axes.right.clone().multiplyScalar(axis.dot(axes.normal) < 0 ? -1 : 1), across: axes.up.clone().negate() };
    const [first, second] = acrossAxis(axis);
    return { along: first, across: second.negate() };
  }
  private given([body, along]: SymbolDirection, frame: number, share: number): Vector3 {
    const { scene, poses } = this.measures;
    const direction = new Vector3(...along);
    const joint = this.symbol.stop === undefined ? null : scene.joints[this.symbol.at.k];
    if (joint) direction.applyAxisAngle(new Vector3(...joint.stop_arm!.axis).normalize(), joint.stops![this.symbol.stop!]!);
    return poses.direction(body, direction.toArray(), frame, share);
  }
}
