// Paper: every plot, whether it has been looked at or not, as curves, in the colors of the light page.
import { chartSvg } from "./chart_svg";
import { element } from "./dom";
import type { Plots } from "./plots";
import type { SceneView } from "./scene";
import { light, type Themes } from "./theme";

export function preparePrint(themes: Themes, scene: () => SceneView | null, plots: () => Plots | null): void {
  const closed: HTMLDetailsElement[] = []; // that are opened for paper only
  window.addEventListener("beforeprint", () => {
    if (document.body.classList.contains("on-paper")) return;
    document.body.classList.add("on-paper");
    for (const details of document.querySelectorAll<HTMLDetailsElement>(".plot:not(.builder), .model"))
      if (!details.open) {
        details.open = true;
        closed.push(details);
      }
    for (const plot of plots()?.list ?? []) {
      const picture = element("div", { class: "paper" });
      const chart = plot.chartDescription(light);
      const marks = chart.marks.map(({ x }, k) => ({ x, text: String(k + 1) })); // as in the list of events
      picture.innerHTML = chartSvg({ ...chart, title: "", marks }, light).svg; // names in it are escaped
      plot.root.append(picture);
    }
    const drawn = scene();
    drawn?.setTheme(light);
    const machine = drawn?.snapshot(); // whose size does not depend on that of the window
    machine?.classList.add("paper");
    if (machine) document.getElementById("stage")?.prepend(machine);
  });
  window.addEventListener("afterprint", () => {
    document.body.classList.remove("on-paper");
    for (const picture of document.querySelectorAll(".paper")) picture.remove();
    for (const details of closed.splice(0)) details.open = false;
    scene()?.setTheme(themes.current);
  });
}
