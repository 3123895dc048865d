// The top of the page: which file, how its last run ended, pin, save, stop.
import { element, written } from "../dom";
import * as api from "./api";
import type { Session } from "./session";

export interface HeadActions {
  pin(): void;
  theme(): void;
  open(name: string): void;
}

export interface Head {
  files(names: string[], chosen: string): void;
  text(): void; // the text or the file on disk has changed
  reply(reply: api.Reply): void;
  say(kind: string, sentence: string): void;
  pinned(on: boolean): void;
  progress(share: number | null): void; // of a run that takes long; null: none is under way
  disk(changed: boolean): void;
}

const button = (text: string, title: string, click: () => void) =>
  element("button", { type: "button", title, click }, text);

export function addHead(host: HTMLElement, session: Session, actions: HeadActions): Head {
  const file = element("select", { "aria-label": "model file" });
  const status = element("span", { class: "status" });
  const sentence = element("span", { class: "sentence" });
  const pin = button("pin", "keep this run to compare others with it", actions.pin);
  const save = button("save", "write the text into its file", () => void keep(() => session.save()));
  const stop = button("stop", "end the run and show what there is", () => void api.stop());
  const asName = element("input", { type: "text", "aria-label": "name of a new file", placeholder: "new.yaml", spellcheck: "false" });
  const asButton = button("save as", "write the text into a new file", () => void keep(() => session.save(asName.value.trim())));
  const changed = element("span", { class: "disk", hidden: "" }, "the file has changed on disk");
  changed.append(
    button("reload", "take it as it is on disk", () => actions.open(session.name)),
    button("overwrite", "write the text that is here", () => void keep(() => session.overwrite())),
  );
  stop.hidden = true;
  file.addEventListener("change", () => actions.open(file.value));

  async function keep(act: () => Promise<void>): Promise<void> {
    try {
      await act();
      head.say("finished", `saved as ${session.name}`);
      const { files } = await api.listFiles();
      head.files(files, session.name);
    } catch (error) {
      head.say("error", (error as Error).message);
    }
  }

  const head: Head = {
    files(names, chosen) {
      file.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
      file.value = chosen;
    },
    text() {
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
      sentence.textContent = text;
    },
    pinned(on) {
      pin.textContent = on ? "unpin" : "pin";
      pin.setAttribute("aria-pressed", String(on));
    },
    progress(share) {
      stop.hidden = share === null;
      if (share !== null) head.say("running", `${Math.round(100 * share)} % done`);
    },
    disk(on) {
      changed.hidden = !on;
    },
  };
  host.append(
    file,
    status,
    sentence,
    stop,
    changed,
    element("span", { class: "made" }),
    pin,
    save,
    element("details", { class: "as" }, element("summary", {}, "as…"), element("div", {}, asName, asButton)),
    element("button", { type: "button", class: "theme", title: "light or dark", "aria-label": "light or dark", click: actions.theme }, "◐"),
  );
  return head;
}
