// A bent beam: a ribbon in the plane of a planar machine, a tube in space; in one color, or colored by how hard it is loaded.
import { BufferAttribute, BufferGeometry, Color, Group, Mesh, Vector3, type Material } from "three";

// From nothing to the largest load, in even steps of lightness: blue, green, yellow (after viridis).
const loadColors = ["#3b3f8f", "#2f7f8e", "#35a878", "#9fce3f", "#fde725"].map((hex) => new Color(hex));
function loadColor(share: number, out: Color): Color {
  const place = Math.min(Math.max(share, 0), 1) * (loadColors.length - 1);
  const k = Math.min(Math.floor(place), loadColors.length - 2);
  return out.copy(loadColors[k]).lerp(loadColors[k + 1], place - k);
}

// Sets the colors of `each` corners a node; shares null: the material's own color.
function paintLoads(mesh: Mesh, own: Material, loaded: Material, each: number, shares: number[] | null): void {
  mesh.material = shares ? loaded : own;
  if (!shares) return;
  const color = mesh.geometry.attributes.color as BufferAttribute;
  const at = new Color();
  shares.forEach((share, k) => {
    loadColor(share, at);
    for (let i = 0; i < each; ++i) color.setXYZ(k * each + i, at.r, at.g, at.b);
  });
  color.needsUpdate = true;
}

export class Ribbon {
  readonly group = new Group();
  private layers: { geometry: BufferGeometry; half: number; lift: number }[] = [];
  private top: { mesh: Mesh; own: Material } | null = null; // the last layer

  constructor(
    private nodes: number,
    private normal: Vector3,
    private loaded: Material,
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
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(6 * this.nodes), 3));
    this.top = { mesh, own: material };
    return this;
  }

  // Shares of the largest load at the nodes; null: plain.
  color(shares: number[] | null): void {
    if (this.top) paintLoads(this.top.mesh, this.top.own, this.loaded, 2, shares);
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

const around = 12; // corners of a tube's section

export class Tube {
  readonly mesh: Mesh;
  private geometry = new BufferGeometry();

  constructor(
    private nodes: number,
    private radius: number,
    private material: Material,
    private loaded: Material,
  ) {
    for (const name of ["position", "normal", "color"])
      this.geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * around * nodes), 3));
    const index: number[] = [];
    for (let k = 0; k + 1 < nodes; ++k)
      for (let i = 0; i < around; ++i) {
        const [a, b] = [k * around + i, k * around + ((i + 1) % around)];
        index.push(a, b, a + around, b, b + around, a + around);
      }
    for (const ring of [0, nodes - 1]) // closed at both ends
      for (let i = 1; i + 1 < around; ++i) index.push(ring * around, ring * around + i, ring * around + i + 1);
    this.geometry.setIndex(index);
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
  }

  color(shares: number[] | null): void {
    paintLoads(this.mesh, this.material, this.loaded, around, shares);
  }

  // Each ring is across the line, and turned as little as possible from the one before.
  update(points: Vector3[]): void {
    const position = this.geometry.attributes.position as BufferAttribute;
    const normal = this.geometry.attributes.normal as BufferAttribute;
    const along = new Vector3();
    const first = new Vector3();
    for (let k = 0; k < this.nodes; ++k) {
      along.subVectors(points[Math.min(k + 1, this.nodes - 1)], points[Math.max(k - 1, 0)]).normalize();
      if (k === 0) first.set(Math.abs(along.x) < 0.9 ? 1 : 0, Math.abs(along.x) < 0.9 ? 0 : 1, 0);
      first.addScaledVector(along, -first.dot(along)).normalize();
      const second = along.clone().cross(first);
      for (let i = 0; i < around; ++i) {
        const angle = (2 * Math.PI * i) / around;
        const out = first.clone().multiplyScalar(Math.cos(angle)).addScaledVector(second, Math.sin(angle));
        normal.setXYZ(k * around + i, out.x, out.y, out.z);
        const at = points[k].clone().addScaledVector(out, this.radius);
        position.setXYZ(k * around + i, at.x, at.y, at.z);
      }
    }
    position.needsUpdate = normal.needsUpdate = true;
  }
}
