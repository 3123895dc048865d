// node spectrum.mjs PACKAGES: frequencies of known signals, and films' bytes, without a browser.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const { buildSync } = createRequire(join(resolve(process.argv[2]), "x.js"))("esbuild");
const sources = join(dirname(dirname(fileURLToPath(import.meta.url))), "src");
async function load(name) {
  const built = buildSync({ entryPoints: [join(sources, name)], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript,${encodeURIComponent(built.outputFiles[0].text)}`);
}
const { transform, spectrumOf } = await load("spectrum.ts");
const { packed } = await load("gif.ts");
const { leastValue, machineSize, roundOff } = await load("round_off.ts");

test("the transform is the sum that it stands for", () => {
  const n = 16;
  const signal = Array.from({ length: n }, (_, k) => Math.sin(3 * k) + 0.2 * k);
  const [re, im] = [Float64Array.from(signal), new Float64Array(n)];
  transform(re, im);
  for (let f = 0; f < n; ++f) {
    const sum = (part) => signal.reduce((all, x, k) => all + x * part((2 * Math.PI * f * k) / n), 0);
    assert.ok(Math.abs(re[f] - sum(Math.cos)) < 1e-12 && Math.abs(im[f] + sum(Math.sin)) < 1e-12, `frequency ${f}`);
  }
});

test("every sine below half the rate of the rows has its own frequency and amplitude, and nothing is elsewhere", () => {
  for (const rows of [801, 2001, 2048])
    for (const f of [3.3, 37.3, 80, 97]) {
      const times = Float64Array.from({ length: rows }, (_, k) => k / 200);
      const { frequencies, amplitudes } = spectrumOf(times, [times.map((t) => 5 + 0.7 * Math.sin(2 * Math.PI * f * t + 0.4))], 0, rows);
      const best = amplitudes[0].reduce((best, a, k, all) => (a > all[best] ? k : best), 0);
      assert.ok(Math.abs(frequencies[best] - f) < 0.1, `${f}: ${frequencies[best]} Hz`);
      assert.ok(Math.abs(amplitudes[0][best] - 0.7) < 0.012, `${f} Hz: ${amplitudes[0][best]}`);
      const elsewhere = amplitudes[0].filter((_, k) => Math.abs(frequencies[k] - f) > 2).reduce((a, b) => Math.max(a, b), 0);
      assert.ok(elsewhere < 2e-3, `${f} Hz: ${elsewhere} elsewhere`);
    }
});

test("a sine has its own frequency and amplitude at uneven times, too", () => {
  const times = Float64Array.from({ length: 2001 }, (_, k) => (k + 0.3 * Math.sin(k)) / 500);
  const values = times.map((t) => 5 + 0.7 * Math.sin(2 * Math.PI * 12.5 * t));
  const { frequencies, amplitudes } = spectrumOf(times, [values], 0, 4);
  const best = amplitudes[0].reduce((best, a, k, all) => (a > all[best] ? k : best), 0);
  assert.ok(Math.abs(frequencies[best] - 12.5) < 0.26, `${frequencies[best]} Hz`);
  assert.ok(Math.abs(amplitudes[0][best] - 0.7) < 0.02, `${amplitudes[0][best]}`);
  assert.ok(amplitudes[0][0] < 1e-3, "the mean is left out");
});

// As a reader of GIF does it: codes back to indices.
function unpacked(blocks) {
  const bits = blocks[0];
  const bytes = [];
  for (let k = 1; blocks[k] > 0; k += blocks[k] + 1) bytes.push(...blocks.slice(k + 1, k + 1 + blocks[k]));
  const [clear, end] = [1 << bits, (1 << bits) + 1];
  let [table, length, at, before] = [[], bits + 1, 0, null];
  const reset = () => {
    table = Array.from({ length: end + 1 }, (_, k) => [k]);
    [length, before] = [bits + 1, null];
  };
  reset();
  const out = [];
  for (;;) {
    let code = 0;
    for (let k = 0; k < length; ++k, ++at) code |= ((bytes[at >> 3] >> (at & 7)) & 1) << k;
    if (code === end) return out;
    if (code === clear) {
      reset();
      continue;
    }
    const run = table[code] ?? [...before, before[0]];
    if (before && table.length < 4096) table.push([...before, run[0]]);
    if (table.length === 1 << length && length < 12) ++length;
    out.push(...run);
    before = run;
  }
}
test("what is packed for a GIF comes back", () => {
  let seed = 1;
  const random = () => ((seed = (seed * 48271) % 2147483647), seed);
  for (const [count, colors] of [[1, 2], [5000, 2], [30000, 256], [30000, 7]]) {
    const indices = Uint8Array.from({ length: count }, () => random() % colors);
    assert.deepEqual(unpacked(packed(indices)), [...indices], `${count} indices, ${colors} colors`);
  }
});

test("round-off is zero beside what it is the round-off of; small machines and errors keep their values", () => {
  const plot = (values, unit = "m", log = false, machine = undefined) => ({ unit, log, least: leastValue({ unit, log }, machine), series: [{ name: "x", values }] });
  assert.ok(roundOff(plot([1, 5e-40])) > 5e-40);
  assert.ok(roundOff(plot([1, 1e-9])) < 1e-9);
  assert.ok(roundOff(plot([1e-9, 2e-12])) < 2e-12);
  assert.ok(roundOff(plot([1e-16, -2e-16], "rad")) > 2e-16);
  assert.ok(roundOff(plot([1, 1e-16], "", true)) < 1e-18); // an error on a logarithmic axis
  assert.ok(roundOff(plot([1, 5e-40], "", true)) > 5e-40);
  // energies, forces and moments of a machine of 2 um, and its errors
  const small = (values, unit, log = false) => plot(values, unit, log, { length: 2e-6, time: 1, energy: 4e-19 });
  assert.ok(roundOff(small([2.5e-20, 3.7e-19], "J")) < 1e-30);
  assert.ok(roundOff(small([1e-18], "N m")) < 1e-30);
  assert.ok(roundOff(small([2e-13], "N")) < 1e-25);
  assert.ok(roundOff(small([1e-15], "W")) < 1e-27);
  assert.ok(roundOff(small([1e-12], "m")) < 1e-20);
  assert.ok(roundOff(small([1e-24, 1e-30], "", true)) < 1e-30);
  // round-off of forces where all forces are zero
  assert.ok(roundOff(plot([1e-17, -3e-17], "N", false, { length: 1, time: 5, energy: 20 })) > 3e-17);
});

test("the size of a machine is that of its bodies, its motion and its energy", () => {
  const run = {
    scene: { gravity: [0, -9.81, 0], ground: [{ name: "A", at: [0, 0, 0] }], bodies: [{ mass: 1e-15, center: [0, 0, 0], points: [{ name: "C", at: [2e-6, 0, 0] }] }], joints: [] },
    series: { t: Float64Array.from([0, 1e-3]), channels: [{ name: "energy.kinetic", unit: "J", data: Float32Array.from([2.5e-20, 3.7e-19]) }] },
  };
  const { length, time, energy } = machineSize(run);
  assert.deepEqual([length, time], [2e-6, 1]);
  assert.ok(Math.abs(energy - 3.7e-19) < 1e-25);
  // at rest: a body of 2 kg and 0.5 m
  const still = { ...run, scene: { ...run.scene, bodies: [{ mass: 2, center: [0, 0, 0], points: [{ name: "C", at: [0.5, 0, 0] }] }] } };
  assert.ok(Math.abs(machineSize(still).energy - 9.81) < 1e-12);
});
