// Buttons of a plot: zoom, and what can be taken out of it.
import { chartSvg } from "./chart_svg";
import { element, popup } from "./dom";
import { download, fileName, pixelsOf } from "./files";
import type { Plot } from "./plot";
import { chartOf, csvOf } from "./plot_export";
import type { Plots } from "./plots";

export const button = (text: string, title: string, click: () => void) =>
  element("button", { type: "button", title, "aria-label": title, click }, text);

// A list of actions behind one button; it closes after one of them.
export function menu(title: string, ...items: [string, string, () => void][]): HTMLElement {
  const list = element("div", { class: "menu-list" });
  const details = element("details", { class: "menu" }, element("summary", { title, "aria-label": title }, "⤓"), list);
  for (const [text, about, act] of items)
    list.append(
      button(text, about, () => {
        details.open = false;
        act();
      }),
    );
  details.addEventListener("focusout", (event) => {
    if (!details.contains(event.relatedTarget as Node | null)) details.open = false;
  });
  return popup(details);
}

export function plotTools(plot: Plot, owner: Plots): HTMLElement {
  const middle = () => {
    const [min, max] = owner.rangeShown;
    return Math.min(Math.max(owner.player.t, min), max);
  };
  const picture = () => chartSvg(chartOf(plot, owner.theme), owner.theme);
  const name = (ending: string) => fileName(ending, owner.name, plot.description.title);
  return element(
    "div",
    { class: "plot-tools" },
    button("−", "zoom out (Ctrl + wheel)", () => owner.zoom(1.6, middle())),
    button("+", "zoom in (Ctrl + wheel)", () => owner.zoom(1 / 1.6, middle())),
    button("⤢", "show everything (double-click)", () => owner.resetRange()),
    menu(
      "save this plot",
      ["SVG picture", "of what is shown", () => download(name("svg"), picture().svg, "image/svg+xml")],
      [
        "PNG picture",
        "of what is shown",
        () => {
          const { svg, width, height } = picture();
          void pixelsOf(svg, width, height).then((blob) => download(name("png"), blob));
        },
      ],
      ["CSV table", "of the range shown", () => download(name("csv"), csvOf(plot), "text/csv")],
    ),
  );
}
