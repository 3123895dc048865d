// The classes with their counts, and the curves: a click hides one or shows it again.
import { element } from "../dom";
import { classColor } from "./colors";
import type { Figure } from "./figure";
import { drawSample } from "./marks";
import { hatching } from "./pictures";
import type { StudyState } from "./state";

const size = 16;
const edge = "#7b858f"; // seen on light and dark pages, beside colors that are not

function swatch(draw: (ctx: CanvasRenderingContext2D) => void): HTMLCanvasElement {
  const canvas = element("canvas", { width: String(2 * size), height: String(2 * size), class: "swatch" });
  const ctx = canvas.getContext("2d")!;
  ctx.scale(2, 2);
  draw(ctx);
  return canvas;
}

export class Legend {
  constructor(
    private state: StudyState,
    private figure: Figure,
    private host: HTMLElement,
  ) {
    state.onChange(() => this.update());
    this.update();
  }

  update(): void {
    this.host.replaceChildren();
    if (this.state.result.scale === "classes") this.classes();
    else this.missing();
    this.state.table.study.curves.forEach((curve, kind) =>
      this.entry(
        swatch((ctx) => drawSample(ctx, curve, kind, size, this.state.y === null)),
        curve.line ? curve.name : `${curve.name} (${curve.at[0].length} points)`,
        this.state.hidden.curves,
        curve.name,
      ),
    );
  }

  // Cells of the coarsest grid of the slice: those of refinements would count boundaries.
  private counts(): Map<number, number> {
    const { table, result } = this.state;
    const counts = new Map<number, number>();
    for (const row of this.state.rows()) {
      if (!table.scattered && table.level[row] > 0) continue;
      const value = Number.isNaN(result.values[row]) ? -1 : result.values[row];
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return counts;
  }
  private classes(): void {
    const counts = this.counts();
    const all = [...counts.values()].reduce((sum, each) => sum + each, 0);
    const { classes, missing } = this.state.result;
    for (const number of [...classes.keys(), -1]) {
      const count = counts.get(number) ?? 0;
      if (number < 0 && count === 0) continue;
      const name = number < 0 ? missing : classes[number];
      const share = `${((100 * count) / Math.max(all, 1)).toFixed(1)} %`;
      this.entry(this.colored(number), `${name}: ${count} (${share})`, this.state.hidden.classes, number);
    }
  }
  private missing(): void {
    const { result, table } = this.state;
    const rows = this.state.rows().filter((row) => table.scattered || table.level[row] === 0);
    const count = rows.filter((row) => Number.isNaN(result.values[row])).length;
    if (count > 0)
      this.host.append(element("span", { class: "entry" }, this.colored(-1), `${result.missing}: ${count} of ${rows.length}`));
  }
  private colored(number: number): HTMLCanvasElement {
    return swatch((ctx) => {
      ctx.fillStyle = number < 0 ? hatching(ctx, this.figure.coloring!.missing) : classColor(number);
      ctx.fillRect(1, 1, size - 2, size - 2);
      ctx.strokeStyle = edge;
      ctx.strokeRect(1, 1, size - 2, size - 2);
    });
  }

  private entry<K>(picture: HTMLElement, text: string, hidden: Set<K>, key: K): void {
    const toggle = () =>
      this.state.change(() => {
        if (!hidden.delete(key)) hidden.add(key);
      });
    const shown = String(!hidden.has(key));
    this.host.append(
      element("button", { type: "button", class: "entry", "aria-pressed": shown, title: "hide or show", click: toggle }, picture, text),
    );
  }
}
