// What is written over the scene: names of bodies and joints, the axes of the ground and the direction of gravity.
import { Vector3, type Camera } from "three";
import { element } from "./dom";

export interface Label {
  text: string;
  at: () => Vector3;
  motor?: boolean; // the M of a motor: shown without being asked for
}

const svgNamespace = "http://www.w3.org/2000/svg";

export class Overlay {
  readonly root = element("div", { class: "overlay" });
  private spans: HTMLSpanElement[] = [];
  private labels: Label[] = [];
  private gravity: Vector3 | null = null;
  private plane = "";
  readonly compass = document.createElementNS(svgNamespace, "svg");
  labelled = false;

  constructor() {
    this.compass.setAttribute("class", "compass");
    this.compass.setAttribute("role", "img");
    this.compass.setAttribute("aria-label", "axes of the ground and gravity");
    this.compass.setAttribute("viewBox", "-44 -44 88 88");
  }

  describe(labels: Label[], gravity: Vector3 | null, plane: string): void {
    [this.labels, this.gravity, this.plane] = [labels, gravity, plane];
    this.spans = labels.map((label) => element("span", { class: label.motor ? "label motor" : "label" }, label.text));
    this.root.replaceChildren(...this.spans);
  }

  update(camera: Camera): void {
    this.placeLabels(camera);
    this.drawCompass(camera);
  }

  // Names that are shown, and where, in pixels of the picture.
  written(): { text: string; x: number; y: number; motor: boolean }[] {
    return this.spans.flatMap((span, i) => {
      const [x, y] = (/translate\((.*)px, (.*)px\)/.exec(span.style.transform)?.slice(1) ?? []).map(Number);
      return span.hidden || x === undefined ? [] : [{ text: this.labels[i].text, x, y, motor: this.labels[i].motor ?? false }];
    });
  }

  // A label that would cover another one is left out.
  private placeLabels(camera: Camera): void {
    const isShown = ({ motor }: Label) => this.labelled || motor === true;
    this.root.hidden = !this.labels.some(isShown);
    if (this.root.hidden) return;
    const width = this.root.clientWidth;
    const height = this.root.clientHeight;
    const taken: { x: number; y: number; w: number }[] = [];
    this.labels.forEach((label, i) => {
      const span = this.spans[i];
      if ((span.hidden = !isShown(label))) return;
      const at = label.at().project(camera);
      const spot = {
        x: ((at.x + 1) / 2) * width + 8,
        y: ((1 - at.y) / 2) * height - 18,
        w: 7.2 * label.text.length + 6,
      };
      const covers = taken.some(
        (other) => Math.abs(other.y - spot.y) < 15 && spot.x < other.x + other.w && other.x < spot.x + spot.w,
      );
      span.hidden = covers || at.z > 1 || spot.x < 0 || spot.y < 0 || spot.x + spot.w > width || spot.y > height - 12;
      if (span.hidden) return;
      taken.push(spot);
      span.style.transform = `translate(${spot.x.toFixed(1)}px, ${spot.y.toFixed(1)}px)`;
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
