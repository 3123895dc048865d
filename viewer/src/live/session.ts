// The text that is looked at, the changes that wait to be simulated, and the file on disk. One run is under way at a time;
// where it takes long, a newer one ends it.
import * as api from "./api";

export type DiskChange = "none" | "changed" | "gone";

const patience = 120; // ms for which a newer change waits for the run under way

export class Session {
  name = "";
  text = "";
  saved = ""; // the text on disk
  private stamp = "";
  private edits = new Map<string, api.Edit>();
  private opened = 0; // how often a file was read
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
  onDiskChange: (what: DiskChange) => void = () => {};

  get changed(): boolean {
    return this.text !== this.saved;
  }
  get running(): boolean {
    return this.underWay > 0;
  }

  async open(name: string): Promise<void> {
    const { text, stamp } = await api.readFile(name);
    [this.name, this.text, this.saved, this.stamp] = [name, text, text, stamp];
    ++this.opened;
    this.edits.clear();
    this.onDiskChange("none");
    this.onOpen(name);
    this.onText();
    this.go();
  }
  // A text that has no file yet.
  take(name: string, text: string): void {
    [this.name, this.text, this.saved, this.stamp] = [name, text, "", ""];
    ++this.opened;
    this.edits.clear();
    this.onDiskChange("none");
    this.onOpen(name);
    this.onText();
    this.go();
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
    const { opened, written } = this;
    const edits = [...this.edits.values()];
    this.underWay = turn;
    this.waiting = false;
    try {
      const reply = await api.run(this.name, this.text, edits);
      const asked = turn === this.turn && opened === this.opened; // not of the file before
      if (asked && reply.status === "superseded") this.onRefusal("the run was stopped before it began");
      else if (asked) this.accept(reply, edits, written);
    } catch (error) {
      if (turn === this.turn) this.refused(error);
    }
    if (turn !== this.turn) return;
    this.underWay = 0;
    if (this.waiting) void this.send();
  }
  // A text that was typed since the request is newer than the one that comes back.
  private accept(reply: api.Reply, edits: api.Edit[], written: number): void {
    const current = written === this.written;
    if (edits.length > 0 && current) this.text = reply.text;
    for (const edit of edits) {
      const key = edit.path.join("\n");
      if (this.edits.get(key) === edit) this.edits.delete(key);
    }
    if (edits.length > 0 && current) this.onText();
    this.onReply(reply);
  }
  private refused(error: unknown): void {
    this.edits.clear();
    this.onRefusal(error instanceof api.Refusal ? error.message : "the program does not respond; it may have ended");
  }

  // Under another name: a file that does not exist yet.
  async save(name = this.name): Promise<void> {
    const text = this.text;
    const { stamp } = await api.save(name, text, name === this.name ? this.stamp : "");
    [this.name, this.saved, this.stamp] = [name, text, stamp];
    this.onDiskChange("none");
    this.onText();
  }
  // Over what has changed on disk, or where the file was.
  async overwrite(): Promise<void> {
    this.stamp = (await api.state(this.name)).stamp;
    await this.save();
  }

  // Asked now and then: a file that has changed on disk is taken, or, where there are changes here, offered. The text of one
  // that is gone stays.
  async look(): Promise<api.State> {
    const { name, stamp } = this;
    const found = await api.state(name);
    if (name !== this.name || stamp !== this.stamp || found.stamp === stamp) return found;
    this.settle();
    if (found.stamp === "") this.onDiskChange("gone");
    else if (this.changed) this.onDiskChange("changed");
    else await this.open(name);
    return found;
  }
}
