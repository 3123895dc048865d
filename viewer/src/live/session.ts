// The text that is looked at, the changes that wait to be simulated, and the file on disk. One run is under way at a time;
// where it takes long, a newer one ends it.
import * as api from "./api";

const patience = 120; // ms for which a newer change waits for the run under way

export class Session {
  name = "";
  text = "";
  saved = ""; // the text on disk
  private stamp = "";
  private edits = new Map<string, api.Edit>();
  private turn = 0; // of the last request
  private underWay = 0; // number of the request that is waited for; 0: none
  private timer = 0;
  private waiting = false;
  onReply: (reply: api.Reply) => void = () => {};
  onText: () => void = () => {};
  onRefusal: (sentence: string) => void = () => {};
  onDiskChange: (changed: boolean) => void = () => {};

  get changed(): boolean {
    return this.text !== this.saved;
  }
  get running(): boolean {
    return this.underWay > 0;
  }

  async open(name: string): Promise<void> {
    const { text, stamp } = await api.readFile(name);
    [this.name, this.text, this.saved, this.stamp] = [name, text, text, stamp];
    this.edits.clear();
    this.onDiskChange(false);
    this.onText();
    this.go();
  }
  // A value of the file is given another text.
  turnTo(path: string[], value: string): void {
    this.edits.set(path.join("\n"), { path, value });
    this.go();
  }
  // The whole text was edited.
  write(text: string): void {
    this.text = text;
    this.edits.clear();
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
    const edits = [...this.edits.values()];
    this.underWay = turn;
    this.waiting = false;
    try {
      const reply = await api.run(this.name, this.text, edits);
      if (turn === this.turn && reply.status !== "superseded") this.take(reply, edits);
    } catch (error) {
      if (turn === this.turn) this.refused(error);
    }
    if (turn !== this.turn) return;
    this.underWay = 0;
    if (this.waiting) void this.send();
  }
  private take(reply: api.Reply, edits: api.Edit[]): void {
    if (edits.length > 0) this.text = reply.text;
    for (const edit of edits) {
      const key = edit.path.join("\n");
      if (this.edits.get(key) === edit) this.edits.delete(key);
    }
    if (edits.length > 0) this.onText();
    this.onReply(reply);
  }
  private refused(error: unknown): void {
    this.edits.clear();
    this.onRefusal(error instanceof api.Refusal ? error.message : "the program does not answer: has it ended?");
  }

  // Under another name: a file that does not exist yet.
  async save(name = this.name): Promise<void> {
    const text = this.text;
    const { stamp } = await api.save(name, text, name === this.name ? this.stamp : "");
    [this.name, this.saved, this.stamp] = [name, text, stamp];
    this.onDiskChange(false);
    this.onText();
  }
  // Over what has changed on disk.
  async overwrite(): Promise<void> {
    this.stamp = (await api.state(this.name)).stamp;
    await this.save();
  }

  // Asked now and then: a file that has changed on disk is taken, or, where there are changes here, offered.
  async look(): Promise<{ running: boolean; t: number; end: number }> {
    const name = this.name;
    const found = await api.state(name);
    if (name === this.name && found.stamp !== this.stamp && found.stamp !== "") {
      if (this.changed) this.onDiskChange(true);
      else await this.open(name);
    }
    return found;
  }
}
