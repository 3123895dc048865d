// The legend of a plot: names that show, hide and can be dragged, and notes about what it does not list.
import uPlot from "uplot";
import { type Series } from "./channels";
import { element } from "./dom";
import { dragsChannel } from "./drops";
import type { Plot } from "./plot";

export const mostShown = 8; // series that are drawn at first; the others wait in the legend

function noteOf(others: string[]): string {
  return others.length > 1 ? `dashed and in parentheses, in this order: ${others.join(", ")}` : `dashed and in parentheses: ${others[0] ?? "the other run"}`;
}

// Rows of series that are not drawn at first wait behind a button, and pinned ones stand beside their partners.
export function legendNotes(chart: uPlot, series: Series[], plot: Plot): HTMLElement[] {
  const legend = chart.root.querySelector(".u-legend")!;
  const rows = [...legend.querySelectorAll(".u-series")].slice(1);
  series.forEach((each, i) => {
    if (each.beside !== undefined) rows[i].classList.add("pinned");
    else if (i >= mostShown) rows[i].classList.add("extra");
  });
  rows.forEach((row, i) => pressable(row.querySelector<HTMLElement>("th")!, series[i].name));
  tellShown(chart);
  const notes: HTMLElement[] = [];
  const extra = legend.querySelectorAll(".extra").length;
  const more = element("button", { type: "button", class: "more" });
  const tell = () => {
    legend.classList.toggle("all", plot.wholeLegend);
    more.textContent = plot.wholeLegend ? "fewer" : `and ${extra} more`;
  };
  more.addEventListener("click", () => {
    plot.wholeLegend = !plot.wholeLegend;
    tell();
  });
  tell();
  if (extra > 0) notes.push(more);
  if (series.some((each) => each.beside !== undefined))
    notes.push(element("span", { class: "pinned-note" }, noteOf(plot.others)));
  return notes;
}

// Which curves are drawn, for those who do not see it.
export function tellShown(chart: uPlot): void {
  const labels = [...chart.root.querySelectorAll(".u-legend .u-series th")].slice(1);
  labels.forEach((label, i) => label.setAttribute("aria-pressed", String(chart.series[i + 1].show)));
}

// A name in the legend shows or hides its curve, also by the keyboard, and can be dragged to a plot of the reader's own.
function pressable(label: HTMLElement, name: string): void {
  label.tabIndex = 0;
  label.setAttribute("role", "button");
  label.setAttribute("aria-label", name);
  dragsChannel(label, name);
  label.title = "click to show or hide; drag to a plot of your own";
  label.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    label.click();
  });
}
