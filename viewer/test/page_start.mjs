// node page_start.mjs PACKAGES KERNEL ARMATURE MODELS: where a page begins the motion of other values. It is where the program begins it.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { fileOf, folder, motionOf, numerics, run, valueAt } from "./page_engine.mjs";

const { approach, close } = await numerics("start");

// Coordinates and speeds of the first row, rad, m and their rates. A quaternion and its negative are one orientation.
function expectSameStart(motion, { document, rows }, most = 1e-9) {
  assert.notEqual(motion.status, "no start");
  const channels = document.compute.channels.filter(({ group }) => group === "coordinates" || group === "velocities");
  assert.ok(channels.length > 0);
  const pairs = channels.map((channel) => ({ name: channel.name, here: valueAt(motion, channel, 0), there: rows[0][channel.name] }));
  for (const { name, here, there } of pairs) {
    const parts = /\.q[wxyz]$/.test(name) ? pairs.filter((pair) => pair.name.startsWith(`${name.slice(0, -1)}`)) : [];
    const sign = parts.reduce((sum, part) => sum + part.here * part.there, 0) < 0 ? -1 : 1;
    assert.ok(Math.abs(sign * here - there) <= most, `${name} is ${here}, not ${there}`);
  }
}
const set = (settings) => Object.entries(settings).flatMap(([name, text]) => ["--set", `${name}=${text}`]);
const written = (name, text) => {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, text);
  return file;
};
const shipped = (model) => readFileSync(fileOf(model), "utf8");

// ---- the numbers alone

// One unknown x, and residuals of it with their derivatives.
function unknown(x, conditions, linear = false) {
  const values = Float64Array.of(x);
  const residuals = () => {
    const all = conditions(values[0]);
    return { r: Float64Array.from(all, ([r]) => r), J: Float64Array.from(all, ([, J]) => J) };
  };
  return { values, nv: 1, size: Float64Array.of(1), linear, residuals, move: ([dx]) => (values[0] += dx) };
}

test("a condition without a value is not closed, whatever the others are", () => {
  assert.equal(close(unknown(0, () => [[NaN, 0], [0, 1]])), false);
  assert.equal(close(unknown(0, () => [[0, 1], [NaN, 0]])), false);
});

// 1 + x^2 is least at zero, where its derivative vanishes: a step of Gauss and Newton goes far beyond.
test("what cannot be reached is approached to where it is nearest", () => {
  const closed = unknown(0.2, () => []);
  const wanted = () => ({ r: Float64Array.of(1 + closed.values[0] ** 2), J: Float64Array.of(2 * closed.values[0]) });
  assert.equal(approach(wanted, closed), true);
  assert.ok(Math.abs(closed.values[0]) < 1e-9, `${closed.values[0]}`);
});

test("an approach that comes to no rest finds nothing", () => {
  const closed = unknown(0, () => []);
  const wanted = () => ({ r: Float64Array.of(1e9 - closed.values[0]), J: Float64Array.of(-1) }); // 400 steps of 0.3 do not come there
  assert.equal(approach(wanted, closed), false);
});

// ---- starts of machines

const rockerNear = (angle) => shipped("four_bar").replace(/keep: .*\n  near: .*\n/, `near: {rocker_angle: ${angle}}\n`);

test("a near value beyond the reach of a linkage: the start of the program", async () => {
  const file = written("rocker_near", rockerNear("20 deg"));
  const there = run(file, "--end", "0.1", ...set({ coupler_length: "0.72" }));
  assert.ok(there.rows[0].rocker_angle > 0.5, "it is beyond the reach");
  expectSameStart(await motionOf(run(file, "--end", "0.1"), { values: { coupler_length: 0.72 } }), there, 1e-7);
});

// The file gives 1 deg.
const mount = () => shipped("elements/bushing").replace("angle: 0.02, axis: z", "angle: turned, axis: [1, 2, 2]").replace("parameters:\n", "parameters:\n  turned: 1 deg\n");
for (const degrees of [100, 116, 150, 179, 180, 270, -120])
  test(`a body that is turned by ${degrees} deg: the start of the program`, async () => {
    const file = written("turned", mount());
    const there = run(file, "--end", "0.01", ...set({ turned: `${degrees} deg` }));
    expectSameStart(await motionOf(run(file, "--end", "0.01"), { values: { turned: (degrees * Math.PI) / 180 } }), there);
  });

const slide = `armature: 1
name: slide
plane: xy
gravity: [0, 0, 0]
bodies: {block: {mass: 1, inertia: none, center: [0.1, 0, 0]}}
joints:
  x: {type: prismatic, axis: x, between: [ground, block]}
start: {keep: {x: 1 mm}}
simulate: {end: 0.1 s, record: 50 ms}
`;
for (const [model, name, value] of [
  ["pendulum", "swing", 1e4],
  ["four_bar", "crank_angle", 1000],
  [written("geared", `${shipped("elements/planetary")}\nstart: {keep: {s: 1 mrad}}\n`), "s", 700],
  [written("slide", slide), "x", -12345],
])
  test(`${basename(model)}: a kept value far away: the start of the program`, async () => {
    const there = run(model, "--end", "0.01", ...set({ [`start.keep.${name}`]: `${value}` }));
    expectSameStart(await motionOf(run(model, "--end", "0.01"), { values: { [`start.${name}`]: value } }), there, 1e-9 * Math.abs(value));
  });

test("an angle near a value beyond half a turn: the start of the program", async () => {
  const file = written("rocker_turned", rockerNear("wish").replace("parameters:\n", "parameters:\n  wish: 100 deg\n"));
  const recorded = run(file, "--end", "0.01");
  for (const degrees of [460, -620, 3700]) {
    const there = run(file, "--end", "0.01", ...set({ wish: `${degrees} deg` }));
    expectSameStart(await motionOf(recorded, { values: { wish: (degrees * Math.PI) / 180 } }), there, 1e-7);
  }
});

// Both near values cannot be met: how much a length counts against an angle is measured at the guess, which is far from the start.
test("near values that contradict each other are weighed as in the program", async () => {
  const text = shipped("slider_crank").replace(/^start: .*$/m, "start: {near: {crank: wish, slide: 1.2*(l1 + l2)}}");
  const file = written("weighed", text.replace("parameters:\n", "parameters:\n  wish: 60 deg\n"));
  const there = run(file, "--end", "0.01", ...set({ wish: "70 deg" }));
  expectSameStart(await motionOf(run(file, "--end", "0.01"), { values: { wish: (70 * Math.PI) / 180 } }), there, 1e-7);
});
