// The picture of the live page and the hand in it, made with the first run that can be drawn. In place of a run that cannot stands a sentence.
import type { Computed } from "../compute/model";
import { addRunOn, addSceneControls, shown } from "../controls";
import type { RunDocument } from "../document";
import { element } from "../dom";
import type { Range } from "../film";
import { Grab, type PoseUse } from "../grab";
import type { Player } from "../player";
import { cannotDraw, SceneView, undrawn } from "../scene";
import type { Theme } from "../theme";
import type { PageCompute } from "./page_compute";

export class Stage {
  scene: SceneView | null = null;
  grab: Grab | null = null;
  private sentence = element("p", { class: "message", hidden: "" });
  private broken = ""; // why this browser cannot draw
  private another = true; // the run that is drawn next is of another machine
  private row = ""; // what the row of check boxes is about

  constructor(
    private host: HTMLElement,
    private controls: HTMLElement,
    private player: () => Player,
    private theme: () => Theme,
    private range: Range,
    private computes: PageCompute,
    private use: (compute: Computed) => PoseUse,
  ) {
    host.append(this.sentence);
  }

  // The picture, unless a sentence stands in its place.
  get drawn(): SceneView | null {
    return this.sentence.hidden ? this.scene : null;
  }
  // The next run is of another model: the picture is fitted to it, and nothing of the one before stays chosen.
  forget(): void {
    this.another = true;
  }
  // In place of a picture.
  lack(why: string): void {
    this.say(why);
    this.grab?.drop();
  }
  show(run: RunDocument): void {
    const why = undrawn(run) || this.broken;
    if (why) return this.lack(why);
    this.say("");
    if (this.scene) this.scene.setRun(run, this.another);
    else this.make(run);
    this.refreshRow();
    this.another = false;
  }
  private say(why: string): void {
    this.sentence.textContent = why;
    this.sentence.hidden = why === "";
    for (const part of [this.host, this.controls]) part.classList.toggle("undrawn", why !== "");
  }

  private make(run: RunDocument): void {
    try {
      this.scene = new SceneView(run, this.player(), this.host, this.theme());
    } catch (error) {
      return this.say((this.broken = cannotDraw(error)));
    }
    addSceneControls(this.scene, this.controls, this.range);
    const { computes } = this;
    this.grab = new Grab(this.scene, this.host, (waits) => computes.mover(waits), this.use);
    const { runOn } = this.grab;
    addRunOn(runOn, this.controls);
    runOn.onStart = () => (computes.live = true);
    runOn.onStop = () => (computes.live = false);
    computes.onDrop = (why) => this.grab?.drop(why);
    for (const kind of ["pointerenter", "focusin"]) this.host.addEventListener(kind, () => computes.want());
  }
  // Names of bodies and traces change with the model.
  private refreshRow(): void {
    const { scene } = this;
    if (!scene) return;
    const about = [...scene.traces.list, ...scene.run.scene.bodies].map(({ name }) => name).join("\n") + scene.hasBeams + (scene.singularTimes.length > 0);
    if ((this.another || about !== this.row) && this.row !== "") {
      this.controls.querySelector(".shown")!.replaceWith(shown(scene, this.range));
      addRunOn(this.grab!.runOn, this.controls);
    }
    this.row = about;
  }
}
