// node view.mjs PACKAGES CHROMIUM ARMATURE MODELS: `armature view` as its user sees it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { folder, models, near, program, until, visit } from "./browser.mjs";

const served = join(folder, "served");
mkdirSync(served);
for (const name of ["rrr.yaml", "pendulum.yaml"]) copyFileSync(join(models, name), join(served, name));
const file = (name) => readFileSync(join(served, name), "utf8");

let live;
async function start() {
  live = spawn(program, ["view", join(served, "rrr.yaml"), "--no-open"]);
  live.gone = new Promise((resolve) => live.on("exit", (code, signal) => resolve({ code, signal })));
  const line = await new Promise((resolve) => live.stdout.once("data", (text) => resolve(String(text))));
  return /http:\S+/.exec(line)[0];
}
after(() => live?.kill("SIGKILL"));

let opened;
async function page() {
  if (!opened) {
    const address = await start();
    opened = await visit(address, {}, (url) => new URL(url).origin === new URL(address).origin);
    opened.address = address;
    await until(opened.page, () => window.armature?.run !== null && window.armature?.run !== undefined);
  }
  return opened;
}

const slider = (page, name) => page.locator(`input[type=range][aria-label="${name}"]`);
const quiet = (page) => until(page, () => !window.armature.session.running);

// Moves a slider and waits for the new picture; returns how long that took, ms.
async function move(page, name, value) {
  const before = await page.evaluate(() => window.armature.latencies.length);
  await slider(page, name).fill(String(value));
  for (const end = Date.now() + 20000; Date.now() < end; await page.waitForTimeout(5)) {
    const latencies = await page.evaluate(() => window.armature.latencies);
    if (latencies.length > before) return latencies.at(-1);
  }
  return assert.fail("no new picture");
}

test("the 3RRR is there, with sliders for parameters, start and method", async () => {
  const { page: p, complaints } = await page();
  for (const name of ["side", "l1", "radius", "m2", "theta1", "end"]) assert.equal(await slider(p, name).count(), 1, name);
  for (const name of ["integrator", "formulation", "stabilization"])
    assert.equal(await p.locator("#values .choice", { hasText: name }).count(), 1, name);
  assert.match(await p.locator("#header").textContent(), /finished/);
  assert.deepEqual(complaints(), []);
});

test("moving a slider simulates anew within 300 ms", async () => {
  const { page: p, complaints } = await page();
  const end = () => p.evaluate(() => window.armature.run.run.model.text);
  const took = [];
  for (const value of [205, 215, 225, 235, 245, 255, 265]) took.push(await move(p, "m2", value));
  assert.match(await end(), /m2: 1\.\d+ kg\n/); // 0.075 … 1.5 kg in 400 steps
  assert.equal(await p.evaluate(() => window.armature.run.series.recorded), 1001);
  took.sort((a, b) => a - b);
  assert.ok(took[3] < 300, `${took.map(Math.round).join(", ")} ms`);
  console.log(`from slider to picture: ${took.map(Math.round).join(", ")} ms`);
  assert.deepEqual(complaints(), []);
});

test("memory of the graphics card does not grow from run to run", async () => {
  const { page: p } = await page();
  await move(p, "m2", 200);
  const before = await p.evaluate(() => window.armature.memory());
  for (const value of [150, 160, 170, 180, 190, 200]) await move(p, "m2", value);
  assert.deepEqual(await p.evaluate(() => window.armature.memory()), before);
});

test("the start and the method can be turned", async () => {
  const { page: p, complaints } = await page();
  const before = await p.evaluate(() => window.armature.drawn("crank1", [1, 0, 0]));
  await p.evaluate(() => window.armature.player.seek(0));
  await move(p, "theta1", 210);
  const [x, y] = await p.evaluate(() => window.armature.drawn("crank1", [1, 0, 0]));
  const theta = Number(/theta1: (-?[\d.]+)/.exec(await p.evaluate(() => window.armature.session.text))[1]);
  near(x, Math.cos(theta), 1e-5, "the crank is drawn where the start says");
  near(y, Math.sin(theta), 1e-5, "the crank is drawn where the start says");
  assert.notDeepEqual([x, y], before.slice(0, 2));
  await p.locator(".choice select").first().selectOption("rk4");
  await until(p, () => window.armature.run.run.options.integrator === "rk4");
  assert.match(await p.evaluate(() => window.armature.session.text), /step: 1 ms/);
  await p.locator(".choice select").first().selectOption("dopri5");
  await until(p, () => window.armature.run.run.options.integrator === "dopri5");
  await p.locator(".choice", { hasText: "stabilization" }).locator("select").selectOption("none");
  await until(p, () => window.armature.run.run.options.stabilization.length === 0);
  assert.deepEqual(complaints(), []);
});

test("bad input shows its line and its sentence, and is survived", async () => {
  const { page: p, complaints } = await page();
  await p.click("#tabs button[data-tab=file]");
  const good = await p.locator("#editor textarea").inputValue();
  await p.locator("#editor textarea").fill(good.replace("l1: 0.581 m", "l1: 0.581 kg"));
  await p.waitForSelector("#problems li");
  const line = good.split("\n").findIndex((each) => each.includes("[l1, 0, 0]")) + 1;
  const said = await p.locator("#problems").textContent();
  assert.match(said, /expected m, but '\[l1, 0, 0\]' is kg/);
  assert.ok(said.includes(`line ${line}`), said);
  const marked = await p.locator(".gutter .wrong i").allTextContents();
  assert.ok(marked.includes(String(line)), marked.join());
  await p.locator("#editor textarea").fill("a: [1");
  await until(p, () => document.querySelector("#problems li")?.textContent.includes("line"));
  await p.locator("#editor textarea").fill(good);
  await until(p, () => document.querySelector("#problems").hidden && !document.body.classList.contains("stale"));
  await p.click("#tabs button[data-tab=values]");
  const field = p.locator(".row.slider", { hasText: "l2" }).locator("input[type=text]");
  await field.fill("nonsense +");
  await field.press("Enter");
  await p.waitForSelector("#problems li");
  await field.fill("0.620 m");
  await field.press("Enter");
  await until(p, () => document.querySelector("#problems").hidden);
  assert.deepEqual(complaints(), []);
});

test("a pinned run stays beside the one that is turned", async () => {
  const { page: p, complaints } = await page();
  await quiet(p);
  await p.click("button:text-is('pin')");
  const pinnedFinal = await p.evaluate(() => window.armature.plots.channels.plots[0].series[0].values.at(-1));
  await move(p, "m2", 300);
  const { names, own, beside } = await p.evaluate(() => {
    const { series } = window.armature.plots.channels.plots[0];
    const half = series.length / 2;
    return { names: series.map((each) => each.name), own: series[0].values.at(-1), beside: series[half].values.at(-1) };
  });
  assert.ok(names.includes("theta1, pinned"), names.join());
  near(beside, pinnedFinal, 1e-6, "the pinned curve is that of before");
  assert.ok(Math.abs(own - beside) > 1e-3, "and differs from the new one");
  await p.click("button:text-is('unpin')");
  assert.equal(await p.evaluate(() => window.armature.plots.channels.plots[0].series.some((s) => s.name.includes("pinned"))), false);
  assert.deepEqual(complaints(), []);
});

test("the changed file is saved with its comments; changes on disk are taken", async () => {
  const { page: p, complaints } = await page();
  await quiet(p);
  const before = file("rrr.yaml");
  await p.click("button:text-is('save')");
  await until(p, () => !window.armature.session.changed);
  const after = file("rrr.yaml");
  const changed = after.split("\n").filter((line, k) => line !== before.split("\n")[k]);
  assert.equal(after, await p.evaluate(() => window.armature.session.text));
  assert.ok(changed.some((line) => /^  m2: [\d.]+ kg$/.test(line)), changed.join("\n"));
  assert.ok(after.includes("# base triangle") && after.includes("# half the mass at each end"));
  assert.equal(changed.length, 3, changed.join("\n")); // m2, the start, the method

  writeFileSync(join(served, "rrr.yaml"), before);
  await until(p, () => /m2: 0\.75 kg/.test(window.armature.session.text));
  await move(p, "m2", 100); // changes on both sides: the reader decides
  writeFileSync(join(served, "rrr.yaml"), before.replace("m2: 0.75 kg", "m2: 0.8 kg"));
  await p.waitForSelector(".disk:not([hidden])");
  await p.click("button:text-is('reload')");
  await until(p, () => /m2: 0\.8 kg/.test(window.armature.session.text));
  assert.deepEqual(complaints(), []);
});

test("another file of the folder opens, and a text can be saved under another name", async () => {
  const { page: p, complaints } = await page();
  await p.locator("#header select").selectOption("pendulum.yaml");
  await until(p, () => window.armature.run.run.model.file === "pendulum.yaml");
  await p.click(".as summary");
  await p.locator(".as input").fill("copy.yaml");
  await p.click("button:text-is('save as')");
  await until(p, () => window.armature.session.name === "copy.yaml");
  assert.equal(file("copy.yaml"), file("pendulum.yaml"));
  await p.locator(".as input").fill("../outside.yaml");
  await p.evaluate(() => document.querySelector(".as").setAttribute("open", ""));
  await p.click("button:text-is('save as')");
  await until(p, () => document.querySelector("#header .sentence").textContent.includes("outside the folder"));
  assert.deepEqual(complaints().filter((text) => !/403/.test(text)), []);
});

test("a page of another origin gets nothing", async () => {
  const { address } = await page();
  const { port } = new URL(address);
  const other = await visit("data:text/html,<title>elsewhere</title>", {}, () => true);
  const answer = await other.page.evaluate(
    (url) => fetch(url).then((r) => r.status, (error) => String(error)),
    `http://127.0.0.1:${port}/api/files`,
  );
  assert.match(String(answer), /Failed to fetch/);
});

test("narrow and dark: nothing runs out of the page", async () => {
  const { address } = await page();
  const { page: p, complaints } = await visit(
    address,
    { colorScheme: "dark", viewport: { width: 375, height: 800 } },
    (url) => new URL(url).origin === new URL(address).origin,
  );
  await until(p, () => Boolean(window.armature?.run));
  assert.ok((await p.evaluate(() => document.documentElement.scrollWidth)) <= 375);
  assert.deepEqual(complaints(), []);
});

test("Ctrl-C ends it at once, and the page says so", async () => {
  const { page: p } = await page();
  const began = Date.now();
  live.kill("SIGINT");
  const { code } = await live.gone;
  assert.equal(code, 0);
  assert.ok(Date.now() - began < 3000, `${Date.now() - began} ms`);
  await until(p, () => document.querySelector("#header .sentence").textContent.includes("does not answer"));
});
