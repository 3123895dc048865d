// Sliders, fields and choices for the values of the file.
import { element } from "../dom";
import type { Control } from "./api";

type Turn = (path: string[], value: string) => void;
type Range = { min: number; max: number };

const titles = { parameters: "Parameters", start: "Start", method: "Method" };
const steps = 400;

// A range that fits the value it was first seen with.
function rangeOf({ value = 0, unit, group, whole }: Control): Range {
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

  constructor(
    private control: Control,
    private turn: Turn,
  ) {
    this.field = control.kind === "choice" ? this.choice() : this.text();
    this.root = element("div", { class: `row ${control.kind}` }, element("label", {}, element("span", {}, control.name), this.field));
    if (control.kind === "slider") this.root.append((this.slider = this.sliderFor()));
    this.show(control);
  }

  private choice(): HTMLSelectElement {
    const list = element("select", {});
    list.addEventListener("change", () => this.turn(this.control.path, list.value));
    return list;
  }
  private text(): HTMLInputElement {
    const field = element("input", { type: "text", spellcheck: "false" });
    field.addEventListener("change", () => this.turn(this.control.path, field.value.trim()));
    return field;
  }
  private sliderFor(): HTMLInputElement {
    const slider = element("input", { type: "range", min: "0", max: String(steps), step: "1", "aria-label": this.control.name });
    slider.addEventListener("input", () => {
      const { min, max } = this.range!;
      const value = this.control.whole ? slider.value : digits(min + (Number(slider.value) / steps) * (max - min), this.range!);
      const text = this.control.unit ? `${value} ${this.control.unit}` : value;
      this.held = true;
      (this.field as HTMLInputElement).value = text;
      this.turn(this.control.path, text);
    });
    slider.addEventListener("change", () => (this.held = false));
    return slider;
  }

  show(control: Control): void {
    this.control = control;
    if (this.field instanceof HTMLSelectElement) {
      const choices = control.choices ?? [];
      if (this.field.options.length !== choices.length || [...this.field.options].some((o, k) => o.value !== choices[k]))
        this.field.replaceChildren(...choices.map((each) => element("option", { value: each }, each)));
      this.field.value = control.text;
      return;
    }
    if (this.held) return; // under the reader's finger
    if (document.activeElement !== this.field) this.field.value = control.text;
    if (!this.slider || control.value === undefined) return;
    const value = control.value;
    if (!this.range || value < this.range.min || value > this.range.max) this.range = rangeOf(control);
    const { min, max } = this.range;
    if (control.whole) [this.slider.min, this.slider.max] = [String(min), String(max)]; // its steps are the numbers
    this.slider.value = control.whole ? String(value) : String(Math.round(((value - min) / (max - min)) * steps));
  }
}

export class Panel {
  private rows: Row[] = [];
  private shape = "";

  constructor(
    private host: HTMLElement,
    private turn: Turn,
  ) {}

  // While something is wrong, what was there stays under the reader's hands.
  show(controls: Control[], wrong: boolean): void {
    const shape = controls.map((each) => `${each.path.join(".")} ${each.kind} ${each.unit ?? ""} ${each.whole ?? ""}`).join("\n");
    if (shape === this.shape) return controls.forEach((control, k) => this.rows[k].show(control));
    if (wrong && this.shape !== "") return;
    this.shape = shape;
    this.rows = controls.map((control) => new Row(control, this.turn));
    this.host.replaceChildren();
    for (const group of ["parameters", "start", "method"] as const) {
      const rows = this.rows.filter((_, k) => controls[k].group === group).map((row) => row.root);
      if (rows.length > 0) this.host.append(element("h2", {}, titles[group]), ...rows);
    }
  }
}
