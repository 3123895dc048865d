// node compute.mjs PACKAGES KERNEL ARMATURE MODELS: what a report computes, without a browser. With the values of the run, every number of every
// row has the bits of trajectory.csv; with others, the motion is that of `armature run --set` within its tolerance.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const [packages, kernelFile, program, models] = process.argv.slice(2).map((path) => resolve(path));
const folder = mkdtempSync(join(tmpdir(), "armature_compute_"));
after(() => rmSync(folder, { recursive: true }));

const { buildSync } = createRequire(join(packages, "x.js"))("esbuild");
const sources = join(dirname(dirname(fileURLToPath(import.meta.url))), "src", "compute");
buildSync({ entryPoints: [join(sources, "engine.ts")], bundle: true, format: "esm", outfile: join(folder, "engine.mjs"), target: "es2022" });
const { Engine } = await import(pathToFileURL(join(folder, "engine.mjs")).href);
const kernel = readFileSync(kernelFile);

// A run, its recorded rows by channel, and its document.
let runs = 0;
function run(model, ...options) {
  const out = join(folder, `run${++runs}`);
  execFileSync(program, ["run", join(models, `${model}.yaml`), "-o", out, ...options], { stdio: "pipe" });
  const [header, ...lines] = readFileSync(join(out, "trajectory.csv"), "utf8").trim().split("\n");
  const names = header.split(",").map((name) => name.replace(/ \[.*\]$/, ""));
  const rows = lines.map((line) => Object.fromEntries(line.split(",").map((value, i) => [names[i], Number(value)])));
  const page = readFileSync(join(out, "report.html"), "utf8");
  const [, text] = /<script type="application\/json" id="armature-run">(.*?)<\/script>/s.exec(page);
  return { rows, names, document: JSON.parse(text), size: statSync(join(out, "report.html")).size };
}
async function motionOf({ document }, wish = { values: {} }) {
  assert.equal(document.compute.refused, undefined);
  const engine = await Engine.make(kernel, document.compute);
  return engine.run(wish);
}
const valueAt = (motion, { column, negative }, k) => (negative ? -1 : 1) * motion.rows[k * motion.size + column];

// Every channel that the page computes, in every row.
function expectSameBits(motion, { rows, document }, least) {
  assert.equal(motion.status, "finished", `t = ${motion.t}`);
  assert.equal(motion.count, rows.length);
  const { channels } = document.compute;
  assert.ok(channels.length >= least, `${channels.length} channels`);
  rows.forEach((row, k) => {
    assert.equal(motion.rows[k * motion.size], row.t);
    for (const channel of channels) {
      const here = valueAt(motion, channel, k);
      assert.ok(here === row[channel.name] || (Number.isNaN(here) && Number.isNaN(row[channel.name])), `${channel.name} at t = ${row.t}: ${here} is not ${row[channel.name]}`);
    }
  });
}

// Machines with loops, balls, motors, springs, sampled controllers, beams, prescribed motions, and given by their energies.
const exact = [
  ["pendulum", "--end", "3"],
  ["four_bar", "--end", "2"],
  ["four_bar", "--end", "2", "--integrator", "rk4", "--step", "2e-3"],
  ["four_bar", "--end", "1", "--integrator", "dop853"],
  ["four_bar", "--end", "1", "--stabilization", "baumgarte:20:100"],
  ["pendulum", "--end", "1", "--integrator", "semi_implicit_euler", "--step", "1e-3"],
  ["four_bar", "--end", "0.5", "--stabilization", "none"],
  ["press", "--end", "5"],
  ["press", "--end", "5", "--integrator", "rk4", "--step", "5e-3"],
  ["crane", "--end", "2"],
  ["crane", "--end", "2", "--integrator", "rk4", "--step", "2e-3"],
  ["rrr_benchmark", "--end", "1"],
  ["rrr_motors", "--end", "0.05"],
  ["squeezer", "--end", "0.005"],
  ["stewart", "--end", "0.2"],
  ["stewart", "--end", "0.1", "--integrator", "rk4", "--step", "1e-3"],
  ["arm", "--end", "0.5"],
  ["arm_on_circle", "--end", "2"],
  ["two_joint_arm", "--end", "0.5"],
  ["five_bar", "--end", "0.05"],
  ["crane_lagrangian", "--end", "1"],
];
for (const [model, ...options] of exact)
  test(`${model} ${options.join(" ")}: the bits of the run`, async () => {
    const recorded = run(model, ...options);
    expectSameBits(await motionOf(recorded), recorded, 4);
  });

// Largest difference of coordinates and velocities, over the largest size of each.
function farthest(motion, { rows, document }) {
  assert.equal(motion.status, "finished", `t = ${motion.t}`);
  assert.equal(motion.count, rows.length);
  let most = 0;
  for (const channel of document.compute.channels.filter(({ group }) => group === "coordinates" || group === "velocities")) {
    const size = Math.max(1e-3, ...rows.map((row) => Math.abs(row[channel.name])));
    rows.forEach((row, k) => (most = Math.max(most, Math.abs(valueAt(motion, channel, k) - row[channel.name]) / size)));
  }
  return most;
}
const set = (values) => Object.entries(values).flatMap(([name, text]) => ["--set", `${name}=${text}`]);

// A start that the file gives alone is a number of the state: the bits are those of the program.
for (const [model, setting, parameter, value, ...options] of [
  ["pendulum", { "start.keep.swing": "2.5" }, "start.swing", 2.5, "--end", "2"],
  ["crane", { "start.keep.swing": "0.2" }, "start.swing", 0.2, "--end", "1"],
])
  test(`${model}: another start has the bits of --set`, async () => {
    const motion = await motionOf(run(model, ...options), { values: { [parameter]: value } });
    const there = run(model, ...options, ...set(setting));
    expectSameBits(motion, there, 4);
  });

// Other parameters: loops are closed anew, rounding differs.
for (const [model, setting, values, ...options] of [
  ["four_bar", { crank_length: "0.25" }, { crank_length: 0.25 }, "--end", "2"],
  ["four_bar", { "start.keep.crank_angle": "1.2" }, { "start.crank_angle": 1.2 }, "--end", "2"],
  ["rrr_benchmark", { l2: "0.63" }, { l2: 0.63 }, "--end", "0.5"],
  ["pendulum", { length: "0.8" }, { length: 0.8 }, "--end", "2"],
  ["press", { w0: "2" }, { w0: 2 }, "--end", "5"],
])
  test(`${model} ${Object.keys(setting)}: the motion of --set within its tolerance`, async () => {
    const motion = await motionOf(run(model, ...options), { values });
    assert.ok(farthest(motion, run(model, ...options, ...set(setting))) < 1e-6);
  });

test("parameters as inputs: the same motion within its tolerance", async () => {
  const recorded = run("four_bar", "--end", "1");
  assert.ok(farthest(await motionOf(recorded, { values: {}, own: false }), recorded) < 1e-7);
});

// Sticking, slipping, limits, steps of friction.
for (const [model, ...options] of [["elements/brake"], ["elements/clutch"], ["elements/freewheel"], ["elements/cam_contact"], ["elements/guide"]])
  test(`${model}: changes are located`, async () => {
    const recorded = run(model, ...options);
    assert.ok(recorded.document.run.events.length > 0);
    const far = farthest(await motionOf(recorded), recorded);
    assert.ok(far < 1e-5, `${far}`);
  });

test("a singular pose ends the motion in the page", async () => {
  const motion = await motionOf(run("slider_crank_equal", "--end", "2"));
  assert.equal(motion.status, "singular");
  assert.ok(motion.t > 0 && motion.t < 2);
});

test("what a report adds stays small; a model that is too large is refused", () => {
  const largest = run("stewart", "--end", "0.02");
  assert.ok(JSON.stringify(largest.document.compute).length < 320_000);
  assert.ok((gzipSync(kernel).length * 4) / 3 < 60_000);
  assert.equal(run("delta", "--end", "0.01").document.compute.refused, "the model is too large for a page");
});

test("loops that do not close are told", async () => {
  const motion = await motionOf(run("four_bar", "--end", "0.1"), { values: { crank_length: 5 } });
  assert.equal(motion.status, "no start");
});
