// How the run ended: a sentence, warnings and events, how it was computed and what it cost, and the model file itself.
import type { Run, RunDocument } from "./document";
import { element, written } from "./dom";
import type { Player } from "./player";
import { leastError, machineSize } from "./round_off";
import { tableCard } from "./study/cards";

type Row = [string, string];

function table(title: string, rows: Row[]): HTMLElement {
  const body = element("tbody");
  for (const [name, value] of rows)
    body.append(element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: value.includes(", ") ? "" : "short" }, value)));
  return element("div", { class: "card facts" }, element("h2", {}, title), element("table", {}, body));
}

const count = (x: number | null | undefined) =>
  x === null || x === undefined ? "–" : Math.round(x).toLocaleString("en");

function method(run: Run): Row[] {
  const options = run.options as Record<string, number | string | string[]>;
  const rows: Row[] = [
    ["end", `${written(options.end as number)} s`],
    ["record", `every ${written(options.record as number)} s`],
  ];
  if (integrated(run)) {
    rows.unshift(
      ["integrator", String(options.integrator)],
      ["formulation", String(options.formulation)],
      ["stabilization", (options.stabilization as string[]).join(", ") || "none"],
    );
    rows.push(["relative tolerance", written(options.rtol as number)]);
    if (options.alpha)
      rows.push(["alpha, beta", `${written(options.alpha as number)} 1/s, ${written(options.beta as number)} 1/s²`]);
  }
  for (const [name, value] of Object.entries(run.settings)) rows.push([`--set ${name}`, value]);
  return rows;
}

function cost(run: RunDocument): Row[] {
  const s = run.run.statistics;
  const rows: Row[] = [
    ["computing time", `${written(s.seconds)} s`],
    ["recorded rows", count(run.series.recorded)],
  ];
  if (integrated(run.run))
    rows.unshift(
      ["steps", count(s.steps)],
      ["rejected steps", count(s.rejected)],
      ["evaluations", count(s.evaluations)],
      ["shortest step", `${written(s.smallest_step)} s`],
      ["longest step", `${written(s.largest_step)} s`],
    );
  if (run.series.rows < run.series.recorded)
    rows.push(["drawn here", `${count(run.series.rows)} points, no peak lost`]);
  if (s.jacobians) rows.splice(3, 0, ["Jacobians", count(s.jacobians)]);
  return rows;
}

// Round-off of what stands nearly still is no error.
function accuracy(document: RunDocument): Row[] {
  const { run } = document;
  const { length, energy } = machineSize(document);
  const errorWritten = (x: number | null | undefined, size = length) => {
    const least = leastError(size);
    return x && Math.abs(x) < least ? `below ${Number(least.toPrecision(1))}` : written(x);
  };
  const s = run.statistics;
  const rows: Row[] = [];
  if (s.constraints) {
    rows.push(["position error (m, rad)", errorWritten(s.position_error)], ["velocity error (m/s, rad/s)", errorWritten(s.velocity_error)]);
    if (s.smallest_rank) rows.push(["smallest rank", `${count(s.smallest_rank)} of ${count(s.constraints)} rows`]);
    if (integrated(run)) rows.push(["nearly singular", `${count(s.near_singular)} evaluations`]);
  }
  if (integrated(run)) rows.push(["energy error (J)", errorWritten(s.energy_error, energy)]);
  return rows;
}

// A run that only follows a prescribed motion takes no steps: what is said about steps would be about nothing.
const integrated = (run: Run) => (run.statistics.steps ?? 0) > 0;

const [fewEvents, mostEvents, fewPeaks] = [12, 500, 6];

const goTo = (t: number, player: Player) =>
  element("button", { type: "button", title: "go to this time", click: () => player.seek(t) }, `${Number(t.toPrecision(7))} s`);

// The first rows of a list; the others after a press.
function longList(title: string, list: HTMLElement, rows: HTMLElement[], few: number, holder = list): HTMLElement {
  list.append(...rows.slice(0, few));
  const card = element("div", { class: "card whole" }, element("h2", {}, title), holder);
  if (rows.length > few) {
    const more = element("button", { type: "button", class: "more" }, `and ${rows.length - few} more`);
    more.addEventListener("click", () => {
      list.append(...rows.slice(few));
      more.remove();
    });
    card.append(more);
  }
  return card;
}

function events(run: Run, player: Player): HTMLElement {
  const rows = run.events.slice(0, mostEvents).map(({ t, what }, k) =>
    element("li", {}, element("i", {}, String(k + 1)), goTo(t, player), ` ${what}`),
  );
  const first = run.events.length > mostEvents ? ` (first ${mostEvents} of ${run.events.length})` : "";
  return longList(`Events${first}`, element("ol", { class: "events" }), rows, fewEvents);
}

// A run beside the report's own.
export interface Beside {
  name: string;
  run: RunDocument;
}
const digits = (x: number | null | undefined, most: number) => (x === null || x === undefined ? "–" : String(Number(x.toPrecision(most))));

// " ± 2e-5", rounded up; nothing where it is not known.
function plusMinus(error: number | null | undefined): string {
  if (error === null || error === undefined) return "";
  const unit = error > 0 ? 10 ** Math.floor(Math.log10(error)) : 1;
  return ` ± ${Number((Math.ceil(error / unit - 1e-9) * unit).toPrecision(1))}`;
}

// The numbers that --result asked for.
const named = ({ number_units }: Run, name: string) => (number_units?.[name] ? `${name} [${number_units[name]}]` : name);
function results(run: Run): HTMLElement {
  return table("Results", Object.entries(run.numbers ?? {}).map(([name, value]): Row => [named(run, name), digits(value, 10) + plusMinus(run.number_errors?.[name])]));
}

// The largest values of the drives, and when.
function peaks(run: RunDocument, player: Player): HTMLElement {
  const unitOf = unitsOf(run);
  const rows = Object.entries(run.run.peaks ?? {}).map(([name, { value, t, error }]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      element("td", {}, `${digits(value, 6)} ${unitOf.get(name) ?? ""}${plusMinus(error)}`),
      element("td", { class: "events" }, "at ", goTo(t, player)),
    ),
  );
  const body = element("tbody");
  const card = longList("Largest values", body, rows, fewPeaks, element("table", {}, body));
  card.classList.remove("whole");
  return card;
}
const unitsOf = (run: RunDocument) => new Map(run.series.channels.map((channel) => [channel.name, channel.unit]));

// Results and largest values of all runs, a row each, in place of the cards of one run: the plots stay in view.
function allRuns(own: RunDocument, others: Beside[]): HTMLElement {
  const unitOf = unitsOf(own);
  const [numbers, drives] = [Object.keys(own.run.numbers ?? {}), Object.keys(own.run.peaks ?? {}).slice(0, fewPeaks)];
  const row = (name: string, { run }: RunDocument) => [name, ...numbers.map((each) => digits(run.numbers?.[each], 8)), ...drives.map((each) => digits(run.peaks?.[each]?.value, 6))];
  const header = ["", ...numbers.map((name) => named(own.run, name)), ...drives.map((name) => `${name} [${unitOf.get(name) ?? ""}]`)];
  const card = tableCard({ title: "All runs: results and largest values", header, rows: [row("this run", own), ...others.map(({ name, run }) => row(name, run))] });
  card.classList.add("whole");
  return card;
}

// What was asked for, above the plots.
export function showAnswers(run: RunDocument, player: Player, host: HTMLElement, others: Beside[] = []): void {
  const cards: HTMLElement[] = (run.tables ?? []).map((each) => {
    const [[sentence], ...more] = each.rows;
    const card = more.length === 0 ? element("div", { class: "card" }, element("h2", {}, each.title), element("p", {}, sentence)) : tableCard(each);
    card.classList.add("whole");
    return card;
  });
  const [found, largest] = [run.run.numbers, run.run.peaks].map((list) => Object.keys(list ?? {}).length > 0);
  if (others.length > 0 && (found || largest)) cards.push(allRuns(run, others));
  else {
    if (found) cards.push(results(run.run));
    if (largest) cards.push(peaks(run, player));
  }
  host.replaceChildren(...(cards.length > 0 ? [element("div", { class: "cards" }, ...cards)] : []));
}

function sentences(title: string, lines: string[], kind: string): HTMLElement {
  return element(
    "div",
    { class: `card whole ${kind}` },
    element("h2", {}, title),
    element("ul", {}, ...lines.map((line) => element("li", {}, line))),
  );
}

export function addHeader(run: Run, host: HTMLElement, toggleTheme: () => void): void {
  host.append(
    element("h1", {}, run.model.name),
    element("span", { class: `status ${run.status}` }, run.status),
    element("span", { class: "sentence" }, run.sentence),
    element("span", { class: "made" }, `Armature ${run.armature}`),
    element(
      "button",
      { type: "button", title: "switch between light and dark", "aria-label": "switch between light and dark", class: "theme", click: toggleTheme },
      "◐",
    ),
  );
}

// What must not be overlooked, above the plots.
export function showWarnings(run: RunDocument, host: HTMLElement): void {
  const { warnings } = run.run;
  host.replaceChildren(...(warnings.length > 0 ? [sentences("Warnings", warnings, "warning")] : []));
}

export function addOutcome(run: RunDocument, player: Player, host: HTMLElement): void {
  const { notes, model } = run.run;
  const cards = element("div", { class: "cards" });
  cards.append(table("Method", method(run.run)), table("Cost", cost(run)), table("Accuracy", accuracy(run)));
  if (run.run.events.length > 0) cards.append(events(run.run, player));
  const remarks = [...notes, ...run.scene.notes];
  if (remarks.length > 0) cards.append(sentences("Notes", remarks, ""));
  const file = element(
    "details",
    { class: "card model" },
    element("summary", {}, `Model file ${model.file.replace(/^.*\//, "")}`),
    element("pre", {}, model.text),
  );
  host.append(cards, file);
}
