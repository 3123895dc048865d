// Values or the file: two tabs, of which arrow keys go from one to the other.
import { byId, element } from "../dom";

const tabs = ["values", "file"] as const;
type Tab = (typeof tabs)[number];

// Returns what shows one of them.
export function addTabs(host: HTMLElement): (name: Tab) => void {
  const show = (name: Tab): void => {
    document.body.dataset.tab = name;
    for (const each of host.querySelectorAll("button")) {
      each.setAttribute("aria-selected", String(each.dataset.tab === name));
      each.tabIndex = each.dataset.tab === name ? 0 : -1; // arrow keys go to the other one
    }
  };
  for (const name of tabs) {
    const about = { type: "button", role: "tab", id: `${name}-tab`, "data-tab": name, "aria-controls": name === "values" ? "values" : "editor" };
    host.append(element("button", { ...about, click: () => show(name) }, name === "values" ? "Values" : "File"));
  }
  host.addEventListener("keydown", (event) => {
    if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
    const shown = document.body.dataset.tab as Tab;
    const other = event.key === "Home" ? "values" : event.key === "End" ? "file" : tabs[1 - tabs.indexOf(shown)];
    event.preventDefault();
    event.stopPropagation(); // the animation keeps its time
    show(other);
    byId(`${other}-tab`).focus();
  });
  show("values");
  return show;
}
