// Another report beside this one: its run is drawn faintly behind, its curves dashed beside, or taken from those of this run.
import { Channels, type ChannelSet } from "./channels";
import { compared, difference } from "./compare";
import { documentIn, type RunDocument } from "./document";
import { element } from "./dom";

interface Shown {
  run: RunDocument;
  channels: Channels;
}

export class OtherRun {
  private other: Shown | null = null;
  private reference: Shown | null = null; // in its place where there is none
  private subtracted = false;
  private file = element("input", { type: "file", accept: ".html,text/html", hidden: "", "aria-label": "another report" });
  private open = element("button", { type: "button", title: "compare with another report.html", click: () => this.file.click() }, "compare…");
  private name = element("span", { class: "made-of" });
  private less = element("button", { type: "button", title: "show by how much this run differs from the other one", click: () => this.show(this.other, !this.subtracted) }, "difference");
  private remove = element("button", { type: "button", title: "compare no longer", "aria-label": "compare no longer", click: () => this.show(null, false) }, "×");

  // changed: the run to draw behind, or none, and what the plots show.
  constructor(
    host: HTMLElement,
    private own: Channels,
    private changed: (run: RunDocument | null, channels: ChannelSet) => void,
  ) {
    host.querySelector(".theme")!.before(this.file, this.name, this.less, this.remove, this.open);
    this.file.addEventListener("change", () => void this.take());
    this.tell();
  }

  // Another motion takes the place of the report's own run, which is the one to compare it with.
  setOwn(own: Channels, reference: Shown | null): void {
    [this.own, this.reference] = [own, reference];
    this.show(this.other, this.subtracted && (this.other ?? reference) !== null);
  }

  private async take(): Promise<void> {
    const [file] = this.file.files ?? [];
    if (!file) return;
    this.file.value = "";
    try {
      const run = documentIn(await file.text());
      this.show({ run, channels: new Channels(run) }, false);
    } catch (error) {
      this.name.textContent = `${file.name}: ${(error as Error).message}`;
    }
  }
  private show(other: OtherRun["other"], subtracted: boolean): void {
    [this.other, this.subtracted] = [other, subtracted];
    this.tell();
    const beside = other ?? this.reference;
    const channels = beside ? (subtracted ? difference : compared)(this.own, beside.channels) : this.own;
    this.changed(beside?.run ?? null, channels);
  }
  private tell(): void {
    const { other } = this;
    const settings = Object.entries(other?.run.run.settings ?? {}).map(([name, value]) => ` ${name}=${value}`);
    this.name.textContent = other ? `with ${other.run.run.model.name}${settings.join("")}` : "";
    this.remove.hidden = !other;
    this.less.hidden = !other && !this.reference;
    this.less.setAttribute("aria-pressed", String(this.subtracted));
  }
}
