// Texts that are not saved yet: the browser keeps them until they are saved or discarded, so that neither a reload nor another
// file nor a browser that ends costs anything. Each tab keeps its own; those of tabs that are gone pass to the next one that opens
// the file.
import { Rescue } from "./rescue";
import { Tab } from "./tab";

export interface Draft {
  text: string;
  base: string; // the text on disk that it was made from; empty: there is none
  time: number; // ms since 1970
}

interface Kept {
  key: string;
  name: string; // of the file
  tab: string;
  draft: Draft;
}

const form = "armature draft ";

function stored(key: string): Draft | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Draft | null;
    return kept && typeof kept.text === "string" && typeof kept.base === "string" ? kept : null;
  } catch {
    return null;
  }
}
function store(key: string, draft: Draft): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false; // no storage, or no room
  }
}
function remove(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // a browser without storage has kept nothing
  }
}
function storedKeys(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

export class Drafts {
  private memory = new Map<string, Draft>(); // by key: what localStorage has no room for
  private unkept = new Set<string>(); // keys that the database does not have either
  private tab = new Tab();
  private rescue = new Rescue();
  readonly ready: Promise<void>;

  // folder: that is served, since one browser may see several.
  constructor(private folder: string) {
    this.ready = this.begin();
    window.addEventListener("beforeunload", (event) => {
      if (this.unkept.size > 0) event.preventDefault();
    });
  }
  private async begin(): Promise<void> {
    await this.tab.begin();
    const rescued = await this.rescue.all().catch(() => []);
    for (const [key, value] of rescued) this.takeRescued(key, value);
  }
  // The newer one counts.
  private takeRescued(key: string, value: Draft | { time: number }): void {
    const newer = value.time > (stored(key)?.time ?? -1);
    if ("text" in value) {
      if (newer && !store(key, value)) this.memory.set(key, value);
      return;
    }
    if (newer) remove(key);
    void this.rescue.forget(key).catch(() => {});
  }

  private key(name: string, tab = this.tab.name): string {
    return `${form}${this.folder}/${name}\n${tab}`;
  }
  private of(key: string): Draft | null {
    return this.memory.get(key) ?? stored(key);
  }
  // Of this folder, of all tabs, the newest first.
  private get all(): Kept[] {
    const start = `${form}${this.folder}/`;
    const keys = new Set([...this.memory.keys(), ...storedKeys()].filter((key) => key.startsWith(start)));
    const kept = [...keys].flatMap((key) => {
      const [name, tab = ""] = key.slice(start.length).split("\n");
      const draft = this.of(key);
      return draft ? [{ key, name, tab, draft }] : [];
    });
    return kept.sort((a, b) => b.draft.time - a.draft.time);
  }
  // Files with a text that is not saved.
  get names(): string[] {
    return [...new Set(this.all.map(({ name }) => name))];
  }

  keep(name: string, text: string, base: string): void {
    if (text === base) return this.drop(name);
    this.write(this.key(name), { text, base, time: Date.now() });
  }
  private write(key: string, draft: Draft): void {
    if (store(key, draft)) this.memory.delete(key);
    else this.memory.set(key, draft), this.unkept.add(key);
    const written = () => void this.unkept.delete(key);
    if (!this.memory.has(key)) written();
    this.rescue.put(key, draft).then(written, () => {});
  }
  drop(name: string): void {
    const keys = this.tab.knowsOthers ? [this.key(name)] : this.all.filter((each) => each.name === name).map(({ key }) => key);
    for (const key of keys) if (this.of(key)) this.erase(key);
  }
  private erase(key: string): void {
    this.memory.delete(key);
    this.unkept.delete(key);
    remove(key);
    void this.rescue.put(key, { time: Date.now() }).catch(() => {});
  }

  // What this tab has kept of a file; else what a tab that is gone has, which becomes this tab's own; where there is no file, also a copy of
  // what another tab has.
  async find(name: string, hasFile: boolean): Promise<Draft | null> {
    await this.ready;
    const own = this.of(this.key(name));
    if (own) return own;
    const open = await this.tab.open();
    const others = this.all.filter((each) => each.name === name);
    const gone = others.find(({ tab }) => !open.has(tab));
    const found = gone ?? (hasFile ? undefined : others[0]);
    if (!found) return null;
    this.write(this.key(name), found.draft);
    if (found === gone && this.tab.knowsOthers) this.erase(found.key);
    return found.draft;
  }
}
