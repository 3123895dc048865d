// `armature view`: a model whose numbers are turned while it moves.
import "uplot/dist/uPlot.min.css";
import "../style.css";
import "./live.css";
import { Vector3 } from "three";
import { Channels, type ChannelSet } from "../channels";
import { compared, difference } from "../compare";
import { addControls } from "../controls";
import { float64, type RunDocument } from "../document";
import { byId } from "../dom";
import { addOutcome, showAnswers, showWarnings } from "../outcome";
import { OwnPlots } from "../own_plots";
import { Player } from "../player";
import { Plots } from "../plots";
import { preparePrint } from "../print";
import { undrawn } from "../scene";
import { Themes } from "../theme";
import * as api from "./api";
import { addDrop } from "./drop";
import type { FormatReference } from "./completion";
import { Drafts, type Draft } from "./drafts";
import { Editor } from "./editor";
import { addHead, type Head } from "./head";
import { modelChanged, PageCompute } from "./page_compute";
import { Panel } from "./panel";
import { showProblems } from "./problems";
import { Session, silence } from "./session";
import { Stage } from "./stage";
import { addTabs } from "./tabs";

const themes = new Themes();
const session = new Session();
const drafts = new Drafts(api.servedFolder);
let reference: FormatReference = [];
void api.format().then((found) => (reference = found), () => {}); // without it nothing is completed
const editor = new Editor(
  byId("editor"),
  (text) => {
    computes.drop(modelChanged);
    session.write(text);
  },
  () => reference,
);
const panel = new Panel(byId("values"), (path, value, goesOn) => {
  turned = performance.now();
  editor.flush();
  if (!goesOn) editor.beginStep();
  session.turnTo(path, value);
  void preview(path, value);
});
// The page's own motion until that of the program is there.
const computes = new PageCompute(session, () => run);
const previews: number[] = []; // ms from a turn to the first motion, which the page computes itself
async function preview(path: string[], value: string): Promise<void> {
  const began = turned;
  const motion = await computes.turn(path, value);
  if (!motion || !session.running || began !== turned) return;
  const own = new Channels(motion);
  if (!undrawn(motion)) stage.show(motion);
  player?.setTimes(timesOf(motion, own));
  plots?.setChannels(withPinned(own), motion.run.events);
  stage.scene?.draw();
  previews.push(performance.now() - began);
}

let run: RunDocument | null = null; // that is shown
let channels: Channels | null = null;
let pinned: { run: RunDocument; channels: Channels } | null = null;
let subtracted = false; // plots show by how much the run differs from the pinned one
let player: Player | null = null;
let plots: Plots | null = null;
let ownPlots: OwnPlots | null = null;
const stage = new Stage(byId("scene"), byId("controls"), () => player!, () => themes.current, () => plots!.rangeShown, computes, (compute) => computes.use(compute, takeAsStart));
let fresh = true; // the next run is of another model
let turned = 0; // when a control was last turned
const latencies: number[] = []; // ms from a turn to its picture

const timesOf = (document: RunDocument, of: Channels) => {
  const frames = float64(document.frames.t);
  return frames.length > 0 ? frames : of.times;
};

// The first run makes the page; later ones take its place.
function show(document: RunDocument): void {
  run = document;
  channels = new Channels(document);
  if (!player || !plots) makePage(document, channels);
  else {
    if (fresh) forget();
    stage.show(document);
    player.setTimes(timesOf(document, channels));
    plots.setChannels(withPinned(channels), document.run.events);
  }
  fresh = false;
  byId("beside").hidden = false;
  plots!.name = document.run.model.name;
  showWarnings(document, byId("warnings"));
  showAnswers(document, player!, byId("answers"));
  byId("outcome").replaceChildren();
  addOutcome(document, player!, byId("outcome"));
}
function makePage(document: RunDocument, own: Channels): void {
  const controls = byId("controls");
  player = new Player(timesOf(document, own));
  addControls(player, null, controls, () => plots);
  plots = new Plots(own, document.run.events, player, byId("plots"), themes.current);
  ownPlots = new OwnPlots(plots, byId("own"));
  stage.show(document);
  for (const kind of ["pointerenter", "focusin"]) byId("values").addEventListener(kind, () => computes.want());
}
// A file that was opened and does not run: nothing of the one before stands under its name.
function showNothing(): void {
  run = channels = null;
  player?.pause();
  stage.lack("This model does not run yet: correct the errors of its file.");
  byId("beside").hidden = true;
}
// What was chosen for the model before.
function forget(): void {
  stage.forget();
  plots?.setMark(null);
  plots?.resetRange();
  ownPlots?.showAll();
}
function takeAsStart(edits: api.Edit[]): void {
  editor.flush();
  editor.beginStep();
  player?.seek(player.begin);
  computes.drop();
  session.turnAll(edits);
}
function withPinned(own: Channels): ChannelSet {
  return pinned ? (subtracted ? difference : compared)(own, [{ name: "pinned", channels: pinned.channels }]) : own;
}

function pin(on: boolean): void {
  pinned = on && run && channels ? { run, channels } : null;
  if (!pinned) subtracted = false;
  stage.scene?.pin(pinned && !undrawn(pinned.run) ? [pinned.run] : []);
  if (channels && plots && run) plots.setChannels(withPinned(channels), run.run.events);
  head.pinned(pinned !== null, subtracted);
}
function subtract(on: boolean): void {
  subtracted = on && pinned !== null;
  if (channels && plots && run) plots.setChannels(withPinned(channels), run.run.events);
  head.pinned(pinned !== null, subtracted);
}

const head: Head = addHead(byId("header"), session, {
  pin: () => pin(pinned === null),
  subtract: () => subtract(!subtracted),
  theme: () => themes.toggle(),
  open: (name) => void open(name),
  reload: () => {
    drafts.drop(session.name);
    void open(session.name);
  },
  undo: () => editor.undo(),
  redo: () => editor.redo(),
  settle: () => enter(),
  drafts: () => drafts.names,
});
editor.onHistory = () => head.history(editor.undoable, editor.redoable);

// What was typed last, in a field or in the text, becomes part of the text.
function enter(): void {
  panel.enter();
  editor.flush();
}
let asked = 0; // how often a file was asked for: the last one counts
async function open(name: string): Promise<void> {
  const turn = ++asked;
  enter();
  await session.edited();
  const draft = await drafts.find(name, true);
  if (turn !== asked) return;
  try {
    found = draft;
    await session.open(name);
    if (turn === asked) byId("dropped").hidden = true;
  } catch (error) {
    if (turn !== asked || (error instanceof api.Refusal && (await takeDraft(name, turn)))) return;
    head.say("error", String((error as Error).message));
    void head.files(); // the list shows the file that is still open
  }
}
// A text of no file, or of one that is gone.
async function takeDraft(name: string, turn: number): Promise<boolean> {
  const draft = await drafts.find(name, false);
  if (turn !== asked) return true;
  if (!draft) return false;
  found = draft;
  session.take(name, draft.text);
  if (draft.base !== "") session.isGone();
  return true;
}
// The address names the file that is open, so that a reload opens it again.
function named(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return ""; // a % without its digits
  }
}
async function openFirst(): Promise<void> {
  const name = named();
  if (name && name !== api.firstFile) await open(name);
  if (session.name === "") await open(api.firstFile);
}

addDrop(byId("dropped"), {
  take: (name, text) => void takeDropped(name, text),
  refuse: (sentence) => head.say("error", sentence),
});
async function takeDropped(name: string, text: string): Promise<void> {
  const turn = ++asked;
  enter();
  await session.edited();
  if (turn !== asked) return;
  session.take(name, text);
  void head.files();
}

// Another file, or the same one anew: nothing of the one before stays but the look of the page.
let opened = "";
let found: Draft | null = null; // of the file that is being opened
let kept: Draft | null = null; // offered once the file itself has been simulated
session.onOpen = (name) => {
  computes.drop();
  if (name === opened) editor.take(session.text);
  else {
    editor.open(session.text);
    panel.clear();
    pin(false);
    fresh = true;
  }
  opened = name;
  [kept, found] = [found, null];
  head.notice("");
  void head.files(); // which says where there are unsaved changes
};
// Changes that were not saved: at once where the file is the one that they were made to, else when the reader wants them.
function offer({ text, base, time }: Draft): void {
  const when = new Date(time).toLocaleString();
  const discard = (): void => {
    const { name, saved } = session;
    if (saved !== "") editor.replace(saved);
    drafts.drop(name);
    head.notice("");
    if (saved === "") void open(api.firstFile); // it has no file
  };
  const restore = (): void => {
    editor.replace(text);
    head.notice(`restored unsaved changes of ${when}`, ["discard", discard], ["ok", () => head.notice("")]);
  };
  if (text === session.saved) drafts.drop(session.name);
  else if (base === session.saved || text === session.text) restore();
  else head.notice(`there are unsaved changes of ${when} to an earlier version of the file`, ["restore", restore], ["discard", discard]);
}
session.onText = () => {
  editor.show(session.text);
  if (!kept || session.changed) drafts.keep(session.name, session.text, session.onDisk);
  if (opened !== session.name) drafts.drop(opened); // saved under another name
  if (!session.changed && !session.running) panel.takeOriginals();
  opened = session.name; // saved under another name it is still the same model
  if (named() !== opened) history.replaceState(null, "", `#${encodeURIComponent(opened)}`);
  head.text();
};
session.onReply = (reply) => {
  panel.show(reply.controls, reply.errors.length > 0);
  if (!session.changed) panel.takeOriginals();
  editor.mark(reply.errors);
  const height = byId("problems").offsetHeight;
  showProblems(byId("problems"), reply.errors, editor, () => tab("file"));
  if (byId("problems").offsetHeight !== height) editor.keepCursor(); // they take some of its room
  document.body.classList.toggle("stale", reply.document === undefined);
  head.reply(reply);
  head.text();
  if (reply.document) show(reply.document);
  else if (fresh) showNothing();
  stage.scene?.draw();
  if (turned > 0) latencies.push(performance.now() - turned);
  turned = 0;
  window.setTimeout(() => computes.prepare(), 200);
  if (!kept) return;
  const draft = kept;
  kept = null;
  offer(draft);
};
session.settle = () => editor.flush();
session.onRefusal = (sentence) => head.say("error", sentence);
session.onRestore = () => panel.restore();
session.onDiskChange = (what) => {
  head.disk(what);
  if (what === "gone") drafts.keep(session.name, session.text, session.onDisk); // this text is all there is
};

preparePrint(() => stage.drawn, () => plots);
themes.onChange((theme) => {
  stage.scene?.setTheme(theme);
  plots?.setTheme(theme);
  ownPlots?.draw();
});

const tab = addTabs(byId("tabs"));

// Now and then: how far a long run is, whether the file has changed, whether the program is still there.
let lost = false;
async function look(): Promise<void> {
  try {
    const state = session.name === "" ? null : await session.look();
    head.progress(state?.running && session.running ? state : null);
    if (lost) head.say("", "");
    lost = false;
  } catch (error) {
    lost = true;
    head.say("error", error instanceof api.Refusal ? error.message : silence);
  }
  window.setTimeout(() => void look(), session.running ? 250 : 1000);
}

void openFirst()
  .then(() => head.files())
  .catch((error: Error) => head.say("error", error.message))
  .finally(() => void look());

window.addEventListener("pagehide", () => editor.flush()); // the last keys are kept, too

// Undo and redo wherever the focus is, but in a field, which has its own.
document.addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (!(event.ctrlKey || event.metaKey) || event.altKey || target.closest("input[type=text], .cm-editor")) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) editor.redo();
  else editor.undo();
});

Object.assign(window, {
  armature: {
    session,
    editor,
    latencies,
    previews,
    computes,
    get run() {
      return run;
    },
    get player() {
      return player;
    },
    get plots() {
      return plots;
    },
    get grab() {
      return stage.grab;
    },
    memory: () => stage.scene?.memory(),
    onScreen: (name: string, at: [number, number, number]) => {
      const { scene } = stage;
      scene?.draw();
      const body = run!.scene.bodies.findIndex((each) => each.name === name);
      return scene?.machine.drawn(body, new Vector3(...at)).project(scene.view.camera).toArray();
    },
    drawn: (name: string, at: [number, number, number]) =>
      stage.scene?.machine
        .drawn(run!.scene.bodies.findIndex((body) => body.name === name), new Vector3(...at))
        .toArray(),
  },
}); // for tests and the console
