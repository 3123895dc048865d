// node gallery.mjs PACKAGES CHROMIUM ARMATURE MODELS: the page of the gallery, as its reader sees it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { folder, program, visit } from "./browser.mjs";

const out = join(folder, "gallery");
execFileSync(program, ["gallery", "--only", "rrr/fig2a,benchmarks/a01,gains/fig7", "-o", out], { stdio: "pipe" });
const inside = (url) => url.startsWith(pathToFileURL(out).href);
const open = (colorScheme, settings = {}) =>
  visit(pathToFileURL(join(out, "index.html")).href, { offline: true, colorScheme, ...settings }, inside);

for (const colorScheme of ["light", "dark"])
  test(`verdicts, pictures and nothing from elsewhere, ${colorScheme}`, async () => {
    const { page, complaints } = await open(colorScheme);
    assert.equal(await page.locator("#benchmarks-a01 .badge").textContent(), "reproduced");
    assert.equal(await page.locator("#rrr-fig2a .badge").textContent(), "reproduced in part");
    const broken = await page.evaluate(async () => {
      const list = [];
      for (const image of document.images) {
        image.loading = "eager";
        await image.decode().catch(() => list.push(image.src));
      }
      return [document.images.length, list];
    });
    assert.deepEqual(broken, [4, []]);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    assert.deepEqual(complaints(), []);
  });

test("narrow: every column of a table can be read", async () => {
  const { page } = await open("light", { viewport: { width: 420, height: 800 } });
  const cut = () => [...document.querySelectorAll(".wide")].filter((each) => each.scrollWidth > each.clientWidth + 1).length;
  assert.equal(await page.evaluate(cut), 0);
  assert.equal(await page.locator("#rrr-fig2a td[data-label=verdict]").first().isVisible(), true);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
});

test("machines move where they are opened, one at a time", async () => {
  const { page, complaints } = await open("dark");
  const loaded = () => [...document.querySelectorAll("iframe")].filter((frame) => frame.hasAttribute("src")).length;
  assert.equal(await page.evaluate(loaded), 0);
  for (const item of ["rrr-fig2a", "benchmarks-a01"]) {
    await page.locator(`#${item} details.animation summary`).click();
    const frame = page.frameLocator(`#${item} iframe`);
    await frame.locator("canvas").first().waitFor();
    assert.equal(await page.evaluate(loaded), 1);
  }
  assert.deepEqual(complaints(), []);
});
