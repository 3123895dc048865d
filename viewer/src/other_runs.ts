// Other runs beside that of the report, from other reports or from the page itself: drawn faintly behind, their curves dashed beside, or taken from
// those of this run. All of them can be saved as one page.
import { Channels, type ChannelSet } from "./channels";
import { compared, difference, type Named } from "./compare";
import { documentIn, textOf, type RunDocument } from "./document";
import { element, written } from "./dom";
import { download, fileName } from "./files";
import { otherMachine } from "./other_machine";
import type { Beside } from "./outcome";

interface Shown extends Named {
  run: RunDocument;
  channels: Channels;
}

// The page as it was before any script changed it.
let source = "";
export function keepSource(): void {
  source = `<!doctype html>\n${document.documentElement.outerHTML}`;
}

const settingsOf = ({ run }: RunDocument) => Object.entries(run.settings).map(([name, value]) => ` ${name}=${value}`).join("");
// Options that another run of the same model does not share: "rtol=1e-8".
function optionsOf({ run }: RunDocument, own: RunDocument): string {
  if (run.model.name !== own.run.model.name) return "";
  const words = (value: unknown) => (typeof value === "number" ? written(value) : Array.isArray(value) ? value.join("+") || "none" : String(value));
  return Object.entries(run.options)
    .filter(([name, value]) => (typeof value !== "object" || Array.isArray(value)) && words(value) !== words(own.run.options[name]))
    .map(([name, value]) => ` ${name}=${words(value)}`)
    .join("");
}
const nameOf = (run: RunDocument, own: RunDocument) => run.label ?? run.run.model.name + settingsOf(run) + optionsOf(run, own);

export class OtherRuns {
  private others: Shown[] = [];
  private reference: Shown | null = null; // beside them
  private subtracted = false;
  private file = element("input", { type: "file", accept: ".html,text/html", multiple: "", hidden: "", "aria-label": "other reports" });
  private open = element("button", { type: "button", title: "compare with other reports (report.html)", click: () => this.file.click() }, "compare…");
  private names = element("span", { class: "made-of" });
  private wrong = element("span", { class: "not-read", role: "alert" }); // files that are no reports
  private machines = element("span", { class: "other-machine", role: "status" });
  private less = element("button", { type: "button", title: "plot this run minus each of the others", click: () => this.show(this.others, !this.subtracted) }, "difference");
  private keep = element("button", { type: "button", title: "save one page with all these runs", click: () => download(fileName("html", this.own.run.run.model.name), new Blob([this.page()], { type: "text/html" })) }, "save page");
  private remove = element("button", { type: "button", title: "stop comparing", "aria-label": "stop comparing", click: () => this.show([], false) }, "×");

  // changed: the runs to draw behind, and what the plots show.
  constructor(
    host: HTMLElement,
    private own: { run: RunDocument; channels: Channels },
    private changed: (runs: RunDocument[], channels: ChannelSet, others: Beside[]) => void,
  ) {
    host.querySelector(".theme")!.before(this.file, this.names, this.wrong, this.machines, this.less, this.keep, this.remove, this.open);
    this.file.addEventListener("change", () => void this.take());
    this.tell();
  }

  // Runs that the report itself has beside its own.
  add(runs: RunDocument[]): void {
    this.addShown(runs.map((run) => this.shown(run)));
  }
  private shown(run: RunDocument): Shown {
    return { run, name: nameOf(run, this.own.run), channels: new Channels(run) };
  }
  private addShown(more: Shown[]): void {
    if (more.length > 0) this.show([...this.others, ...more], this.subtracted);
  }
  // Another motion takes the place of the report's own run, which is the one to compare it with.
  setOwn(own: { run: RunDocument; channels: Channels }, reference: { run: RunDocument; channels: Channels } | null): void {
    this.own = own;
    this.reference = reference && { ...reference, name: "recorded" };
    this.show(this.others, this.subtracted && (this.others.length > 0 || reference !== null));
  }
  // This report with the others in it; a motion that the page has computed is one of these, so that its values can still be changed.
  page(): string {
    const recorded = (this.reference ?? this.own).run;
    const computed = this.reference ? [{ run: this.own.run, name: nameOf(this.own.run, recorded) }] : [];
    const others = [...computed, ...this.others].map(({ run, name }) => ({ ...run, label: name, compute: undefined, others: undefined }));
    const begin = source.indexOf(">", source.indexOf('id="armature-run"')) + 1;
    return source.slice(0, begin) + textOf({ ...recorded, others }) + source.slice(source.indexOf("</script>", begin));
  }

  private async take(): Promise<void> {
    const files = [...(this.file.files ?? [])];
    this.file.value = "";
    const more: Shown[] = [];
    const wrong: string[] = [];
    for (const file of files)
      try {
        more.push(this.shown(documentIn(await file.text())));
      } catch (error) {
        wrong.push(`${file.name}: ${(error as Error).message}`);
      }
    this.addShown(more);
    this.wrong.textContent = wrong.join("; ");
  }
  private show(others: Shown[], subtracted: boolean): void {
    [this.others, this.subtracted] = [others, subtracted];
    this.tell();
    const beside = this.reference ? [...others, this.reference] : others;
    const channels = beside.length > 0 ? (subtracted ? difference : compared)(this.own.channels, beside) : this.own.channels;
    this.changed(beside.map(({ run }) => run), channels, others);
  }
  private tell(): void {
    const { others } = this;
    this.names.textContent = others.length > 0 ? `with ${others.map(({ name }) => name).join(", ")}` : "";
    this.machines.textContent = others.map(({ run, name }) => otherMachine(this.own.run, run, name)).filter(Boolean).join(" ");
    this.remove.hidden = this.keep.hidden = others.length === 0;
    this.less.hidden = others.length === 0 && !this.reference;
    this.less.setAttribute("aria-pressed", String(this.subtracted));
  }
}

