// The machine runs on from the time that is shown, as fast as the player: it is pulled with the pointer, its drives are turned up and down,
// and its values change while it moves. Nothing is recorded.
import { Vector3 } from "three";
import { drawnWith, framesOf } from "./compute/document";
import type { Place } from "./compute/engine";
import { most } from "./compute/actuators";
import { reasons, type Actuator, type Grip, type Moment, type Values } from "./compute/model";
import type { RunDocument } from "./document";
import { element, written } from "./dom";
import type { Mover } from "./grab";
import type { SceneView } from "./scene";

const pullRate = 2 * Math.PI * 1.5; // of the pointer's spring, rad per second of the viewer
const longestFrame = 0.05; // s: where pictures take longer, the machine is slower than the clock
const steps = 100; // of an actuator's slider, to each side

export class RunOn {
  readonly button = element("button", { type: "button", class: "run-on", "aria-pressed": "false", title: "let the machine run on from here; pull it and change its drives", click: () => void this.toggle() }, "run live");
  readonly bar = element("div", { class: "live-bar", role: "group", "aria-label": "the running machine", hidden: "" });
  active = false;
  moment: Moment | null = null; // that is shown
  pictures = 0; // since it began
  pulled: { grip: Grip; target: Vector3 } | null = null;
  onStart = (): void => {};
  onStop = (): void => {};
  private said = element("span", { class: "said" });
  private line = element("div", { class: "pull", hidden: "" });
  private newtons = element("output", { "aria-live": "off" });
  private inputs: Values = {};
  private started = 0; // how often; of several starts the last one runs

  constructor(
    private scene: SceneView,
    host: HTMLElement,
    private mover: () => Promise<Mover | null>,
    private pose: () => Place | null, // held by hand
  ) {
    this.line.append(this.newtons);
    host.append(this.line);
    scene.player.onChange(() => this.active && scene.player.playing && this.stop());
  }

  private toggle(): void {
    if (this.active) this.stop();
    else void this.start();
  }
  // why: told to a reader who did not ask for it.
  stop(why = ""): void {
    if (!this.active) return;
    if (why) return this.refuse(why);
    this.end();
    this.bar.hidden = true;
  }
  private end(): void {
    this.active = false;
    this.onStop();
    this.pulled = this.moment = null;
    this.line.hidden = true;
    this.button.setAttribute("aria-pressed", "false");
    this.scene.release();
  }
  private refuse(sentence: string): void {
    this.end();
    this.said.textContent = sentence;
    this.bar.replaceChildren(this.said, element("button", { type: "button", click: () => (this.bar.hidden = true) }, "ok"));
    this.bar.hidden = false;
  }

  private async start(): Promise<void> {
    const { player } = this.scene;
    const started = ++this.started;
    const runs = () => this.active && started === this.started;
    this.active = true;
    this.onStart();
    this.button.setAttribute("aria-pressed", "true");
    if (player.playing) player.pause();
    try {
      const mover = await this.mover();
      if (!runs()) return;
      if (!mover?.compute.forces) return this.refuse(`this model cannot run in a page${mover?.compute.refused ? `: ${mover.compute.refused}` : ""}`);
      const pose = mover.compute.start.prescribed.length === 0 ? this.pose() : null;
      const status = await mover.computer.goOn({ values: mover.values, pose: pose ?? mover.pose }, pose ? player.begin : player.t);
      if (!runs()) return;
      if (status !== "goes on") return this.refuse(`the machine cannot run from here: ${reasons[status ?? "slow"] ?? status}`);
      this.show(mover);
      await this.loop(mover, runs);
    } catch (error) {
      if (runs()) this.refuse((error as Error).message);
    }
  }

  private async loop(mover: Mover, runs: () => boolean): Promise<void> {
    for (let last = await nextPicture(); runs(); ) {
      const now = await nextPicture();
      const { speed } = this.scene.player;
      const seconds = Math.min((now - last) / 1000, longestFrame) * speed;
      last = now;
      if (!(seconds > 0) || !runs()) continue;
      const { pulled } = this;
      const pull = pulled && { grip: pulled.grip, target: pulled.target.toArray(), rate: pullRate / speed, mass: massOf(this.scene.run) };
      const moment = await mover.computer.flow(seconds, { ...mover.values, ...this.inputs }, pull);
      if (!runs()) return;
      if (!moment) return this.refuse("another motion was computed in the meantime");
      this.take(moment, mover);
      if (moment.status !== "goes on") return this.refuse(`stopped at t = ${written(moment.t)} s: ${reasons[moment.status] ?? moment.status}`);
    }
  }
  private take(moment: Moment, { compute }: Mover): void {
    this.moment = moment;
    ++this.pictures;
    const { run } = this.scene;
    this.scene.hold(framesOf(moment.frame, 1, compute.poses, run.frames.stride), moment.t, drawnWith(run, compute, moment.layout), () => this.stop());
    this.said.textContent = `live, t = ${moment.t.toFixed(2)} s`;
    this.drawPull(moment);
  }

  // From the held place to the pointer, with the force.
  private drawPull({ at, force }: Moment): void {
    this.line.hidden = !at || !this.pulled;
    if (!at || !this.pulled) return;
    const { clientWidth, clientHeight } = this.scene.canvas;
    const seen = (place: Vector3) => {
      const { x, y } = place.clone().project(this.scene.view.camera);
      return [((x + 1) / 2) * clientWidth, ((1 - y) / 2) * clientHeight];
    };
    const [[x, y], [toX, toY]] = [seen(new Vector3(...at)), seen(this.pulled.target)];
    this.line.style.width = `${Math.hypot(toX - x, toY - y)}px`;
    this.line.style.transform = `translate(${x}px, ${y}px) rotate(${Math.atan2(toY - y, toX - x)}rad)`;
    this.newtons.textContent = `${written(Number(Math.hypot(...force).toPrecision(2)))} N`;
    this.newtons.style.transform = `rotate(${-Math.atan2(toY - y, toX - x)}rad)`;
  }

  // ---- actuators

  private show({ compute, values }: Mover): void {
    this.inputs = {};
    this.pictures = 0;
    const sliders = (compute.actuators ?? []).map((actuator) => this.slider(actuator, values[actuator.parameter] ?? 0));
    const hint = element("span", { class: "hint" }, "drag a body to pull it");
    this.bar.replaceChildren(this.said, hint, ...sliders, element("button", { type: "button", title: "show the motion again", click: () => this.stop() }, "stop"));
    this.bar.hidden = false;
  }
  // On top of what the file commands; a double-click takes it away.
  private slider(actuator: Actuator, now: number): HTMLElement {
    const { name, parameter, unit } = actuator;
    const end = Math.max(most(this.scene.run, actuator), Math.abs(now));
    const value = element("output", { "aria-live": "off" });
    const title = `${name}: added to what the file commands, ${unit}; double-click to reset`;
    const range = element("input", { type: "range", min: String(-steps), max: String(steps), step: "1", value: String((steps * now) / end), "aria-label": `${name} [${unit}], added`, title });
    const say = (added: number) => {
      value.textContent = `${added < 0 ? "−" : "+"}${written(Number(Math.abs(added).toPrecision(3)))} ${unit}`;
      range.setAttribute("aria-valuetext", value.textContent);
    };
    const turn = () => {
      const added = (Number(range.value) / steps) * end;
      this.inputs = { ...this.inputs, [parameter]: added };
      say(added);
    };
    say(now);
    range.addEventListener("input", turn);
    range.addEventListener("dblclick", () => {
      range.value = "0";
      turn();
    });
    return element("label", { class: "actuator" }, name, range, value);
  }
}

// Of all bodies, kg; a Lagrangian does not say.
const massOf = ({ scene }: RunDocument) => scene.bodies.reduce((sum, { mass }) => sum + mass, 0) || Infinity;

const nextPicture = () => new Promise<number>((done) => requestAnimationFrame(done));
