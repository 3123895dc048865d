// Plots that the reader makes: channels over time, one channel over another, or their frequencies. Channels are chosen from a list or
// dragged from a legend.
import { element } from "./dom";
import { takesChannels } from "./drops";
import { OwnChart } from "./own_chart";
import type { Plots } from "./plots";

type Kind = "time" | "xy" | "spectrum";
const kinds: Record<Kind, string> = { time: "over time", xy: "over another channel", spectrum: "frequencies" };

export class OwnPlots {
  readonly charts: OwnChart[] = [];
  private kind = element("select", { "aria-label": "kind of plot" });
  private x = element("select", { "aria-label": "horizontal axis" });
  private filter = element("input", { type: "text", placeholder: "filter by name", "aria-label": "filter by name", spellcheck: "false" });
  private list = element("div", { class: "channel-list" });
  private more = element("button", { type: "button" }, "add plot"); // once channels are chosen
  private chosen = new Set<string>();

  constructor(
    private plots: Plots,
    private host: HTMLElement,
  ) {
    for (const [kind, text] of Object.entries(kinds)) this.kind.append(element("option", { value: kind }, text));
    const across = element("label", { class: "across" }, "over", this.x);
    across.hidden = true;
    this.kind.addEventListener("change", () => (across.hidden = this.kind.value !== "xy"));
    this.filter.addEventListener("input", () => this.fill());
    this.more.addEventListener("click", () => this.add(this.kind.value as Kind, [...this.chosen], this.x.value));
    const row = element("div", { class: "builder-row" }, element("label", {}, "plot", this.kind), across, this.filter, this.more);
    const builder = element("details", { class: "plot builder" }, element("summary", {}, "New plot"), row, this.list);
    builder.addEventListener("toggle", () => builder.open && this.fill());
    takesChannels(builder, (name) => this.add("time", [name], ""));
    host.append(builder);
    plots.onChange(() => this.draw());
    plots.player.onChange(() => this.charts.forEach((chart) => chart.setTime()));
  }

  private names(): string[] {
    const all = this.plots.channels.plots.flatMap(({ series }) => series.filter(({ beside }) => beside === undefined).map(({ name }) => name));
    return [...new Set(all)];
  }
  private fill(): void {
    const part = this.filter.value.trim().toLowerCase();
    const names = this.names();
    const before = this.x.value;
    this.more.disabled = this.chosen.size === 0;
    this.x.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
    if (names.includes(before)) this.x.value = before;
    this.list.replaceChildren(
      ...names
        .filter((name) => name.toLowerCase().includes(part) || this.chosen.has(name))
        .map((name) => {
          const box = element("input", { type: "checkbox" });
          box.checked = this.chosen.has(name);
          box.addEventListener("change", () => {
            if (box.checked) this.chosen.add(name);
            else this.chosen.delete(name);
            this.more.disabled = this.chosen.size === 0;
          });
          return element("label", {}, box, name);
        }),
    );
  }

  add(kind: Kind, names: string[], x = ""): void {
    const known = names.filter((name) => this.plots.find(name));
    if (known.length === 0) return;
    if (kind === "time") this.plots.addOwn(known);
    else {
      const chart = new OwnChart(kind, known, x, this.plots, (gone) => {
        this.charts.splice(this.charts.indexOf(gone), 1);
        gone.root.remove();
      });
      this.charts.push(chart);
      this.host.prepend(chart.root);
    }
    this.chosen.clear();
    this.fill();
  }
  draw(): void {
    for (const chart of this.charts) chart.draw();
  }
  showAll(): void {
    for (const chart of this.charts) chart.show(null);
  }
}
