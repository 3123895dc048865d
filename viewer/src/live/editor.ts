// The text of the file: highlighting, completion from the reference of the format, marks where something is wrong, and one
// history of changes. What sliders do to the text is part of that history: undo takes back the last change, whoever made it.
import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { ModelProblem } from "./api";
import { completionSource, keyHelp, type FormatReference } from "./completion";

const delay = 350; // ms after the last key before the text is simulated

// A change that the page makes for the program: it has been simulated already.
const fromProgram = Annotation.define<boolean>();

// Colors by variables of the page, so that they follow its theme.
const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--good)" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--soft)" },
]);

// What lies between the first and the last character that differ.
function difference(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) ++from;
  let same = 0;
  while (same < most - from && before[before.length - 1 - same] === after[after.length - 1 - same]) ++same;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}

export class Editor {
  private view: EditorView;
  private timer = 0;
  private separate = false; // the next change of the program is a step of its own for undo
  onHistory: () => void = () => {};

  constructor(
    host: HTMLElement,
    private write: (text: string) => void,
    private reference: () => FormatReference,
  ) {
    this.view = new EditorView({ parent: host, state: this.fresh("") });
  }

  private fresh(doc: string): EditorState {
    const changed = EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      this.onHistory();
      if (update.transactions.some((each) => each.annotation(fromProgram))) return;
      window.clearTimeout(this.timer);
      const stepped = update.transactions.some((each) => each.isUserEvent("undo") || each.isUserEvent("redo"));
      this.timer = window.setTimeout(() => this.flush(), stepped ? 0 : delay);
    });
    const extensions: Extension[] = [
      lineNumbers(),
      foldGutter(),
      codeFolding(),
      lintGutter(),
      history({ newGroupDelay: 700 }),
      drawSelection(),
      highlightActiveLine(),
      bracketMatching(),
      closeBrackets(),
      indentUnit.of("  "),
      yaml(),
      syntaxHighlighting(colors),
      autocompletion({ override: [completionSource(this.reference)], icons: false }),
      hoverTooltip((view, at) => keyHelp(view.state, at, this.reference())),
      keymap.of([...completionKeymap, ...historyKeymap, ...foldKeymap, ...defaultKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": "model file", "aria-description": "Tab indents; Escape, then Tab leaves the editor", spellcheck: "false" }),
      changed,
    ];
    return EditorState.create({ doc, extensions });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }
  // Another file: its history begins anew.
  open(text: string): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.view.setState(this.fresh(text));
    this.onHistory();
  }
  // The same file as it is on disk: a step of its own, so that undo brings back what was there.
  take(text: string): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.beginStep();
    this.show(text);
  }
  // The text after a change that the program has made; the cursor stays where it was.
  show(text: string): void {
    if (this.timer || text === this.text) return; // keys that were pressed since are newer
    const step = this.separate ? [isolateHistory.of("before")] : [];
    this.separate = false;
    this.view.dispatch({ changes: difference(this.text, text), annotations: [fromProgram.of(true), ...step] });
  }
  // Another control is turned: what comes is not joined to what was.
  beginStep(): void {
    this.separate = true;
  }
  // As if somebody had typed it.
  replace(text: string): void {
    if (text === this.text) return;
    this.view.dispatch({ changes: difference(this.text, text) });
    this.flush();
  }
  // What was typed last is simulated without waiting for more.
  flush(): void {
    if (!this.timer) return;
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.write(this.text);
  }
  undo(): void {
    undo(this.view);
    this.flush();
  }
  redo(): void {
    redo(this.view);
    this.flush();
  }
  get undoable(): boolean {
    return undoDepth(this.view.state) > 0;
  }
  get redoable(): boolean {
    return redoDepth(this.view.state) > 0;
  }

  mark(problems: ModelProblem[]): void {
    const { doc } = this.view.state;
    const diagnostics = problems
      .filter(({ line }) => line > 0 && line <= doc.lines)
      .map(({ line, message }): Diagnostic => {
        const { from, to, text } = doc.line(line);
        return { from: from + (text.length - text.trimStart().length), to, severity: "error", message };
      })
      .sort((a, b) => a.from - b.from);
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }
  // Where somebody types stays in view.
  keepCursor(): void {
    if (this.view.hasFocus) this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main.head) });
  }
  // Puts a line into view, selected.
  goTo(line: number): void {
    const { doc } = this.view.state;
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    this.view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.view.focus();
  }
  line(number: number): string {
    const { doc } = this.view.state;
    return number >= 1 && number <= doc.lines ? doc.line(number).text : "";
  }
}
