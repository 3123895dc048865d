// A page of vibrations: the machine swinging in the mode that is chosen, the eigenvalues, and the frequency response.
import "uplot/dist/uPlot.min.css";
import "../style.css";
import "./modes.css";
import { addControls } from "../controls";
import { byId, element, written } from "../dom";
import { nearestSpeed, Player } from "../player";
import { preparePrint } from "../print";
import { sceneOrMessage } from "../scene";
import { Themes } from "../theme";
import { Bode } from "./bode";
import { duration, embeddedModes, oscillates, runOf, type Complex, type Mode } from "./document";
import { PoleMap } from "./poles";

const secondsPerPeriod = 1.6; // in the picture

const modes = embeddedModes();
document.title = `${modes.model.name}: modes – Armature`;
const themes = new Themes();
const reduced = window.matchMedia("(prefers-reduced-motion: reduce)").matches;

const settings = Object.entries(modes.settings).map(([name, value]) => ` ${name}=${value}`);
byId("header").append(
  element("h1", {}, modes.model.name),
  element("span", { class: "made-of" }, `modes${settings.join("")}`),
  element("span", { class: "sentence" }, `${modes.modes.length} ${modes.modes.length === 1 ? "mode" : "modes"} about ${modes.equilibrium ? "the equilibrium" : "the start"}`),
  element("span", { class: "made" }, `Armature ${modes.armature}`),
  element("button", { type: "button", title: "switch between light and dark", "aria-label": "switch between light and dark", class: "theme", click: () => themes.toggle() }, "◐"),
);
if (modes.warnings.length > 0)
  byId("warnings").append(element("div", { class: "card warning" }, element("h2", {}, "Warnings"), element("ul", {}, ...modes.warnings.map((warning) => element("li", {}, warning)))));
for (const note of modes.notes) byId("warnings").append(element("p", { class: "note" }, note));

const first = runOf(modes, modes.modes[0] ?? null);
const player = new Player(first.frames.t as Float64Array);
const scene = sceneOrMessage(first, player, byId("scene"), themes.current);
addControls(player, scene, byId("controls"), () => null);

// ---- the table

// Parts that are round-off of the fastest mode are zero, not data.
const fastest = Math.max(0, ...modes.modes.map(({ frequency }) => frequency));
const part = (x: number) => (Math.abs(x) < 1e-12 * fastest ? 0 : x);
const signed = ([re, im]: Complex) => {
  const side = Math.abs(im) > Math.abs(re) ? im : re;
  return written(Math.sign(side) * Math.hypot(re, im));
};
const rows = modes.modes.map((mode, k) => {
  const choice = element("button", { type: "button", class: "mode", click: () => choose(k) }, String(k + 1));
  const moves = mode.coordinates.slice(0, 3).map(({ name, value }) => `${name} ${signed(value)}`);
  const cells = [written(mode.frequency / (2 * Math.PI)), written(Math.round(1e4 * mode.damping) / 1e4 + 0), written(part(mode.eigenvalue[0])), written(part(mode.eigenvalue[1]))];
  const row = element("tr", {}, element("th", { scope: "row", class: "short" }, choice), ...cells.map((text) => element("td", { class: "short" }, text)), element("td", { class: "moves" }, moves.join(", ")));
  row.addEventListener("click", () => choose(k));
  return row;
});
const titles = ["mode", "f [Hz]", "damping", "Re s [1/s]", "Im s [rad/s]", "moves most"];
byId("modes").append(
  element("h2", {}, "Modes"),
  modes.modes.length === 0
    ? element("p", { class: "note" }, "The mechanism cannot move: it has no modes.")
    : element("div", { class: rows.length > 16 ? "wide many" : "wide" }, element("table", {}, element("thead", {}, element("tr", {}, ...titles.map((title) => element("th", { scope: "col", class: "short" }, title)))), element("tbody", {}, ...rows))),
);
const told = element("p", { class: "note", role: "status" });
byId("modes").append(told);
const sensitivity = element("div", {});
byId("modes").append(sensitivity);

const poles = modes.modes.length > 0 ? new PoleMap(byId("poles"), modes.modes, (k) => choose(k)) : null;
if (!poles) byId("poles").hidden = true;
const bode = new Bode(byId("bode"), modes, themes.current);

const state = element("tbody", {});
for (const { name, unit, value } of modes.state) state.append(element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, `${written(value)} ${unit}`)));
byId("state").append(element("details", { class: "card" }, element("summary", {}, modes.equilibrium ? "Equilibrium" : "Start"), element("table", {}, state)));
byId("model").append(element("details", { class: "card model" }, element("summary", {}, `Model file ${modes.model.file.replace(/^.*\//, "")}`), element("pre", {}, modes.model.text)));

// ---- the choice

function sentenceOf(mode: Mode, k: number): string {
  if (!mode.frames) return `Mode ${k + 1} moves no body that is drawn.`;
  if (!oscillates(mode)) return `Mode ${k + 1} does not oscillate: it ${mode.eigenvalue[0] > 0 ? "grows; the picture shows it backward" : "decays"}.`;
  const growth = mode.damping < -1e-7 ? " It grows, which the picture does not show." : "";
  return `Mode ${k + 1} has a period of ${written(duration(mode))} s. The picture enlarges it and leaves out its decay.${growth}`;
}
let chosen = -1;
function choose(k: number): void {
  if (k === chosen || !modes.modes[k]) return;
  chosen = k;
  const mode = modes.modes[k];
  rows.forEach((row, i) => {
    row.classList.toggle("chosen", i === k);
    row.querySelector("button")!.setAttribute("aria-pressed", String(i === k));
  });
  poles?.show(k);
  told.textContent = sentenceOf(mode, k);
  sensitivity.replaceChildren(
    ...modes.parameters.map((name, p) => element("p", { class: "note" }, `d(s)/d(${name}) = ${written(mode.sensitivity?.[p][0])} ${(mode.sensitivity?.[p][1] ?? 0) < 0 ? "−" : "+"} ${written(Math.abs(mode.sensitivity?.[p][1] ?? 0))} i`)),
  );
  const run = runOf(modes, mode);
  scene?.setRun(run);
  player.setTimes(run.frames.t as Float64Array);
  player.setSpeed(nearestSpeed(duration(mode) / secondsPerPeriod));
  player.seek(player.begin);
  if (!reduced && mode.frames && !player.playing) player.play();
}
choose(0);

preparePrint(() => scene, () => null);
themes.onChange((theme) => {
  scene?.setTheme(theme);
  bode.setTheme(theme);
});

Object.assign(window, {
  armature: {
    modes,
    player,
    choose,
    bode,
    get chosen() {
      return chosen;
    },
    scene,
  },
}); // for tests and the console
