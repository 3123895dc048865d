// `armature view`: a model whose numbers are turned while it moves.
import "uplot/dist/uPlot.min.css";
import "../style.css";
import "./live.css";
import { Vector3 } from "three";
import { Channels, type ChannelSet } from "../channels";
import { addControls, shown } from "../controls";
import { float64, type RunDocument } from "../document";
import { byId, element } from "../dom";
import { addOutcome, showWarnings } from "../outcome";
import { Player } from "../player";
import { Plots } from "../plots";
import { sceneOrMessage, type SceneView } from "../scene";
import { Themes } from "../theme";
import * as api from "./api";
import { compared } from "./compare";
import { addDrop } from "./drop";
import { Editor } from "./editor";
import { addHead, type Head } from "./head";
import { Panel } from "./panel";
import { showProblems } from "./problems";
import { Session } from "./session";

const themes = new Themes();
const session = new Session();
const panel = new Panel(byId("values"), (path, value) => {
  turned = performance.now();
  session.turnTo(path, value);
});
const editor = new Editor(byId("editor"), (text) => session.write(text));

let run: RunDocument | null = null; // that is shown
let channels: Channels | null = null;
let pinned: { run: RunDocument; channels: Channels } | null = null;
let player: Player | null = null;
let scene: SceneView | null = null;
let plots: Plots | null = null;
let shownRow = ""; // what the row of check boxes is about
let turned = 0; // when a control was last turned
const latencies: number[] = []; // ms from a turn to its picture

const timesOf = (document: RunDocument, of: Channels) => {
  const frames = float64(document.frames.t);
  return frames.length > 0 ? frames : of.times;
};
const drawable = (document: RunDocument) =>
  document.frames.count > 0 && document.scene.bodies.length + document.scene.drawings.length > 0;

// The first run makes the page; later ones take its place.
function show(document: RunDocument): void {
  run = document;
  channels = new Channels(document);
  if (!player || !plots) {
    player = new Player(timesOf(document, channels));
    scene = sceneOrMessage(document, player, byId("scene"), themes.current);
    addControls(player, scene, byId("controls"));
    plots = new Plots(channels, document.run.events, player, byId("plots"), themes.current);
  } else {
    if (scene && drawable(document)) scene.setRun(document);
    player.setTimes(timesOf(document, channels));
    plots.setChannels(withPinned(channels), document.run.events);
  }
  refreshShown();
  showWarnings(document, byId("warnings"));
  byId("outcome").replaceChildren();
  addOutcome(document, player, byId("outcome"));
}
function withPinned(own: Channels): ChannelSet {
  return pinned ? compared(own, pinned.channels) : own;
}
// Names of traces change with the model.
function refreshShown(): void {
  if (!scene) return;
  const about = scene.traces.list.map((trace) => trace.name).join("\n") + scene.hasBeams;
  const old = document.querySelector("#controls .shown");
  if (about !== shownRow && shownRow !== "") old?.replaceWith(shown(scene));
  shownRow = about;
}

function pin(on: boolean): void {
  pinned = on && run && channels ? { run, channels } : null;
  scene?.pin(pinned && drawable(pinned.run) ? pinned.run : null);
  if (channels && plots && run) plots.setChannels(withPinned(channels), run.run.events);
  head.pinned(pinned !== null);
}

const head: Head = addHead(byId("header"), session, {
  pin: () => pin(pinned === null),
  theme: () => themes.toggle(),
  open: (name) => void open(name),
});

async function open(name: string): Promise<void> {
  try {
    await session.open(name);
    byId("dropped").hidden = true;
  } catch (error) {
    head.say("error", String((error as Error).message));
    void head.files(); // the list shows the file that is still open
  }
}

addDrop(byId("dropped"), {
  take: (name, text) => {
    session.take(name, text);
    void head.files();
  },
  refuse: (sentence) => head.say("error", sentence),
});

session.onText = () => {
  editor.show(session.text);
  head.text();
};
session.onReply = (reply) => {
  panel.show(reply.controls, reply.errors.length > 0);
  editor.mark(reply.errors);
  showProblems(byId("problems"), reply.errors, editor, () => tab("file"));
  document.body.classList.toggle("stale", reply.document === undefined);
  head.reply(reply);
  head.text();
  if (reply.document) show(reply.document);
  scene?.draw();
  if (turned > 0) latencies.push(performance.now() - turned);
  turned = 0;
};
session.onRefusal = (sentence) => head.say("error", sentence);
session.onDiskChange = (what) => head.disk(what);

themes.onChange((theme) => {
  scene?.setTheme(theme);
  plots?.setTheme(theme);
});

function tab(name: "values" | "file"): void {
  document.body.dataset.tab = name;
  for (const button of document.querySelectorAll<HTMLElement>("#tabs button"))
    button.setAttribute("aria-selected", String(button.dataset.tab === name));
}
for (const name of ["values", "file"] as const)
  byId("tabs").append(
    element("button", { type: "button", role: "tab", "data-tab": name, click: () => tab(name) }, name === "values" ? "Values" : "File"),
  );
tab("values");

// Now and then: how far a long run is, whether the file has changed, whether the program is still there.
let lost = false;
async function look(): Promise<void> {
  try {
    const state = await session.look();
    head.progress(state.running && session.running ? state : null);
    if (lost) head.say("", "");
    lost = false;
  } catch (error) {
    if (!(error instanceof api.Refusal)) {
      lost = true;
      head.say("error", "the program does not answer; it may have ended");
    }
  }
  window.setTimeout(() => void look(), session.running ? 250 : 1000);
}

void open(api.firstFile)
  .then(() => head.files())
  .then(look);

Object.assign(window, {
  armature: {
    session,
    latencies,
    get run() {
      return run;
    },
    get player() {
      return player;
    },
    get plots() {
      return plots;
    },
    memory: () => scene?.memory(),
    drawn: (name: string, at: [number, number, number]) =>
      scene?.machine
        .drawn(run!.scene.bodies.findIndex((body) => body.name === name), new Vector3(...at))
        .toArray(),
  },
}); // for tests and the console
