// A report: one run, looked at.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Vector3 } from "three";
import { Channels } from "./channels";
import { addValues } from "./compute/values";
import { addControls } from "./controls";
import { embeddedDocument, float64, type RunDocument } from "./document";
import { byId } from "./dom";
import { gifFilm, webmFilm } from "./film";
import { addHeader, addOutcome, showAnswers, showWarnings } from "./outcome";
import { OtherRun } from "./other_run";
import { OwnPlots } from "./own_plots";
import { Player } from "./player";
import { Plots } from "./plots";
import { preparePrint } from "./print";
import { sceneOrMessage } from "./scene";
import { Themes } from "./theme";
import { TorqueSpeed } from "./torque_speed";

const run = embeddedDocument();
document.title = `${run.run.model.name} – Armature`;

const themes = new Themes();
const channels = new Channels(run);
const timesOf = (shown: RunDocument, of: Channels) => (shown.frames.count > 0 ? float64(shown.frames.t) : of.times);
const player = new Player(timesOf(run, channels));
let shown = run; // the recorded run, or the motion for other values

addHeader(run.run, byId("header"), () => themes.toggle());
const scene = sceneOrMessage(run, player, byId("scene"), themes.current);
const plots = new Plots(channels, run.run.events, player, byId("plots"), themes.current);
addControls(player, scene, byId("controls"), () => plots);
plots.name = run.run.model.name;
const ownPlots = new OwnPlots(plots, byId("own"));
const torqueSpeed = new TorqueSpeed(run, channels.times, player, byId("plots"), themes.current);
const otherRun = new OtherRun(byId("header"), channels, (other, both) => {
  scene?.pin(other && other.frames.count > 0 ? other : null);
  plots.setChannels(both, shown.run.events);
});
// The motion for other values takes the place of the recorded run, which stays behind it.
const values = addValues(byId("compute"), run, (computed) => {
  shown = computed ?? run;
  const own = computed ? new Channels(computed) : channels;
  document.body.classList.toggle("computed", computed !== null);
  if (run.frames.count > 0) scene?.setRun(shown);
  player.setTimes(timesOf(shown, own));
  otherRun.setOwn(own, computed ? { run, channels } : null);
});
showWarnings(run, byId("warnings"));
showAnswers(run, player, byId("answers"));
addOutcome(run, player, byId("outcome"));
preparePrint(themes, () => scene, () => plots);
themes.onChange((theme) => {
  scene?.setTheme(theme);
  plots.setTheme(theme);
  torqueSpeed.setTheme(theme);
  ownPlots.draw();
});

// For tests and the console: what the page knows and where it draws it.
type Place = [number, number, number];
function drawn(name: string, at: Place): Vector3 | undefined {
  scene?.draw();
  return scene?.machine.drawn(
    shown.scene.bodies.findIndex((body) => body.name === name),
    new Vector3(...at),
  );
}
Object.assign(window, {
  armature: {
    run,
    values,
    get shown() {
      return shown;
    },
    player,
    plots,
    ownPlots,
    pictureAt: (t: number) => {
      player.seek(t);
      return scene?.snapshot();
    },
    film: (kind: "webm" | "gif") =>
      scene && (kind === "gif" ? gifFilm : webmFilm)(scene, () => plots.rangeShown, () => true),
    drawn: (name: string, at: Place) => drawn(name, at)?.toArray(), // in ground axes
    onScreen: (name: string, at: Place) => scene && drawn(name, at)?.project(scene.view.camera).toArray(), // -1 … 1
  },
});
