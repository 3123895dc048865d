// This tab among those of the browser: a name that outlives a reload, and which other tabs are still open.

const form = "armature tab ";
const kept = "armature tab";
// ms until the page before has let go of its name: after a reload it will; a tab that was duplicated would wait in vain.
const patience = () => (performance.getEntriesByType("navigation").some((each) => (each as PerformanceNavigationTiming).type === "reload") ? 5000 : 500);

// A lock that the browser takes back when the tab ends, however it ends. False: another tab has it.
function hold(name: string): Promise<boolean> {
  return new Promise((resolve) =>
    void navigator.locks.request(form + name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock ? new Promise<void>(() => {}) : undefined;
    }),
  );
}

async function holdPatiently(name: string): Promise<boolean> {
  for (const end = Date.now() + patience(); Date.now() < end; await new Promise((resolve) => window.setTimeout(resolve, 50)))
    if (await hold(name)) return true;
  return false;
}

function remembered(): string | null {
  try {
    return sessionStorage.getItem(kept);
  } catch {
    return null;
  }
}

export class Tab {
  readonly knowsOthers = "locks" in navigator; // browsers have locks on this computer's own addresses and over https alone
  name: string = crypto.randomUUID?.() ?? String(Math.random());

  // A tab that was duplicated has the name of the first one, which keeps it.
  async begin(): Promise<void> {
    const before = remembered();
    if (before && (!this.knowsOthers || (await holdPatiently(before)))) this.name = before;
    else if (this.knowsOthers) await hold(this.name);
    try {
      sessionStorage.setItem(kept, this.name);
    } catch {
      // a new name after each reload
    }
  }
  // Names of open tabs.
  async open(): Promise<Set<string>> {
    const { held = [] } = this.knowsOthers ? await navigator.locks.query() : {};
    return new Set([this.name, ...held.map((lock) => (lock.name ?? "").slice(form.length))]);
  }
}
