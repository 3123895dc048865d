// node values.mjs PACKAGES CHROMIUM ARMATURE MODELS: reports that compute. Sliders change the motion, the address holds the values, and what a
// page cannot compute is told.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import * as browser from "./browser.mjs";
import { make, until } from "./browser.mjs";

const run = (model, ...options) => make("run", model, `${model}_values`, ...options);
const address = (out, hash) => pathToFileURL(join(out, "report.html")).href + hash;
const visit = (url) => browser.visit(url, { offline: true }, (asked) => asked === url.split("#")[0]);
const computed = () => document.body.classList.contains("computed");
const turnSlider = (page, name, position) =>
  page.locator(`#values input[type=range][aria-label="${name}"]`).evaluate((slider, value) => {
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  }, String(position));
// Last row of a channel, as it is shown.
const last = (page, name) =>
  page.evaluate((wanted) => {
    const { channels } = window.armature.shown.series;
    const { data } = channels.find((each) => each.name === wanted);
    const list = typeof data === "string" ? new Float32Array(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)).buffer) : data;
    return list[list.length - 1];
  }, name);

test("a slider of the 3RRR changes the motion, the picture and the address; reset brings the run back", async () => {
  const out = run("rrr_benchmark", "--end", "1");
  const { page, complaints } = await browser.open(out);
  await page.click("#compute summary h2");
  await page.waitForSelector("#values .row");
  const before = await last(page, "theta1");
  const drawnBefore = await page.evaluate(() => (window.armature.player.seek(1), window.armature.drawn("platform", [0, 0, 0])));
  await turnSlider(page, "l2", 200);
  await until(page, computed);
  assert.notEqual(await last(page, "theta1"), before);
  const drawn = await page.evaluate(() => (window.armature.player.seek(1), window.armature.drawn("platform", [0, 0, 0])));
  assert.ok(Math.hypot(drawn[0] - drawnBefore[0], drawn[1] - drawnBefore[1]) > 1e-4, `${drawn} was ${drawnBefore}`);
  assert.match(await page.evaluate(() => location.hash), /^#set=l2%3D/);
  assert.match(await page.locator("#compute .state").innerText(), /dopri5, \d+ steps in \d+ ms/);
  const shown = await last(page, "theta1");
  await page.emulateMedia({ media: "print" });
  assert.match(await page.locator(".changed-values").innerText(), /^Changed values: l2 = [\d.]+ m$/, "paper says them");
  await page.emulateMedia({ media: "screen" });
  assert.equal(await page.locator(".changed-values").isVisible(), false);

  // the same address shows the same motion
  const link = await page.evaluate(() => location.hash);
  const again = await visit(address(out, link));
  await until(again.page, computed);
  assert.equal(await last(again.page, "theta1"), shown);
  assert.deepEqual(again.complaints(), []);

  // ↺ resets one value
  await page.click("#values .row:has-text('l2') .reset");
  await until(page, () => !document.body.classList.contains("computed"));
  await turnSlider(page, "l2", 200);
  await until(page, computed);
  await page.click("#compute summary button:has-text('reset all')");
  await until(page, () => !document.body.classList.contains("computed"));
  assert.equal(await last(page, "theta1"), before);
  assert.deepEqual(complaints(), []);
});

test("the page has the bits of the program: another start of the pendulum", async () => {
  const out = run("pendulum", "--end", "1");
  const { page, complaints } = await visit(address(out, `#set=${encodeURIComponent("start.keep.swing=150 deg")}`));
  await until(page, computed);
  const other = make("run", "pendulum", "pendulum_150", "--end", "1", "--set", "start.keep.swing=150 deg");
  const lines = readFileSync(join(other, "trajectory.csv"), "utf8").trim().split("\n");
  const column = lines[0].split(",").findIndex((name) => name.startsWith("swing ") || name.startsWith("swing["));
  const recorded = Math.fround(Number(lines.at(-1).split(",")[column]));
  assert.equal(await last(page, "swing"), recorded);
  assert.deepEqual(complaints(), []);
});

// Loops, balls, motors, sampled controllers, beams, prescribed motions, energies: in the browser as in Node (compute.mjs has more of them).
const exact = [
  ["pendulum", "1"], ["four_bar", "0.5"], ["press", "1"], ["crane", "0.3"], ["rrr_benchmark", "0.3"], ["squeezer", "0.003"],
  ["stewart", "0.05"], ["arm", "0.2"], ["arm_on_circle", "1"], ["five_bar", "0.02"], ["crane_lagrangian", "0.3"],
]; // prettier-ignore
for (const [model, end] of exact)
  test(`${model}: every number that the browser computes has the bits of the run`, async () => {
    const out = make("run", model, `bits_${model}`, "--end", end);
    const { page, complaints } = await browser.open(out);
    const { rows, size, channels, status } = await page.evaluate(async () => {
      const { grab, run } = window.armature;
      const { computer } = await grab.mover();
      const motion = await computer.run({ values: {} });
      return { rows: [...motion.rows], size: motion.size, channels: run.compute.channels, status: motion.status };
    });
    assert.equal(status, "finished");
    const [header, ...lines] = readFileSync(join(out, "trajectory.csv"), "utf8").trim().split("\n");
    const names = header.split(",").map((name) => name.replace(/ \[.*\]$/, ""));
    assert.equal(rows.length, size * lines.length);
    lines.forEach((line, k) => {
      const recorded = line.split(",").map(Number);
      for (const { name, column, negative } of channels) {
        const here = (negative ? -1 : 1) * rows[k * size + column];
        const there = recorded[names.indexOf(name)];
        assert.ok(here === there || (Number.isNaN(here) && Number.isNaN(there)), `${name} at t = ${recorded[0]}: ${here} is not ${there}`);
      }
    });
    assert.deepEqual(complaints(), []);
    await page.context().close();
  });

test("a singular pose is told, with the command that passes it", async () => {
  const out = run("slider_crank_equal", "--end", "2");
  const { page } = await browser.open(out);
  await page.click("#compute summary h2");
  await page.waitForSelector("#values .row");
  await turnSlider(page, "flywheel", 230);
  await until(page, () => !document.querySelector("#compute .told").hidden);
  const told = await page.locator("#compute .told").innerText();
  assert.match(told, /^The page stops at t = .* s: the pose is singular/);
  assert.match(told, /armature run .*slider_crank_equal\.yaml --set /);
  assert.equal(await page.evaluate(() => document.body.classList.contains("stale")), false, "what was computed is shown");
  runsTold(await page.locator("#compute .told code").innerText(), "singular_told");
});

test("a motion that takes long is announced; one that cannot begin is told as such", async () => {
  const out = run("pendulum", "--end", "10");
  const state = (page) => page.locator("#compute .state").innerText();
  const long = await visit(address(out, `#set=${encodeURIComponent("length=1e-8 m")}`));
  await until(long.page, () => document.querySelector("#compute .state").textContent === "computing…");
  await long.page.click("#compute summary button:has-text('reset all')");
  assert.match(await state(long.page), /computed in this page/);
  const massless = await visit(address(run("four_bar", "--end", "0.5"), `#set=${encodeURIComponent("line_density=0 kg/m")}`));
  await until(massless.page, () => document.body.classList.contains("stale"));
  assert.match(await massless.page.locator("#compute .told").innerText(), /^No motion: the equations have no unique solution at the start\. The program says more: armature run /);
});

test("the end of a run is told once", async () => {
  const { page } = await visit(address(make("run", "pendulum", "ended", "--set", "simulate.end=1 s"), `#set=${encodeURIComponent("length=0.9 m")}`));
  await until(page, computed);
  const told = await page.evaluate(() => window.armature.values.commandLine());
  assert.doesNotMatch(told, /simulate\.end/);
  assert.match(told, / --end 1$/);
});

// The command that a page tells, as a reader copies it.
const runsTold = (command, name) =>
  execFileSync("sh", ["-c", `${command.replace(/^armature/, `"${browser.program}"`)} --no-report -o "${join(browser.folder, name)}"`], { stdio: "pipe" });

test("values without a motion: what the program says, and the motion before is faint", async () => {
  const out = run("rrr_motors", "--end", "0.5");
  const stale = () => document.body.classList.contains("stale");
  const { page } = await visit(address(out, `#set=${encodeURIComponent("m2=-0.1 kg")}`));
  await until(page, stale);
  const wrong = /No motion: .*rrr_motors\.yaml:26: (bodies\.rod1\.mass: must not be negative, but it is -0\.1)\./;
  const told = await page.locator("#compute .told").innerText();
  assert.match(told, wrong);
  assert.throws(() => make("run", "rrr_motors", "refused", "--set", "m2=-0.1 kg"), ({ stderr }) => String(stderr).includes(wrong.exec(told)[1]));
  // an integrator with fixed steps is told with its step
  const fixed = await visit(address(make("run", "four_bar", "fixed_step", "--integrator", "rk4", "--step", "2e-3", "--end", "0.1"), `#set=${encodeURIComponent("crank_length=5 m")}`));
  await until(fixed.page, stale);
  assert.match(await fixed.page.locator("#compute .told").innerText(), /^No motion: with these values the page finds no start.* --integrator rk4 --step 0\.002 --end 0\.1$/);
  await fixed.page.locator("#values .row", { hasText: "crank_length" }).locator("input[type=text]").fill("250 mm");
  await fixed.page.locator("#values .row", { hasText: "crank_length" }).locator("input[type=text]").press("Enter");
  await until(fixed.page, computed);
  assert.equal(await fixed.page.evaluate(stale), false);
  runsTold(await fixed.page.evaluate(() => window.armature.values.commandLine()), "fixed_told");
});

test("a value in another unit is the same value; a wrong one is marked", async () => {
  const { page } = await browser.open(run("rrr_motors", "--end", "0.5"));
  await page.click("#compute summary h2");
  const field = page.locator("#values .row", { hasText: "l1" }).locator("input[type=text]");
  const write = async (text) => {
    const before = await page.evaluate(() => window.armature.values.milliseconds.length);
    await field.fill(text);
    await field.press("Enter");
    await until(page, (before) => window.armature.values.milliseconds.length > before, before);
    return last(page, "theta1");
  };
  assert.equal(await write("600 mm"), await write("0.6"));
  assert.equal(await write("60 cm"), await write("0.6 m"));
  await field.fill("0.6 kg");
  await field.press("Enter");
  assert.match(await page.locator("#compute .state").innerText(), /^l1: enter a number in m, cm, mm/);
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  await write("0.61");
  assert.notEqual(await field.getAttribute("aria-invalid"), "true");
});

test("a voltage on top of the file's is that voltage; the address holds it", async () => {
  const text = readFileSync(join(browser.models, "rrr_motors.yaml"), "utf8");
  const file = join(browser.folder, "seven_volts.yaml");
  writeFileSync(file, text.replace("volts: [5, -5, 5]", "volts: [7, -5, 5]"));
  const other = join(browser.folder, "seven_volts");
  execFileSync(browser.program, ["run", file, "-o", other, "--end", "0.2", "--no-report"], { stdio: "pipe" });
  const [header, ...lines] = readFileSync(join(other, "trajectory.csv"), "utf8").trim().split("\n");
  const expected = Number(lines.at(-1).split(",")[header.split(",").findIndex((name) => name.startsWith("theta1 "))]);
  const { page, complaints } = await browser.open(make("run", "rrr_motors", "five_volts", "--end", "0.2"));
  await page.click("#compute summary h2");
  assert.match(await page.locator("#compute .state").innerText(), /3 drives/);
  await turnSlider(page, "motor1", 240); // of 400, from -10 V to 10 V
  await until(page, computed);
  assert.equal(await page.evaluate(() => decodeURIComponent(location.hash)), "#set=u.motor1=2 V");
  browser.near(await last(page, "theta1"), expected, 1e-6, "theta1");
  browser.near(await last(page, "motor1.voltage"), 7, 1e-6, "voltage");
  assert.doesNotMatch(await page.evaluate(() => window.armature.values.commandLine()), /u\.motor1/);
  // what runs on begins with it
  await page.locator("button.run-on").dispatchEvent("click");
  await until(page, () => window.armature.grab.runOn.pictures > 1);
  assert.equal(await page.locator(".live-bar .actuator output").first().innerText(), "+2 V");
  assert.deepEqual(complaints(), []);
});

test("a page that is saved with a changed value opens, with the recorded run, the motion for the value and the other run", async () => {
  const other = make("run", "pendulum", "pendulum_40", "--end", "1", "--set", "start.keep.swing=40 deg");
  const { page, complaints } = await visit(address(run("pendulum", "--end", "1"), `#set=${encodeURIComponent("start.keep.swing=150 deg")}`));
  await until(page, computed);
  await page.locator("header input[type=file]").setInputFiles(join(other, "report.html"));
  await until(page, () => document.querySelector(".made-of").textContent.includes("40 deg"));
  const others = await page.evaluate(() => window.armature.plots.channels.others);
  assert.deepEqual([others.length, others.at(-1)], [2, "recorded"], "the recorded run stays beside the motion for the value");
  const folder = join(browser.folder, "saved_changed");
  mkdirSync(folder);
  writeFileSync(join(folder, "report.html"), await page.evaluate(() => window.armature.otherRuns.page()));
  const saved = await browser.open(folder);
  await until(saved.page, () => window.armature?.plots.channels.others?.length === 2);
  assert.match(await saved.page.locator(".made-of").innerText(), /^with \S+ start\.keep\.swing=150 deg, \S+ start\.keep\.swing=40 deg$/);
  const ends = await saved.page.evaluate(() => window.armature.plots.channels.runs.map((each) => each.plots[0].series[0].values.at(-1)));
  assert.equal(ends[1], await last(page, "swing"));
  assert.equal(new Set(ends).size, 3, `${ends}`);
  await saved.page.click("#compute summary h2");
  await saved.page.waitForSelector("#values .row"); // and goes on from the recorded run
  assert.deepEqual([...complaints(), ...saved.complaints()], []);
});

test("torque over speed is that of the motion shown, with the recorded one dashed", async () => {
  const { page, complaints } = await browser.open(run("rrr_motors", "--end", "0.5"));
  const lines = () => page.locator(".torque-speed g path[stroke-linejoin]").evaluateAll((all) => all.map((line) => [line.hasAttribute("stroke-dasharray"), line.getAttribute("d")]));
  const recorded = await lines();
  assert.equal(recorded.length, 3);
  await page.click("#compute summary h2");
  await turnSlider(page, "motor1", 300);
  await until(page, () => document.querySelectorAll(".torque-speed g path[stroke-linejoin]").length === 6);
  const both = await lines();
  assert.deepEqual(both.map(([dashed]) => dashed), [true, true, true, false, false, false]);
  assert.notEqual(both[3][1], both[0][1]);
  await page.click("#compute summary button:has-text('reset all')");
  await until(page, () => document.querySelectorAll(".torque-speed g path[stroke-linejoin]").length === 3);
  assert.deepEqual(await lines(), recorded);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("what drives are commanded has its own unit and size", async () => {
  const actuators = async (model, end = "0.02") => {
    const { page } = await browser.open(make("run", model, model.replace("/", "_"), "--end", end));
    const found = await page.evaluate(() => window.armature.values.controls.filter(({ group }) => group === "drives").map(({ name, unit, range }) => [name, unit, range.max]));
    await page.context().close();
    return found;
  };
  assert.deepEqual(await actuators("drives/hydraulic_cylinder"), [["cylinder", "", 0.02]]); // 0.4 sin(3 t) at 0.02 s
  assert.deepEqual((await actuators("drives/induction_motor"))[0], ["motor", "Hz", 100]);
  assert.deepEqual(await actuators("drives/stepper"), [["motor", "rad", 10]]);
  assert.deepEqual(await actuators("squeezer"), [["motor", "N m", 0.07]]);
  // a formula, which no run records
  assert.deepEqual(await actuators("machines/shaper"), [["tool", "N", 2000]]); // does not cut yet: by its 2 kN
  assert.deepEqual((await actuators("press", "4")).at(-1), ["work_piece", "N", 200]); // zero at the start
});

test("the legend of stresses is that of the motion shown", async () => {
  const { page, complaints } = await browser.open(run("flexible_slider_crank", "--end", "0.05"), { viewport: { width: 700, height: 500 } });
  const legend = () => page.locator(".beam-loads .loads").textContent();
  await page.locator(".beam-loads input").check();
  const recorded = await legend();
  assert.match(recorded, /^0 to [\d.]+ MPa$/);
  await page.click("#compute summary h2");
  await turnSlider(page, "radius", 300);
  await until(page, computed);
  assert.match(await legend(), /^0 to [\d.]+ MPa$/);
  assert.notEqual(await legend(), recorded);
  await page.click("#compute summary button:has-text('reset all')");
  await until(page, () => !document.body.classList.contains("computed"));
  assert.equal(await legend(), recorded);
  await page.locator(".beam-loads input").uncheck();
  assert.equal(await page.locator(".beam-loads .loads").isHidden(), true);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("free motions are those of the recorded run", async () => {
  const { page } = await browser.open(run("rrr_benchmark", "--end", "1"));
  const box = page.locator(".free-motion input");
  assert.equal(await box.isDisabled(), false);
  await page.click("#compute summary h2");
  await turnSlider(page, "m2", 220);
  await until(page, computed);
  assert.equal(await box.isDisabled(), true);
  assert.match(await page.locator(".free-motion").evaluate((label) => getComputedStyle(label, "::after").content), /recorded run only/);
  await page.click("#compute summary button:has-text('reset all')");
  await until(page, () => !document.body.classList.contains("computed"));
  assert.equal(await box.isDisabled(), false);
});

test("a wrong value is complained about and changes nothing", async () => {
  const { page } = await browser.open(run("four_bar", "--end", "0.5"));
  await page.click("#compute summary h2");
  await page.waitForSelector("#values .row");
  await page.locator("#values input[type=text]").first().fill("a lot");
  await page.locator("#values input[type=text]").first().press("Enter");
  assert.match(await page.locator("#compute .state").innerText(), /enter a number in m/);
  assert.equal(await page.evaluate(computed), false);
});

test("what it adds to a report", async () => {
  const out = run("rrr_pd", "--end", "0.05");
  const { page } = await browser.open(out);
  await page.click("#compute summary h2");
  await page.waitForSelector("#values .row");
  const added = await page.evaluate(() => JSON.stringify(window.armature.run.compute).length);
  assert.ok(added < 300_000, `${added} bytes`);
  assert.ok(statSync(join(out, "report.html")).size < 2_000_000);
});

// Parameters and places may have the names of JavaScript's own properties.
const names = `armature: 1
name: names
gravity: [0, -9.81, 0]
plane: xy
parameters: {constructor: 1 kg, toString: 2 m, valueOf: 3, __proto__: 0.25 kg*m^2}
bodies: {rod: {mass: constructor, center: [toString/2, 0, 0], inertia: {zz: valueOf*__proto__}, points: {hasOwnProperty: [toString, 0, 0]}}}
joints: {isPrototypeOf: {type: revolute, axis: z, between: [ground, rod]}}
start: {keep: {isPrototypeOf: 0.1}}
simulate: {end: 1}
`;

test("names of JavaScript's own are ordinary names", async () => {
  const file = join(browser.folder, "names.yaml");
  writeFileSync(file, names);
  const made = (out, ...options) => {
    execFileSync(browser.program, ["run", file, "-o", join(browser.folder, out), ...options], { stdio: "pipe" });
    return join(browser.folder, out);
  };
  const out = made("names");
  for (const [name, text] of [["toString", "3 m"], ["__proto__", "0.5 kg*m^2"], ["constructor", "2 kg"], ["start.keep.isPrototypeOf", "0.7"]]) {
    const { page, complaints } = await visit(address(out, `#set=${encodeURIComponent(`${name}=${text}`)}`));
    await until(page, computed);
    const lines = readFileSync(join(made(`names_${name}`, "--set", `${name}=${text}`), "trajectory.csv"), "utf8").trim().split("\n");
    const recorded = Number(lines.at(-1).split(",")[1]);
    assert.ok(Math.abs((await last(page, "isPrototypeOf")) - recorded) < 1e-5, `${name}: ${await last(page, "isPrototypeOf")} is not ${recorded}`);
    assert.deepEqual(complaints(), []);
  }
});

test("an address is data: what is not a value of the report is left out", async () => {
  const out = run("pendulum", "--end", "1");
  const evil = "<img src=x onerror='window.injected = 1'>";
  for (const hash of [
    "#set=%",
    "#set=%E0%A4%A",
    `#set=${encodeURIComponent(`${evil}=1;swing=${evil}`)}`,
    `#set=${encodeURIComponent(`start.keep.swing=1 ${evil}`)}`,
    `#set=${encodeURIComponent("start.keep.swing=1e999;start.keep.swing=0x10")}`,
    `#set=${encodeURIComponent("__proto__=1;constructor=2;toString=3")}`,
    `#set=${encodeURIComponent(`start.keep.swing=1${" ".repeat(50000)}\n x`)}`,
    `#set=${";".repeat(20000)}`,
    `#${evil}`,
    "#set=javascript:window.injected=1",
  ]) {
    const { page, complaints } = await visit(address(out, hash));
    await until(page, () => !!document.querySelector("#values .row"));
    assert.equal(await page.evaluate(computed), false, hash.slice(0, 60));
    assert.equal(await page.evaluate(() => window.injected), undefined, hash.slice(0, 60));
    assert.equal(await page.locator("img").count(), 0);
    assert.deepEqual(complaints(), [], hash.slice(0, 60));
  }
});

test("what a link asks for and the report does not have is told", async () => {
  const out = run("four_bar", "--end", "0.5");
  const told = (page) => page.locator("#compute .refused").innerText();
  for (const [hash, sentence] of [
    ["nosuch=3", "The link to this page asks for what this report does not have: nosuch, a value that it does not know. The page shows the recorded run."],
    ["crank_length=1e999", "crank_length = 1e999, which is no number in m"],
    ["crank_length=long", "crank_length = long, which is no number in m"],
    ["crank_length", "crank_length, which is no value"],
    ["pose=1 2", "a pose of another machine"],
    ["crank_length=0.25 m;nosuch=3", "nosuch, a value that it does not know. The page shows the motion without that."],
  ]) {
    const { page, complaints } = await visit(address(out, `#set=${encodeURIComponent(hash)}`));
    await until(page, () => !!document.querySelector("#values .row"));
    assert.ok(await page.locator("#compute .refused").isVisible(), hash);
    assert.ok((await told(page)).includes(sentence), `${hash}: ${await told(page)}`);
    assert.deepEqual(complaints(), []);
    await page.context().close();
  }
  const broken = await visit(address(out, "#set=%E0%A4%A"));
  await until(broken.page, () => !!document.querySelector("#values .row"));
  assert.match(await told(broken.page), /values that cannot be read/);
  const right = await visit(address(out, `#set=${encodeURIComponent("crank_length=0.25 m")}`));
  await until(right.page, computed);
  assert.ok(await right.page.locator("#compute .refused").isHidden());
  // a page that shows its run and cannot compute others
  const shown = await visit(address(make("run", "biped", "biped", "--end", "0.01"), "#set=speed%3D3"));
  await until(shown.page, () => !!document.querySelector("#compute .refused"));
  assert.match(await told(shown.page), /other values\. The page shows the recorded run/);
});

test("values that no machine has are told, and the page goes on", async () => {
  const out = run("four_bar", "--end", "0.5");
  for (const text of ["1e308", "-1e308", "0", "-1", "1e-320", "1e12"]) {
    const { page, complaints } = await visit(address(out, `#set=${encodeURIComponent(`crank_length=${text} m`)}`));
    await until(page, () => document.body.classList.contains("computed") || !document.querySelector("#compute .told").hidden);
    await page.click("#compute summary button:has-text('reset all')");
    await until(page, () => !document.body.classList.contains("computed"));
    assert.deepEqual(complaints(), [], text);
  }
});

// Where a place of a body is on the screen, px.
const onScreen = (page, body, at) =>
  page.evaluate(
    ([name, place]) => {
      const [x, y] = window.armature.onScreen(name, place);
      const { left, top, width, height } = document.querySelector("#scene canvas").getBoundingClientRect();
      return [left + ((x + 1) / 2) * width, top + ((1 - y) / 2) * height];
    },
    [body, at],
  );
async function drag(page, [x, y], [toX, toY]) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let k = 1; k <= 8; ++k) await page.mouse.move(x + ((toX - x) * k) / 8, y + ((toY - y) * k) / 8);
  await page.mouse.up();
  await until(page, () => window.armature.grab.settled);
}

test("a joint is dragged with its loops closed, and a motion begins at the pose", async () => {
  const { page, complaints } = await browser.open(run("four_bar", "--end", "1"));
  const from = await onScreen(page, "crank", [0.3, 0, 0]);
  const pivot = await onScreen(page, "crank", [0, 0, 0]);
  const turned = [pivot[0] - (from[1] - pivot[1]), pivot[1] + (from[0] - pivot[0])].map((x, k) => pivot[k] - (x - pivot[k]) * 0.99); // a quarter turn
  await drag(page, from, turned);
  const { error, away } = await page.evaluate(() => window.armature.grab.pose);
  assert.ok(error < 1e-9, `${error}`);
  const [x, y] = await onScreen(page, "crank", [0.3, 0, 0]);
  assert.ok(Math.hypot(x - turned[0], y - turned[1]) < 5, `${[x, y]} is not ${turned}; ${away} m away`);
  assert.match(await page.locator(".pose").innerText(), /loops closed to/);
  const crank = await page.evaluate(() => window.armature.grab.pose.q[window.armature.run.compute.coordinates.indexOf("crank_angle")]);
  await page.locator(".pose button:has-text('run from here')").dispatchEvent("click");
  await until(page, computed);
  const first = await page.evaluate(() => window.armature.shown.series.channels.find(({ name }) => name === "crank_angle").data[0]);
  browser.near(first, crank, 1e-6, "the motion begins where the crank was let go");
  assert.match(await page.evaluate(() => decodeURIComponent(location.hash)), /start\.keep\.crank_angle=.*;pose=/);
  assert.equal(await page.locator(".pose").isHidden(), true);
  // the address alone gives the same motion
  const shown = await last(page, "crank_angle");
  const again = await visit(page.url());
  await until(again.page, computed);
  assert.equal(await last(again.page, "crank_angle"), shown);
  const told = () => window.armature.values.commandLine();
  assert.equal(await again.page.evaluate(told), await page.evaluate(told));
  assert.deepEqual([...complaints(), ...again.complaints()], []);
});

test("a motion begins at a pose that is too long for the address", async () => {
  const { page, complaints } = await browser.open(run("n_four_bar", "--set", "N=30", "--end", "0.01"), { viewport: { width: 600, height: 500 } });
  assert.ok((await page.evaluate(() => window.armature.run.compute.coordinates.length)) > 60);
  await page.evaluate(async () => {
    const { grab, run, values } = window.armature;
    const { computer } = await grab.mover();
    values.runFrom(await computer.grab(0, {}, run.compute.coordinates.map(() => undefined)));
    values.set(new Map([["m", "2 kg"]]), values.place); // which the address takes
  });
  await until(page, computed);
  await page.evaluate(() => new Promise((done) => setTimeout(done))); // the page hears of the address
  assert.equal(await page.evaluate(() => window.armature.values.place !== undefined), true);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("a machine too large to compute is moved by hand, and the background still turns the view", async () => {
  const { page, complaints } = await browser.open(run("biped", "--end", "0.02"), { viewport: { width: 600, height: 500 } });
  assert.match(await page.locator("#compute").innerText(), /too large/);
  const body = await page.evaluate(() => window.armature.run.scene.bodies.at(-1).name);
  const from = await onScreen(page, body, [0, 0, 0]);
  await drag(page, from, [from[0] + 40, from[1] - 25]);
  const { error } = await page.evaluate(() => window.armature.grab.pose);
  assert.ok(error < 1e-9, `${error}`);
  assert.equal(await page.locator(".pose button:has-text('run from here')").count(), 0);
  await page.locator(".pose button:has-text('back')").dispatchEvent("click");
  assert.equal(await page.locator(".pose").isHidden(), true);
  const again = await onScreen(page, body, [0, 0, 0]);
  assert.ok(Math.hypot(again[0] - from[0], again[1] - from[1]) < 0.5, "the motion is shown again");
  const { left, top } = await page.evaluate(() => document.querySelector("#scene canvas").getBoundingClientRect().toJSON());
  await page.mouse.move(left + 8, top + 8); // nothing is there
  await page.mouse.down();
  await page.mouse.move(left + 60, top + 40);
  await page.mouse.up();
  assert.equal(await page.locator(".pose").isHidden(), true);
  const turned = await onScreen(page, body, [0, 0, 0]);
  assert.ok(Math.hypot(turned[0] - from[0], turned[1] - from[1]) > 3, "the view turns");
  assert.deepEqual(complaints(), []);
});

test("the machine is grabbed while a motion is computed, which comes all the same", async () => {
  const { page, complaints } = await browser.open(run("four_bar", "--end", "20", "--rtol", "1e-11")); // which takes several breaths
  await page.click("#compute summary h2");
  await page.waitForSelector("#values .row");
  const held = await page.evaluate(async () => {
    const { computer, compute, values } = await window.armature.grab.mover();
    const slider = document.querySelector('#values input[type=range][aria-label="crank_length"]');
    slider.value = "210";
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    return (await computer.grab(0, values, compute.coordinates.map(() => undefined))) !== null;
  });
  assert.ok(held);
  await until(page, computed);
  assert.deepEqual(complaints(), []);
});

// Paths of a kind in the picture as it is, and the time written there.
const drawn = (page, kind) => page.evaluate((kind) => window.armature.pictureSvg().split(`class="${kind}"`).length - 1, kind);
const writtenTime = (page) => page.evaluate(() => Number(/>t = ([\d.]+) s</.exec(window.armature.pictureSvg())?.[1] ?? NaN));

test("a pose by hand has no time, no velocities and no forces", async () => {
  const { page, complaints } = await browser.open(run("four_bar", "--end", "1"));
  await page.evaluate(() => window.armature.player.seek(0.4));
  for (const name of ["velocities", "reactions"]) await page.locator(".shown label", { hasText: name }).locator("input").check();
  assert.equal(await writtenTime(page), 0.4);
  for (const kind of ["velocity", "reaction"]) assert.ok((await drawn(page, kind)) > 0, kind);
  const from = await onScreen(page, "crank", [0.3, 0, 0]);
  await drag(page, from, [from[0] + 30, from[1] + 20]);
  assert.ok(Number.isNaN(await writtenTime(page)));
  for (const kind of ["velocity", "reaction"]) assert.equal(await drawn(page, kind), 0, kind);
  await page.locator(".pose button:has-text('back')").dispatchEvent("click");
  assert.equal(await writtenTime(page), 0.4);
  for (const kind of ["velocity", "reaction"]) assert.ok((await drawn(page, kind)) > 0, kind);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

// ---- running live

const press = (page, selector) => page.locator(selector).dispatchEvent("click");

test("the machine runs on, is pulled with a force, and its drive is turned up", async () => {
  const { page, complaints } = await browser.open(run("crane", "--end", "3"), { viewport: { width: 900, height: 700 } });
  await page.evaluate(() => window.armature.player.seek(1));
  const recorded = await page.evaluate(() => window.armature.drawn("payload", [0, -0.5, 0]));
  await press(page, "button.run-on");
  await until(page, () => window.armature.grab.runOn.pictures > 3);
  assert.equal(await page.locator("button.run-on").getAttribute("aria-pressed"), "true");
  assert.ok((await page.evaluate(() => window.armature.grab.runOn.moment.t)) > 1, "from the time that was shown");
  // the load is held where the pointer is
  const body = await page.evaluate(() => window.armature.run.scene.bodies.at(-1).name);
  const center = await page.evaluate(() => window.armature.run.scene.bodies.at(-1).center);
  await page.evaluate(() => window.armature.player.setSpeed(0.001)); // so that it is still there when it is grabbed
  const [x, y] = await onScreen(page, body, center);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.evaluate(() => window.armature.player.setSpeed(1));
  for (let k = 1; k <= 4; ++k) await page.mouse.move(x + 15 * k, y - 10 * k);
  await until(page, () => window.armature.grab.runOn.moment.at !== null);
  const pictures = await page.evaluate(() => window.armature.grab.runOn.pictures);
  await until(page, (from) => window.armature.grab.runOn.pictures > from + 40, pictures);
  assert.match(await page.locator(".pull output").innerText(), /^[\d.e]+ N$/);
  const held = await page.evaluate(() => window.armature.grab.runOn.moment);
  assert.ok(Math.hypot(...held.force) > 0.1, `${held.force}`);
  const far = await page.evaluate(() => window.armature.grab.runOn.pulled.target.toArray());
  assert.ok(Math.hypot(...held.at.map((each, i) => each - far[i])) < 0.5, `${held.at} is held to ${far}`);
  await page.mouse.up();
  assert.equal(await page.evaluate(() => window.armature.grab.runOn.pulled), null);
  // its motor, on top of what the file says
  const slider = page.locator('.live-bar input[aria-label="motor [V], added"]');
  assert.equal(await slider.count(), 1);
  const speed = () => page.evaluate(() => window.armature.grab.runOn.moment.frame[0]);
  await slider.focus();
  await page.keyboard.press("End");
  assert.match(await page.locator(".live-bar .actuator output").innerText(), /^\+\d+ V$/);
  const before = await speed();
  const from = await page.evaluate(() => window.armature.grab.runOn.pictures);
  await until(page, (from) => window.armature.grab.runOn.pictures > from + 30, from);
  assert.ok((await speed()) > before, "the cart is driven forward");
  await press(page, ".live-bar button:text-is('stop')");
  assert.equal(await page.locator(".live-bar").isHidden(), true);
  assert.deepEqual(await page.evaluate(() => window.armature.drawn("payload", [0, -0.5, 0])), recorded, "the motion is shown again");
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("pictures of the running machine state its time; a film is of the motion; started again and again it runs once", async () => {
  const { page, complaints } = await browser.open(run("four_bar", "--end", "0.2"), { viewport: { width: 600, height: 500 } });
  const most = await page.evaluate(async () => {
    const { grab } = window.armature;
    const { computer } = await grab.mover();
    const flow = computer.flow.bind(computer);
    let [asked, most] = [0, 0];
    computer.flow = async (...wish) => {
      most = Math.max(most, ++asked);
      return flow(...wish).finally(() => --asked);
    };
    for (let k = 0; k < 3; ++k) grab.runOn.button.click();
    while (grab.runOn.pictures < 20) await new Promise((done) => setTimeout(done, 20));
    return most;
  });
  assert.equal(most, 1, "pictures asked for at once");
  const [stated, now, shown] = await page.evaluate(() => [Number(/>t = ([\d.]+) s</.exec(window.armature.pictureSvg())[1]), window.armature.grab.runOn.moment.t, window.armature.player.t]);
  assert.equal(stated, Number(now.toFixed(3)));
  assert.notEqual(stated, shown);
  await page.evaluate(async () => void (await window.armature.film("gif")));
  assert.equal(await page.evaluate(() => window.armature.grab.runOn.active), false);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("a length that changes is drawn at once, while the machine runs on and while it is held", async () => {
  const { page, complaints } = await browser.open(run("four_bar", "--end", "1"), { viewport: { width: 900, height: 700 } });
  const gap = () => page.evaluate(() => window.armature.gap("C"));
  const drawnLength = () => page.evaluate(() => Math.hypot(...[0, 1, 2].map((k) => window.armature.drawn("rocker", [0, 0, 0])[k] - window.armature.drawn("coupler", [0.7, 0, 0])[k])));
  await page.click("#compute summary h2");
  await press(page, "button.run-on");
  await until(page, () => window.armature.grab.runOn.pictures > 2);
  await turnSlider(page, "rocker_length", 180);
  const length = await page.evaluate(() => window.armature.values.numbers.rocker_length);
  assert.ok(Math.abs(length - 0.6) > 0.01, `${length} m`);
  const from = await page.evaluate(() => window.armature.grab.runOn.pictures);
  await until(page, (from) => window.armature.grab.runOn.pictures > from + 3, from);
  browser.near(await gap(), 0, 1e-5, "live: the rocker ends at its joint");
  browser.near(await drawnLength(), length, 1e-5, "live");
  await press(page, ".live-bar button:text-is('stop')");
  await page.click("#compute summary button:has-text('reset all')");
  await until(page, () => !document.body.classList.contains("computed"));
  browser.near(await drawnLength(), 0.6, 1e-5, "the motion has its own length again");

  const [x, y] = await onScreen(page, "crank", [0.3, 0, 0]);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let k = 1; k <= 4; ++k) await page.mouse.move(x + 4 * k, y);
  await until(page, () => window.armature.grab.settled);
  await turnSlider(page, "rocker_length", 180);
  await until(page, computed);
  browser.near(await gap(), 0, 1e-5, "held: the rocker ends at its joint");
  await until(page, () => window.armature.grab.settled);
  browser.near(await gap(), 0, 1e-5, "settled");
  browser.near(await drawnLength(), length, 1e-5, "the machine in the hand takes the value");
  await page.mouse.up();
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("a motion that ends before the time shown is drawn at its end", async () => {
  const { page, complaints } = await browser.open(run("slider_crank_equal", "--end", "2"));
  await page.evaluate(() => window.armature.player.seek(1.8));
  await page.evaluate(() => (location.hash = `#set=${encodeURIComponent("flywheel=2.385 kg*m^2")}`));
  await until(page, computed);
  assert.ok(await page.evaluate(() => window.armature.player.t === window.armature.player.end && window.armature.player.t < 1.8));
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("a value changes while the machine runs on; what a page cannot run is told", async () => {
  const { page, complaints } = await browser.open(run("four_bar", "--end", "1"), { viewport: { width: 900, height: 700 } });
  await page.click("#compute summary h2");
  await press(page, "button.run-on");
  await until(page, () => window.armature.grab.runOn.pictures > 2);
  await turnSlider(page, "line_density", 300);
  const from = await page.evaluate(() => window.armature.grab.runOn.pictures);
  await until(page, (from) => window.armature.grab.runOn.pictures > from + 3, from);
  assert.equal(await page.evaluate(computed), false, "no motion is computed meanwhile");
  await page.locator("button.play").dispatchEvent("click"); // playing shows the motion
  assert.equal(await page.evaluate(() => window.armature.grab.runOn.active), false);
  await until(page, computed);
  assert.deepEqual(complaints(), []);
  await page.context().close();

  const large = await browser.open(run("biped", "--end", "0.02"), { viewport: { width: 600, height: 500 } });
  assert.equal(await large.page.locator("button.run-on").count(), 0);
  const open = await visit(address(run("four_bar", "--end", "0.5"), `#set=${encodeURIComponent("crank_length=5 m")}`));
  await open.page.waitForSelector("button.run-on");
  await press(open.page, "button.run-on");
  await until(open.page, () => /cannot run from here: with these values the page finds no start/.test(document.querySelector(".live-bar").innerText));
  assert.equal(await open.page.locator("button.run-on").getAttribute("aria-pressed"), "false");
});
