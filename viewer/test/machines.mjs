// node machines.mjs PACKAGES CHROMIUM ARMATURE MODELS: reports of machines of many kinds, wide and narrow, light and dark.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as browser from "./browser.mjs";
import { expectFit, make, scrolling } from "./browser.mjs";

const run = (model, ...options) => make("run", model, model, ...options);

async function open(out, settings = {}) {
  const opened = await browser.open(out, settings);
  await opened.page.locator("#plots .plot").first().evaluate((plot) => plot.scrollIntoView()); // plots are made when they are seen
  await opened.page.waitForSelector(".uplot");
  await opened.page.evaluate(() => window.scrollTo(0, 0));
  return opened;
}

test("dark and light, wide and narrow: nothing runs out of the page", async () => {
  const out = run("rrr_pd", "--end", "1");
  for (const [colorScheme, width] of [
    ["dark", 1280],
    ["light", 375],
  ]) {
    const { page, complaints } = await open(out, { colorScheme, viewport: { width, height: 800 } });
    await expectFit(page, colorScheme, width);
    const [scene, controls] = [
      await page.locator("#scene").boundingBox(),
      await page.locator("#controls").boundingBox(),
    ];
    assert.ok(scene.y + scene.height <= controls.y + 1, "controls lie below the picture");
    assert.deepEqual(await scrolling(page), [], "the page has one scrollbar");
    await page.evaluate(() => window.scrollTo(0, 1500));
    const seen = await page.locator("#scene").boundingBox();
    assert.equal(seen.y >= 0 && seen.y < 60, width > 820, "beside the plots the picture stays in view");
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.click("button.theme");
    assert.notEqual(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
    assert.deepEqual(complaints(), []);
    await page.context().close();
  }
});

test("a legend shows what is drawn, and the others on request", async () => {
  const { page, complaints } = await open(run("stewart", "--end", "0.1"));
  const rows = () => page.locator(".plot").first().locator(".u-series:visible").count();
  await page.waitForSelector(".u-legend");
  const all = await page.evaluate(() => window.armature.plots.list[0].description.series.length);
  assert.ok(all > 8, `${all} angles`);
  assert.equal(await rows(), 1 + 8); // the time
  await page.locator(".plot").first().locator(`text="and ${all - 8} more"`).click();
  assert.equal(await rows(), 1 + all);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("a spatial machine and bent beams draw without complaint", async () => {
  for (const model of ["five_bar", "crane", "rrr_lagrangian"]) {
    const { page, complaints } = await open(run(model, "--end", "0.1"));
    await page.evaluate(() => window.armature.player.seek(0.1));
    await page.waitForTimeout(100);
    assert.deepEqual(complaints(), [], model);
    await page.context().close();
  }
});

test("a recording of a million rows opens, decimated", async () => {
  const { page, complaints } = await open(run("pendulum", "--end", "5", "--record", "5e-6"));
  const drawn = await page.evaluate(() => [
    window.armature.run.series.recorded,
    window.armature.run.series.rows,
    window.armature.run.frames.count,
  ]);
  assert.equal(drawn[0], 1000001);
  assert.ok(drawn[1] <= 4098 && drawn[1] >= 2048, `${drawn[1]} points`);
  assert.ok(drawn[2] <= 2001 && drawn[2] >= 1000, `${drawn[2]} frames`);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});
