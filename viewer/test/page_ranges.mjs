// node page_ranges.mjs PACKAGES KERNEL ARMATURE MODELS: what the file does not allow, a page refuses in the words of the program.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { farthest, fileOf, folder, motionOf, program, run } from "./page_engine.mjs";

const written = (name, text) => {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, text);
  return file;
};
const shipped = (model, from, to) => readFileSync(fileOf(model), "utf8").replace(from, to);

function refusalOf(file, name, value) {
  try {
    execFileSync(program, ["check", file, "--set", `${name}=${value}`], { stdio: "pipe" });
  } catch ({ stdout, stderr }) {
    return `${stdout}${stderr}`;
  }
  return "";
}

const degrees = Math.PI / 180;
const bar = (inertia) => `armature: 1
name: bar
gravity: [0, 0, 0]
parameters: {a: 1 kg*m^2, b: 0.1 kg*m^2}
bodies: {bar: {mass: 1, center: [1, 0, 0], inertia: ${inertia}}}
joints: {move: {type: free, between: [ground, bar]}}
simulate: {end: 0.1 s, record: 50 ms}
`;
const gas = `armature: 1
name: gas
plane: xy
gravity: [0, 0, 0]
parameters: {n: 1.4, p: 1.3}
bodies: {block: {mass: 1, inertia: none}}
joints: {x: {type: prismatic, axis: x, between: ["ground [0.3, 0, 0]", block]}}
forces: {gas: {type: gas_spring, between: [ground, block], force: 100 N, length: 0.4 m, stroke: 0.2 m, progression: p, exponent: n}}
simulate: {end: 0.1 s, record: 50 ms}
`;
const stops = shipped("pendulum", "swing: {type: revolute,", "swing: {limits: {lower: least, upper: 200 deg, stiffness: 1000}, type: revolute,").replace("parameters:\n", "parameters:\n  least: 1 deg\n");

for (const [model, name, value, sentence] of [
  ["elements/gear_loss", "n", 1.2, "an efficiency is 1 at most"],
  ["elements/worm", "pressure_angle", 91 * degrees, "pressure_angle is less than 90 deg"],
  ["elements/power_screw", "flank", 95 * degrees, "flank_angle is less than 90 deg"],
  ["elements/screw_joint", "pitch", 0, "the pitch must not be zero; a joint that only turns is revolute"],
  ["drives/servo", "T", 0, "quintic(x, a, b) needs a < b"],
  ["drives/servo", "T", -0.5, "quintic(x, a, b) needs a < b"],
  [written("gas", gas), "p", 0.9, "progression is more than 1"],
  [written("principal", bar("{xx: a, yy: 1, zz: b}")), "b", 2.1, "no body has this inertia: each moment is at most the sum of the other two"],
  [written("products", bar("{xx: a, yy: 1, zz: 1, xy: b}")), "b", 1.1, "no body has this inertia: its products are too large for its moments"],
  [written("origin", bar("{about_origin: {xx: b, yy: 1.1, zz: 1.15}}")), "b", 0.01, "no body has this inertia: each moment is at most the sum of the other two"],
  [written("negative", shipped("pendulum", "inertia: none", "inertia: {zz: b}").replace("parameters:\n", "parameters:\n  b: 0.1 kg*m^2\n")), "b", -0.1, "zz must not be negative"],
])
  test(`${basename(model)} ${name} = ${value}: refused`, async () => {
    assert.ok(refusalOf(fileOf(model), name, value).includes(sentence), refusalOf(fileOf(model), name, value));
    const motion = await motionOf(run(model, "--end", "0.01"), { values: { [name]: value } });
    assert.equal(motion.status, "not allowed");
    assert.ok(motion.wrong.startsWith(`${basename(fileOf(model))}:`) && motion.wrong.endsWith(`: ${sentence}`), motion.wrong);
  });

test("an end stop below the other one: refused", async () => {
  const file = written("stops", stops);
  assert.match(refusalOf(file, "least", "210 deg"), /lower \(.*\) must be below upper/);
  const motion = await motionOf(run(file, "--end", "0.01"), { values: { least: 210 * degrees } });
  assert.match(motion.wrong, /stops\.yaml:\d+: joints\.swing: lower must be below upper$/);
});

const spring = (length, damping = "3 N*s/m") => `armature: 1
name: spring
plane: xy
gravity: [0, 0, 0]
parameters: {rest: ${length}, k: 100 N/m}
bodies: {block: {mass: 1, inertia: none}}
joints: {x: {type: prismatic, axis: x, between: [ground, block]}}
forces: {pull: {type: spring, between: ["ground [0, 0.1, 0]", block], stiffness: k, damping: ${damping}, length: rest}}
start: {keep: {x: 0.1 m}}
simulate: {end: 0.1 s, record: 50 ms}
`;
// It damps in all directions, any other along its line alone.
test("a damped spring without a length at rest is another one", async () => {
  const motion = await motionOf(run(written("spring", spring("0.05 m"))), { values: { rest: 0 } });
  assert.equal(motion.status, "other equations");
  assert.match(motion.wrong, /^spring\.yaml:8: forces\.pull: with a length of zero the spring has other equations$/);
  const short = await motionOf(run(written("spring", spring("0.05 m"))), { values: { rest: 1e-200 } });
  assert.equal(short.status, "finished");
  const without = run(written("without", spring("0 m")));
  assert.deepEqual(without.document.compute.controls.map(({ parameter }) => parameter), ["k", "start.x"]);
  assert.equal((await motionOf(without, { values: { k: 110 } })).status, "finished");
});

test("without damping it is the same", async () => {
  const file = written("undamped", spring("0.05 m", "0"));
  const motion = await motionOf(run(file), { values: { rest: 0 } });
  assert.ok(farthest(motion, run(file, "--set", "rest=0")) < 1e-6); // of rtol 1e-8
});

test("values that are allowed are computed", async () => {
  for (const [model, name, value] of [["elements/gear_loss", "n", 1], ["elements/worm", "pressure_angle", 30 * degrees], [written("principal", bar("{xx: a, yy: 1, zz: b}")), "b", 2]])
    assert.equal((await motionOf(run(model, "--end", "0.01"), { values: { [name]: value } })).status, "finished");
});

// The reader makes a number of it: the page would compute on without it.
test("a parameter that the end of the run or a table follows has no slider", () => {
  const timed = shipped("pendulum", "end: 10 s", "end: 2*period").replace("parameters:\n", "parameters:\n  period: 1 s\n  other: 1\n");
  const tables = "tables: {pull: {x: [0, 1, 2], y: [0, most, 0]}}\nsimulate:";
  const tabled = timed.replace("parameters:\n", "parameters:\n  most: 3\n").replace("simulate:", tables);
  const names = run(written("timed", tabled)).document.compute.controls.map(({ parameter }) => parameter);
  assert.deepEqual(names, ["other", "length", "start.swing"]);
});
