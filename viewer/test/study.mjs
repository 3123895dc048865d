// node study.mjs PACKAGES CHROMIUM ARMATURE MODELS: pages of maps, sweeps, tuning and singularities, as their readers see them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { expectFit, folder, make, models, near, open, program } from "./browser.mjs";

const classes = "never: turns(phi) < 1; for good: final(phi) - at(phi, 28) > 2*pi; trapped";

function cells(out) {
  const [header, ...lines] = readFileSync(join(out, "cells.csv"), "utf8").trim().split("\n");
  const names = header.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((value, i) => [names[i], value])));
}

// The colors of the picture at places of its axes.
const colorsAt = (page, places) =>
  page.evaluate((places) => {
    const canvas = document.querySelector("#figure canvas");
    const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const ratio = canvas.width / canvas.clientWidth;
    return places.map(([x, y]) => {
      const [px, py] = window.armature.figure.pixel(x, y).map((each) => Math.round(each * ratio));
      return [...context.getImageData(px, py, 1, 1).data];
    });
  }, places);

async function pointAt(page, x, y) {
  const box = await page.locator("#figure canvas").boundingBox();
  const [px, py] = await page.evaluate(([x, y]) => window.armature.figure.pixel(x, y), [x, y]);
  await page.mouse.move(box.x + px, box.y + py);
  return [box.x + px, box.y + py];
}

test("on paper a dark page is light, everything is open, and the picture keeps its shape", async () => {
  const out = make("sweep", "crane", "paper", "--over", "rope=0.5:1.5:3", "--over", "volts=5:15:2", "--end", "0.2", "--result", "peak=max(abs(swing))");
  const { page, complaints } = await open(out, { colorScheme: "dark", viewport: { width: 1600, height: 900 } });
  // The color of the axis labels, at the left edge.
  await page.evaluate(() => {
    window.labels = () => {
      const canvas = document.querySelector("#figure canvas");
      const copy = Object.assign(document.createElement("canvas"), { width: 40, height: canvas.height });
      copy.getContext("2d", { willReadFrequently: true }).drawImage(canvas, 0, 0);
      const { data } = copy.getContext("2d").getImageData(0, 0, 40, canvas.height);
      const opaque = [...data.keys()].filter((k) => k % 4 === 0 && data[k + 3] > 200);
      return opaque.reduce((sum, k) => sum + data[k], 0) / opaque.length;
    };
    window.addEventListener("beforeprint", () => (window.printed = { theme: document.documentElement.dataset.theme, open: document.querySelector(".model").open, labels: window.labels() }));
  });
  const dark = await page.evaluate(() => window.labels());
  assert.ok(dark > 150, `${dark}: light on dark`);
  await page.pdf({ format: "A4" });
  const { theme, open: opened, labels } = await page.evaluate(() => window.printed);
  assert.deepEqual([theme, opened], ["light", true]);
  assert.ok(labels < 100, `${labels}: dark on paper`);
  assert.equal(await page.evaluate(() => window.labels()), dark, "afterwards the page is as it was");
  assert.equal(await page.evaluate(() => document.querySelector(".model").open), false);
  await page.emulateMedia({ media: "print" });
  const ratio = await page.evaluate(() => {
    const canvas = document.querySelector("#figure canvas");
    canvas.width = 1000; // as it was drawn for the screen
    canvas.height = 500;
    const { width, height } = canvas.getBoundingClientRect();
    return width / height;
  });
  near(ratio, 2, 0.02, "width over height");
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("the map of the press: classes, counts, refined cells, hover, command", async () => {
  const out = make(
    "map", "press", "map",
    "--over", "phi0=0:2*pi:9", "--over", "w0=-3:3:7", "--rtol", "1e-5", "--classify", classes, "--refine", "1",
  ); // prettier-ignore
  const rows = cells(out);
  const { page, complaints } = await open(out);
  const count = (name) => rows.filter((row) => row.level === "0" && row.class === name).length;
  const legend = await page.locator("#legend").textContent();
  for (const name of ["never", "for good", "trapped"]) assert.ok(legend.includes(`${name}: ${count(name)} (`), legend);

  // each cell shows its class where it lies, the finer ones too
  const colors = new Map();
  const seen = await colorsAt(page, rows.map((row) => [Number(row.phi0), Number(row.w0)]));
  for (const [k, row] of rows.entries()) {
    const color = seen[k].join();
    if (!colors.has(row.class)) colors.set(row.class, color);
    assert.equal(color, colors.get(row.class), `${row.phi0}, ${row.w0}: ${row.class}`);
  }
  assert.equal(new Set(colors.values()).size, colors.size, "classes differ in color");
  const fine = rows.filter((row) => row.level === "1");
  assert.ok(fine.length > 0);
  const [a, b] = [Number(fine[0].phi0), Number(fine[0].w0)];
  await pointAt(page, a + 0.24 * (Math.PI / 4), b); // within half its own size, a quarter of the grid's
  assert.match(await page.locator(".tip").textContent(), new RegExp(`class${fine[0].class}`));

  const spot = await pointAt(page, Number(rows[3].phi0), Number(rows[3].w0));
  const tip = await page.locator(".tip").textContent();
  assert.ok(tip.includes(`class${rows[3].class}`), tip);
  await page.mouse.click(...spot);
  const command = await page.locator("#pressed code").textContent();
  assert.match(command, /^armature run \S*press\.yaml --rtol 1e-05 --set phi0=\S+ --set w0=\S+$/);
  near(Number(/w0=(\S+)/.exec(command)[1]), Number(rows[3].w0), 1e-12, "w0");

  await page.locator("#legend button").first().click(); // hides a class
  const hidden = rows.find((row) => row.class === "never" && row.level === "0");
  assert.equal((await colorsAt(page, [[Number(hidden.phi0), Number(hidden.w0)]]))[0][3], 0);
  assert.deepEqual(complaints(), []);
});

// The command of the chosen point, and what the run that it starts says: numbers of --result.
let alone = 0;
async function runChosen(page) {
  const command = await page.locator("#pressed code").textContent();
  const out = join(folder, `alone${++alone}`);
  execFileSync("sh", ["-c", `${command.replace(/^armature/, `"${program}"`)} -o "${out}"`], { stdio: "pipe", cwd: folder });
  return [JSON.parse(readFileSync(join(out, "run.json"), "utf8")).numbers, command];
}
function sweepOf(file, name, ...options) {
  execFileSync(program, ["sweep", file, "-o", join(folder, name), ...options], { stdio: "pipe" });
  return join(folder, name);
}
const chooseRow = (page, row) => page.evaluate((row) => window.armature.figure.choose(row), row);

test("a point that is pressed runs that motion: settings, tolerance, end and start value of the study", async () => {
  const out = make(
    "sweep", "crane", "pressed", "--set", "volts=8", "--set", "simulate.record=0.05", "--rtol", "1e-6", "--end", "0.7", "--integrator", "dop853",
    "--over", "swing=-0.4:0.4:3", "--over", "rope=0.5:1.5:3", "--result", "r=final(travel)",
  ); // prettier-ignore
  const rows = cells(out);
  const { page, complaints } = await open(out);
  for (const row of [rows[1], rows[8]]) {
    const swing = Object.keys(row).find((name) => name.startsWith("swing"));
    const rope = Object.keys(row).find((name) => name.startsWith("rope"));
    const r = Object.keys(row).find((name) => /^r( |$)/.test(name));
    await page.mouse.click(...(await pointAt(page, Number(row[swing]), Number(row[rope]))));
    const [numbers, command] = await runChosen(page);
    for (const part of ["volts=8", "--rtol 1e-06", "--end 0.7", "dop853", "start.keep.swing="]) assert.ok(command.includes(part), `${part}: ${command}`);
    near(numbers.r, Number(row[r]), 1e-9, command);
  }
  assert.deepEqual(complaints(), []);
});

test("commands of other studies: elements of lists, fronts of two numbers, choices among files, inverse dynamics, gains", async () => {
  writeFileSync(join(folder, "lists.yaml"), `armature: 1
name: two links
plane: xy
gravity: [0, -9.81, 0]
parameters: {L: [0.3 m, 0.5 m]}
bodies:
  link1: {mass: 1 kg, center: ["L[1]/2", 0, 0], inertia: {rod: "L[1]"}}
  link2: {mass: 1 kg, center: ["L[2]/2", 0, 0], inertia: {rod: "L[2]"}}
joints:
  a: {type: revolute, between: [ground, link1]}
  b: {type: revolute, between: ["link1 [L[1], 0, 0]", link2]}
start: {keep: {a: 10 deg, b: 0}, speed: {b: 2 rad/s}}
simulate: {end: 0.5 s, rtol: 1e-8}
`);
  const crane = ["--over", "rope=0.3:1.5", "--over", "volts=5:15", "--end", "0.5", "--minimize", "max(abs(swing))"];
  const motors = ["small", "large"].map((name) => join(models, "design", "motors", `${name}.yml`)).join(",");
  const studies = [
    () => sweepOf(join(folder, "lists.yaml"), "command_lists", "--over", "L[1]=0.2:0.4:3", "--over", "a.v=0:1:2", "--result", "r=final(a)"),
    () => make("optimize", "crane", "command_front", ...crane, "--against", "-final(travel)", "--front", "3", "--evaluations", "20"),
    () => make("optimize", "design/five_bar", "command_choice", "--set", "R=1 Ohm", "--over", "l1=0.24:0.3", "--choose", `motor=${motors}`, "--choose", "ratio=20,40", "--minimize", "integral(loss)", "--evaluations", "3"),
    () => make("optimize", "crane", "command_cases", ...crane, "--scenario", "inductance=1 mH", "--scenario", "inductance=20 mH", "--deviation", "rope=5 cm", "--deviation", "volts=1 V", "--evaluations", "5"),
    () => make("sweep", "slider_crank", "command_inverse", "--inverse", "--over", "l1=0.25:0.35:3", "--end", "2", "--result", "r=max(abs(motor.torque))"),
  ];
  for (const study of studies) {
    const { page, complaints } = await open(study());
    const count = await page.evaluate(() => window.armature.state.table.rows);
    for (const row of [0, count - 1]) {
      await chooseRow(page, row);
      const [numbers, command] = await runChosen(page);
      const [value, against] = await page.evaluate((row) => [window.armature.state.table.results[0].values[row], window.armature.state.table.variables[0].values[row]], row);
      near(numbers.r ?? numbers.objective, value, 1e-6 * Math.abs(value), command); // single precision in the page
      if (command.includes("inductance=")) assert.match(await page.locator("#pressed").textContent(), /worst case = inductance=.*rope [-+] 0.05, volts [-+] 1.*worst of 10 motions/s);
      if (!("against" in numbers)) continue;
      near(numbers.against, against, 1e-9, command);
      const rows = await page.locator(".card", { hasText: "Front" }).locator("tbody tr").allInnerTexts();
      near(Number(rows[row].split("\t")[0]), against, 1e-4 * Math.abs(against), rows[row]);
    }
    assert.deepEqual(complaints(), []);
    await page.context().close();
  }
  const tune = await open(make("tune", "arm_on_circle", "command_gains", "--integrator", "rk4", "--step", "0.001", "--end", "0.5", "--alpha", "2:8:3", "--beta", "2:8:3"));
  await chooseRow(tune.page, 5);
  const [, command] = await runChosen(tune.page);
  assert.match(command, /--integrator rk4 --step 0.001 --stabilization baumgarte:8:5$/);
  await tune.page.context().close();
});

test("a point without warnings among others with them has none; an element of a list has its unit", async () => {
  const warned = await open(make("sweep", "slider_crank", "warned", "--over", "inductance=0.05e-3:2e-3:2", "--result", "p=max(motor.current)"));
  const said = ({ page }, row) => page.evaluate((row) => window.armature.figure.said(row), row);
  assert.match(await said(warned, 0), /warnings = steps/);
  assert.match(await said(warned, 1), /warnings = none/);
  const failed = await open(make("sweep", "four_bar", "some_fail", "--over", "coupler_length=0.05:0.7:2", "--end", "0.1", "--result", "p=max(B)"));
  assert.match(await said(failed, 0), /p = failed/);
  const file = join(folder, "list.yaml");
  writeFileSync(file, readFileSync(join(models, "crane.yaml"), "utf8").replace("rope: 0.7 m", "ropes: [0.7 m, 1 m]\n  rope: ropes[1]"));
  const list = await open(sweepOf(file, "list_unit", "--over", "ropes[1]=0.5:1:3", "--over", "volts=5:15:3", "--over", "inductance=1e-3:3e-3:3", "--end", "0.1", "--result", "r=final(swing)"));
  assert.match(await said(list, 0), /^ropes\[1\] = 0.5 m, volts = 5 V, /);
  assert.equal(await list.page.locator(".slice output").textContent(), "0.002 H");
  assert.deepEqual([...warned.complaints(), ...failed.complaints(), ...list.complaints()], []);
});

test("the keyboard goes from point to point, values and command are told, the command is copied, the picture saved", async () => {
  const out = make("sweep", "crane", "keys", "--over", "rope=0.5:1.5:5", "--over", "volts=5:15:5", "--end", "0.2", "--result", "r=final(travel)");
  const { page, complaints } = await open(out, { permissions: ["clipboard-read", "clipboard-write"] });
  const said = () => page.locator("#pressed [role=status]").first().textContent();
  await page.locator("#figure canvas").focus();
  await page.keyboard.press("ArrowRight"); // the first key: the middle
  assert.match(await said(), /^rope = 1 m, volts = 10 V, r = /);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  assert.match(await said(), /^rope = 1.25 m, volts = 12.5 V/);
  assert.match(await page.locator("#pressed code").textContent(), /--set rope=1.25 --set volts=12.5$/);
  for (let k = 0; k < 3; ++k) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft"); // no further than the edge
  assert.match(await said(), /^rope = 0.5 m, volts = 12.5 V/);
  await page.click("#pressed button:text-is('copy')");
  await page.waitForFunction(() => /copied|selected/.test(document.querySelector("#pressed").textContent));
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#pressed button:text-is('save picture')")]);
  assert.equal(saved.suggestedFilename(), "overhead-crane-sweep.png");
  assert.ok(readFileSync(await saved.path()).length > 2000);
  assert.deepEqual(complaints(), []);
});

test("the answers are on the page: the best parameters and where they are stopped, conditions of classes, units", async () => {
  const out = make(
    "optimize", "crane", "best", "--end", "0.5", "--evaluations", "12",
    "--over", "rope=0.3:1.5", "--over", "volts=5:15", "--minimize", "max(abs(swing))", "--subject", "final(travel) >= 0.01",
  ); // prettier-ignore
  const found = JSON.parse(readFileSync(join(out, "result.json"), "utf8"));
  const { page, complaints } = await open(out);
  const rows = await page.locator(".card", { hasText: "Best" }).first().locator("tr").allTextContents();
  for (const name of ["rope", "volts"]) {
    const row = rows.find((each) => each.startsWith(name));
    const end = found.at_ends[name];
    assert.ok(row.includes(String(Number(found.best[name].toPrecision(10)))), row);
    assert.ok(row.endsWith(end ? `at the ${end} end` : "inside"), row);
  }
  assert.ok(rows.some((row) => row.startsWith("volts [V]")), rows.join("\n"));
  assert.ok(rows.some((row) => /^final\(travel\) >= 0.01margin [\d.e-]+ m/.test(row)), rows.join("\n"));
  assert.match(await page.locator("#cards").textContent(), /methodcobyla.*evaluations\d+/s);
  assert.deepEqual(complaints(), []);
  const map = await open(make("map", "press", "conditions", "--over", "w0=0:3:3", "--rtol", "1e-4", "--classify", classes));
  const conditions = await map.page.locator(".card", { hasText: "Classes" }).first().locator("tr").allTextContents();
  assert.match(conditions[1], /^neverturns\(phi\) < 1\d/);
  assert.match(conditions[3], /^trappedotherwise\d/);
  const borders = await map.page.locator(".card", { hasText: "Borders" }).locator("tr").allTextContents();
  assert.equal(borders[0], "w0 [rad/s]classes");
  assert.match(borders[1], /^\d\.\d+ ± [\d.]+\S.* \| .*/);
  assert.deepEqual(map.complaints(), []);
});

test("over one variable the best point is marked on the curve, at its value", async () => {
  const out = make("optimize", "crane", "line", "--end", "1", "--over", "volts=2:12", "--minimize", "(final(travel) - 0.1)^2", "--evaluations", "10");
  const { page, complaints } = await open(out);
  const best = await page.evaluate(() => {
    const { table, result } = window.armature.state;
    const [mark] = table.study.marks;
    const row = [...table.variables[0].values.keys()].reduce((a, b) => (Math.abs(table.variables[0].values[b] - mark.at[0]) < Math.abs(table.variables[0].values[a] - mark.at[0]) ? b : a));
    return [mark.at[0], result.values[row]];
  });
  const [[red, green, blue]] = await colorsAt(page, [best]);
  assert.ok(red > 200 && green < 120 && blue > 80 && blue < 180, `${[red, green, blue]} is not the star's color`);
  assert.deepEqual(complaints(), []);
});

test("tuning: errors, the boundary of stability and the gains to take", async () => {
  const out = make(
    "tune", "arm_on_circle", "tune",
    "--integrator", "euler", "--step", "0.1", "--end", "5", "--alpha", "1:19:10", "--beta", "1:19:10", "--refine", "1",
  ); // prettier-ignore
  const tuned = JSON.parse(readFileSync(join(out, "tune.json"), "utf8"));
  const { page, complaints } = await open(out);
  assert.equal(await page.locator("#sentence").textContent(), tuned.sentence);
  const { marks, curves } = await page.evaluate(() => window.armature.study);
  const take = marks.find((mark) => mark.main);
  assert.deepEqual(take.at, [tuned.best.alpha, tuned.best.beta]);
  // explicit Euler: corners (0, 0), (4, 4), (2, 0) in alpha step and beta step²
  near(Math.max(...curves[0].at[0]), 4 / 0.1, 1e-6, "alpha of the corner");
  near(Math.max(...curves[0].at[1]), 4 / 0.1 ** 2, 1e-4, "beta of the corner");
  const [star] = await colorsAt(page, [take.at]);
  assert.ok(star[0] > 200 && star[1] < 120, `the recommended point is marked: ${star}`);
  const [alpha, beta] = [tuned.grids[0].alpha[4], tuned.grids[0].beta[3]];
  await pointAt(page, alpha, beta);
  const tip = await page.locator(".tip").textContent();
  const shown = Number(/e([\d.e-]+)E1/.exec(tip)[1]);
  near(shown, tuned.grids[0].e[3][4], 1e-5 * shown, "e under the pointer");
  await page.locator("select").selectOption({ label: "selectable" });
  assert.match(await page.locator("#legend").textContent(), /stable and selectable: \d+/);
  assert.deepEqual(complaints(), []);
});

test("singularities: over poses with their curves, and along a motion", async () => {
  const moves = ["--moves", "platform.C.x,platform.C.y,platform_angle"];
  const poses = make(
    "singularities", "rrr_motors", "poses",
    "--over", "platform.C.x=0.2:1:9", "--over", "platform.C.y=-0.3:0.6:9", "--hold", "platform_angle=0", ...moves,
  ); // prettier-ignore
  const { page, complaints } = await open(poses);
  const found = JSON.parse(readFileSync(join(poses, "singularities.json"), "utf8"));
  const points = found.curves.filter((point) => point.kind === "type II").length;
  assert.ok(points > 0);
  assert.ok((await page.locator("#legend").textContent()).includes(`type II (${points} points)`));
  await page.locator("select").selectOption({ label: "det_II" });
  assert.deepEqual(complaints(), []);
  const motion = await open(make("singularities", "rrr_motors", "motion", "--end", "0.6", ...moves));
  assert.match(await motion.page.locator("#cards").textContent(), /0\.3935\d+type II/);
  assert.deepEqual(motion.complaints(), []);
});

test("sweeps: slices of a grid, and scattered points", async () => {
  const grid = await open(
    make(
      "sweep", "crane", "grid", "--end", "0.2", "--result", "peak=max(motor.current)",
      "--over", "rope=0.5:1:3", "--over", "volts=5:15:3", "--over", "inductance=1e-3:3e-3:3",
    ), // prettier-ignore
  );
  const { page } = grid;
  const inSlice = () => page.evaluate(() => window.armature.state.rows().length);
  assert.equal(await inSlice(), 9);
  await page.locator(".slice input").fill("2");
  assert.equal(await page.locator(".slice output").textContent(), "0.003 H");
  assert.equal(await inSlice(), 9);
  await page.locator("select").first().selectOption({ label: "inductance" });
  assert.equal(await page.locator(".slice").textContent(), "rope =0.75 m");
  assert.deepEqual(grid.complaints(), []);
  const scattered = await open(
    make("sweep", "crane", "sobol", "--end", "0.2", "--sobol", "8", "--over", "rope=0.5:1", "--result", "r=final(swing)"),
  );
  assert.equal(await scattered.page.evaluate(() => window.armature.state.rows().length), 8);
  assert.deepEqual(scattered.complaints(), []);
});

test("beside the picture every column of the tables can be read: words take several lines", async () => {
  const out = make("tune", "arm_on_circle", "narrow", "--set", "simulate.integrator=euler", "--set", "simulate.step=0.1 s", "--set", "simulate.end=40 s", "--alpha", "1:20:3", "--beta", "1:20:3");
  const { page, complaints } = await open(out);
  assert.match(await page.locator("#cards").innerText(), /diverged at/);
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll(".wide")].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)), []);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("a phone: every column of the tables can be read", async () => {
  const crane = ["--over", "rope=0.3:1.5", "--over", "volts=5:15", "--end", "3", "--minimize", "max(abs(swing))"];
  for (const out of [make("optimize", "crane", "phone_optimize", ...crane), make("tune", "rrr_benchmark", "phone_tune")]) {
    const { page } = await open(out, { viewport: { width: 400, height: 800 } });
    await page.waitForSelector(".wide");
    const cut = await page.evaluate(() => [...document.querySelectorAll(".wide")].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent));
    assert.deepEqual(cut, []);
    // numbers are whole: a line each
    const broken = await page.evaluate(() =>
      [...document.querySelectorAll("#cards td.short")].filter((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
      }).map((cell) => cell.textContent),
    );
    assert.deepEqual(broken, []);
    await page.context().close();
  }
});

test("dark and light, wide and narrow: nothing runs out of the page", async () => {
  const out = make("map", "press", "strip", "--set", "ripple=0", "--over", "w0=0:3:7", "--rtol", "1e-4", "--classify", "turns: turns(phi) >= 1; rests");
  for (const [colorScheme, width] of [
    ["dark", 1280],
    ["light", 375],
  ]) {
    const { page, complaints } = await open(out, { colorScheme, viewport: { width, height: 800 } });
    await expectFit(page, colorScheme, width);
    await page.click("button.theme");
    assert.notEqual(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
    assert.deepEqual(complaints(), []);
    await page.context().close();
  }
});
