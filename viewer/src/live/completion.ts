// What may be written at a place of the file, from the reference of the format (`armature format --json`): keys of the section,
// words that a key may be, and names of the file itself in formulas.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { EditorState } from "@codemirror/state";
import type { Tooltip } from "@codemirror/view";
import { element } from "../dom";

export interface FormatKey {
  name: string;
  what: string;
  value: string; // "number, kg; required"
  words: string[];
}
export interface FormatSection {
  name: string; // "joints: one axis"
  what: string; // "revolute, prismatic, cylindrical, planar"
  keys: FormatKey[];
}
export type FormatReference = FormatSection[];

// Where a place lies: the keys above it, the type of its item, and the key whose value it is part of.
export interface FilePlace {
  path: string[];
  type: string;
  key: string; // "": a key is written here
}

const keyForm = /^(\s*)(?:- )?["']?([^\s"'#:{}[\],](?:[^:#{}]|\{\w+\})*?)["']?\s*:(?=\s|$)/;
const indentOf = (line: string) => line.length - line.trimStart().length;
const typeIn = (text: string) => /(?:^|[\s{,])type:\s*([A-Za-z_]+)/.exec(text)?.[1] ?? "";

// Braces of one line before a column: the text inside the innermost open one, and the keys before all open ones.
function flow(line: string): { inside: string | null; keys: string[] } {
  const open: { at: number; key: string }[] = [];
  for (let k = 0; k < line.length; ++k) {
    if (line[k] === "{") open.push({ at: k, key: /([\w.]+)\s*:\s*$/.exec(line.slice(0, k))?.[1] ?? "" });
    if (line[k] === "}") open.pop();
  }
  return { inside: open.length > 0 ? line.slice(open.at(-1)!.at + 1) : null, keys: open.map((each) => each.key) };
}

// lines: of the file; the place is in line number `row` (from 0) at `column`.
export function placeIn(lines: string[], row: number, column: number): FilePlace {
  const line = lines[row] ?? "";
  const before = line.slice(0, column);
  const { inside, keys } = flow(before);
  const path: string[] = [];
  let indent = inside === null ? Math.min(indentOf(line), column) : indentOf(line) + 1;
  if (inside === null && line.trim() === "") indent = column;
  // up the file: each line that is indented less holds a key above
  const parents: number[] = [];
  for (let k = inside === null ? row - 1 : row; k >= 0 && indent > 0; --k) {
    const found = keyForm.exec(lines[k]);
    if (!found || lines[k].trim() === "" || found[1].length >= indent) continue;
    indent = found[1].length;
    path.unshift(found[2]);
    parents.unshift(k);
  }
  if (inside !== null) {
    path.push(...keys.slice(1).filter((key) => key !== ""));
    const key = /(?:^|,)\s*([\w.]+)\s*:\s*[^,]*$/.exec(inside)?.[1] ?? "";
    return { path, type: typeIn(line), key };
  }
  // the item's own lines, for its type
  let type = "";
  const parent = parents.at(-1);
  if (parent !== undefined) {
    type = typeIn(lines[parent]);
    for (let k = parent + 1; k < lines.length && type === ""; ++k) {
      if (lines[k].trim() !== "" && indentOf(lines[k]) <= indentOf(lines[parent])) break;
      type = typeIn(lines[k]);
    }
  }
  const own = keyForm.exec(before.endsWith(":") ? `${before} ` : before);
  return { path, type, key: own ? own[2] : "" };
}

const bases = (name: string) => name.split(": ");

// Sections that describe the keys at a place.
export function sectionsAt({ path, type }: FilePlace, reference: FormatReference): FormatSection[] {
  if (path.length === 0) return reference.filter((section) => section.name === "file");
  const called = (name: string) => reference.filter((section) => section.name === name || bases(section.name)[0] === name);
  const ofKind = reference.filter((section) => section.name === `${path[0].replace(/s$/, "")} ${path.at(-1)}`); // "drive limits"
  const own = path.length > 2 && ofKind.length > 0 ? ofKind : called(path.at(-1)!);
  if (path[0] === "start" && path.length > 1) return path.length === 3 ? called("start").filter(({ name }) => name === (path[1] === "speed" ? "start: motion" : "start: pose")) : [];
  if (path.length === 1) return own.filter((section) => !section.name.includes(":"));
  if (path.length === 2 && called(path[0]).length > 0) {
    const kinds = called(path[0]);
    const typed = kinds.filter(({ name, what }) => bases(name)[1] === type || what.split(/[^\w]+/).includes(type));
    return type !== "" && typed.length > 0 ? typed : kinds;
  }
  return own;
}

const words = /[A-Za-z_][\w.]*/;
const listed = new Set(["bodies", "joints", "forces", "drives", "controllers", "constraints", "parameters", "define", "tables", "inputs", "states", "fmus", "use"]);

function keysAt(place: FilePlace, reference: FormatReference): Map<string, FormatKey> {
  const keys = new Map<string, FormatKey>();
  if (place.path.length === 1 && listed.has(place.path[0])) return keys; // names are the author's
  for (const section of sectionsAt(place, reference)) for (const key of section.keys) keys.set(key.name, key);
  return keys;
}

// Types of an item: what stands after the colon of a section's name, or what joints list there.
function typesOf(kind: string, reference: FormatReference): string[] {
  const sections = reference.filter((section) => bases(section.name)[0] === kind && section.name.includes(":"));
  return sections.flatMap(({ name, what }) => (kind === "joints" ? what.split(", ") : [bases(name)[1]]));
}

const info = (key: FormatKey) => () => {
  const box = element("div", { class: "key-help" }, element("p", {}, key.what));
  if (key.value) box.append(element("p", { class: "soft" }, key.value));
  return box;
};

// Names of all items of some sections.
function namesIn(lines: string[], sections = listed): string[] {
  const names = new Set<string>();
  let section = "";
  for (const line of lines) {
    const found = keyForm.exec(line);
    if (!found) continue;
    if (found[1] === "") section = found[2];
    else if (found[1].length <= 4 && sections.has(section) && /^[A-Za-z_]\w*$/.test(found[2])) names.add(found[2]);
  }
  return [...names];
}

export function completionSource(reference: () => FormatReference) {
  return (context: CompletionContext): CompletionResult | null => {
    const { doc } = context.state;
    const line = doc.lineAt(context.pos);
    const lines = doc.toString().split("\n");
    const word = context.matchBefore(words);
    if (!word && !context.explicit) return null;
    const from = word?.from ?? context.pos;
    if (/#/.test(line.text.slice(0, from - line.from))) return null; // a comment
    const place = placeIn(lines, line.number - 1, from - line.from);
    const keys = keysAt(place, reference());
    let options: Completion[];
    if (place.key === "") {
      const movers = place.path[0] === "start" && place.path.length === 2 ? namesIn(lines, new Set(["joints", "bodies"])) : [];
      options = [...keys.values()].map((key): Completion => ({ label: key.name, apply: `${key.name}: `, info: info(key), type: "property" }));
      options.push(...movers.map((label) => ({ label, apply: `${label}: `, type: "variable" })));
    } else {
      const choices = place.key === "type" ? typesOf(place.path[0] ?? "", reference()) : (keys.get(place.key)?.words ?? []);
      const names = choices.length > 0 ? [] : [...(place.key === "between" ? ["ground"] : []), ...namesIn(lines)];
      options = [...choices, ...names].map((label) => ({ label, type: choices.length > 0 ? "enum" : "variable" }));
    }
    return options.length > 0 ? { from, options, validFor: /^[\w.]*$/ } : null;
  };
}

// What a key means, under the pointer.
export function keyHelp(state: EditorState, at: number, reference: FormatReference): Tooltip | null {
  const line = state.doc.lineAt(at);
  const column = at - line.from;
  const start = /[\w]*$/.exec(line.text.slice(0, column))![0].length;
  const end = /^[\w]*/.exec(line.text.slice(column))![0].length;
  const name = line.text.slice(column - start, column + end);
  if (name === "" || !/^\s*["']?:/.test(line.text.slice(column + end))) return null;
  const place = placeIn(state.doc.toString().split("\n"), line.number - 1, column - start);
  const key = keysAt({ ...place, key: "" }, reference).get(name);
  return key ? { pos: at - start, end: at + end, create: () => ({ dom: info(key)() }) } : null;
}
