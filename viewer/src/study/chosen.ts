// The point that was chosen: its values, and the command that runs its motion. The best point of an optimization is chosen at first.
import { element } from "../dom";
import { download, fileName, pngOf } from "../files";
import { commandOf } from "./cards";
import type { StudyDocument } from "./document";
import type { Figure } from "./figure";

export class Chosen {
  private said = element("p", { role: "status" });
  private command = element("code", {});
  private copied = element("span", { role: "status" });
  private copy = element("button", { type: "button", title: "copy this command", click: () => void this.copyCommand() }, "copy");
  private row = element("p", { hidden: "" }, this.command, " ", this.copy, " ", this.copied);

  constructor(
    private study: StudyDocument,
    private figure: Figure,
    host: HTMLElement,
  ) {
    const offer = study.command ? "its values and the command that runs its motion" : "its values";
    this.said.textContent = `Click a point, or choose one with the arrow keys, to see ${offer}.`;
    this.said.classList.add("hint");
    const name = () => fileName("png", study.model.name, study.verb);
    const save = element("button", { type: "button", title: "save the picture as PNG", click: () => void pngOf(figure.snapshot()).then((blob) => download(name(), blob)) }, "save picture");
    host.append(this.said, this.row, ...(study.command_note ? [element("p", {}, study.command_note)] : []), save);
    figure.onChoice = (row) => this.show(row);
    if (study.verb === "optimize") figure.choose(this.best());
  }

  private show(row: number): void {
    this.said.textContent = this.figure.said(row);
    this.said.classList.remove("hint");
    this.row.hidden = !this.study.command;
    this.copied.textContent = "";
    if (this.study.command) this.command.textContent = commandOf(this.study, this.figure.table, row);
  }
  private async copyCommand(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.command.textContent!);
      this.copied.textContent = "copied";
    } catch {
      getSelection()?.selectAllChildren(this.command); // for Ctrl+C: a page from a disk may have no clipboard
      this.copied.textContent = "selected";
    }
  }
  private best(): number | null {
    const { marks } = this.study;
    const { variables } = this.figure.table;
    const main = marks.find((mark) => mark.main);
    if (!main) return null;
    const found = variables[0].values.findIndex((_, row) => variables.every(({ values }, k) => values[row] === main.at[k]));
    return found < 0 ? null : found;
  }
}
