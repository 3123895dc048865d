// What is written over the scene: names of bodies and joints, the letters of motors, the axes of the ground and the direction of gravity.
import { Vector3, type Camera } from "three";
import { element } from "./dom";

export interface Label {
  text: string;
  at: () => Vector3;
  symbol?: () => Vector3; // that it belongs to, as an M to a motor: it stands beyond `at`, seen from there, and is shown without being asked for
}

// Where it begins, px, at its base line.
export interface Written {
  text: string;
  x: number;
  y: number;
  size: number;
  motor: boolean; // the letter of one, which has a halo
}

// Of a label, px.
interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}
const cover = (a: Box, b: Box) => Math.abs(a.y + a.h / 2 - b.y - b.h / 2) < (a.h + b.h) / 2 && a.x < b.x + b.w && b.x < a.x + a.w;
const nameBox = ([x, y]: number[], text: string): Box => ({ x: x + 8, y: y - 18, w: 7.2 * text.length + 6, h: 14 });
// Beyond the edge of a symbol, seen from its middle.
function letterBox([x, y]: number[], [fromX, fromY]: number[], size: number): Box {
  const far = Math.hypot(x - fromX, y - fromY) || 1;
  const [w, h] = [0.9 * size + 6, size];
  const [middleX, middleY] = [x + ((x - fromX) / far) * 0.65 * size, y + ((y - fromY) / far) * 0.65 * size];
  return { x: middleX - w / 2, y: middleY - h / 2, w, h };
}

const svgNamespace = "http://www.w3.org/2000/svg";

export class Overlay {
  readonly root = element("div", { class: "overlay" });
  private spans: HTMLSpanElement[] = [];
  private labels: Label[] = [];
  private gravity: Vector3 | null = null;
  private plane = "";
  readonly compass = document.createElementNS(svgNamespace, "svg");
  private shown: Written[] = [];
  labelled = false;

  constructor() {
    this.compass.setAttribute("class", "compass");
    this.compass.setAttribute("role", "img");
    this.compass.setAttribute("aria-label", "axes of the ground and gravity");
    this.compass.setAttribute("viewBox", "-44 -44 88 88");
  }

  describe(labels: Label[], gravity: Vector3 | null, plane: string): void {
    [this.labels, this.gravity, this.plane] = [labels, gravity, plane];
    this.spans = labels.map((label) => element("span", { class: label.symbol ? "label motor" : "label" }, label.text));
    this.root.replaceChildren(...this.spans);
  }

  // unit: in which symbols are drawn, px
  update(camera: Camera, unit: number): void {
    this.placeLabels(camera, unit);
    this.drawCompass(camera);
  }

  // What is shown, and where in the picture.
  written(): Written[] {
    return this.shown;
  }

  // A label that would cover another one is left out.
  private placeLabels(camera: Camera, unit: number): void {
    this.shown = [];
    const isShown = ({ symbol }: Label) => this.labelled || symbol !== undefined;
    this.root.hidden = !this.labels.some(isShown);
    if (this.root.hidden) return;
    const [width, height] = [this.root.clientWidth, this.root.clientHeight];
    const onScreen = (at: Vector3) => [((at.x + 1) / 2) * width, ((1 - at.y) / 2) * height];
    const taken: Box[] = [];
    this.labels.forEach((label, i) => {
      const span = this.spans[i];
      if ((span.hidden = !isShown(label))) return;
      const at = label.at().project(camera);
      const size = label.symbol ? Math.max(14, 2.1 * unit) : 12;
      const box = label.symbol ? letterBox(onScreen(at), onScreen(label.symbol().project(camera)), size) : nameBox(onScreen(at), label.text);
      span.hidden = at.z > 1 || box.x < 0 || box.y < 0 || box.x + box.w > width || box.y + box.h > height || taken.some((other) => cover(other, box));
      if (span.hidden) return;
      taken.push(box);
      this.shown.push({ text: label.text, x: box.x + 3, y: box.y + 0.85 * box.h - 1, size, motor: label.symbol !== undefined });
      span.style.transform = `translate(${box.x.toFixed(1)}px, ${box.y.toFixed(1)}px)`;
      if (label.symbol) span.style.fontSize = span.style.lineHeight = `${size.toFixed(1)}px`;
    });
  }

  private drawCompass(camera: Camera): void {
    this.compass.replaceChildren();
    const toScreen = (direction: Vector3) => {
      const seen = direction.clone().transformDirection(camera.matrixWorldInverse);
      return [seen.x, -seen.y];
    };
    const names = this.plane ? this.plane.split("") : ["x", "y", "z"];
    for (const name of names) {
      const direction = new Vector3(name === "x" ? 1 : 0, name === "y" ? 1 : 0, name === "z" ? 1 : 0);
      this.arrow(toScreen(direction), 26, name, name);
    }
    if (this.gravity) this.arrow(toScreen(this.gravity.clone().normalize()), 26, "g", "gravity");
  }

  private arrow([x, y]: number[], length: number, text: string, kind: string): void {
    if (Math.hypot(x, y) < 0.08) return;
    const line = document.createElementNS(svgNamespace, "path");
    const [tipX, tipY] = [x * length, y * length];
    const size = Math.hypot(x, y);
    const [ux, uy] = [(x / size) * 5, (y / size) * 5];
    line.setAttribute(
      "d",
      `M0 0L${tipX - ux} ${tipY - uy}M${tipX - ux - uy * 0.42} ${tipY - uy + ux * 0.42}L${tipX} ${tipY}L${tipX - ux + uy * 0.42} ${tipY - uy - ux * 0.42}Z`,
    );
    line.setAttribute("class", kind);
    const label = document.createElementNS(svgNamespace, "text");
    label.setAttribute("x", String(tipX + 2 * ux));
    label.setAttribute("y", String(tipY + 2 * uy));
    label.setAttribute("class", kind);
    label.textContent = text;
    this.compass.append(line, label);
  }
}
