// node drafts.mjs PACKAGES CHROMIUM ARMATURE MODELS: `armature view` loses nothing that is not saved: not in long runs, not to another tab, not where the
// browser has no room, and not when the browser or the program is killed.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { folder, launchWith, models, program, until, visit } from "./browser.mjs";

const served = join(folder, "kept");
mkdirSync(served);
copyFileSync(join(models, "crane.yaml"), join(served, "crane.yaml"));
const pendulum = readFileSync(join(models, "pendulum.yaml"), "utf8").replace("mass: 1 kg", "mass: weight").replace(/^parameters:\n/m, "$&  weight: 1 kg\n");
const restore = () => writeFileSync(join(served, "pendulum.yaml"), pendulum);
restore();
const file = (name) => readFileSync(join(served, name), "utf8");

let live;
async function start() {
  live = spawn(program, ["view", join(served, "pendulum.yaml"), "--no-open"]);
  live.gone = new Promise((resolve) => live.on("exit", resolve));
  const line = await new Promise((resolve) => live.stdout.once("data", (text) => resolve(String(text))));
  return /http:\S+/.exec(line)[0];
}
after(() => live?.kill("SIGKILL"));
const address = await start();

const there = (page) => until(page, () => Boolean(window.armature?.run) && !window.armature.session.running);
async function open(context) {
  const page = await context.newPage();
  await page.goto(address);
  await there(page);
  return page;
}
const fresh = async () => (await visit(address, {}, () => true)).page;
const text = (page) => page.evaluate(() => window.armature.session.text);
const add = (page, line) => page.evaluate((line) => window.armature.editor.replace(`${window.armature.editor.text}${line}\n`), line);
const press = (page, selector) => page.locator(selector).dispatchEvent("click");
const choose = async (page, name) => {
  await page.locator("#header select").selectOption(name);
  await until(page, (name) => window.armature.session.name === name && !window.armature.session.running, name);
};
const turn = (page, name, value) =>
  page.evaluate(
    ([name, value]) => {
      const slider = document.querySelector(`input[type=range][aria-label="${name}"]`);
      slider.value = String(value);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      slider.dispatchEvent(new Event("change", { bubbles: true }));
    },
    [name, value],
  );

test("a slider turned during a long run is part of the text at once: typing, saving and a reload keep it", async () => {
  const page = await fresh();
  await there(page);
  await page.evaluate(() => window.armature.editor.replace(window.armature.editor.text.replace("end: 10 s", "end: 1e5 s")));
  await until(page, () => window.armature.session.running);
  await turn(page, "length", 300);
  await until(page, () => /length: 1\.5/.test(window.armature.session.text));
  assert.equal(await page.evaluate(() => window.armature.session.running), true);
  await add(page, "# typed");
  await turn(page, "weight", 300);
  await page.keyboard.press("Control+s"); // waits for the value that was turned
  await until(page, () => /weight: 1\.5/.test(window.armature.session.saved)); // that it was saved is told until the next word about the run
  assert.match(file("pendulum.yaml"), /length: 1\.5/);
  assert.match(file("pendulum.yaml"), /weight: 1\.5/);
  assert.match(file("pendulum.yaml"), /# typed/);
  await turn(page, "weight", 100);
  await until(page, () => /weight: 0\.5/.test(window.armature.session.text));
  await page.reload();
  await until(page, () => /weight: 0\.5/.test(window.armature?.session.text ?? ""));
  await page.evaluate(() => localStorage.clear());
  await page.context().close();
  restore();
});

const field = (page, name) => page.locator(".row", { hasText: name }).locator("input[type=text]");

test("a value that was typed and not entered belongs to its own file, and is saved with it", async () => {
  const page = await fresh();
  await there(page);
  await field(page, "length").fill("1.25 m");
  await page.keyboard.press("Control+s");
  await until(page, () => window.armature.session.saved.includes("length: 1.25 m"));
  assert.match(file("pendulum.yaml"), /length: 1.25 m/);
  await until(page, () => !window.armature.session.running);
  // another program gives the value another name: what was typed for the old one has no place
  await field(page, "length").fill("1.5 m");
  const renamed = pendulum.replaceAll("length", "reach");
  writeFileSync(join(served, "pendulum.yaml"), renamed);
  await until(page, () => Boolean(document.querySelector("input[aria-label=reach]")) && !window.armature.session.running);
  assert.deepEqual([await text(page), await page.locator("input[aria-label=length]").count()], [renamed, 0]);
  // another file is opened without a click
  await field(page, "reach").fill("1.75 m");
  await page.evaluate(() => {
    const list = document.querySelector("#header select");
    list.value = "crane.yaml";
    list.dispatchEvent(new Event("change"));
  });
  await until(page, () => window.armature.session.name === "crane.yaml" && !window.armature.session.running);
  assert.equal(await text(page), file("crane.yaml"));
  await choose(page, "pendulum.yaml");
  await until(page, () => window.armature.session.text.includes("reach: 1.75 m"));
  await page.context().close();
  restore();
});

test("keys that are typed while the run of another value answers reach their field", async () => {
  const page = await fresh();
  await there(page);
  await page.evaluate(() => window.armature.editor.replace(window.armature.editor.text.replace("end: 10 s", "end: 1e5 s")));
  await field(page, "length").fill("weight*2 m/kg"); // a formula has no slider
  await field(page, "length").press("Enter");
  await until(page, () => window.armature.session.text.includes("weight*2") && !document.querySelector("#header button[title^=stop]").hidden);
  await field(page, "weight").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("1.5");
  await press(page, "button:text-is('stop')"); // the run answers
  await until(page, () => !document.querySelector("input[type=range][aria-label=length]"));
  await page.keyboard.type(" kg");
  assert.equal(await field(page, "weight").inputValue(), "1.5 kg");
  assert.equal(await page.evaluate(() => document.activeElement.closest(".row")?.textContent.includes("weight")), true, "the field keeps the focus");
  await page.keyboard.press("Enter");
  await until(page, () => window.armature.session.text.includes("weight: 1.5 kg"));
  assert.match(await text(page), /length: weight\*2 m\/kg/);
  assert.equal(await page.evaluate(() => window.armature.player.playing), false);
  await page.context().close();
  restore();
});

test("each tab keeps its own text, and one that is closed passes to the next", async () => {
  const one = await fresh();
  await there(one);
  const two = await open(one.context());
  await add(one, "# of the first");
  await add(two, "# of the second");
  await one.reload();
  await until(one, () => window.armature?.session.changed);
  assert.match(await text(one), /# of the first\n$/);
  await press(two, "button:text-is('save')");
  await until(two, () => !window.armature.session.changed);
  await until(one, () => !document.querySelector(".disk").hidden);
  await one.close(); // with its text
  const three = await open(one.context());
  await until(three, () => document.querySelector(".notice").textContent.includes("earlier version"));
  await press(three, ".notice button:text-is('restore')");
  await until(three, () => window.armature.session.text.endsWith("# of the first\n"));
  await press(three, ".notice button:text-is('discard')");
  await until(three, () => !window.armature.session.changed);
  await three.reload();
  await there(three);
  assert.equal(await three.locator(".notice").isHidden(), true);
  await three.context().close();
});

test("where the browser has no room, another file does not cost the text of this one", async () => {
  const page = await fresh();
  await there(page);
  await page.evaluate(() => {
    for (let size = 1 << 20, k = 0; size > 0; )
      try {
        localStorage.setItem(`filler ${k++}`, "x".repeat(size));
      } catch {
        size >>= 1;
      }
  });
  await add(page, "# no room");
  await choose(page, "crane.yaml");
  await choose(page, "pendulum.yaml");
  await until(page, () => window.armature.session.text.endsWith("# no room\n"));
  await page.reload(); // the database has room
  await until(page, () => window.armature?.session.text.endsWith("# no room\n"));
  await page.context().close();
});

test("a file that was removed is there again after a reload, and 'save as' leaves nothing behind", async () => {
  const page = await fresh();
  await there(page);
  await choose(page, "crane.yaml");
  const crane = await text(page);
  renameSync(join(served, "crane.yaml"), join(served, "other.yaml"));
  await until(page, () => document.querySelector(".disk:not([hidden])")?.textContent.includes("no longer exists"));
  await page.reload();
  await until(page, () => window.armature?.session.name === "crane.yaml" && !window.armature.session.running);
  assert.equal(await text(page), crane);
  await choose(page, "other.yaml");
  await add(page, "# new");
  await press(page, ".as summary");
  await page.locator(".as input").fill("new");
  await page.locator(".as input").press("Enter");
  await until(page, () => window.armature.session.name === "new.yaml");
  await choose(page, "other.yaml");
  await until(page, () => !window.armature.session.running);
  assert.equal(await text(page), crane);
  assert.equal(await page.locator(".notice").isHidden(), true);
  await page.context().close();
});

// The browser's first process: the one that was told where its data lies.
const processOf = (data) =>
  readdirSync("/proc").filter((id) => {
    try {
      const command = readFileSync(`/proc/${id}/cmdline`, "utf8");
      return command.includes(`--user-data-dir=${data}`) && !command.includes("--type=");
    } catch {
      return false;
    }
  });

test("a browser that is killed has lost nothing that was typed a moment before", async () => {
  const data = join(folder, "profile");
  let context = await launchWith(data);
  let page = await open(context);
  await add(page, "# before");
  await page.waitForTimeout(300);
  for (const id of processOf(data)) process.kill(Number(id), "SIGKILL");
  await page.waitForEvent("close").catch(() => {});
  context = await launchWith(data);
  page = await open(context);
  await until(page, () => window.armature.session.text.endsWith("# before\n"));
  await press(page, ".notice button:text-is('discard')");
  await until(page, () => !window.armature.session.changed);
  await context.close();
});

test("without the program a slider goes back, text is kept, and a program that was started anew says what to do", async () => {
  const page = await fresh();
  await there(page);
  live.kill("SIGKILL");
  await live.gone;
  await until(page, () => document.querySelector("#header .sentence").textContent.includes("does not respond"));
  await turn(page, "length", 300);
  await until(page, () => document.querySelector("input[aria-label=length]").closest(".row").querySelector("input[type=text]").value === "1 m");
  await add(page, "# without the program");
  const again = await start();
  assert.equal(new URL(again).port, new URL(address).port);
  await until(page, () => document.querySelector("#header .sentence").textContent.includes("open the address that the program has printed"));
  await page.goto(again);
  await until(page, () => window.armature?.session.text.endsWith("# without the program\n"));
  await page.context().close();
});
