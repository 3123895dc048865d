// Sliders, fields and choices for the values of the file.
import { element } from "../dom";
import type { Control } from "./api";

type Turn = (path: string[], value: string, goesOn: boolean) => boolean | void; // goesOn: the same drag of a slider; false: the value is wrong
type Range = { min: number; max: number };

const titles = { parameters: "Parameters", start: "Start", drives: "Drives: added to what the file commands", method: "Method" };
const steps = 400;

// A range that fits the value it was first seen with.
function rangeOf({ value = 0, unit, group, whole, range }: Control): Range {
  if (range) return { min: Math.min(range.min, value), max: Math.max(range.max, value) };
  if (whole) return { min: Math.min(1, value), max: Math.max(10, 2 * value) };
  if (unit === "deg") return { min: value - 180, max: value + 180 };
  if (group === "start" && !unit) return { min: value - Math.PI, max: value + Math.PI };
  if (group === "start") return { min: value - Math.max(1, Math.abs(value)), max: value + Math.max(1, Math.abs(value)) };
  if (value === 0) return { min: -1, max: 1 };
  return value > 0 ? { min: value / 10, max: 2 * value } : { min: 2 * value, max: value / 10 };
}

// As many digits as a step of the slider needs.
function digits(value: number, { min, max }: Range): string {
  const places = Math.max(0, Math.ceil(-Math.log10((max - min) / steps)));
  return places > 9 ? value.toPrecision(4) : String(Number(value.toFixed(places)));
}

const keyOf = ({ path }: Control) => path.join("\n");
const shapeOf = ({ path, kind, unit, whole }: Control) => [...path, kind, unit, whole].join("\n");

class Row {
  readonly root: HTMLElement;
  private field: HTMLInputElement | HTMLSelectElement;
  private slider: HTMLInputElement | null = null;
  private range: Range | null = null;
  private held = false;
  private typing = false; // what the field says was typed and not entered yet
  private original: Control | null = null; // as the file on disk has it
  private reset = element("button", { type: "button", class: "reset", hidden: "", click: () => this.restore() }, "↺");

  constructor(
    public control: Control,
    private turn: Turn,
  ) {
    this.field = control.kind === "choice" ? this.choice() : this.text();
    const label = element("label", {}, element("span", { title: control.name }, control.name), this.field);
    this.root = element("div", { class: `row ${control.kind}` }, element("div", { class: "value" }, label, this.reset));
    this.show(control);
  }

  get key(): string {
    return keyOf(this.control);
  }
  get isChoice(): boolean {
    return this.field instanceof HTMLSelectElement;
  }
  // The value that the file on disk has: the reset button and the slider come back to it exactly, formula and all.
  setOriginal(original: Control | null): void {
    this.original = original;
    this.showReset();
  }
  private showReset(): void {
    const { original } = this;
    this.reset.hidden = !original || original.text === this.control.text;
    const title = `reset ${this.control.name} to ${original?.text}`;
    this.reset.title = title;
    this.reset.setAttribute("aria-label", title);
  }
  private restore(): void {
    if (!this.original) return;
    this.held = this.typing = false;
    this.field.value = this.original.text;
    this.turn(this.control.path, this.original.text, false);
    this.field.focus(); // the button goes away
  }

  private choice(): HTMLSelectElement {
    const list = element("select", {});
    list.addEventListener("change", () => this.turn(this.control.path, list.value, false));
    return list;
  }
  private text(): HTMLInputElement {
    const field = element("input", { type: "text", spellcheck: "false" });
    field.addEventListener("input", () => (this.typing = true));
    field.addEventListener("change", () => this.enter());
    return field;
  }
  // What was typed becomes the value.
  enter(): void {
    if (!this.typing) return;
    this.typing = this.turn(this.control.path, this.typed(this.field.value.trim()), false) === false;
    this.field.setAttribute("aria-invalid", String(this.typing));
  }
  // The value is no longer there: what was typed for it has no place.
  remove(): void {
    this.typing = false;
    this.root.remove();
  }
  // A number without a unit has the unit of the value that it replaces.
  private typed(text: string): string {
    const { unit } = this.control;
    return unit && text !== "" && Number.isFinite(Number(text)) ? `${text} ${unit}` : text;
  }
  private sliderFor(): HTMLInputElement {
    const slider = element("input", { type: "range", step: "1", "aria-label": this.control.name });
    slider.addEventListener("input", () => {
      const text = this.textAt(slider.value);
      const goesOn = this.held;
      this.held = true;
      (this.field as HTMLInputElement).value = text;
      this.turn(this.control.path, text, goesOn);
    });
    slider.addEventListener("change", () => (this.held = false));
    return slider;
  }

  private position(value: number): string {
    const { min, max } = this.range!;
    return this.control.whole ? String(value) : String(Math.round(((value - min) / (max - min)) * steps));
  }
  // What a position of the slider writes: where the file's own value lies, its own text.
  private textAt(position: string): string {
    const { original, control } = this;
    if (original?.value !== undefined && original.unit === control.unit && this.position(original.value) === position) return original.text;
    const { min, max } = this.range!;
    const value = control.whole ? position : digits(min + (Number(position) / steps) * (max - min), this.range!);
    return control.unit ? `${value} ${control.unit}` : value;
  }

  // What was typed and refused stays in a field that has the focus, to be corrected.
  restoreShown(): void {
    this.held = false;
    if (document.activeElement !== this.field) this.field.value = this.control.text;
    else if (this.field.value !== this.control.text) this.field.setAttribute("aria-invalid", "true");
    this.show(this.control);
  }
  show(control: Control): void {
    const before = this.control;
    this.control = control;
    this.showReset();
    if (this.field instanceof HTMLSelectElement) return this.showChoice(this.field);
    if (this.held) return; // under the reader's finger
    const mine = this.typing || (document.activeElement === this.field && control.text === before.text);
    if (!mine && this.field.value !== control.text) this.field.value = control.text;
    if (this.field.value === control.text) this.field.removeAttribute("aria-invalid");
    if (control.unit !== before.unit || control.whole !== before.whole) this.range = null;
    this.showSlider();
  }
  private showChoice(list: HTMLSelectElement): void {
    const choices = this.control.choices ?? [];
    if (list.options.length !== choices.length || [...list.options].some((o, k) => o.value !== choices[k]))
      list.replaceChildren(...choices.map((each) => element("option", { value: each }, each)));
    list.value = this.control.text;
  }
  // A number has one, a formula has none.
  private showSlider(): void {
    const { kind, value, whole, text } = this.control;
    this.root.className = `row ${kind}`;
    if (kind !== "slider") this.slider?.remove();
    if (kind !== "slider" || value === undefined) return;
    this.slider ??= this.sliderFor();
    if (this.slider.parentElement !== this.root) this.root.append(this.slider);
    if (!this.range || value < this.range.min || value > this.range.max) this.range = rangeOf(this.control);
    const { min, max } = this.range;
    [this.slider.min, this.slider.max] = whole ? [String(min), String(max)] : ["0", String(steps)]; // its steps are the numbers
    this.slider.value = this.position(value);
    this.slider.setAttribute("aria-valuetext", text);
  }
}

// The element with the focus stays where it is and everything else is put around it: one that is moved loses the focus.
function arrange(host: HTMLElement, parts: HTMLElement[]): void {
  if (parts.length === host.children.length && parts.every((part, k) => part === host.children[k])) return;
  const stays = parts.findIndex((part) => part.contains(document.activeElement));
  for (const child of [...host.children]) if (child !== parts[stays]) child.remove();
  parts[stays]?.before(...parts.slice(0, stays));
  host.append(...parts.slice(stays + 1));
}

export class Panel {
  private rows: Row[] = [];
  private originals = new Map<string, Control>();

  constructor(
    private host: HTMLElement,
    private turn: Turn,
  ) {}

  // The values shown now are those of the file on disk.
  takeOriginals(): void {
    this.originals = new Map(this.rows.map((row) => [row.key, row.control]));
    this.offerReset();
  }
  // What was turned did not become part of the file: its values are shown again.
  restore(): void {
    for (const row of this.rows) row.restoreShown();
  }
  private offerReset(): void {
    for (const row of this.rows) row.setOriginal(this.originals.get(row.key) ?? null);
  }
  // What was typed last becomes the value.
  enter(): void {
    for (const row of this.rows) row.enter();
  }
  // Of another file.
  clear(): void {
    for (const row of this.rows) row.remove();
    this.rows = [];
    this.originals.clear();
    this.host.replaceChildren();
  }

  // While something is wrong, what was there stays under the reader's hands. Rows stay as long as their values do, and so does what is typed there.
  show(controls: Control[], wrong: boolean): void {
    if (wrong && this.rows.length > 0 && !this.fits(controls)) return;
    const rows = controls.map((control) => this.rowOf(control));
    for (const row of this.rows) if (!rows.includes(row)) row.remove();
    this.rows = rows;
    rows.forEach((row, k) => row.show(controls[k]));
    this.offerReset();
    this.arrange();
  }
  private fits(controls: Control[]): boolean {
    return controls.length === this.rows.length && controls.every((control, k) => shapeOf(control) === shapeOf(this.rows[k].control));
  }
  private rowOf(control: Control): Row {
    const known = this.rows.find((row) => row.key === keyOf(control) && row.isChoice === (control.kind === "choice"));
    return known ?? new Row(control, this.turn);
  }
  private arrange(): void {
    const groups = ["parameters", "start", "drives", "method"] as const;
    const parts = groups.flatMap((group) => {
      const rows = this.rows.filter(({ control }) => control.group === group).map((row) => row.root);
      return rows.length > 0 ? [this.heading(group), ...rows] : [];
    });
    arrange(this.host, parts);
  }
  private headings = new Map<string, HTMLElement>();
  private heading(group: keyof typeof titles): HTMLElement {
    const known = this.headings.get(group) ?? element("h2", {}, titles[group]);
    this.headings.set(group, known);
    return known;
  }
}
