// Play, scrub, speed, step; what is shown; and the keys that do the same.
import { element, popup } from "./dom";
import { filmMenu, type Range } from "./film";
import { speeds, timeDigits, type Player } from "./player";
import type { Plots } from "./plots";
import type { RunOn } from "./run_on";
import type { SceneView } from "./scene";

function button(content: Node | string, title: string, act: () => void): HTMLButtonElement {
  return element("button", { type: "button", title, "aria-label": title, click: act }, content);
}

// Drawn, since not every font has these signs.
const icons = {
  start: "M3 2h2v12H3zM13 2v12L5 8z",
  back: "M11 2v12L3 8zM12 2h2v12h-2z",
  play: "M4 2v12l10-6z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z",
  on: "M5 2v12l8-6zM2 2h2v12H2z",
};
function icon(name: keyof typeof icons): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", icons[name]);
  svg.append(path);
  return svg;
}

function check(text: string, on: boolean, act: (on: boolean) => void): HTMLLabelElement {
  const box = element("input", { type: "checkbox" });
  box.checked = on;
  box.addEventListener("change", () => act(box.checked));
  return element("label", {}, box, text);
}

function speedChoice(player: Player): HTMLSelectElement {
  const select = element("select", { title: "speed", "aria-label": "speed" });
  for (const speed of speeds) select.append(element("option", { value: String(speed) }, `${speed}×`));
  select.value = String(player.speed);
  select.addEventListener("change", () => player.setSpeed(Number(select.value)));
  player.onChange(() => (select.value = String(player.speed)));
  return select;
}

function transport(player: Player): HTMLElement {
  const play = button(icon("play"), "play or pause (space)", () => player.toggle());
  play.className = "play";
  const time = element("output", { class: "time", "aria-live": "off" });
  const slider = element("input", {
    type: "range",
    min: "0",
    max: "10000",
    step: "1",
    "aria-label": "time",
    class: "scrub",
  });
  slider.addEventListener("input", () => {
    player.playing = false;
    player.seek(player.begin + (Number(slider.value) / 10000) * (player.end - player.begin));
  });
  const show = () => {
    play.replaceChildren(icon(player.playing ? "pause" : "play"));
    const length = player.end - player.begin;
    slider.value = String(length > 0 ? (10000 * (player.t - player.begin)) / length : 0);
    time.textContent = `${player.t.toFixed(timeDigits(player.times))} s`;
    slider.setAttribute("aria-valuetext", time.textContent);
  };
  player.onChange(show);
  show();
  return element(
    "div",
    { class: "transport" },
    button(icon("start"), "to the start (Home)", () => player.seek(player.begin)),
    button(icon("back"), "one frame back (←)", () => player.step(-1)),
    play,
    button(icon("on"), "one frame forward (→)", () => player.step(1)),
    slider,
    time,
    speedChoice(player),
  );
}

function beamScale(scene: SceneView): HTMLElement {
  const select = element("select", { "aria-label": "magnify bending" });
  for (const scale of [1, 2, 5, 10, 20, 50, 100])
    select.append(element("option", { value: String(scale) }, `${scale}×`));
  select.value = String(scene.beamScale);
  select.addEventListener("change", () => scene.scaleBeams(Number(select.value)));
  return element("label", {}, "bending", select);
}

// A check box, and what the colors mean.
function beamLoads(scene: SceneView): HTMLElement {
  const box = check("stress", scene.beamsColored, (on) => scene.colorBeams(on));
  return element("span", { class: "beam-loads" }, box, scene.loadLegend);
}

// From where the machine is looked at, and what stays in the middle.
function looks(scene: SceneView): HTMLElement {
  const select = element("select", { "aria-label": "view", title: "direction of view, and what stays in the center" });
  const option = (value: string, text: string) => element("option", { value }, text);
  select.append(option("", "view"));
  if (!scene.view.is2D) for (const side of ["front", "side", "top", "aside"]) select.append(option(`from ${side}`, side));
  select.append(option("follow ", "fixed ground"));
  for (const { name } of scene.run.scene.bodies.slice(0, 60)) select.append(option(`follow ${name}`, `follow ${name}`));
  select.addEventListener("change", () => {
    const { value } = select;
    if (value.startsWith("from ")) scene.view.lookFrom(value.slice(5) as "front" | "side" | "top" | "aside");
    if (value.startsWith("follow ")) scene.follow(value.slice(7));
    select.value = "";
  });
  return select;
}

// What can move at singular poses; the time goes to the nearest of them.
function freeMotion(scene: SceneView): HTMLElement {
  const box = check("free motion", scene.chosen.free, (on) => {
    scene.showMarks("free", on);
    const { player } = scene;
    const [nearest] = [...scene.singularTimes].sort((a, b) => Math.abs(a - player.t) - Math.abs(b - player.t));
    if (!on || nearest === undefined) return;
    player.pause();
    player.seek(nearest);
  });
  box.title = "what can move at a singular pose while the drives stand still";
  box.className = "free-motion";
  return box;
}

// range: of the times that the plots show.
export function shown(scene: SceneView, range: Range): HTMLElement {
  const { chosen } = scene;
  const row = element(
    "div",
    { class: "shown" },
    check("names", chosen.names, (on) => scene.showLabels(on)),
    check("frames", chosen.frames, (on) => scene.showMarks("frames", on)),
    check("masses", chosen.centers, (on) => scene.showMarks("centers", on)),
    check("velocities", chosen.velocities, (on) => scene.showMarks("velocities", on)),
    button("fit", "fit the machine (f)", () => scene.view.reset()),
    looks(scene),
    filmMenu(scene, range),
  );
  if (scene.hasReactions) row.insertBefore(check("reactions", chosen.reactions, (on) => scene.showMarks("reactions", on)), row.querySelector("button"));
  if (scene.singularTimes.length > 0) row.insertBefore(freeMotion(scene), row.querySelector("button"));
  if (scene.hasBeams) row.append(beamScale(scene), beamLoads(scene));
  const traces = scene.traces.list;
  if (traces.length === 0) return row;
  const list = element("div", { class: "trace-list" });
  traces.forEach((trace, i) =>
    list.append(
      check(trace.name, trace.shown, (on) => scene.showTrace(i, on)),
    ),
  );
  row.append(popup(element("details", { class: "traces" }, element("summary", {}, "traces"), list)));
  return row;
}

// Whether a control does something itself with a key: fields with all, sliders with those that move them, buttons with a press.
function ownKeys(target: HTMLElement, key: string): boolean {
  if (target.closest("select, summary, pre, textarea, input[type=text], [contenteditable=true]")) return true;
  if (target.closest("input[type=range]:not(.scrub)")) return key !== " " && key !== "f";
  if (target.closest("button, input[type=checkbox], [role=button], a")) return key === " " || key === "Enter";
  return false;
}

function onKeys(actions: Record<string, () => void>): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || ownKeys(target, event.key)) return;
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
const timeKeys = (player: Player, mark: () => void): Record<string, () => void> => ({
  " ": () => player.toggle(),
  ArrowLeft: () => player.step(-1),
  ArrowRight: () => player.step(1),
  Home: () => player.seek(player.begin),
  End: () => player.seek(player.end),
  "+": () => faster(player, 1),
  "-": () => faster(player, -1),
  m: mark,
});

function faster(player: Player, by: 1 | -1): void {
  const next = speeds.indexOf(player.speed) + by;
  if (next >= 0 && next < speeds.length) player.setSpeed(speeds[next]);
}

// The button that lets the machine run on, beside what is shown.
export function addRunOn(runOn: RunOn, host: HTMLElement): void {
  host.querySelector(".shown")?.prepend(runOn.button);
  host.querySelector(".rows")?.append(runOn.bar);
}

export function addControls(player: Player, scene: SceneView | null, host: HTMLElement, plots: () => Plots | null): void {
  host.append(element("div", { class: "rows" }, transport(player)));
  onKeys(timeKeys(player, () => plots()?.toggleMark()));
  if (scene) addSceneControls(scene, host, () => plots()?.rangeShown ?? [player.begin, player.end]);
}
export function addSceneControls(scene: SceneView, host: HTMLElement, range: Range): void {
  const rows = host.querySelector(".rows")!;
  if (matchMedia("(max-width: 1000px)").matches) scene.canvas.parentElement!.append(scene.compass);
  else rows.before(scene.compass);
  rows.append(shown(scene, range));
  onKeys({ f: () => scene.view.reset() });
}
