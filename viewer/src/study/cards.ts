// The tables of the page, the command of the cell that was chosen, and the model file.
import { element } from "../dom";
import { quoted } from "../shell";
import type { StudyDocument, StudyTable, Table } from "./document";

// Sentences are broken into lines, with their column's title above their beginning; numbers and single words are not.
export function tableCard({ title, header, rows }: Table): HTMLElement {
  const words = (cell: string) => cell.length > 32;
  const told = (cell: string, k: number) => words(cell) || rows.some((row) => words(row[k] ?? ""));
  const isShort = (cell: string) => cell.length <= 12;
  const cell = (text: string, k: number, head: boolean) =>
    element(head || k === 0 ? "th" : "td", (head ? told(text, k) : words(text)) ? { class: "words" } : isShort(text) ? { class: "short" } : {}, text);
  const line = (cells: string[], head: boolean) => element("tr", {}, ...cells.map((text, k) => cell(text, k, head)));
  const body = element("table", {});
  if (header.length > 0) body.append(element("thead", {}, line(header, true)));
  body.append(element("tbody", {}, ...rows.map((row) => line(row, false))));
  return element("div", { class: "card" }, element("h2", {}, title), element("div", { class: "wide" }, body));
}

export function addCards(study: StudyDocument, host: HTMLElement): void {
  host.append(...study.tables.map(tableCard));
}

export function addModel(study: StudyDocument, host: HTMLElement): void {
  const { file, text } = study.model;
  host.append(
    element(
      "details",
      { class: "card model" },
      element("summary", {}, `Model file ${file.replace(/^.*\//, "")}`),
      element("pre", {}, text),
    ),
  );
}

// The command that runs one motion by itself, as the study ran it.
export function commandOf(study: StudyDocument, table: StudyTable, row: number): string {
  const columns = [...table.variables, ...table.design];
  const settings = [...study.variables, ...study.design].map(({ setting }, k) => (setting ? ` --set ${quoted(`${setting}=${columns[k].values[row]}`)}` : ""));
  const shared = table.variables.reduce((text, { name, values }) => text.replace(`{${name}}`, String(values[row])), study.command);
  return shared + settings.join("");
}
