// The text of the file, with the lines that are wrong marked and their sentences said.
import { element } from "../dom";
import type { ModelProblem } from "./api";

const delay = 350; // ms after the last key before the text is simulated

export class Editor {
  private area = element("textarea", { spellcheck: "false", wrap: "off", "aria-label": "model file", autocomplete: "off" });
  private gutter = element("pre", { class: "gutter", "aria-hidden": "true" });
  private timer = 0;
  private wrong = new Map<number, string>(); // sentences by line

  constructor(host: HTMLElement, write: (text: string) => void) {
    host.append(this.gutter, this.area);
    this.area.addEventListener("scroll", () => (this.gutter.scrollTop = this.area.scrollTop));
    this.area.addEventListener("input", () => {
      this.number();
      window.clearTimeout(this.timer);
      this.timer = window.setTimeout(() => write(this.area.value), delay);
    });
  }

  // A text from elsewhere; the cursor stays where it was.
  show(text: string): void {
    if (text === this.area.value) return;
    const { selectionStart, selectionEnd, scrollTop } = this.area;
    this.area.value = text;
    this.area.setSelectionRange(selectionStart, selectionEnd);
    this.area.scrollTop = scrollTop;
    this.number();
  }
  mark(problems: ModelProblem[]): void {
    this.wrong = new Map(problems.map((each) => [each.line, each.message]));
    this.number();
  }
  private number(): void {
    const lines = this.area.value.split("\n");
    this.gutter.replaceChildren(
      ...lines.map((line, k) => {
        const sentence = this.wrong.get(k + 1);
        const row = element("div", sentence === undefined ? {} : { class: "wrong", title: sentence });
        row.append(element("i", {}, String(k + 1)), element("span", {}, line || " "));
        return row;
      }),
    );
    this.gutter.scrollTop = this.area.scrollTop;
  }
  // Puts a line into view, selected.
  goTo(line: number): void {
    const lines = this.area.value.split("\n");
    const begin = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(begin, begin + (lines[line - 1]?.length ?? 0));
    const height = this.area.scrollHeight / Math.max(lines.length, 1);
    this.area.scrollTop = Math.max(0, (line - 5) * height);
  }
  line(number: number): string {
    return this.area.value.split("\n")[number - 1] ?? "";
  }
}
