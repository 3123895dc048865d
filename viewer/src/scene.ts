// The animated picture of a run: a canvas with the machine, its traces and what is written over it.
import { DirectionalLight, HemisphereLight, Scene as Space, Vector3, WebGLRenderer } from "three";
import type { RunDocument } from "./document";
import { element } from "./dom";
import { floor } from "./floor";
import { downOf } from "./joints";
import { Machine } from "./machine";
import { Overlay, type Label } from "./overlay";
import { Paint } from "./paint";
import { sweptBox } from "./places";
import type { Player } from "./player";
import { Poses } from "./poses";
import type { Theme } from "./theme";
import { Traces } from "./traces";
import { View } from "./view";

export class SceneView {
  readonly poses: Poses;
  readonly machine: Machine;
  readonly traces: Traces;
  readonly view: View;
  private paint: Paint;
  private space = new Space();
  private renderer: WebGLRenderer;
  private overlay: Overlay;
  private light = new DirectionalLight("#ffffff", 1.9);
  private pending = false;

  constructor(
    private run: RunDocument,
    private player: Player,
    private host: HTMLElement,
    theme: Theme,
  ) {
    this.poses = new Poses(run);
    this.paint = new Paint(theme);
    const box = sweptBox(run, this.poses);
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.machine = new Machine(run, this.poses, this.paint, box);
    this.traces = new Traces(run, this.poses, this.paint);
    this.space.add(this.machine.root, this.traces.root, new HemisphereLight("#ffffff", "#8a929a", 1.6), this.light);
    if (!run.scene.plane) this.space.add(floor(box, downOf(run.scene.gravity, ""), this.paint));
    const falls = run.scene.gravity !== null && Math.hypot(...run.scene.gravity) > 0;
    this.overlay = new Overlay(this.labels(), falls ? new Vector3(...run.scene.gravity!) : null, run.scene.plane);
    host.append(this.renderer.domElement, this.overlay.root);
    this.view = new View(run.scene, box, this.renderer.domElement, () => this.redraw());
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    this.view.reset();
    player.onChange(() => this.redraw());
  }

  private labels(): Label[] {
    const { scene } = this.run;
    const at = (place: { body: number; at: [number, number, number] }) => () =>
      this.poses.place(place, ...this.player.locate(this.player.t));
    return [
      ...scene.bodies.map((body, i) => ({
        text: body.name,
        at: at({ body: i, at: body.beam ? [body.beam.length / 2, 0, 0] : body.center }),
      })),
      ...scene.joints.map((joint) => ({ text: joint.name, at: at(joint.b) })),
    ];
  }

  resize(): void {
    const width = this.host.clientWidth || 1;
    const height = this.host.clientHeight || 1;
    this.renderer.setSize(width, height);
    this.paint.resize(width, height);
    this.view.resize();
    this.redraw();
  }

  setTheme(theme: Theme): void {
    this.paint.apply(theme);
    this.redraw();
  }
  showFrames(shown: boolean): void {
    this.machine.showFrames(shown);
    this.redraw();
  }
  showLabels(shown: boolean): void {
    this.overlay.labelled = shown;
    this.redraw();
  }
  scaleBeams(scale: number): void {
    this.poses.beamScale = scale;
    this.redraw();
  }
  get compass(): SVGElement {
    return this.overlay.compass;
  }
  get hasBeams(): boolean {
    return this.run.scene.bodies.some((body) => body.beam);
  }

  redraw(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  draw(): void {
    const [frame, share] = this.player.locate(this.player.t);
    this.machine.update(frame, share);
    this.traces.update(frame);
    const camera = this.view.camera;
    camera.updateMatrixWorld();
    this.light.position.copy(camera.position).addScaledVector(camera.up, 0.4 * camera.position.length());
    this.renderer.render(this.space, camera);
    this.overlay.update(camera);
  }
}

// What to say where the browser cannot draw.
export function sceneOrMessage(run: RunDocument, player: Player, host: HTMLElement, theme: Theme): SceneView | null {
  const drawn = run.scene.bodies.length + run.scene.drawings.length > 0;
  if (!drawn || run.frames.count === 0) {
    host.append(
      element(
        "p",
        { class: "message" },
        drawn
          ? "Nothing was recorded."
          : "Nothing to draw: the model has no bodies. A Lagrangian can name lines under draw.",
      ),
    );
    return null;
  }
  try {
    return new SceneView(run, player, host, theme);
  } catch (error) {
    host.append(
      element(
        "p",
        { class: "message" },
        `This browser cannot draw the machine (${String(error)}). The plots are complete.`,
      ),
    );
    return null;
  }
}
