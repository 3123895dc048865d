// Which result gives the color, what stands on the axes, and sliders through the other variables of a grid.
import { element, written } from "../dom";
import type { StudyState } from "./state";

function select(name: string, options: string[], chosen: number, act: (index: number) => void): HTMLElement {
  const list = element("select", { "aria-label": name });
  options.forEach((text, k) => list.append(element("option", { value: String(k) }, text)));
  list.value = String(chosen);
  list.addEventListener("change", () => act(Number(list.value)));
  return element("label", {}, name, list);
}

function logBox(state: StudyState): HTMLElement {
  const box = element("input", { type: "checkbox" });
  box.checked = state.log;
  box.addEventListener("change", () => state.change(() => (state.log = box.checked)));
  return element("label", {}, box, "logarithmic");
}

function slice(state: StudyState, k: number): HTMLElement {
  const values = state.table.gridValues(k);
  const { name, unit } = state.table.variables[k];
  const told = (value: number | null) => `${written(value)} ${unit}`.trim();
  const shown = element("output", {}, told(state.held[k]));
  const range = element("input", { type: "range", min: "0", max: String(values.length - 1), step: "1", "aria-label": name });
  range.value = String(values.indexOf(state.held[k]!));
  range.addEventListener("input", () => {
    shown.textContent = told(values[Number(range.value)]);
    state.change(() => (state.held[k] = values[Number(range.value)]));
  });
  return element("label", { class: "slice" }, `${name} =`, range, shown);
}

export class Choices {
  constructor(
    private state: StudyState,
    private host: HTMLElement,
  ) {
    this.update();
  }

  private update(): void {
    const { state } = this;
    const { table } = state;
    const again = (act: () => void) => {
      act();
      this.update();
    };
    this.host.replaceChildren();
    if (table.results.length > 1 || table.scattered)
      this.host.append(
        select("shown", table.results.map((each) => each.name), state.color, (k) => again(() => state.setColor(k))),
      );
    if (table.scattered || table.variables.length > 2) {
      const names = (table.scattered ? state.columns : table.variables).map((column) => column.name);
      const axis = (which: "x" | "y") =>
        select(which, names, state[which] ?? 0, (k) => again(() => state.setAxis(which, k)));
      this.host.append(axis("x"));
      if (state.y !== null) this.host.append(axis("y"));
    }
    if (state.result.scale !== "classes") this.host.append(logBox(state));
    state.held.forEach((value, k) => value !== null && this.host.append(slice(state, k)));
  }
}
