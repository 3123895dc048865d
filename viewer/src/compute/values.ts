// The values of a report, to be changed: sliders for parameters and start values. The motion for them is computed beside the page; the
// address holds them, so that it can be passed on.
import type { RunDocument } from "../document";
import { element, written } from "../dom";
import { Panel } from "../live/panel";
import { documentOf } from "./document";
import type { Computed, Motion, PageControl, Status, Values as Numbers } from "./model";
import type { Reply, Request } from "./worker";

declare const ARMATURE_KERNEL: string; // base64 of gzip; "": the program was built without it
declare const ARMATURE_WORKER: string; // the worker's script

const mostRows = 2000;
const longestNumber = 60; // characters, with its unit

const reasons: Partial<Record<Status, string>> = {
  singular: "the pose is singular, which takes the full engine",
  off: "the state left its constraints",
  "step too small": "steps become too small",
  "out of reach": "an angle or an exponent is too large",
  "not sound": "a step is too long to be interpolated",
  "several stick": "several things stick at once, which takes the full engine",
  "no start": "the loops cannot be closed with these values from the start of the run",
  slow: "it takes too long in a page",
};

const quoted = (text: string) => (/^[\w.+/:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ""; // a % without its digits
  }
}

export class ComputedValues {
  private panel: Panel;
  private controls: PageControl[];
  private originals: Map<string, PageControl>;
  private worker: Worker | null = null;
  private sent = 0;
  private shown = 0;
  private turned = 0;
  readonly latencies: number[] = []; // ms from a turn to its motion
  private card = element("details", { class: "card" });
  private state = element("span", { class: "state", role: "status" });
  private command = element("code", {});
  private told = element("div", { class: "told", hidden: "" });
  private reset = element("button", { type: "button", hidden: "", click: () => this.set(new Map()) }, "reset all");
  private link = element("button", { type: "button", title: "copy the address of this page with these values", hidden: "", click: () => void this.copyLink() }, "copy link");

  // show: the motion for other values, or null for the recorded run.
  constructor(
    host: HTMLElement,
    private recorded: RunDocument,
    private show: (run: RunDocument | null) => void,
  ) {
    const compute = recorded.compute as Computed;
    this.controls = compute.controls.map((each) => ({ ...each }));
    this.originals = new Map(compute.controls.map((each) => [each.parameter, each]));
    const rows = element("div", { id: "values" });
    this.panel = new Panel(rows, (path, text) => this.turn(path, text));
    const notes = [compute.note, compute.foreign.length > 0 ? `${compute.foreign.join(", ")} ${compute.foreign.length > 1 ? "are" : "is"} the browser's, with other last digits than the program's` : ""];
    this.card.append(
      element("summary", {}, element("h2", {}, "Change values"), this.state, this.link, this.reset),
      rows,
      this.told,
      ...notes.filter(Boolean).map((note) => element("p", { class: "note" }, note)),
    );
    host.append(this.card);
    this.card.addEventListener("toggle", () => this.card.open && this.ready()); // before the first slider moves
    this.state.textContent = this.offer();
    this.showControls();
    this.panel.takeOriginals();
    window.addEventListener("hashchange", () => this.takeAddress());
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
    return `${[...some("parameters", "parameter"), ...some("start", "start value")].join(", ")}; computed in this page`;
  }

  // What differs from the run, as the file would say it.
  private get changes(): [PageControl, string][] {
    return this.controls.filter((each) => each.text !== this.originals.get(each.parameter)!.text).map((each) => [each, each.text]);
  }

  private turn(path: string[], text: string): void {
    const control = this.controls.find((each) => each.path.join("\n") === path.join("\n"))!;
    this.turned = performance.now();
    if (!this.write(control, text)) {
      this.state.textContent = `${control.name}: write a number${control.unit ? ` in ${control.unit}` : ""}`;
      return;
    }
    this.changed();
  }
  // A number, alone or with the control's own unit. False: it is none, and nothing changes.
  private write(control: PageControl, text: string): boolean {
    const found = text.length > longestNumber ? null : /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(.*?)\s*$/i.exec(text);
    const original = this.originals.get(control.parameter)!;
    if (text.trim() === original.text) {
      Object.assign(control, { text: original.text, value: original.value });
      return true;
    }
    if (!found || (found[2] !== "" && found[2] !== control.unit) || !Number.isFinite(Number(found[1]))) return false;
    control.value = Number(found[1]);
    control.text = control.unit ? `${found[1]} ${control.unit}` : found[1];
    return true;
  }

  // By settings; all others are as in the run, and so are those that no number is given for.
  private set(texts: Map<string, string>): void {
    for (const control of this.controls) {
      const original = this.originals.get(control.parameter)!;
      if (!this.write(control, texts.get(control.setting) ?? original.text)) Object.assign(control, { text: original.text, value: original.value });
    }
    this.changed();
  }

  private changed(): void {
    this.showControls();
    const { changes } = this;
    this.reset.hidden = this.link.hidden = changes.length === 0;
    const address = changes.map(([control, text]) => `${control.setting}=${text}`).join(";");
    const hash = changes.length > 0 ? `#set=${encodeURIComponent(address)}` : "#";
    if (location.hash !== hash && !(hash === "#" && location.hash === "")) location.replace(hash);
    if (changes.length > 0) return this.compute();
    this.sent = this.shown = this.sent + 1; // a motion on its way is not wanted any more
    this.state.textContent = this.offer();
    this.told.hidden = true;
    this.show(null);
  }
  // Anybody can write an address: what is not a value of this report is left out.
  private takeAddress(): void {
    const found = /^#set=(.*)$/.exec(location.hash);
    const texts = new Map<string, string>();
    for (const part of found ? decoded(found[1]).split(";") : []) {
      const at = part.indexOf("=");
      if (at > 0) texts.set(part.slice(0, at), part.slice(at + 1));
    }
    const same = this.changes.length === texts.size && this.changes.every(([control, text]) => texts.get(control.setting) === text);
    if (!same) this.set(texts);
    if (found) this.card.open = true;
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

  private ready(): Worker {
    if (this.worker) return this.worker;
    this.worker = new Worker(URL.createObjectURL(new Blob([ARMATURE_WORKER], { type: "text/javascript" })));
    this.worker.onmessage = ({ data }: MessageEvent<Reply>) => this.take(data);
    this.worker.onerror = (event) => this.take({ kind: "failed", message: event.message });
    this.worker.postMessage({ kind: "make", kernel: ARMATURE_KERNEL, compute: this.recorded.compute as Computed } satisfies Request);
    return this.worker;
  }
  private compute(): void {
    const values: Numbers = Object.fromEntries(this.changes.map(([control]) => [control.parameter, control.value! * control.scale]));
    this.ready().postMessage({ kind: "run", id: ++this.sent, wish: { values, mostRows } } satisfies Request);
  }

  private take(reply: Reply): void {
    if (reply.kind === "failed") {
      this.state.textContent = `this browser cannot compute here: ${reply.message}`;
      return;
    }
    if (reply.id <= this.shown || this.changes.length === 0) return;
    this.shown = reply.id;
    const { motion } = reply;
    this.tell(motion);
    if (motion.count > 1) this.show(documentOf(motion, this.recorded, Object.fromEntries(this.changes.map(([control, text]) => [control.setting, text]))));
    if (this.turned > 0) this.latencies.push(performance.now() - this.turned);
    this.turned = 0;
  }
  private tell(motion: Motion): void {
    const { method } = this.recorded.compute as Computed;
    const reason = reasons[motion.status];
    this.state.textContent = reason && motion.status === "no start" ? "" : `${method}, ${motion.steps} steps in ${written(Math.round(motion.milliseconds))} ms`;
    this.state.title = "computed in this page";
    this.told.hidden = !reason;
    if (!reason) return;
    this.command.textContent = this.commandLine();
    const where = motion.status === "no start" ? "" : ` at t = ${written(motion.t)} s`;
    this.told.replaceChildren(`The page cannot go on${where}: ${reason}. The program can: `, this.command);
  }
  // What the program would be called with.
  commandLine(): string {
    const { run } = this.recorded;
    const settings = { ...run.settings, ...Object.fromEntries(this.changes.map(([control, text]) => [control.setting, text])) };
    const options = run.options as Record<string, number | string>;
    const set = Object.entries(settings).map(([name, text]) => `--set ${name}=${quoted(text)}`);
    const method = ["integrator", "step", "rtol", "end"].filter((name) => options[name] !== undefined).map((name) => `--${name} ${options[name]}`);
    return ["armature run", quoted(run.model.file), ...set, ...method].join(" ");
  }
}

// Nothing where the program was built without the kernel.
export function addValues(host: HTMLElement, recorded: RunDocument, show: (run: RunDocument | null) => void): ComputedValues | null {
  const { compute } = recorded;
  if (!compute || ARMATURE_KERNEL === "") return null;
  if ("refused" in compute || compute.controls.length === 0) {
    const why = "refused" in compute ? compute.refused : (compute.fixed ?? "the file has no parameter or start value that is a plain number");
    host.append(element("p", { class: "note" }, `This report shows its run and does not compute others: ${why}. armature view ${recorded.run.model.file} does.`));
    return null;
  }
  return new ComputedValues(host, recorded, show);
}
