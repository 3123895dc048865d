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

class Row {
  readonly root: HTMLElement;
  private field: HTMLInputElement | HTMLSelectElement;
  private slider: HTMLInputElement | null = null;
  private range: Range | null = null;
  private held = false;
  private original: Control | null = null; // as the file on disk has it
  private reset = element("button", { type: "button", class: "reset", hidden: "", click: () => this.restore() }, "↺");

  constructor(
    public control: Control,
    private turn: Turn,
  ) {
    this.field = control.kind === "choice" ? this.choice() : this.text();
    const label = element("label", {}, element("span", { title: control.name }, control.name), this.field);
    this.root = element("div", { class: `row ${control.kind}` }, element("div", { class: "value" }, label, this.reset));
    if (control.kind === "slider") this.root.append((this.slider = this.sliderFor()));
    this.show(control);
  }

  get key(): string {
    return this.control.path.join("\n");
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
    this.held = false;
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
    field.addEventListener("change", () => field.setAttribute("aria-invalid", String(this.turn(this.control.path, this.typed(field.value.trim()), false) === false)));
    return field;
  }
  // A number without a unit has the unit of the value that it replaces.
  private typed(text: string): string {
    const { unit } = this.control;
    return unit && text !== "" && Number.isFinite(Number(text)) ? `${text} ${unit}` : text;
  }
  private sliderFor(): HTMLInputElement {
    const slider = element("input", { type: "range", min: "0", max: String(steps), step: "1", "aria-label": this.control.name });
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

  restoreShown(): void {
    this.held = false;
    if (this.field instanceof HTMLInputElement) this.field.value = this.control.text;
    this.show(this.control);
  }
  show(control: Control): void {
    this.control = control;
    this.showReset();
    if (this.field instanceof HTMLSelectElement) {
      const choices = control.choices ?? [];
      if (this.field.options.length !== choices.length || [...this.field.options].some((o, k) => o.value !== choices[k]))
        this.field.replaceChildren(...choices.map((each) => element("option", { value: each }, each)));
      this.field.value = control.text;
      return;
    }
    if (this.held) return; // under the reader's finger
    if (document.activeElement !== this.field) this.field.value = control.text;
    if (this.field.value === control.text) this.field.removeAttribute("aria-invalid");
    if (!this.slider || control.value === undefined) return;
    const value = control.value;
    if (!this.range || value < this.range.min || value > this.range.max) this.range = rangeOf(control);
    const { min, max } = this.range;
    if (control.whole) [this.slider.min, this.slider.max] = [String(min), String(max)]; // its steps are the numbers
    this.slider.value = this.position(value);
    this.slider.setAttribute("aria-valuetext", control.text);
  }
}

export class Panel {
  private rows: Row[] = [];
  private shape = "";
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
  // Of another file.
  clear(): void {
    this.shape = "";
    this.rows = [];
    this.originals.clear();
    this.host.replaceChildren();
  }

  // While something is wrong, what was there stays under the reader's hands.
  show(controls: Control[], wrong: boolean): void {
    const shape = controls.map((each) => `${each.path.join(".")} ${each.kind} ${each.unit ?? ""} ${each.whole ?? ""}`).join("\n");
    if (shape === this.shape) return controls.forEach((control, k) => this.rows[k].show(control));
    if (wrong && this.shape !== "") return;
    this.shape = shape;
    this.rows = controls.map((control) => new Row(control, this.turn));
    this.offerReset();
    this.host.replaceChildren();
    for (const group of ["parameters", "start", "drives", "method"] as const) {
      const rows = this.rows.filter((_, k) => controls[k].group === group).map((row) => row.root);
      if (rows.length > 0) this.host.append(element("h2", {}, titles[group]), ...rows);
    }
  }
}
