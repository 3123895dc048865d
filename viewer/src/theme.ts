// Colors: a palette that color-blind readers can tell apart (after Okabe and Ito), in a light and a dark variant.

export interface Theme {
  dark: boolean;
  background: string;
  text: string;
  faint: string; // grid lines
  metal: string; // ground, springs, guides
  mark: string; // events
  markText: string; // their numbers, which are small
  series: string[];
  bodies: string[];
}

export const light: Theme = {
  dark: false,
  background: "#ffffff",
  text: "#1d2329",
  faint: "#e3e7eb",
  metal: "#7b858f",
  mark: "#d55e00",
  markText: "#b34700",
  series: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c4a10", "#a070ff", "#4d4d4d", "#332288"],
  bodies: ["#5fa3d0", "#efb54a", "#55bb9c", "#e08b54", "#d9a0c0", "#8fcbef", "#9aa3ac", "#c4b254"],
};

const dark: Theme = {
  dark: true,
  background: "#14181c",
  text: "#e4e8ec",
  faint: "#2a3138",
  metal: "#9aa5b0",
  mark: "#ff8a3d",
  markText: "#ff8a3d",
  series: ["#6fb2f7", "#ff7420", "#3fdca6", "#dd7ba6", "#f3ea6b", "#7d77ee", "#eef2f5", "#94794d"],
  bodies: ["#3f86b8", "#c9922a", "#2f9a79", "#c4692f", "#b77a9c", "#62a8d4", "#78828c", "#a3933a"],
};

const themeKey = "armature theme";
function remembered(): boolean | null {
  try {
    const kept = localStorage.getItem(themeKey);
    return kept === null ? null : kept === "dark";
  } catch {
    return null;
  }
}

export class Themes {
  private listeners: ((theme: Theme) => void)[] = [];
  private system = window.matchMedia("(prefers-color-scheme: dark)");
  private chosen = remembered(); // dark, light, or as the system says
  private printing = false; // paper is light

  constructor() {
    window.addEventListener("beforeprint", () => this.setPrinting(true));
    window.addEventListener("afterprint", () => this.setPrinting(false));
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }
  get current(): Theme {
    return !this.printing && (this.chosen ?? this.system.matches) ? dark : light;
  }
  onChange(listener: (theme: Theme) => void): void {
    this.listeners.push(listener);
  }
  toggle(): void {
    this.chosen = !this.current.dark;
    try {
      localStorage.setItem(themeKey, this.chosen ? "dark" : "light");
    } catch {
      // a browser that keeps nothing
    }
    this.apply();
  }
  private setPrinting(printing: boolean): void {
    const before = this.current;
    this.printing = printing;
    if (this.current !== before) this.apply();
  }
  private apply(): void {
    document.documentElement.dataset.theme = this.current.dark ? "dark" : "light";
    for (const listener of this.listeners) listener(this.current);
  }
}
