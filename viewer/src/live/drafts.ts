// Texts that are not saved yet: the browser keeps them until they are saved or discarded, so that neither a reload nor another
// file nor a browser that ends costs anything.

export interface Draft {
  text: string;
  base: string; // the text on disk that it was made from
  time: number; // ms since 1970
}

export class Drafts {
  private unkept = new Set<string>(); // that the browser has no room for

  // folder: that is served, since one browser may see several.
  constructor(private folder: string) {
    window.addEventListener("beforeunload", (event) => {
      if (this.unkept.size > 0) event.preventDefault();
    });
  }

  private key(name: string): string {
    return `armature draft ${this.folder}/${name}`;
  }
  keep(name: string, text: string, base: string): void {
    if (text === base) return this.drop(name);
    try {
      localStorage.setItem(this.key(name), JSON.stringify({ text, base, time: Date.now() } satisfies Draft));
      this.unkept.delete(name);
    } catch {
      this.unkept.add(name); // leaving the page asks
    }
  }
  drop(name: string): void {
    this.unkept.delete(name);
    try {
      localStorage.removeItem(this.key(name));
    } catch {
      // a browser without storage has kept nothing
    }
  }
  // Of every text of this folder that is not saved.
  get names(): string[] {
    const start = this.key("");
    try {
      return Object.keys(localStorage).flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []));
    } catch {
      return [];
    }
  }
  of(name: string): Draft | null {
    try {
      const kept = JSON.parse(localStorage.getItem(this.key(name)) ?? "null") as Draft | null;
      return kept && typeof kept.text === "string" && typeof kept.base === "string" ? kept : null;
    } catch {
      return null;
    }
  }
}
