// node report.mjs PACKAGES CHROMIUM ARMATURE MODELS: reports of real runs, as their readers see them.
// The browser has no network: whatever is not the file itself is refused and counted.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as browser from "./browser.mjs";
import { folder, make, models, near, program, until } from "./browser.mjs";

const run = (model, ...options) => make("run", model, model, ...options);

// The recorded rows as objects by channel.
function rows(out) {
  const [header, ...lines] = readFileSync(join(out, "trajectory.csv"), "utf8").trim().split("\n");
  const names = header.split(",").map((name) => name.replace(/ \[.*\]$/, ""));
  return lines.map((line) => Object.fromEntries(line.split(",").map((value, i) => [names[i], Number(value)])));
}

async function open(out, settings = {}) {
  const opened = await browser.open(out, settings);
  await opened.page.waitForSelector(".uplot");
  return opened;
}

// The page that most tests look at; each begins at the start.
let robot;
async function robotPage() {
  robot ??= await open(run("rrr_pd", "--end", "1"));
  await robot.page.evaluate(
    () => (window.armature.player.pause(), window.armature.player.seek(0), window.scrollTo(0, 0)),
  );
  return robot;
}

test("the 3RRR: drawn where the recording says, at every time", async () => {
  const { page, complaints } = await robotPage();
  const recorded = rows(join(folder, "rrr_pd"));
  for (const row of [recorded[0], recorded[57], recorded[140], recorded.at(-1)]) {
    await page.evaluate((t) => window.armature.player.seek(t), row.t);
    const center = await page.evaluate(() => window.armature.drawn("platform", [0, 0, 0]));
    near(center[0], row["platform.C.x"], 1e-5, "x"); // frames are single precision
    near(center[1], row["platform.C.y"], 1e-5, "y");
    near(center[2], 0, 1e-9, "z");
    const b = 0.2 / Math.sqrt(3);
    const corner = await page.evaluate((at) => window.armature.drawn("platform", at), [0, b, 0]);
    near(corner[0], row["platform.P3.x"], 1e-5, "P3.x");
    near(corner[1], row["platform.P3.y"], 1e-5, "P3.y");
  }
  assert.deepEqual(complaints(), []);
});

test("numbers of the tables stay whole, at any width", async () => {
  for (const width of [1280, 400]) {
    const { page, complaints } = await open(join(folder, "rrr_pd"), { viewport: { width, height: 900 } });
    const broken = await page.evaluate(() => {
      const lines = (cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size;
      };
      const cells = [...document.querySelectorAll(".facts td")];
      return cells.length > 10 ? cells.filter((cell) => lines(cell) > 1).map((cell) => cell.textContent) : ["too few tables"];
    });
    assert.deepEqual(broken, [], `${width} px`);
    assert.deepEqual(complaints(), []);
    await page.context().close();
  }
});

test("pixels: the picture changes with time and shows the platform where it is", async () => {
  const { page, complaints } = await robotPage();
  const seen = await page.evaluate(() => {
    // the color of the picture at a place of the machine
    const pixel = (name, at) => {
      const [x, y] = window.armature.onScreen(name, at);
      const canvas = document.querySelector("#scene canvas");
      const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
      const context = copy.getContext("2d");
      context.drawImage(canvas, 0, 0);
      return [...context.getImageData(((x + 1) / 2) * canvas.width, ((1 - y) / 2) * canvas.height, 1, 1).data];
    };
    const found = [];
    for (const t of [0, 0.5]) {
      window.armature.player.seek(t);
      found.push(pixel("platform", [0, 0, 0]), pixel("platform", [0.05, 0.16, 0]));
    }
    return found;
  });
  const [platform, beside, later] = seen;
  assert.equal(platform[3], 255, "the platform is opaque");
  assert.equal(beside[3], 0, "beside it there is nothing");
  assert.deepEqual(later, platform, "it has one color wherever it is");
  assert.deepEqual(complaints(), []);
});

test("plays, pauses, steps and scrubs by buttons, slider and keys", async () => {
  const { page, complaints } = await robotPage();
  const t = () => page.evaluate(() => window.armature.player.t);
  await page.click("button.play");
  await until(page, () => window.armature.player.t > 0.05);
  await page.click("button.play");
  const paused = await t();
  await page.waitForTimeout(120);
  assert.equal(await t(), paused);
  await page.keyboard.press("Home");
  assert.equal(await t(), 0);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  near(await t(), 0.01, 1e-12, "two frames of 5 ms");
  await page.keyboard.press("ArrowLeft");
  near(await t(), 0.005, 1e-12, "one back");
  await page.keyboard.press("End");
  assert.equal(await t(), 1);
  const slider = page.locator("input.scrub");
  await slider.fill("2500");
  near(await t(), 0.25, 1e-9, "slider");
  assert.equal(await page.locator(".time").textContent(), "0.250 s");
  await page.locator("select[title=speed]").selectOption("0.1");
  assert.equal(await page.evaluate(() => window.armature.player.speed), 0.1);
  assert.deepEqual(complaints(), []);
});

test("plots follow the animation, and the animation follows the plots", async () => {
  const { page, complaints } = await robotPage();
  const row = rows(join(folder, "rrr_pd")).find((each) => Math.abs(each.t - 0.6) < 1e-9);
  await page.evaluate(() => window.armature.player.seek(0));
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assert.match(await page.locator(".plot .u-legend").first().textContent(), /^t0\.0000 s/);
  await page.evaluate(() => window.armature.player.seek(0.6));
  const shown = await page.evaluate(() =>
    window.armature.plots.list.filter((plot) => plot.chart && plot.visible).map((plot) => plot.cursorTime), // those in view
  );
  assert.ok(shown.length >= 2);
  for (const time of shown) near(time, 0.6, 2e-3, "cursor"); // a pixel is 1 s/450
  assert.match(await page.locator(".plot .u-legend").first().textContent(), /^t0\.6000 s/);
  const legend = await page
    .locator(".plot", { hasText: "Angles" })
    .first()
    .locator(".u-series", { hasText: "theta1" })
    .locator(".u-value")
    .textContent();
  near(Number(legend), row.theta1, 1e-3, "value beside the name");
  const over = await page.locator(".plot .u-over").first().boundingBox();
  await page.mouse.click(over.x + 0.25 * over.width, over.y + over.height / 2);
  near(await page.evaluate(() => window.armature.player.t), 0.25, 5e-3, "time that was pressed");
  assert.deepEqual(complaints(), []);
});

test("a drag with shift shows a part of all plots, a double-click the whole", async () => {
  const { page } = await robotPage();
  const ranges = () =>
    page.evaluate(() =>
      window.armature.plots.list
        .filter((plot) => plot.chart)
        .map((plot) => [plot.chart.scales.x.min, plot.chart.scales.x.max]),
    );
  const over = await page.locator(".plot .u-over").first().boundingBox();
  const at = (share) => [over.x + share * over.width, over.y + over.height / 2];
  await page.keyboard.down("Shift");
  await page.mouse.move(...at(0.2));
  await page.mouse.down();
  await page.mouse.move(...at(0.4), { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  for (const [min, max] of await ranges()) {
    near(min, 0.2, 5e-3, "from");
    near(max, 0.4, 5e-3, "to");
  }
  assert.equal(await page.evaluate(() => window.armature.player.t), 0, "the time stays");
  await page.mouse.dblclick(...at(0.5));
  for (const [min, max] of await ranges()) assert.deepEqual([min, max], [0, 1]);
});

test("events are marked and lead to their time", async () => {
  const { page } = await robotPage();
  const events = page.locator(".events li");
  assert.equal(await events.count(), 7); // crossings of the first second
  assert.match(await events.first().textContent(), /type_II = 0/);
  await events.first().locator("button").click();
  near(await page.evaluate(() => window.armature.player.t), 0.0768787, 1e-6, "first crossing");
});

test("the outcome and the model are there to read", async () => {
  const { page } = await robotPage();
  const text = await page.locator("#outcome").textContent();
  for (const part of ["dopri5", "projection", "4 of 4 rows", "armature: 1", "planar 3RRR robot with PD control"])
    assert.ok(text.includes(part), part);
});

test("a name is text, whatever it looks like", async () => {
  const name = "</script><script>window.injected = 1</script><img src=x onerror='window.injected = 2'>";
  const text = readFileSync(join(models, "pendulum.yaml"), "utf8").replace(/^name:.*$/m, `name: ${JSON.stringify(name)}`);
  assert.ok(text.includes("injected"));
  const file = join(folder, "evil.yaml");
  writeFileSync(file, text);
  const out = join(folder, "evil");
  execFileSync(program, ["run", file, "-o", out], { stdio: "pipe" });
  const { page, complaints } = await open(out);
  assert.equal(await page.title(), `${name} – Armature`);
  assert.equal(await page.evaluate(() => window.injected), undefined);
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(complaints(), []);
});
