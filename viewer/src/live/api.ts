// What the page asks the program, and what comes back.
import type { PageModel } from "../compute/model";
import type { RunDocument } from "../document";
import type { FormatReference } from "./completion";

export interface Control {
  group: "parameters" | "start" | "drives" | "method";
  path: string[];
  name: string;
  text: string;
  kind: "slider" | "text" | "choice";
  value?: number;
  unit?: string;
  whole?: boolean; // counts something
  choices?: string[];
  range?: { min: number; max: number }; // of a slider; else one that fits its value
}

export interface ModelProblem {
  line: number; // 0: of no line
  column: number;
  key: string;
  message: string;
}

export interface Reply {
  status: string; // "finished", "stopped", "failed", "error"; "running": `run` is its number; "superseded": by a newer one
  run?: number;
  sentence: string;
  text: string;
  controls: Control[];
  errors: ModelProblem[];
  document?: RunDocument;
  seconds: number;
}

export interface Compute {
  compute?: PageModel;
  sentence?: string; // why there is none
  status?: string;
  run?: number;
}

export interface State {
  running: boolean;
  waiting: boolean; // for runs of other pages
  t: number;
  end: number;
  stamp: string; // of the file; empty: it is not there
}

export interface Edit {
  path: string[];
  value: string;
}

// A file that was dropped on the page, as a model that the folder does not have yet.
export interface Dropped {
  name: string;
  text: string;
  format: string; // of a robot; empty: it was a model file
  loops: string[]; // what became of each
  not_taken: string[]; // sentences
}

// The program's own sentence about a request that it refuses.
export class Refusal extends Error {
  constructor(
    readonly status: number,
    sentence: string,
  ) {
    super(sentence);
  }
}

const { key, file, folder } = JSON.parse(document.getElementById("armature-view")!.textContent!) as Record<string, string>;
export const firstFile = file;
export const servedFolder = folder;
export const page = crypto.randomUUID?.() ?? String(Math.random());

async function ask<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(path, {
    method: body ? "POST" : "GET",
    headers: { "X-Armature-Key": key, ...(body ? { "Content-Type": "application/json" } : {}) },
    body: body && JSON.stringify(body),
  });
  const answer = (await response.json()) as T & { sentence?: string };
  if (!response.ok) throw new Refusal(response.status, answer.sentence ?? response.statusText);
  return answer;
}

const query = (values: Record<string, string>) => new URLSearchParams(values).toString();

export const listFiles = () => ask<{ files: string[]; complete: boolean }>("/api/files");
export const readFile = (name: string) => ask<{ text: string; stamp: string }>(`/api/file?${query({ name })}`);
export const format = () => ask<FormatReference>("/api/format");
export const state = (name: string) =>
  ask<State>(`/api/state?${query({ page, name })}`);

// No request waits for what takes long: it is asked for now and then. What is known before comes with the first reply.
async function answer<T extends { status?: string; run?: number }>(path: string, asking: string, body: object, first?: (reply: T) => void): Promise<T> {
  let reply = await ask<T>(path, { page: asking, ...body });
  if (reply.status === "running") first?.(reply);
  for (let pause = 40; reply.status === "running"; pause = Math.min(1.5 * pause, 250)) {
    await new Promise((resolve) => window.setTimeout(resolve, pause));
    reply = await ask<T>(`/api/result?${query({ page: asking, run: String(reply.run) })}`);
  }
  return reply;
}
// edited: called with the text and its edits where the run itself takes longer.
export const run = (name: string, text: string, edits: Edit[], edited: (text: string) => void) =>
  answer<Reply>("/api/run", page, { name, text, edits }, (reply) => edited(reply.text));
// What the page computes with; beside the runs of the page, which it does not end.
export const compute = (name: string, text: string) => answer<Compute>("/api/compute", `${page} compute`, { name, text });
export const stop = () => ask<object>("/api/stop", { page });
export const save = (name: string, text: string, stamp: string) =>
  ask<{ stamp: string }>("/api/save", { name, text, stamp });
export const drop = (name: string, text: string) => ask<Dropped>("/api/drop", { name, text });

// A page that is closed leaves no run behind.
window.addEventListener("pagehide", () => {
  const headers = { "X-Armature-Key": key, "Content-Type": "application/json" };
  void fetch("/api/stop", { method: "POST", headers, body: JSON.stringify({ page }), keepalive: true }).catch(() => {});
});
