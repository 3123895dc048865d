// node session.mjs PACKAGES: the session of the live page, without a browser: answers of the program that come late or in another order.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const { buildSync } = createRequire(join(resolve(process.argv[2]), "x.js"))("esbuild");
const sources = join(dirname(dirname(fileURLToPath(import.meta.url))), "src");
Object.assign(globalThis, {
  window: { setTimeout, addEventListener: () => {} },
  document: { getElementById: () => ({ textContent: JSON.stringify({ key: "key", file: "a.yaml", folder: "folder" }) }) },
});
const { outputFiles } = buildSync({ entryPoints: [join(sources, "live", "session.ts")], bundle: true, format: "esm", write: false });
const { Session } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);

// Files on disk; each question waits until it is answered here.
const disk = new Map();
let waiting = [];
globalThis.fetch = (path, { body }) => new Promise((answer) => waiting.push({ path, body: body && JSON.parse(body), answer }));
const answers = {
  "/api/file": ({ name }) => ({ text: disk.get(name), stamp: disk.get(name) }),
  "/api/state": ({ name }) => ({ running: false, stamp: disk.get(name) ?? "" }),
  "/api/save": ({ name, text }) => (disk.set(name, text), { stamp: text }),
  "/api/run": ({ text }) => ({ status: "finished", text, controls: [], errors: [] }),
};
const about = ({ path, body }) => body ?? Object.fromEntries(new URLSearchParams(path.split("?")[1]));
const settled = () => new Promise((done) => setTimeout(done));
// The first question of a kind, about a file.
async function answer(kind, name, status = 200) {
  await settled();
  const found = waiting.find((each) => each.path.startsWith(kind) && about(each).name === name);
  assert.ok(found, `${kind} of ${name} was not asked: ${waiting.map(({ path }) => path)}`);
  waiting = waiting.filter((each) => each !== found);
  const given = status === 200 ? answers[kind](about(found)) : { sentence: "refused" };
  found.answer({ ok: status === 200, status, statusText: "", json: async () => given });
  await settled();
}

async function opened(name) {
  disk.clear();
  waiting = [];
  disk.set("a.yaml", "text of a").set("b.yaml", "text of b");
  const session = new Session();
  void session.open(name);
  await answer("/api/file", name);
  await answer("/api/run", name);
  return session;
}

test("the file that was asked for last is open, in whatever order the texts come", async () => {
  const session = await opened("a.yaml");
  void session.open("a.yaml");
  void session.open("b.yaml");
  await answer("/api/file", "b.yaml");
  await answer("/api/file", "a.yaml");
  assert.deepEqual([session.name, session.text], ["b.yaml", "text of b"]);
});

test("a file that was dropped on the page stays, though another one was asked for before", async () => {
  const session = await opened("a.yaml");
  void session.open("b.yaml");
  session.take("new.yaml", "dropped");
  await answer("/api/file", "b.yaml");
  assert.deepEqual([session.name, session.text], ["new.yaml", "dropped"]);
});

test("a save that ends after another file was opened does not give that one its name", async () => {
  const session = await opened("a.yaml");
  session.write("changed a");
  const saved = session.save();
  void session.open("b.yaml");
  await answer("/api/file", "b.yaml");
  await answer("/api/save", "a.yaml");
  assert.equal(await saved, "a.yaml");
  assert.equal(disk.get("a.yaml"), "changed a");
  assert.deepEqual([session.name, session.text, session.changed], ["b.yaml", "text of b", false]);
  void session.overwrite();
  await answer("/api/state", "b.yaml");
  await answer("/api/save", "b.yaml");
  assert.deepEqual([...disk], [["a.yaml", "changed a"], ["b.yaml", "text of b"]]);
});

test("what was to replace one file does not replace another", async () => {
  const session = await opened("a.yaml");
  session.write("changed a");
  const refused = assert.rejects(session.overwrite(), /another file was opened/);
  void session.open("b.yaml");
  await answer("/api/file", "b.yaml");
  await answer("/api/state", "a.yaml");
  await refused;
  assert.deepEqual([...disk], [["a.yaml", "text of a"], ["b.yaml", "text of b"]]);
});

test("a save that meets a reload of its own file saves what was loaded", async () => {
  const session = await opened("a.yaml");
  session.write("changed a");
  const saved = session.overwrite();
  disk.set("a.yaml", "from elsewhere");
  void session.open("a.yaml");
  await answer("/api/file", "a.yaml");
  await answer("/api/state", "a.yaml");
  await answer("/api/save", "a.yaml");
  assert.equal(await saved, "a.yaml");
  assert.deepEqual([session.text, session.changed, disk.get("a.yaml")], ["from elsewhere", false, "from elsewhere"]);
});

test("what is typed while a file that changed on disk is read is kept, and the reader asked", async () => {
  const session = await opened("a.yaml");
  const told = [];
  session.onDiskChange = (what) => told.push(what);
  disk.set("a.yaml", "from elsewhere");
  void session.look();
  await answer("/api/state", "a.yaml");
  session.write("typed meanwhile");
  await answer("/api/file", "a.yaml");
  assert.equal(session.text, "typed meanwhile");
  assert.deepEqual(told, ["changed"]);
  // without that, the file is taken
  session.write("text of a");
  void session.look();
  await answer("/api/state", "a.yaml");
  await answer("/api/file", "a.yaml");
  assert.equal(session.text, "from elsewhere");
});

test("what was typed last in one file is kept when the next one comes", async () => {
  const session = await opened("a.yaml");
  const texts = [];
  let typed = "";
  session.settle = () => typed && (session.write(typed), (typed = ""));
  session.onText = () => texts.push([session.name, session.text]);
  void session.open("b.yaml");
  typed = "typed into a";
  await answer("/api/file", "b.yaml");
  assert.deepEqual(texts, [["a.yaml", "typed into a"], ["b.yaml", "text of b"]]);
});

test("a run of one file that fails late takes back nothing of the next one", async () => {
  const session = await opened("a.yaml");
  const refusals = [];
  session.onRefusal = (sentence) => refusals.push(sentence);
  session.write("changed a");
  void session.open("b.yaml");
  await answer("/api/file", "b.yaml");
  session.turnTo(["parameters", "length"], "2 m");
  await answer("/api/run", "a.yaml", 500);
  assert.equal(session.changed, true);
  assert.deepEqual(refusals, []);
});
