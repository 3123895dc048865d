// The values of a report, to be changed: sliders for parameters and start values. The motion for them is computed beside the page; the
// address holds them, so that it can be passed on.
import type { RunDocument } from "../document";
import { element, written } from "../dom";
import { quoted } from "../shell";
import { Panel } from "../live/panel";
import { controlOf } from "./actuators";
import { Computer, hasKernel } from "./computer";
import { documentOf } from "./document";
import type { Place } from "./engine";
import { computesMotions, reasons, type Computed, type Motion, type PageControl, type Pose, type Values as Numbers } from "./model";
import { quantityIn } from "./quantity";

const mostRows = 2000;
const longWait = 300; // ms: a motion that takes longer is announced
const mostInAddress = 60; // coordinates of a pose

// null: a % without its digits.
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const asked = () => /^#set=(.*)$/s.exec(location.hash);
const shortened = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
const unitsOf = ({ unit, units }: PageControl) => [unit, ...Object.keys(units ?? {})].filter(Boolean).join(", ");

// Whoever gets a link would else believe to see what its sender saw.
function refusal(refused: string[], taken: number): string {
  const few = 4;
  const list = [...refused.slice(0, few), ...(refused.length > few ? [`and ${refused.length - few} more`] : [])].join("; ");
  return `The link to this page asks for what this report does not have: ${list}. ${taken > 0 ? "The page shows the motion without that." : "The page shows the recorded run."}`;
}

export class ComputedValues {
  private panel: Panel;
  private controls: PageControl[];
  private originals: Map<string, PageControl>;
  private made: Computer | null = null;
  private pose: Place | null = null; // from which the motion begins, in place of the start of the run
  private independent: Record<string, number> = {}; // coordinates that determine it
  private address = ""; // as the page has written it, which may leave out a long pose
  private turned = 0;
  readonly latencies: number[] = []; // ms from a turn to its motion
  readonly milliseconds: number[] = []; // of these to compute it
  private card = element("details", { class: "card" });
  private state = element("span", { class: "state", role: "status" });
  private command = element("code", {});
  private printed = element("p", { class: "changed-values" }); // on paper, which has no sliders
  private told = element("div", { class: "told", hidden: "" });
  private refused = element("div", { class: "refused", role: "alert", hidden: "" }); // of a link
  private reset = element("button", { type: "button", hidden: "", click: () => this.set(new Map(), null) }, "reset all");
  private link = element("button", { type: "button", title: "copy the address of this page with these values", hidden: "", click: () => void this.copyLink() }, "copy link");

  // show: the motion for other values, or null for the recorded run.
  constructor(
    host: HTMLElement,
    private recorded: RunDocument,
    private show: (run: RunDocument | null) => void,
  ) {
    const compute = recorded.compute as Computed;
    const controls = [...compute.controls, ...(compute.actuators ?? []).map((each) => controlOf(recorded, each))];
    this.controls = controls.map((each) => ({ ...each }));
    this.originals = new Map(controls.map((each) => [each.parameter, each]));
    const rows = element("div", { id: "values" });
    this.panel = new Panel(rows, (path, text) => this.turn(path, text));
    const notes = [compute.note, compute.foreign.length > 0 ? `the page uses the browser's ${compute.foreign.join(", ")}: the last digits differ from those of the program` : ""];
    this.card.append(
      element("summary", {}, element("h2", {}, "Change values"), this.state, this.link, this.reset),
      rows,
      this.told,
      ...notes.filter(Boolean).map((note) => element("p", { class: "note" }, note)),
    );
    host.append(this.refused, this.card);
    host.after(this.printed);
    this.card.addEventListener("toggle", () => this.card.open && this.computer); // before the first slider moves
    this.state.textContent = this.offer();
    this.showControls();
    this.panel.takeOriginals();
    this.card.hidden = this.controls.length === 0;
    window.addEventListener("hashchange", () => location.hash !== this.address && this.takeAddress());
    this.takeAddress();
  }

  // Copies: the panel remembers what was shown first.
  private showControls(): void {
    this.panel.show(this.controls.map((each) => ({ ...each })), false);
  }

  private offer(): string {
    const some = (group: string, one: string) => {
      const count = this.controls.filter((each) => each.group === group).length;
      return count === 0 ? [] : [`${count} ${one}${count > 1 ? "s" : ""}`];
    };
    return [...some("parameters", "parameter"), ...some("start", "start value"), ...some("drives", "drive")].join(", ") + (this.controls.length > 0 ? "; computed in this page" : "");
  }

  // Values now, in SI.
  get numbers(): Numbers {
    return Object.fromEntries(this.changes.map(([control]) => [control.parameter, control.value! * control.scale]));
  }

  // A motion from this pose. Start values of the file take its coordinates where they are all that the file keeps; else they are left aside.
  runFrom(pose: Pose): void {
    const { coordinates, start } = this.recorded.compute as Computed;
    const at = new Map(coordinates.map((name, i) => [`start.${name}`, pose.q[i]]));
    const kept = this.controls.filter(({ parameter }) => at.has(parameter));
    for (const control of kept) {
      control.value = at.get(control.parameter)! / control.scale;
      control.text = `${Number(control.value.toPrecision(12))}${control.unit ? ` ${control.unit}` : ""}`;
    }
    this.pose = { q: [...pose.q], loose: kept.length < start.kept };
    this.independent = this.valuesAt(pose.q, pose.independent);
    this.card.open = true;
    this.changed();
  }

  private valuesAt(q: ArrayLike<number>, names: string[]): Record<string, number> {
    const { coordinates } = this.recorded.compute as Computed;
    return Object.fromEntries(names.filter((name) => coordinates.includes(name)).map((name) => [name, q[coordinates.indexOf(name)]]));
  }

  // What differs from the run, as the file would say it.
  private get changes(): [PageControl, string][] {
    return this.controls.filter((each) => each.text !== this.originals.get(each.parameter)!.text).map((each) => [each, each.text]);
  }

  private turn(path: string[], text: string): boolean {
    const control = this.controls.find((each) => each.path.join("\n") === path.join("\n"))!;
    this.turned = performance.now();
    if (!this.write(control, text)) {
      const units = unitsOf(control);
      this.state.textContent = `${control.name}: enter a number${units ? ` in ${units}` : ""}`;
      return false;
    }
    this.refused.hidden = true;
    this.changed();
    return true;
  }
  // False: the text is no number for this control, and nothing changes.
  private write(control: PageControl, text: string): boolean {
    const original = this.originals.get(control.parameter)!;
    if (text.trim() === original.text) {
      Object.assign(control, { text: original.text, value: original.value });
      return true;
    }
    const found = quantityIn(text, control);
    if (!found) return false;
    control.value = found.si / control.scale;
    control.text = found.unit ? `${found.number} ${found.unit}` : found.number;
    return true;
  }

  // By settings; all others are as in the run, and so are those that no number is given for.
  private set(texts: Map<string, string>, pose: Place | null, independent: string[] = []): void {
    this.pose = pose;
    this.independent = pose ? this.valuesAt(pose.q, independent) : {};
    for (const control of this.controls) {
      const original = this.originals.get(control.parameter)!;
      if (!this.write(control, texts.get(control.setting) ?? original.text)) Object.assign(control, { text: original.text, value: original.value });
    }
    this.changed();
  }

  private changed(): void {
    this.showControls();
    const { changes, pose } = this;
    const differs = changes.length > 0 || pose !== null;
    this.reset.hidden = this.link.hidden = !differs;
    const values = [...changes.map(([control, text]) => `${control.name} = ${text}`), ...(pose ? ["a start at a pose by hand"] : [])];
    this.printed.textContent = differs ? `Changed values: ${values.join(", ")}` : "";
    this.card.hidden = this.controls.length === 0 && !differs;
    const parts = changes.map(([control, text]) => `${control.setting}=${text}`);
    if (pose && pose.q.length <= mostInAddress) parts.push(`${pose.loose ? "loose" : "pose"}=${pose.q.join(" ")}`);
    if (pose && pose.q.length <= mostInAddress) parts.push(`by=${Object.keys(this.independent).join(" ")}`); // coordinates that determine it
    const hash = parts.length > 0 ? `#set=${encodeURIComponent(parts.join(";"))}` : "#";
    if (location.hash !== hash && !(hash === "#" && location.hash === "")) location.replace(hash);
    this.address = location.hash;
    if (differs) return void this.compute();
    ++this.wished; // a motion on its way is not wanted any more
    this.state.textContent = this.offer();
    this.told.hidden = true;
    document.body.classList.remove("stale");
    this.show(null);
  }
  // Anybody can write an address: what is not a value of this report is left out, and told.
  private takeAddress(): void {
    const found = asked();
    const texts = new Map<string, string>();
    const refused: string[] = [];
    let pose: Place | null = null;
    let independent: string[] = [];
    const text = found ? decoded(found[1]) : "";
    if (text === null) refused.push("values that cannot be read");
    for (const part of (text ?? "").split(";").filter(Boolean)) {
      const at = part.indexOf("=");
      const [name, value] = [part.slice(0, at), part.slice(at + 1)];
      const control = this.controls.find(({ setting }) => setting === name);
      if (name === "pose" || name === "loose") {
        pose = this.placeIn(value, name === "loose");
        if (!pose) refused.push("a pose of another machine");
      } else if (name === "by") independent = value.split(" ");
      else if (at <= 0) refused.push(`${shortened(part)}, which is no value`);
      else if (!control) refused.push(`${shortened(name)}, a value that it does not know`);
      else if (!this.isValue(control, value)) refused.push(`${name} = ${shortened(value)}, which is no number${unitsOf(control) ? ` in ${unitsOf(control)}` : ""}`);
      else texts.set(name, value);
    }
    this.refused.hidden = refused.length === 0;
    this.refused.textContent = refused.length > 0 ? refusal(refused, texts.size + (pose ? 1 : 0)) : "";
    const same =
      JSON.stringify(pose) === JSON.stringify(this.pose) &&
      this.changes.length === texts.size &&
      this.changes.every(([control, text]) => texts.get(control.setting) === text);
    if (!same) this.set(texts, pose, independent);
    if (found) this.card.open = true;
  }
  private isValue(control: PageControl, text: string): boolean {
    return text.trim() === this.originals.get(control.parameter)!.text || quantityIn(text, control) !== null;
  }
  private placeIn(text: string, loose: boolean): Place | null {
    const q = text.split(" ").map(Number);
    return q.length === (this.recorded.compute as Computed).coordinates.length && q.every(Number.isFinite) ? { q, loose } : null;
  }
  private async copyLink(): Promise<void> {
    try {
      await navigator.clipboard.writeText(location.href);
      this.state.textContent = "link copied";
    } catch {
      this.state.textContent = "the address of this page is the link";
    }
  }

  // ---- the worker

  get computer(): Computer {
    return (this.made ??= new Computer(this.recorded.compute as Computed));
  }
  private wished = 0;
  live = false; // the machine runs on, and takes its values from here
  // Where the motion of other values begins.
  get place(): Place | undefined {
    return this.pose ?? undefined;
  }
  // The motion for the values as they are now.
  refresh(): void {
    if (this.changes.length > 0 || this.pose) void this.compute();
  }
  private async compute(): Promise<void> {
    if (this.live) return;
    const wish = { values: this.numbers, pose: this.pose ?? undefined, mostRows };
    const number = ++this.wished;
    const patience = window.setTimeout(() => number === this.wished && (this.state.textContent = "computing…"), longWait);
    try {
      const motion = await this.computer.run(wish);
      if (motion && number === this.wished) this.take(motion);
    } catch (error) {
      this.state.textContent = `this browser cannot compute the motion: ${(error as Error).message}`;
    } finally {
      window.clearTimeout(patience);
    }
  }
  private take(motion: Motion): void {
    this.tell(motion);
    document.body.classList.toggle("stale", motion.count <= 1); // the motion before is still shown
    if (motion.count > 1) this.show(documentOf(motion, this.recorded, Object.fromEntries(this.changes.map(([control, text]) => [control.setting, text]))));
    this.milliseconds.push(motion.milliseconds);
    if (this.turned > 0) this.latencies.push(performance.now() - this.turned);
    this.turned = 0;
  }
  private tell(motion: Motion): void {
    const { method } = this.recorded.compute as Computed;
    const reason = reasons[motion.status];
    this.state.textContent = motion.count <= 1 ? "no motion" : `${method}, ${motion.steps} steps in ${written(Math.round(motion.milliseconds))} ms`;
    this.state.title = "computed in this page";
    this.told.hidden = !reason;
    if (!reason) return;
    this.command.textContent = this.commandLine();
    const added = this.changes.some(([{ group }]) => group === "drives") ? " (without what is added to drives)" : "";
    if (motion.status === "not allowed") this.told.replaceChildren(`No motion: ${motion.wrong}.`);
    else if (motion.status === "other equations") this.told.replaceChildren(`No motion: ${motion.wrong}, which the page does not have. The program computes it${added}: `, this.command);
    else if (motion.status === "no start") this.told.replaceChildren(`No motion: ${reason}. The program searches more widely${added}: `, this.command);
    else if (motion.count <= 1) {
      const why = motion.status === "singular" ? "the equations have no unique solution" : reason; // no mass, a division by zero, a singular pose
      this.told.replaceChildren(`No motion: ${why} at the start. The program says more${added}: `, this.command);
    } else this.told.replaceChildren(`The page stops at t = ${written(motion.t)} s: ${reason}. The program goes on${added}: `, this.command);
  }
  // What the program would be called with.
  commandLine(): string {
    const { run } = this.recorded;
    const posed = Object.fromEntries(Object.entries(this.independent).map(([name, value]) => [`start.keep.${name}`, String(value)]));
    const changes = this.changes.filter(([{ group }]) => group !== "drives");
    const settings = { ...run.settings, ...posed, ...Object.fromEntries(changes.map(([control, text]) => [control.setting, text])) };
    const options = run.options as Record<string, number | string>;
    const precision = /^rk|euler$/.test(String(options.integrator)) ? "step" : "rtol";
    const told = ["integrator", precision, "end"].filter((name) => options[name] !== undefined);
    const set = Object.entries(settings).filter(([name]) => !told.some((option) => name === `simulate.${option}`));
    const given = [...set.map(([name, text]) => `--set ${quoted(`${name}=${text}`)}`), ...told.map((name) => `--${name} ${options[name]}`)];
    const { options: start } = this.recorded.compute as Computed;
    return ["armature run", quoted(run.model.file), ...given, ...(start && !this.pose ? [start] : [])].join(" ");
  }
}

// Nothing where the program was built without the kernel.
export function addValues(host: HTMLElement, recorded: RunDocument, show: (run: RunDocument | null) => void): ComputedValues | null {
  const { compute } = recorded;
  if (!compute || !hasKernel) return null;
  if (!computesMotions(compute) || (compute.controls.length === 0 && !compute.actuators?.length)) {
    const why = !computesMotions(compute) ? compute.refused : (compute.fixed ?? "no parameter or start value in the file is a plain number");
    const what = computesMotions(compute) ? "This report has no values to change" : "This report shows its run but cannot compute others";
    host.append(element("p", { class: "note" }, `${what}: ${why}. To change the file: armature view ${recorded.run.model.file}`));
    if (!computesMotions(compute) && asked()) host.append(element("div", { class: "refused", role: "alert" }, refusal(["other values"], 0)));
  }
  return computesMotions(compute) ? new ComputedValues(host, recorded, show) : null;
}
