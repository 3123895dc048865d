// Materials by what they are for; they change with the theme.
import { Color, DoubleSide, MeshBasicMaterial, MeshLambertMaterial, Vector2, type Material } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Theme } from "./theme";

export type Role = (theme: Theme) => string;

export const bodyColor =
  (index: number): Role =>
  (theme) =>
    theme.bodies[index % theme.bodies.length];
export const seriesColor =
  (index: number): Role =>
  (theme) =>
    theme.series[index % theme.series.length];
export const outline =
  (role: Role): Role =>
  (theme) =>
    "#" +
    new Color(role(theme)).lerp(new Color(theme.dark ? "#ffffff" : "#000000"), theme.dark ? 0.35 : 0.5).getHexString();
export const pale =
  (role: Role): Role =>
  (theme) =>
    "#" + new Color(role(theme)).lerp(new Color(theme.background), 0.6).getHexString();
export const metal: Role = (theme) => theme.metal;
export const background: Role = (theme) => theme.background;
export const text: Role = (theme) => theme.text;
export const bad: Role = (theme) => (theme.dark ? "#ff6b5e" : "#cc3311");
export const mark: Role = (theme) => theme.mark;

// Of a part of a symbol: "ink", "metal", "pale mark", "body 3", "edge 3".
export function roleOf(name: string): Role {
  if (name.startsWith("pale ")) return pale(roleOf(name.slice(5)));
  const [word, index] = name.split(" ");
  if (word === "body") return bodyColor(Math.max(Number(index), 0));
  if (word === "edge") return outline(bodyColor(Math.max(Number(index), 0)));
  return { metal, mark, pin: metal, paper: background }[word] ?? text;
}

export class Paint {
  private users: { material: Material & { color: Color }; role: Role }[] = [];
  private lines: LineMaterial[] = [];
  private plain: Material[] = []; // without a role of the theme

  constructor(
    private theme: Theme,
    readonly ghost = false, // everything is seen through
  ) {}

  flat(role: Role, opacity = this.opacity): MeshBasicMaterial {
    return this.keep(new MeshBasicMaterial({ side: DoubleSide, transparent: opacity < 1, opacity }), role);
  }
  solid(role: Role): MeshLambertMaterial {
    return this.keep(new MeshLambertMaterial({ side: DoubleSide, transparent: this.ghost, opacity: this.opacity }), role);
  }
  // Colored corner by corner.
  loads(): MeshBasicMaterial {
    const material = new MeshBasicMaterial({ side: DoubleSide, vertexColors: true });
    this.plain.push(material);
    return material;
  }
  line(role: Role, width: number, opacity = this.opacity): LineMaterial {
    const material = new LineMaterial({ linewidth: width, transparent: opacity < 1, opacity });
    this.lines.push(material);
    return this.keep(material, role);
  }
  apply(theme: Theme): void {
    this.theme = theme;
    for (const { material, role } of this.users) material.color.set(role(theme));
  }
  resize(width: number, height: number): void {
    for (const line of this.lines) line.resolution = new Vector2(width, height);
  }
  dispose(): void {
    for (const { material } of this.users) material.dispose();
    for (const material of this.plain) material.dispose();
  }
  private get opacity(): number {
    return this.ghost ? 0.28 : 1;
  }
  private keep<M extends Material & { color: Color }>(material: M, role: Role): M {
    material.color.set(role(this.theme));
    this.users.push({ material, role });
    return material;
  }
}
