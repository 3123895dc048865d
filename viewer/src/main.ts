// A report: one run, looked at.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Vector3 } from "three";
import { Channels } from "./channels";
import { Computer, hasKernel } from "./compute/computer";
import { computesPoses } from "./compute/model";
import { addValues } from "./compute/values";
import { addControls, addRunOn } from "./controls";
import { embeddedDocument, float64, type RunDocument } from "./document";
import { byId } from "./dom";
import { film } from "./film";
import { Grab } from "./grab";
import { sharesNone } from "./other_machine";
import { addHeader, addOutcome, showAnswers, showWarnings } from "./outcome";
import { keepSource, OtherRuns } from "./other_runs";
import { OwnPlots } from "./own_plots";
import { Player } from "./player";
import { Plots } from "./plots";
import { preparePrint } from "./print";
import { sceneOrMessage } from "./scene";
import { Themes } from "./theme";
import { TorqueSpeed } from "./torque_speed";

keepSource();
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
const torqueSpeed = new TorqueSpeed(run, player, byId("plots"), themes.current);
const otherRuns = new OtherRuns(byId("header"), { run, channels }, (behind, all, others) => {
  scene?.pin(behind.filter((other) => other.frames.count > 0 && !sharesNone(run, other)));
  plots.setChannels(all, shown.run.events);
  torqueSpeed.show(shown, behind);
  showAnswers(run, player, byId("answers"), others);
});
// Plots follow the picture: under a slider the machine moves first, and only the latest motion is plotted.
let plotting = 0;
function plotSoon(act: () => void): void {
  window.clearTimeout(plotting);
  plotting = window.setTimeout(act);
}
// The motion for other values takes the place of the recorded run, which stays behind it.
const values = addValues(byId("compute"), run, (computed) => {
  shown = computed ?? run;
  const now = shown;
  document.body.classList.toggle("computed", computed !== null);
  for (const box of document.querySelectorAll<HTMLInputElement>(".free-motion input")) box.disabled = computed !== null; // the page does not look for singular poses
  player.setTimes(now.frames.count > 0 ? float64(now.frames.t) : float64(now.series.t)); // first: what is drawn then is at a time that the motion has
  if (run.frames.count > 0) scene?.setRun(now);
  scene?.draw();
  grab?.refresh();
  plotSoon(() => otherRuns.setOwn({ run: now, channels: computed ? new Channels(computed) : channels }, computed ? { run, channels } : null));
});
// The machine moved by hand; where the page computes motions, one from there. The hand has a worker of its own: neither waits for the other, nor
// ends what it computes.
const movable = run.compute && hasKernel && computesPoses(run.compute) ? run.compute : null;
let computer: Computer | null = null;
const grab =
  scene && movable
    ? new Grab(
        scene,
        byId("scene"),
        async () => ({
          computer: (computer ??= new Computer(movable)),
          compute: movable,
          get values() {
            return values?.numbers ?? {};
          },
          get pose() {
            return values?.place;
          },
        }),
        ({ start }) =>
          values && start.prescribed.length === 0
            ? {
                text: "run from here",
                title: "compute the motion that starts at this pose",
                take: (pose) => {
                  player.seek(player.begin);
                  values.runFrom(pose);
                },
              }
            : { text: "", title: "" },
      )
    : null;
if (grab && movable?.forces) {
  addRunOn(grab.runOn, byId("controls"));
  grab.runOn.onStart = () => values && (values.live = true);
  grab.runOn.onStop = () => {
    if (!values) return;
    values.live = false;
    values.refresh();
  };
}
showWarnings(run, byId("warnings"));
showAnswers(run, player, byId("answers"));
addOutcome(run, player, byId("outcome"));
otherRuns.add(run.others ?? []);
preparePrint(() => scene, () => plots);
themes.onChange((theme) => {
  scene?.setTheme(theme);
  plots.setTheme(theme);
  torqueSpeed.setTheme(theme);
  ownPlots.draw();
});

// For tests and the console: what the page knows and where it draws it.
type Place = [number, number, number];
function drawn(name: string, at: Place): Vector3 | undefined {
  scene?.place();
  return scene?.machine.drawn(
    shown.scene.bodies.findIndex((body) => body.name === name),
    new Vector3(...at),
  );
}
Object.assign(window, {
  armature: {
    run,
    values,
    grab,
    get shown() {
      return shown;
    },
    player,
    plots,
    ownPlots,
    otherRuns,
    pictureAt: (t: number) => {
      player.seek(t);
      return scene?.snapshot();
    },
    calls: () => scene?.calls,
    pictureSvg: () => scene?.svg(),
    film: (kind: "webm" | "gif") => scene && film(scene, kind, () => plots.rangeShown, () => true),
    drawn: (name: string, at: Place) => drawn(name, at)?.toArray(), // in ground axes
    // between the two sides of a joint, as they are drawn
    gap: (name: string) => {
      const joint = scene?.run.scene.joints.find((each) => each.name === name);
      const [a, b] = [joint?.a, joint?.b].map((side) => side && drawn(shown.scene.bodies[side.body].name, side.at));
      return a && b && a.distanceTo(b);
    },
    // -1 … 1, in the picture as it is then
    onScreen: (name: string, at: Place) => {
      scene?.draw();
      return scene && drawn(name, at)?.project(scene.view.camera).toArray();
    },
  },
});
