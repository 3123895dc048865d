// Files dropped on the page: model files and robots (URDF, SDFormat, MJCF). The program makes a model of a robot; the page shows it as a text
// that has no file yet.
import { element } from "../dom";
import * as api from "./api";

export interface DropActions {
  take(name: string, text: string): void;
  refuse(sentence: string): void;
}

export function addDrop(note: HTMLElement, actions: DropActions): void {
  const over = (on: boolean) => document.body.classList.toggle("dropping", on);
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

  async function open(files: FileList): Promise<void> {
    if (files.length > 1) return actions.refuse("drop a single file, a model or a robot; the files that it names must be in the folder of this page");
    const file = files[0]!;
    try {
      const dropped = await api.drop(file.name, await file.text());
      show(note, file.name, dropped);
      actions.take(dropped.name, dropped.text);
    } catch (error) {
      actions.refuse(error instanceof api.Refusal ? error.message : `${file.name}: the file cannot be read`);
    }
  }

  window.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault(); // the browser would open the file in place of the page
    over(true);
  });
  window.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) over(false);
  });
  window.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    over(false);
    if (event.dataTransfer!.files.length > 0) void open(event.dataTransfer!.files);
  });
}

// What became of a robot: its loops, and what the model does not have.
function show(note: HTMLElement, from: string, dropped: api.Dropped): void {
  note.hidden = dropped.format === "";
  if (note.hidden) return;
  const list = (sentences: string[]) => element("ul", {}, ...sentences.map((sentence) => element("li", {}, sentence)));
  const close = element("button", { type: "button", title: "close", click: () => (note.hidden = true) }, "×");
  note.replaceChildren(close, element("p", {}, `${from}: ${dropped.format}, converted to a model that is not saved yet`), list(dropped.loops));
  if (dropped.not_taken.length > 0) note.append(element("p", {}, "not imported:"), list(dropped.not_taken));
}
