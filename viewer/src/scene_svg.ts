// The picture as curves: every outline, line and face of the scene as an SVG path, the farthest first.
import { Color, Vector3, type BufferGeometry, type Camera, type InterleavedBufferAttribute, type Material, type Mesh, type Object3D, type Shape, type ShapeGeometry } from "three";
import type { Written } from "./overlay";

interface Piece {
  depth: number; // larger: farther from the viewer
  order: number; // over everything of less
  path: string;
}

type Drawn = Material & { color: Color; linewidth?: number; isMeshLambertMaterial?: boolean };

const short = (x: number) => x.toFixed(2).replace(/\.?0+$/, "");
const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => `&${{ "&": "amp", "<": "lt", ">": "gt", '"': "quot" }[c]};`);

class Writer {
  readonly pieces: Piece[] = [];
  private towards = new Vector3(); // the viewer

  constructor(
    private camera: Camera,
    private width: number,
    private height: number,
  ) {
    camera.getWorldDirection(this.towards).negate();
  }

  private kind = ""; // what the paths stand for

  add(object: Object3D): void {
    if (!object.visible) return;
    const around = this.kind;
    this.kind = object.userData.kind ?? around;
    if ("isLineSegments2" in object) this.addLine(object as unknown as Mesh);
    else if ((object as Mesh).isMesh) this.addMesh(object as Mesh);
    for (const child of object.children) this.add(child);
    this.kind = around;
  }

  private seen(at: Vector3): Vector3 {
    const p = at.project(this.camera);
    return p.set(((p.x + 1) / 2) * this.width, ((1 - p.y) / 2) * this.height, p.z);
  }
  private put(points: Vector3[], closed: boolean, attributes: string, order: number): void {
    if (points.some(({ x, y, z }) => !Number.isFinite(x + y) || !(Math.abs(z) <= 1))) return;
    const depth = points.reduce((sum, { z }) => sum + z, 0) / points.length;
    const d = points.map(({ x, y }, k) => `${k > 0 ? "L" : "M"}${short(x)} ${short(y)}`).join("") + (closed ? "Z" : "");
    this.pieces.push({ depth, order, path: `<path${this.kind && ` class="${this.kind}"`} d="${d}" ${attributes}/>` });
  }
  private order({ material, renderOrder }: Mesh): number {
    return (material as Material).depthTest ? 0 : renderOrder;
  }
  private opacity({ opacity }: Material): string {
    return opacity < 1 ? ` opacity="${short(opacity)}"` : "";
  }

  // A line with a width in pixels: as many of its segments as are drawn.
  private addLine(line: Mesh): void {
    const geometry = line.geometry as BufferGeometry & { instanceCount?: number };
    const material = line.material as Drawn;
    const [start, end] = [geometry.attributes.instanceStart, geometry.attributes.instanceEnd] as InterleavedBufferAttribute[];
    const count = Math.min(start?.count ?? 0, geometry.instanceCount ?? Infinity);
    if (count === 0) return;
    const at = (list: InterleavedBufferAttribute, k: number) => this.seen(new Vector3().fromBufferAttribute(list, k).applyMatrix4(line.matrixWorld));
    const isOne = "isLine2" in line; // else strokes that do not hang together
    const lines = isOne ? [[at(start, 0), ...Array.from({ length: count }, (_, k) => at(end, k))]] : Array.from({ length: count }, (_, k) => [at(start, k), at(end, k)]);
    const stroke = `fill="none" stroke="#${material.color.getHexString()}" stroke-width="${short(material.linewidth ?? 1)}" stroke-linejoin="round"`;
    for (const points of lines) this.put(points, false, stroke + this.opacity(material), this.order(line));
  }

  private addMesh(mesh: Mesh): void {
    const material = mesh.material as Drawn;
    if (mesh.geometry.type === "ShapeGeometry") this.addShape(mesh, material);
    else this.addFaces(mesh, material);
  }
  private addShape(mesh: Mesh, material: Drawn): void {
    const { shapes, curveSegments } = (mesh.geometry as ShapeGeometry).parameters;
    for (const shape of [shapes].flat() as Shape[]) {
      const points = shape.getPoints(curveSegments).map(({ x, y }) => this.seen(new Vector3(x, y, 0).applyMatrix4(mesh.matrixWorld)));
      this.put(points, true, `fill="#${material.color.getHexString()}"${this.opacity(material)}`, this.order(mesh));
    }
  }
  // Faces with a seam of their own color, so that no background shines through between them.
  private addFaces(mesh: Mesh, material: Drawn): void {
    const { position } = mesh.geometry.attributes;
    const { index, drawRange } = mesh.geometry;
    const total = Math.min(index ? index.count : position.count, drawRange.start + drawRange.count);
    const corner = (k: number) => new Vector3().fromBufferAttribute(position, index ? index.getX(k) : k).applyMatrix4(mesh.matrixWorld);
    for (let k = drawRange.start; k + 2 < total; k += 3) {
      const [a, b, c] = [corner(k), corner(k + 1), corner(k + 2)];
      const normal = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
      const light = material.isMeshLambertMaterial ? 0.5 + 0.5 * Math.abs(normal.dot(this.towards)) : 1;
      const color = `#${material.color.clone().multiplyScalar(light).getHexString()}`;
      this.put([a, b, c].map((point) => this.seen(point)), true, `fill="${color}" stroke="${color}" stroke-width="0.4"${this.opacity(material)}`, this.order(mesh));
    }
  }
}

export function sceneSvg(root: Object3D, camera: Camera, width: number, height: number, look: { background: string; text: string; mark: string }, written: Written[]): string {
  const writer = new Writer(camera, width, height);
  writer.add(root);
  const sorted = writer.pieces.sort((a, b) => a.order - b.order || (a.order !== 0 ? 0 : b.depth - a.depth)); // what has a layer of its own, as it was made
  const halo = `font-weight="600" stroke="${look.background}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"`;
  const words = written.map(({ text, x, y, size, motor }) => `<text x="${short(x)}" y="${short(y)}" fill="${motor ? look.mark : look.text}" font-family="system-ui, sans-serif" font-size="${short(size)}" ${motor ? halo : ""}>${escaped(text)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${look.background}"/>${sorted.map(({ path }) => path).join("")}${words.join("")}</svg>`;
}
