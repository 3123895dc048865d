// The text that is looked at, the changes that wait to be simulated, and the file on disk. One run is under way at a time;
// where it takes long, a newer one ends it.
import * as api from "./api";

export type DiskChange = "none" | "changed" | "gone";

const patience = 120; // ms for which a newer change waits for the run under way
export const silence = "the program does not respond; it may have ended. Unsaved changes are kept.";

export class Session {
  name = "";
  text = "";
  saved = ""; // the text on disk
  private stamp = "";
  private gone = false; // the file
  private edits = new Map<string, api.Edit>();
  private opened = 0; // how often a file was read
  private asked = 0; // how often one was asked for
  private written = 0; // how often the whole text was given
  private turn = 0; // of the last request
  private underWay = 0; // number of the request that is waited for; 0: none
  private timer = 0;
  private waiting = false;
  settle: () => void = () => {}; // what was typed last becomes part of the text
  onOpen: (name: string) => void = () => {}; // a file was read or dropped: its text replaces everything
  onReply: (reply: api.Reply) => void = () => {};
  onText: () => void = () => {};
  onRefusal: (sentence: string) => void = () => {};
  onRestore: () => void = () => {}; // values that were turned did not become part of the text
  onDiskChange: (what: DiskChange) => void = () => {};

  get changed(): boolean {
    return this.edits.size > 0 || this.text !== this.saved;
  }
  // The text that the file has now; empty: there is no file.
  get onDisk(): string {
    return this.gone ? "" : this.saved;
  }
  get running(): boolean {
    return this.underWay > 0;
  }

  // The file that was asked for last counts, however late its text comes.
  async open(name: string): Promise<void> {
    const asked = ++this.asked;
    const { text, stamp } = await api.readFile(name);
    if (asked !== this.asked) return;
    this.settle();
    [this.name, this.text, this.saved, this.stamp] = [name, text, text, stamp];
    this.begin();
  }
  // The file that is open, as it is on disk now, unless it was changed here meanwhile.
  private async openAgain(): Promise<void> {
    const { name, asked } = this;
    const { text, stamp } = await api.readFile(name);
    if (asked !== this.asked || name !== this.name) return;
    this.settle();
    if (this.changed) return this.onDiskChange("changed");
    [this.text, this.saved, this.stamp] = [text, text, stamp];
    this.begin();
  }
  // A text that has no file yet.
  take(name: string, text: string): void {
    ++this.asked;
    [this.name, this.text, this.saved, this.stamp] = [name, text, "", ""];
    this.begin();
  }
  private begin(): void {
    ++this.opened;
    this.edits.clear();
    this.isThere();
    this.onOpen(this.name);
    this.onText();
    this.go();
  }
  private isThere(): void {
    this.gone = false;
    this.onDiskChange("none");
  }
  isGone(): void {
    this.gone = true;
    this.onDiskChange("gone");
  }
  // A value of the file is given another text.
  turnTo(path: string[], value: string): void {
    this.edits.set(path.join("\n"), { path, value });
    this.go();
  }
  // Several at once.
  turnAll(edits: api.Edit[]): void {
    for (const edit of edits) this.edits.set(edit.path.join("\n"), edit);
    this.go();
  }
  // The whole text was edited.
  write(text: string): void {
    ++this.written;
    this.text = text;
    this.edits.clear();
    this.onText();
    this.go();
  }

  // Values that were turned have become part of the text, or been refused.
  async edited(): Promise<void> {
    while (this.edits.size > 0 && this.running) await new Promise((resolve) => window.setTimeout(resolve, 20));
  }

  private go(): void {
    if (!this.underWay) return void this.send();
    this.waiting = true;
    if (!this.timer)
      this.timer = window.setTimeout(() => {
        this.timer = 0;
        if (this.waiting) void this.send();
      }, patience);
  }
  private async send(): Promise<void> {
    const turn = ++this.turn;
    const { opened, written, text } = this;
    const edits = [...this.edits.values()];
    this.underWay = turn;
    this.waiting = false;
    try {
      const asked = () => turn === this.turn && opened === this.opened; // not of the file before
      const reply = await api.run(this.name, text, edits, (edited) => asked() && this.edit(edited, edits, written));
      if (asked() && reply.status === "superseded") this.onRefusal("the run was stopped before it began");
      else if (asked()) {
        this.edit(reply.text, edits, written);
        this.onReply(reply);
        if (edits.length > 0 && reply.status === "error" && reply.text === text) this.onRestore();
      }
    } catch (error) {
      if (turn === this.turn && opened === this.opened) this.refused(error);
    }
    if (turn !== this.turn) return;
    this.underWay = 0;
    if (this.waiting) void this.send();
  }
  // A text that was typed since the request is newer than the one that comes back.
  private edit(text: string, edits: api.Edit[], written: number): void {
    if (edits.length === 0 || written !== this.written) return;
    this.text = text;
    for (const edit of edits) {
      const key = edit.path.join("\n");
      if (this.edits.get(key) === edit) this.edits.delete(key);
    }
    this.onText();
  }
  private refused(error: unknown): void {
    this.edits.clear();
    this.onRestore();
    this.onRefusal(error instanceof api.Refusal ? error.message : silence);
  }

  // Under another name: a file that does not exist yet. Returns the name.
  async save(name = this.name): Promise<string> {
    const { name: open, opened } = this;
    await this.edited();
    this.stays(open);
    const text = this.text;
    const { stamp } = await api.save(name, text, name === this.name ? this.stamp : "");
    if (opened !== this.opened) return name; // another file is open by now
    [this.name, this.saved, this.stamp] = [name, text, stamp];
    this.isThere();
    this.onText();
    return name;
  }
  // Over what has changed on disk, or where the file was.
  async overwrite(): Promise<string> {
    const { name } = this;
    const { stamp } = await api.state(name);
    this.stays(name);
    this.stamp = stamp;
    return this.save();
  }
  // The text of another file is not what was to be saved.
  private stays(name: string): void {
    if (name !== this.name) throw new Error("nothing was saved, since another file was opened; the changes are kept");
  }

  // Asked now and then: a file that has changed on disk is taken, or, where there are changes here, offered. The text of one
  // that is gone stays.
  async look(): Promise<api.State> {
    const { name, stamp } = this;
    const found = await api.state(name);
    if (name !== this.name || stamp !== this.stamp || found.stamp === stamp) return found;
    this.settle();
    if (found.stamp === "") this.isGone();
    else if (this.changed) this.onDiskChange("changed");
    else await this.openAgain();
    return found;
  }
}
