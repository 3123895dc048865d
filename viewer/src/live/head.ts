// The top of the page: which file, how its last run ended, pin, save, stop.
import { element, popup, written } from "../dom";
import * as api from "./api";
import type { DiskChange, Session } from "./session";

export interface HeadActions {
  pin(): void;
  subtract(): void; // plots show differences to the pinned run, or both runs again
  theme(): void;
  open(name: string): void;
  reload(): void; // the file from disk, without the changes of this page
  undo(): void;
  redo(): void;
  settle(): void; // what was typed last becomes part of the text
  drafts(): string[]; // names of files with changes that are not saved
}

export interface Head {
  files(): Promise<void>; // of the folder are listed anew
  text(): void; // the text or the file on disk has changed
  reply(reply: api.Reply): void;
  say(kind: string, sentence: string): void;
  pinned(on: boolean, subtracted: boolean): void;
  progress(state: api.State | null): void; // of a run that takes long; null: none is under way
  disk(what: DiskChange): void;
  history(undo: boolean, redo: boolean): void; // whether there is something to take back
  notice(sentence: string, ...answers: [string, () => void][]): void; // with a button for each; "": none
}

const button = (text: string, title: string, click: () => void) =>
  element("button", { type: "button", title, click }, text);

export function addHead(host: HTMLElement, session: Session, actions: HeadActions): Head {
  const name = element("h1"); // on paper
  const file = element("select", { "aria-label": "model file" });
  const status = element("span", { class: "status" });
  const sentence = element("span", { class: "sentence" });
  const told = element("span", { class: "told", role: "status" }, status, " ", sentence); // read aloud
  const pin = button("pin", "keep this run for comparison", actions.pin);
  const subtract = button("difference", "plot this run minus the pinned one", actions.subtract);
  subtract.hidden = true;
  const save = button("save", "save the text to its file (Ctrl+S)", () => void keep(() => session.save()));
  const stop = button("stop", "stop the run and show what was computed", () => void api.stop());
  const asName = element("input", { type: "text", "aria-label": "name of a new file", placeholder: "new.yaml", spellcheck: "false" });
  const asButton = button("save as", "save the text to a new file", () => void saveAs());
  asName.addEventListener("keydown", (event) => event.key === "Enter" && void saveAs());
  const as = popup(element("details", { class: "as" }, element("summary", {}, "as…"), element("div", {}, asName, asButton)));
  const undo = button("↶", "undo (Ctrl+Z)", actions.undo);
  const redo = button("↷", "redo (Ctrl+Shift+Z)", actions.redo);
  for (const each of [undo, redo]) each.setAttribute("aria-label", each.title);
  const notice = element("span", { class: "notice", role: "status", hidden: "" });
  const changed = element("span", { class: "disk", hidden: "" });
  const reload = button("reload", "load the file from disk", actions.reload);
  const overwrite = button("overwrite", "replace the file by the text of this page", () => void keep(() => session.overwrite()));
  let onDisk: DiskChange = "none";
  stop.hidden = true;
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "s") return;
    event.preventDefault(); // the browser would save the page
    actions.settle();
    if (session.changed) void keep(() => session.save());
  });
  file.addEventListener("change", () => actions.open(file.value));
  file.addEventListener("pointerdown", () => void head.files());

  async function keep(act: () => Promise<string>): Promise<boolean> {
    try {
      actions.settle();
      head.say("finished", `saved as ${await act()}`);
      await head.files();
      return true;
    } catch (error) {
      head.say("error", (error as Error).message);
      return false;
    }
  }
  // A name without an ending gets that of model files.
  async function saveAs(): Promise<void> {
    const given = asName.value.trim();
    if (await keep(() => session.save(/\.ya?ml$/.test(given) || given === "" ? given : `${given}.yaml`))) as.open = false;
  }

  const head: Head = {
    async files() {
      const listed = await api.listFiles().catch(() => null);
      if (!listed) return; // the list stays as it is
      const { files, complete } = listed;
      const option = (name: string, text = name) => element("option", { value: name }, text);
      const drafts = actions.drafts().filter((name) => name !== session.name);
      const options = files.map((name) => option(name, drafts.includes(name) ? `${name} •` : name));
      if (complete) options.unshift(...drafts.filter((name) => !files.includes(name)).map((name) => option(name, `${name} • (not saved)`)));
      if (!files.includes(session.name)) options.unshift(option(session.name, `${session.name}${onDisk === "gone" ? " (gone)" : ""}`));
      if (!complete) options.push(element("option", { disabled: "" }, "… more files in deeper folders"));
      const shown = (each: Iterable<HTMLOptionElement>) => [...each].map((one) => one.text).join("\n");
      if (shown(options) !== shown(file.options)) file.replaceChildren(...options);
      file.value = session.name;
    },
    text() {
      name.textContent = session.name;
      save.disabled = !session.changed;
      document.title = `${session.changed ? "• " : ""}${session.name} – Armature`;
    },
    reply(reply) {
      const time = reply.document ? `, ${written(1000 * reply.seconds)} ms` : "";
      const first = reply.errors[0];
      const place = first && first.line > 0 ? `line ${first.line}: ` : "";
      head.say(reply.status, reply.document ? reply.sentence + time : place + (first?.message ?? reply.sentence));
    },
    say(kind, text) {
      status.className = `status ${kind}`;
      status.textContent = kind;
      sentence.textContent = sentence.title = text; // where it has no room
    },
    pinned(on, subtracted) {
      pin.textContent = on ? "unpin" : "pin";
      pin.setAttribute("aria-pressed", String(on));
      subtract.hidden = !on;
      subtract.setAttribute("aria-pressed", String(subtracted));
    },
    progress(state) {
      stop.hidden = state === null;
      told.setAttribute("aria-live", state === null ? "polite" : "off"); // not every per cent
      if (state?.waiting) head.say("waiting", "waiting for the runs of other pages");
      else if (state) head.say("running", `${Math.round((100 * state.t) / (state.end || 1))} % done`);
    },
    disk(what) {
      if (what === onDisk) return;
      onDisk = what;
      changed.hidden = what === "none";
      overwrite.textContent = what === "gone" ? "save again" : "overwrite";
      if (what === "gone") changed.replaceChildren("the file no longer exists", overwrite);
      else changed.replaceChildren("the file has changed on disk", reload, overwrite);
      void head.files();
    },
    history(canUndo, canRedo) {
      [undo.disabled, redo.disabled] = [!canUndo, !canRedo];
    },
    notice(text, ...answers) {
      notice.hidden = text === "";
      notice.replaceChildren(text, ...answers.map(([name, act]) => button(name, name, act)));
    },
  };
  host.append(
    name,
    file,
    told,
    stop,
    changed,
    notice,
    element("span", { class: "made" }),
    undo,
    redo,
    pin,
    subtract,
    save,
    as,
    element("button", { type: "button", class: "theme", title: "switch between light and dark", "aria-label": "switch between light and dark", click: actions.theme }, "◐"),
  );
  return head;
}
