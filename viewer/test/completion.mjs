// node completion.mjs PACKAGES: which keys and words the editor offers where, without a browser.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const { buildSync } = createRequire(join(resolve(process.argv[2]), "x.js"))("esbuild");
const source = join(dirname(dirname(fileURLToPath(import.meta.url))), "src", "live", "completion.ts");
const built = buildSync({ entryPoints: [source], bundle: true, format: "esm", write: false });
const { completionSource, placeIn, sectionsAt } = await import(`data:text/javascript,${encodeURIComponent(built.outputFiles[0].text)}`);

const file = `armature: 1
parameters:
  l1: 0.5 m   # a comment: with a colon
joints:
  theta:
    type: revolute

    axis: z
  elbow{i}: {for: {i: 1..3}, type: screw, between: ["crank{i} [l1, 0, 0]", "rod{i}"], spring: {stiffness: 2}}
drives:
  motor:
    type: dc_motor
    limits:
      current: 3 A
simulate:
  integrator: rk4
`.split("\n");
const rowOf = (text) => file.findIndex((line) => line.includes(text));
const at = (text, before = "") => placeIn(file, rowOf(text), file[rowOf(text)].indexOf(text) + text.length - before.length);

test("keys above a place, the type of its item, and the key whose value it is", () => {
  assert.deepEqual(placeIn(file, 0, 0), { path: [], type: "", key: "" });
  assert.deepEqual(placeIn(file, rowOf("axis: z"), 4), { path: ["joints", "theta"], type: "revolute", key: "" });
  assert.deepEqual(placeIn(file, rowOf("axis: z") - 1, 4), { path: ["joints", "theta"], type: "revolute", key: "" });
  assert.deepEqual(at("axis: z"), { path: ["joints", "theta"], type: "revolute", key: "axis" });
  assert.deepEqual(at("integrator: rk4", "rk4"), { path: ["simulate"], type: "", key: "integrator" });
  assert.deepEqual(placeIn(file, rowOf("current: 3 A"), 6), { path: ["drives", "motor", "limits"], type: "", key: "" });
});

test("maps in one line", () => {
  assert.deepEqual(at("type: screw, "), { path: ["joints", "elbow{i}"], type: "screw", key: "" });
  assert.deepEqual(at("type: "), { path: ["joints", "theta"], type: "revolute", key: "type" });
  assert.deepEqual(at("type: screw", "screw"), { path: ["joints", "elbow{i}"], type: "screw", key: "type" });
  assert.deepEqual(at("spring: {"), { path: ["joints", "elbow{i}", "spring"], type: "screw", key: "" });
});

test("sections of the reference for a place", () => {
  const reference = ["file", "joints: one axis", "joints: screw", "spring", "limits", "drive limits", "simulate", "drives: dc_motor"].map((name) => ({
    name,
    what: name === "joints: one axis" ? "revolute, prismatic" : name === "joints: screw" ? "screw" : "",
    keys: [],
  }));
  const names = (path, type = "") => sectionsAt({ path, type, key: "" }, reference).map((section) => section.name);
  assert.deepEqual(names([]), ["file"]);
  assert.deepEqual(names(["simulate"]), ["simulate"]);
  assert.deepEqual(names(["joints", "a"], "prismatic"), ["joints: one axis"]);
  assert.deepEqual(names(["joints", "a"], "screw"), ["joints: screw"]);
  assert.deepEqual(names(["joints", "a"]), ["joints: one axis", "joints: screw"]);
  assert.deepEqual(names(["joints", "a", "limits"]), ["limits"]);
  assert.deepEqual(names(["drives", "m", "limits"]), ["drive limits"]);
});

// What is offered where the text has a |.
function offered(text, reference) {
  const pos = text.indexOf("|");
  const lines = text.replace("|", "").split("\n");
  const number = text.slice(0, pos).split("\n").length;
  const from = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const doc = { toString: () => lines.join("\n"), lineAt: () => ({ text: lines[number - 1], from, number }) };
  const before = (re) => {
    const found = new RegExp(`(?:${re.source})$`).exec(lines[number - 1].slice(0, pos - from));
    return found && { from: from + found.index, to: pos, text: found[0] };
  };
  const found = completionSource(() => reference)({ pos, explicit: true, state: { doc }, matchBefore: before });
  return found ? found.options.map((option) => option.label) : [];
}

test("the start names what the machine has, and a joint may be on the ground", () => {
  const section = (name, ...keys) => ({ name, what: "", keys: keys.map((key) => ({ name: key, what: "", value: "", words: [] })) });
  const reference = [section("start", "keep", "near", "speed"), section("start: pose", "at", "angle"), section("start: motion", "velocity"), section("joints: one axis", "between")];
  const machine = "bodies:\n  crank: {mass: 1}\njoints:\n  hinge: {between: [ground, crank]}\n";
  assert.deepEqual(offered(`${machine}start: {|`, reference), ["keep", "near", "speed"]);
  assert.deepEqual(offered(`${machine}start:\n  keep:\n    |`, reference), ["crank", "hinge"]);
  assert.deepEqual(offered(`${machine}start: {keep: {hi|`, reference), ["crank", "hinge"]);
  assert.deepEqual(offered(`${machine}start:\n  near:\n    crank:\n      |`, reference), ["at", "angle"]);
  assert.deepEqual(offered(`${machine}start:\n  speed:\n    crank:\n      |`, reference), ["velocity"]);
  assert.ok(offered(`${machine}  slide: {between: [gr|`, reference).includes("ground"));
});
