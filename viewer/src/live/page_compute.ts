// The model of the live page computed in the page itself, as in a report: sliders move the machine before the program has answered, and the machine
// can be moved by hand. The program sends the model once; it stays good while only values change that are inputs of its equations.
import { Computer, hasKernel } from "../compute/computer";
import { documentOf } from "../compute/document";
import { computesMotions, computesPoses, type Computed, type Pose, type Values } from "../compute/model";
import { quantityIn } from "../compute/quantity";
import type { RunDocument } from "../document";
import type { Mover, PoseUse } from "../grab";
import * as api from "./api";
import type { Session } from "./session";

const mostRows = 1000;
export const modelChanged = "stopped: the model has changed; 'run live' starts the new one";
const twelve = (x: number) => String(Number(x.toPrecision(12)));

interface Made {
  computer: Computer;
  compute: Computed;
  recorded: RunDocument; // the run of the text that it was made of
}

export class PageCompute {
  private making: Promise<Made | null> | null = null;
  private made: Made | null = null;
  private values: Values = {}; // that differ from those of the text
  private dropped = 0; // how often
  within = 25; // ms: a motion that takes longer is first shown as a coarse one

  constructor(
    private session: Session,
    private run: () => RunDocument | null, // of the text now
  ) {}

  // The text was written anew, or another file was opened. why: for a reader who has the same machine in view.
  onDrop = (_why: string): void => {};
  live = false; // the machine runs on: values are its own, and no motion is computed
  drop(why = ""): void {
    ++this.dropped;
    this.onDrop(why);
    this.made?.computer.end();
    this.made = this.making = null;
    this.values = {};
  }
  // Asked for when the pointer comes near, so that it is there when it presses, and from then on after every run. Not while one is under way, of which
  // the text is not known yet.
  private wanted = false;
  want(): void {
    this.wanted = true;
    this.prepare();
  }
  prepare(): void {
    if (this.wanted && !this.session.running && this.run()) void this.ready().catch(() => {});
  }
  private ready(): Promise<Made | null> {
    return (this.making ??= this.make());
  }
  // Of the text of the run that is shown: one that is under way is waited for.
  private async make(): Promise<Made | null> {
    const { dropped } = this;
    while (this.session.running && dropped === this.dropped) await new Promise((resolve) => window.setTimeout(resolve, 20));
    const { name, text } = this.session;
    const recorded = this.run();
    if (!hasKernel || !recorded || dropped !== this.dropped) return null;
    const { compute, sentence } = await api.compute(name, text);
    if (dropped !== this.dropped) return null;
    if (!compute || !computesPoses(compute)) throw new Error(sentence ?? (compute as { refused: string } | undefined)?.refused ?? "there is no start");
    return (this.made = { computer: new Computer(compute), compute, recorded: { ...recorded, compute } });
  }

  // The motion with another value, before the program has computed it; null: the page cannot, or a newer value has come.
  async turn(path: string[], text: string): Promise<RunDocument | null> {
    if (!this.making) return null;
    const { made } = this;
    const control = made?.compute.controls.find((each) => each.path.join("\n") === path.join("\n"));
    const value = control && (text.trim() === control.text ? control.value! * control.scale : quantityIn(text, control)?.si);
    if (!made || !control || value === undefined || !computesMotions(made.compute)) return this.drop(modelChanged), null;
    this.values = { ...this.values, [control.parameter]: value };
    if (this.live) return null;
    const motion = await made.computer.run({ values: this.values, mostRows, within: this.within }).catch(() => null);
    return motion && motion.count > 1 && motion.status === "finished" && made === this.made ? documentOf(motion, made.recorded, {}) : null;
  }

  // ---- by hand

  async mover(waits?: (why: string) => void): Promise<Mover | null> {
    if (this.session.running && !this.made) waits?.("the machine can be moved when the run has ended");
    const made = await this.ready();
    const values = () => this.values;
    return (
      made && {
        computer: made.computer,
        compute: made.compute,
        get values() {
          return values();
        },
      }
    );
  }
  // Coordinates that determine the pose become the values that the file keeps.
  use(compute: Computed, write: (edits: api.Edit[]) => void): PoseUse {
    const text = "use as start";
    const { start } = compute;
    const kept = compute.controls.filter(({ path }) => path[0] === "start" && path[1] === "keep");
    if (start.given) return { text, title: "the file starts at an equilibrium" };
    if (start.prescribed.length > 0) return { text, title: "a prescribed motion determines the start" };
    if (kept.length < start.kept) return { text, title: "start.keep in the file contains formulas or points, which a pose cannot replace" };
    return { text, title: "write this pose into the start of the file", take: (pose) => write(this.edits(pose, compute)) };
  }
  private edits(pose: Pose, { coordinates, controls }: Computed): api.Edit[] {
    const control = (name: string) => controls.find(({ parameter }) => parameter === `start.${name}`);
    const names = [...new Set([...pose.independent, ...coordinates.filter((name) => control(name)?.path[1] === "keep")])];
    return names.map((name) => {
      const known = control(name);
      const value = pose.q[coordinates.indexOf(name)];
      if (!known) return { path: ["start", "keep", name], value: twelve(value) };
      return { path: known.path, value: twelve(value / known.scale) + (known.unit ? ` ${known.unit}` : "") };
    });
  }
}
