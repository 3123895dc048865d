// What the colors of beams stand for: from zero to the largest load of the motion, by units.
import { element } from "./dom";

const words = (unit: string, largest: number) => `0 to ${unit === "Pa" ? `${(largest / 1e6).toPrecision(3)} MPa` : `${largest.toPrecision(3)} ${unit}`}`;

export class LoadLegend {
  readonly root = element("span", { class: "loads", hidden: "" });

  // null: beams have their own colors.
  show(largest: Record<string, number> | null): void {
    this.root.hidden = largest === null;
    this.root.textContent = Object.entries(largest ?? {})
      .map(([unit, value]) => words(unit, value))
      .join(", ");
  }
}
