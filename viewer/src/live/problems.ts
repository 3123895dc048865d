// What is wrong with the file: the sentence, the line, and the way there.
import { element } from "../dom";
import type { ModelProblem } from "./api";
import type { Editor } from "./editor";

const most = 8;

function problem(each: ModelProblem, editor: Editor, openFile: () => void): HTMLElement {
  const sentence = each.key ? `${each.key}: ${each.message}` : each.message;
  if (each.line === 0) return element("li", {}, sentence);
  const go = () => {
    openFile();
    editor.goTo(each.line);
  };
  return element(
    "li",
    {},
    element("button", { type: "button", title: "go to this line", click: go }, `line ${each.line}`),
    ` ${sentence}`,
    element("code", {}, editor.line(each.line).trim()),
  );
}

export function showProblems(host: HTMLElement, problems: ModelProblem[], editor: Editor, openFile: () => void): void {
  host.hidden = problems.length === 0;
  const more = problems.length > most ? [element("li", {}, `and ${problems.length - most} more`)] : [];
  host.replaceChildren(
    element("ul", {}, ...problems.slice(0, most).map((each) => problem(each, editor, openFile)), ...more),
  );
}
