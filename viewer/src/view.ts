// How the scene is looked at: from the normal of the plane of a planar machine, or from anywhere in space.
import { Box3, Matrix4, OrthographicCamera, PerspectiveCamera, Vector3, type Camera } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { SceneDescription } from "./document";
import type { Swept } from "./places";

export interface Axes {
  right: Vector3;
  up: Vector3;
  normal: Vector3; // towards the viewer
  eye?: Vector3; // who is at this place, in space
}

const x = new Vector3(1, 0, 0);
const y = new Vector3(0, 1, 0);
const z = new Vector3(0, 0, 1);

export function axesOf(plane: SceneDescription["plane"]): Axes {
  if (plane === "xz") return { right: x, up: z, normal: y.clone().negate() };
  if (plane === "yz") return { right: y, up: z, normal: x };
  return { right: x, up: y, normal: z };
}

// Of the picture: those of the plane, or in space those of the camera before the reader turns it.
export function pictureAxes(plane: SceneDescription["plane"], up: Vector3): Axes {
  if (plane) return axesOf(plane);
  const normal = fromAside(up);
  const right = up.clone().cross(normal).normalize();
  return { right, up: normal.clone().cross(right), normal };
}

// Down where the picture is looked at: with gravity, else with the plane.
export function downOf(gravity: [number, number, number] | null, plane: SceneDescription["plane"]): Vector3 {
  const g = gravity ? new Vector3(...gravity) : new Vector3();
  if (g.length() > 1e-9) return g.normalize();
  return plane ? axesOf(plane).up.clone().negate() : z.clone().negate();
}

// Across a line in the picture, to its right, so that heads of arrows and zigzags are seen from their broad side.
export function sideways(along: Vector3, { right, normal }: Axes): Vector3 {
  const side = along.clone().cross(normal);
  return side.length() > 0 ? side.normalize() : side.copy(right);
}

// Two directions across an axis.
export function acrossAxis(axis: Vector3): [Vector3, Vector3] {
  const first = (Math.abs(axis.x) < 0.9 ? x.clone() : y.clone()).cross(axis).normalize();
  return [first, axis.clone().cross(first)];
}

// Takes (right, up, normal) of the plane to ground axes.
export function basis(axes: Axes): Matrix4 {
  return new Matrix4().makeBasis(axes.right, axes.up, axes.normal);
}

// Where a machine in space is looked at from.
export function fromAside(up: Vector3): Vector3 {
  const side = Math.abs(up.x) < 0.9 ? x.clone() : y.clone();
  const forward = side.clone().cross(up).normalize();
  return side.multiplyScalar(0.55).addScaledVector(forward, 0.78).addScaledVector(up, 0.42).normalize();
}

export class View {
  readonly camera: Camera;
  readonly controls: OrbitControls;
  private readonly center = new Vector3();
  private shown: Box3; // what the picture was last fitted to

  constructor(
    private scene: SceneDescription,
    private swept: Swept,
    private canvas: HTMLElement,
    redraw: () => void,
  ) {
    this.shown = swept.box;
    this.camera = scene.plane ? new OrthographicCamera() : new PerspectiveCamera(32);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    canvas.style.touchAction = "pan-y"; // a finger that goes up or down scrolls the page; two fingers move and zoom
    this.controls.enableRotate = !scene.plane;
    this.controls.screenSpacePanning = true;
    if (scene.plane) this.controls.mouseButtons.LEFT = this.controls.mouseButtons.RIGHT;
    if (scene.plane) this.controls.touches.ONE = this.controls.touches.TWO;
    this.controls.addEventListener("change", redraw);
    swept.box.getCenter(this.center);
    this.reset();
  }

  // Of another run: the look stays, so that the eye sees what has changed; fit() takes the new size. What grows out of the
  // picture is shown whole.
  setSwept(swept: Swept): void {
    const { box } = swept;
    const margin = 0.05 * this.shown.getSize(new Vector3()).length();
    if (!this.shown.clone().expandByScalar(margin).containsBox(box)) this.shown = this.shown.clone().union(box);
    this.swept = swept;
    box.getCenter(this.center);
  }
  dispose(): void {
    this.controls.dispose();
  }

  get is2D(): boolean {
    return this.scene.plane !== "";
  }

  // Gravity, where there is any, points down.
  private up(): Vector3 {
    if (this.scene.plane) return axesOf(this.scene.plane).up;
    const g = this.scene.gravity;
    const down = g ? new Vector3(...g) : new Vector3();
    return down.length() > 1e-9 ? down.normalize().negate() : z;
  }

  reset(): void {
    this.shown = this.swept.box;
    const size = this.shown.getSize(new Vector3()).length() || 1;
    const up = this.up();
    this.camera.up.copy(up);
    const towards = this.scene.plane ? axesOf(this.scene.plane).normal.clone() : fromAside(up);
    const camera = this.camera;
    if (camera instanceof OrthographicCamera) {
      camera.near = 0;
      camera.far = 20 * size;
      camera.zoom = 1;
      camera.position.copy(this.center).addScaledVector(towards, 10 * size);
    } else if (camera instanceof PerspectiveCamera) {
      camera.near = 0.01 * size;
      camera.far = 100 * size;
      camera.position.copy(this.center).addScaledVector(towards, this.distance(camera, towards, up, 0.03 * size));
    }
    this.controls.target.copy(this.center);
    this.resize();
    this.controls.update();
  }

  // From which all that the machine sweeps over is seen, with a margin.
  private distance(camera: PerspectiveCamera, towards: Vector3, up: Vector3, margin: number): number {
    const right = up.clone().cross(towards).normalize();
    const above = towards.clone().cross(right);
    const tall = Math.tan((camera.fov * Math.PI) / 360);
    const wide = tall * (camera.aspect || 1);
    const ways = this.swept.places.map((place) => place.clone().sub(this.center));
    return ways.reduce((most, way) => {
      const [x, y, z] = [way.dot(right), way.dot(above), way.dot(towards)].map((each, k) => (k < 2 ? Math.abs(each) + margin : each));
      return Math.max(most, z + x / wide, z + y / tall);
    }, 4 * margin);
  }

  // Looks at the same from elsewhere: along an axis, or from aside.
  lookFrom(side: "front" | "side" | "top" | "aside"): void {
    const up = this.up();
    const aside = fromAside(up);
    const right = Math.abs(up.x) < 0.9 ? x.clone() : y.clone();
    const front = right.clone().cross(up).normalize();
    const towards = { front, side: right.addScaledVector(up, -right.dot(up)).normalize(), top: up.clone(), aside }[side];
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.up.copy(side === "top" ? front.clone().negate() : up);
    this.camera.position.copy(this.controls.target).addScaledVector(towards, distance);
    this.controls.update();
  }
  // Camera and what it looks at.
  move(by: Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.camera.updateMatrixWorld();
  }

  resize(): void {
    const width = this.canvas.clientWidth || 1;
    const height = this.canvas.clientHeight || 1;
    const camera = this.camera;
    if (camera instanceof OrthographicCamera) {
      const axes = axesOf(this.scene.plane);
      const size = this.shown.getSize(new Vector3());
      const along = (axis: Vector3) => Math.abs(size.dot(axis)) || 1e-9;
      const half = 0.5 * Math.max(along(axes.up), (along(axes.right) * height) / width);
      camera.top = half;
      camera.bottom = -half;
      camera.right = (half * width) / height;
      camera.left = -camera.right;
      camera.updateProjectionMatrix();
    } else if (camera instanceof PerspectiveCamera) {
      camera.aspect = width / height;
      camera.updateProjectionMatrix();
    }
  }

  // Length in the scene of one pixel at the middle of the picture.
  pixel(): number {
    const height = this.canvas.clientHeight || 1;
    if (this.camera instanceof OrthographicCamera)
      return (this.camera.top - this.camera.bottom) / this.camera.zoom / height;
    const camera = this.camera as PerspectiveCamera;
    const distance = camera.position.distanceTo(this.controls.target);
    return (2 * distance * Math.tan((camera.fov * Math.PI) / 360)) / height;
  }
}
