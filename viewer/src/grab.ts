// Moving the machine by hand: a body or a joint is grabbed with the pointer, and the machine follows with its loops closed. The pose stays when
// it is let go, until the motion is looked at again.
import { Plane, Raycaster, Vector2, Vector3 } from "three";
import type { Computer } from "./compute/computer";
import { drawnWith, framesOf } from "./compute/document";
import type { Place } from "./compute/engine";
import type { Computed, Grip, Pose, Values } from "./compute/model";
import { float32, float64, type RunDocument } from "./document";
import { element, written } from "./dom";
import { locate } from "./player";
import { RunOn } from "./run_on";
import type { SceneView } from "./scene";

// What computes the poses; null: nothing can.
export interface Mover {
  computer: Computer;
  compute: Computed;
  readonly values: Values; // of the parameters now
  readonly pose?: Place; // where the motion shown begins, in place of the start of the run
}
// What can be done with a pose: a button with this text; "": nothing, and why.
export interface PoseUse {
  text: string;
  title: string;
  take?: (pose: Pose, coordinates: string[]) => void;
}

const [slack, mouseRadius, touchRadius] = [3, 10, 22]; // px
const patience = 2000; // ms for which a machine that was let go still comes nearer
const budget = 12; // ms for one step of the hand: sixty pictures per second

export class Grab {
  readonly bar = element("div", { class: "pose", role: "status", hidden: "" });
  pose: Pose | null = null; // that is shown
  private compute: Computed | null = null;
  private grip: Grip | null = null;
  private plane = new Plane();
  private ray = new Raycaster();
  private begun: { x: number; y: number; pointer: number; at: Vector3; grip: Grip } | null = null;
  private moving = false;
  private target: Vector3 | null = null; // where the pointer is now
  private asking = false;
  private waiting = false; // for the machine that the hand is to move
  private resting = false; // it comes no nearer
  private released = 0; // ms, when the pointer let go
  readonly runOn: RunOn;
  readonly milliseconds: number[] = []; // that steps of the hand took, with the way to the worker and back

  constructor(
    private scene: SceneView,
    host: HTMLElement,
    readonly mover: (waits?: (why: string) => void) => Promise<Mover | null>, // waits: called where it takes as long as a run
    private use: (compute: Computed) => PoseUse,
  ) {
    host.append(this.bar);
    this.runOn = new RunOn(scene, host, () => mover(), () => {
      const { pose } = this;
      this.letGo();
      return pose && { q: [...pose.q], loose: true };
    });
    // before the controls of the view, which listen on the canvas itself
    host.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    host.addEventListener("pointermove", (event) => this.hover(event));
    host.addEventListener("touchstart", (event) => this.begun && event.preventDefault(), { capture: true, passive: false });
    for (const kind of ["pointerup", "pointercancel"]) host.addEventListener(kind, () => this.release());
    scene.player.onChange(() => this.pose && !this.begun && this.letGo());
  }

  // The model is another one: nothing of the one before is held.
  drop(why = ""): void {
    this.runOn.stop(why);
    this.release();
    this.letGo();
  }
  // Other values: a machine in the hand takes them at once.
  refresh(): void {
    if (this.pose && this.begun) void this.begin(this.begun);
  }
  // The motion is shown again.
  letGo(): void {
    ++this.grabbed;
    this.pose = this.grip = null;
    this.scene.release();
    this.bar.hidden = true;
  }

  private place(event: PointerEvent): [number, number] {
    const { left, top } = this.scene.canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }
  private picked(event: PointerEvent) {
    if (event.target !== this.scene.canvas) return null;
    return this.scene.pick(...this.place(event), event.pointerType === "touch" ? touchRadius : mouseRadius);
  }
  private hover(event: PointerEvent): void {
    if (this.begun) return this.drag(event);
    if (event.pointerType === "mouse" && event.buttons === 0) this.scene.canvas.style.cursor = this.picked(event) ? "grab" : "";
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0 || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || !event.isPrimary) return;
    const picked = this.picked(event);
    if (!picked) return;
    event.stopPropagation();
    const [x, y] = this.place(event);
    this.begun = { x, y, pointer: event.pointerId, at: picked.at, grip: picked.grip };
    this.scene.canvas.style.cursor = "grabbing";
    this.scene.canvas.setPointerCapture(event.pointerId);
  }
  private drag(event: PointerEvent): void {
    const begun = this.begun!;
    if (event.pointerId !== begun.pointer) return;
    const [x, y] = this.place(event);
    if (!this.moving && Math.hypot(x - begun.x, y - begun.y) < slack) return;
    if (!this.moving) {
      this.facePlane(begun.at);
      if (this.runOn.active) this.moving = true;
      else void this.begin(begun);
    }
    this.target = this.pointed(x, y);
    if (this.runOn.active) this.runOn.pulled = this.target && { grip: begun.grip, target: this.target };
    else void this.follow();
  }
  private release(): void {
    if (!this.begun) return;
    this.begun = null;
    this.moving = false;
    this.released = performance.now();
    this.runOn.pulled = null;
    this.scene.canvas.style.cursor = "";
    const { grabbed } = this;
    window.setTimeout(() => this.waiting && grabbed === this.grabbed && this.letGo(), patience);
  }
  // For a run, which may outlast the hand.
  private wait(why: string): void {
    this.waiting = true;
    this.say(why);
  }

  private facePlane(at: Vector3): void {
    this.plane.setFromNormalAndCoplanarPoint(this.scene.view.camera.getWorldDirection(new Vector3()), at);
  }
  // The pointer in the plane through the grabbed place that faces the viewer.
  private pointed(x: number, y: number): Vector3 | null {
    const { clientWidth, clientHeight } = this.scene.canvas;
    this.ray.setFromCamera(new Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight), this.scene.view.camera);
    return this.ray.ray.intersectPlane(this.plane, new Vector3());
  }

  private current: Mover | null = null;
  private grabbed = 0; // how often; what belongs to an earlier time is not wanted any more
  private async begin(begun: NonNullable<Grab["begun"]>): Promise<void> {
    this.moving = true;
    this.resting = false;
    this.grip = null; // until the machine is held
    if (this.scene.player.playing) this.scene.player.pause();
    const from = this.pose;
    const { t } = this.scene.player;
    this.say("…");
    this.waiting = false;
    const grabbed = ++this.grabbed;
    try {
      const mover = await this.mover((why) => this.wait(why));
      this.waiting = false;
      if (grabbed !== this.grabbed) return;
      if (!mover) return this.say("this page or this browser cannot move the machine by hand");
      this.current = mover;
      this.compute = mover.compute;
      const guess = from ? [...from.q] : coordinatesAt(this.scene.run, mover.compute.coordinates, t);
      const pose = await mover.computer.grab(t, mover.values, guess);
      if (grabbed !== this.grabbed) return;
      if (!pose) return this.say("the loops do not close here");
      this.grip = begun.grip;
      void this.follow();
    } catch (error) {
      if (grabbed === this.grabbed) this.say(`the machine cannot be moved by hand: ${(error as Error).message}`);
    }
  }

  // One question at a time, always about the latest place of the pointer; and on, until it can come no nearer.
  private async follow(): Promise<void> {
    if (this.asking || !this.grip || !this.target || !this.current) return;
    this.asking = true;
    this.resting = false;
    const { target, grip, grabbed } = this;
    const began = performance.now();
    const { camera } = this.scene.view;
    const directions = [0, 1].map((k) => new Vector3().setFromMatrixColumn(camera.matrixWorld, k).normalize().toArray());
    try {
      const pose = await this.current.computer.pull({ grip, target: target.toArray(), directions }, budget);
      this.asking = false;
      if (grabbed !== this.grabbed) return void this.follow();
      this.milliseconds.push(performance.now() - began);
      if (pose) this.show(pose);
      const late = !this.begun && performance.now() - this.released > patience;
      if (this.target !== target || (pose && !pose.settled && !late)) void this.follow();
      else this.resting = true;
    } catch (error) {
      this.asking = false;
      if (grabbed === this.grabbed) this.say((error as Error).message);
    }
  }
  // Until it comes no nearer: for tests.
  get settled(): boolean {
    return this.resting && this.pose !== null;
  }

  private show(pose: Pose): void {
    this.pose = pose;
    const compute = this.compute!;
    const { run } = this.scene;
    this.scene.hold(framesOf(pose.frame, 1, compute.poses, run.frames.stride), null, drawnWith(run, compute, pose.layout), () => this.letGo());
    const error = compute.start.loops > compute.start.prescribed.length ? `loops closed to ${written(pose.error)} (m, rad)` : "no loops";
    const sentence = [error, ...pose.limits].join("; ");
    if (this.bar.childElementCount > 1) this.bar.firstElementChild!.textContent = sentence; // buttons stay under the pointer
    else this.say(sentence, ...this.uses(compute));
  }
  private uses(compute: Computed): HTMLElement[] {
    const { text, title, take } = this.use(compute);
    const back = element("button", { type: "button", title: "show the motion again", click: () => this.letGo() }, "back");
    if (!text) return [back];
    const used = element("button", { type: "button", title, click: () => this.pose && take?.(this.pose, compute.coordinates) }, text);
    used.disabled = !take;
    return [used, back];
  }
  private say(sentence: string, ...buttons: HTMLElement[]): void {
    const said = element("span", {}, sentence);
    this.bar.replaceChildren(said, ...buttons);
    this.bar.hidden = false;
  }
}

// Recorded coordinates at a time; undefined: not recorded.
function coordinatesAt({ series }: RunDocument, names: string[], t: number): (number | undefined)[] {
  const times = float64(series.t);
  const [k, share] = locate(times, t);
  return names.map((name) => {
    const channel = series.channels.find((each) => each.name === name);
    if (!channel) return undefined;
    const data = float32(channel.data);
    return data[k] + (share > 0 ? share * (data[k + 1] - data[k]) : 0);
  });
}
