// Paper: every plot, whether it has been looked at or not, as curves. Paper is light: see Themes.
import { chartSvg } from "./chart_svg";
import { element } from "./dom";
import { onPaper } from "./paper";
import { chartOf } from "./plot_export";
import type { Plots } from "./plots";
import type { SceneView } from "./scene";
import { light } from "./theme";

export function preparePrint(scene: () => SceneView | null, plots: () => Plots | null): void {
  const begin = () => {
    for (const plot of plots()?.list ?? []) {
      const picture = element("div", { class: "paper" });
      const chart = chartOf(plot, light, true);
      const marks = chart.marks.map(({ x }, k) => ({ x, text: String(k + 1) })); // as in the list of events
      picture.innerHTML = chartSvg({ ...chart, title: "", marks }, light).svg; // names in it are escaped
      plot.root.append(picture);
    }
    const machine = scene()?.snapshot(); // whose size does not depend on that of the window
    machine?.classList.add("paper");
    if (machine) document.getElementById("stage")?.prepend(machine);
  };
  onPaper(begin, () => document.querySelectorAll(".paper").forEach((picture) => picture.remove()));
}
