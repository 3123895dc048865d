// What the tests of computing pages share: runs of the program, and the engine of their reports in Node.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const [packages, kernelFile, armature, modelFolder] = process.argv.slice(2).map((path) => resolve(path));
export const models = modelFolder;
export const program = armature;
export const folder = mkdtempSync(join(tmpdir(), "armature_compute_"));
after(() => rmSync(folder, { recursive: true }));

const { buildSync } = createRequire(join(packages, "x.js"))("esbuild");
const sources = join(dirname(dirname(fileURLToPath(import.meta.url))), "src", "compute");
// A source of the page, without a browser.
export async function numerics(source) {
  const outfile = join(folder, `${source}.mjs`);
  buildSync({ entryPoints: [join(sources, `${source}.ts`)], bundle: true, format: "esm", outfile, target: "es2022" });
  return import(pathToFileURL(outfile).href);
}
export const { Engine } = await numerics("engine");
export const kernel = readFileSync(kernelFile);
export const worker = buildSync({ entryPoints: [join(sources, "worker.ts")], bundle: true, minify: true, write: false, format: "iife", target: "es2022" }).outputFiles[0].text;

// A run, its recorded rows by channel, and its document.
let runs = 0;
export const fileOf = (model) => (model.endsWith(".yaml") ? model : join(models, `${model}.yaml`));
export function run(model, ...options) {
  const out = join(folder, `run${++runs}`);
  execFileSync(armature, ["run", fileOf(model), "-o", out, ...options], { stdio: "pipe" });
  const [header, ...lines] = readFileSync(join(out, "trajectory.csv"), "utf8").trim().split("\n");
  const names = header.split(",").map((name) => name.replace(/ \[.*\]$/, ""));
  const rows = lines.map((line) => Object.fromEntries(line.split(",").map((value, i) => [names[i], Number(value)])));
  const page = readFileSync(join(out, "report.html"), "utf8");
  const [, text] = /<script type="application\/json" id="armature-run">(.*?)<\/script>/s.exec(page);
  return { out, rows, names, document: JSON.parse(text), size: statSync(join(out, "report.html")).size };
}
export async function motionOf({ document }, wish = { values: {} }) {
  assert.equal(document.compute.refused, undefined);
  const engine = await Engine.make(kernel, document.compute);
  engine.patience = Infinity; // on a busy computer, too
  return engine.run(wish);
}
export const valueAt = (motion, { column, negative }, k) => (negative ? -1 : 1) * motion.rows[k * motion.size + column];

// Every channel that the page computes, in every row.
export function expectSameBits(motion, { rows, document }, least) {
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

// Largest difference of coordinates and velocities, over the largest size of each.
export function farthest(motion, { rows, document }) {
  assert.equal(motion.status, "finished", `t = ${motion.t}`);
  assert.equal(motion.count, rows.length);
  let most = 0;
  for (const channel of document.compute.channels.filter(({ group }) => group === "coordinates" || group === "velocities")) {
    const size = Math.max(1e-3, ...rows.map((row) => Math.abs(row[channel.name])));
    rows.forEach((row, k) => (most = Math.max(most, Math.abs(valueAt(motion, channel, k) - row[channel.name]) / size)));
  }
  return most;
}
