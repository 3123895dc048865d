// The eigenvalues in the complex plane: on the left what decays. A click chooses the mode.
import { element, written } from "../dom";
import type { Mode } from "./document";

const [width, height, margin] = [520, 300, 46];

const svg = (name: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
};

// Straight where all lie within two decades; else logarithmic away from zero, from the slowest on.
class Scale {
  readonly logarithmic: boolean;
  private slowest: number;
  private top: number;
  constructor(modes: Mode[]) {
    const sizes = modes.map(({ frequency }) => frequency).filter((w) => w > 1e-9);
    this.slowest = sizes.length > 0 ? Math.min(...sizes) : 1;
    const fastest = sizes.length > 0 ? Math.max(...sizes) : 1;
    this.logarithmic = fastest > 100 * this.slowest;
    this.top = this.bent(fastest) * 1.1;
  }
  private bent(x: number): number {
    return this.logarithmic ? Math.sign(x) * Math.log10(1 + Math.abs(x) / (0.3 * this.slowest)) : x;
  }
  at(x: number): number {
    return this.bent(x) / this.top; // -1 … 1
  }
  ticks(): number[] {
    const list: number[] = [];
    if (this.logarithmic) {
      for (let d = Math.floor(Math.log10(this.slowest)); this.bent(10 ** d) < this.top; ++d) list.push(10 ** d);
      const every = Math.ceil(list.length / 4);
      return list.filter((_, k) => k % every === 0);
    }
    const step = 10 ** Math.floor(Math.log10(this.top));
    const nice = this.top / step < 2 ? step / 2 : this.top / step < 5 ? step : 2 * step;
    for (let x = nice; x < this.top; x += nice) list.push(x);
    return list;
  }
}

export class PoleMap {
  private marks: SVGElement[][] = [];

  constructor(host: HTMLElement, modes: Mode[], choose: (k: number) => void) {
    const scale = new Scale(modes);
    const x = (re: number) => width / 2 + scale.at(re) * (width / 2 - margin);
    const y = (im: number) => height / 2 - scale.at(im) * (height / 2 - 22);
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "poles", role: "group", "aria-label": "eigenvalues in the complex plane" });
    picture.append(svg("rect", { x: margin, y: 10, width: width / 2 - margin, height: height - 34, class: "stable" }));
    for (const sign of [-1, 1])
      for (const tick of scale.ticks()) {
        const [tx, ty] = [x(sign * tick), y(sign * tick)];
        const text = `${sign < 0 ? "−" : ""}${written(tick)}`;
        picture.append(
          svg("path", { d: `M${tx} 10V${height - 24}M${margin} ${ty}H${width - margin}`, class: "grid" }),
          svg("text", { x: tx, y: height - 10, "text-anchor": "middle" }, text),
          svg("text", { x: margin - 5, y: ty + 4, "text-anchor": "end" }, text),
        );
      }
    picture.append(
      svg("path", { d: `M${x(0)} 10V${height - 24}M${margin} ${y(0)}H${width - margin}`, class: "axis" }),
      svg("text", { x: width - margin + 4, y: y(0) + 4 }, "Re"),
      svg("text", { x: x(0) + 5, y: 20 }, "Im"),
    );
    modes.forEach((mode, k) => {
      const [re, im] = mode.eigenvalue;
      this.marks.push(
        (im === 0 ? [0] : [im, -im]).map((side) => {
          const cross = svg("g", { class: "pole", transform: `translate(${x(re)} ${y(side)})` }, svg("circle", { r: 11, class: "target" }), svg("path", { d: "M-4 -4L4 4M-4 4L4 -4" }), svg("title", {}, `mode ${k + 1}: ${written(re)} ${side < 0 ? "−" : "+"} ${written(Math.abs(side))} i 1/s`));
          cross.addEventListener("click", () => choose(k));
          picture.append(cross);
          return cross;
        }),
      );
    });
    const note = scale.logarithmic ? "Axes in 1/s, logarithmic away from zero." : "Axes in 1/s.";
    host.append(element("h2", {}, "Poles"), picture, element("p", { class: "note" }, `${note} Vibrations decay left of the imaginary axis.`));
  }
  show(chosen: number): void {
    this.marks.forEach((list, k) => list.forEach((mark) => mark.classList.toggle("chosen", k === chosen)));
  }
}
