// A bent beam as a ribbon in the plane of the machine.
import { BufferAttribute, BufferGeometry, Group, Mesh, Vector3, type Material } from "three";

export class Ribbon {
  readonly group = new Group();
  private layers: { geometry: BufferGeometry; half: number; lift: number }[] = [];

  constructor(
    private nodes: number,
    private normal: Vector3,
  ) {}

  layer(half: number, lift: number, material: Material): this {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(6 * this.nodes), 3));
    const index: number[] = [];
    for (let k = 0; k + 1 < this.nodes; ++k) index.push(2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 2, 2 * k + 1, 2 * k + 3);
    geometry.setIndex(index);
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    this.group.add(mesh);
    this.layers.push({ geometry, half, lift });
    return this;
  }

  update(points: Vector3[]): void {
    const side = new Vector3();
    for (const { geometry, half, lift } of this.layers) {
      const position = geometry.attributes.position as BufferAttribute;
      points.forEach((point, k) => {
        const before = points[Math.max(k - 1, 0)];
        const after = points[Math.min(k + 1, points.length - 1)];
        side.subVectors(after, before).cross(this.normal).normalize().multiplyScalar(half);
        const base = point.clone().addScaledVector(this.normal, lift);
        position.setXYZ(2 * k, base.x + side.x, base.y + side.y, base.z + side.z);
        position.setXYZ(2 * k + 1, base.x - side.x, base.y - side.y, base.z - side.z);
      });
      position.needsUpdate = true;
    }
  }
}
