// node live_access.mjs PACKAGES CHROMIUM ARMATURE MODELS: `armature view` by keyboard, by ear, in large letters and on a narrow page.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { folder, models, program, until, visit } from "./browser.mjs";

const served = join(folder, "heard");
mkdirSync(served);
copyFileSync(join(models, "rrr_pd.yaml"), join(served, "rrr_pd.yaml"));
const live = spawn(program, ["view", join(served, "rrr_pd.yaml"), "--no-open"]);
after(() => live.kill("SIGKILL"));
const address = /http:\S+/.exec(await new Promise((resolve) => live.stdout.once("data", (text) => resolve(String(text)))))[0];

async function open(settings = {}) {
  const { page } = await visit(address, settings, () => true);
  await until(page, () => Boolean(window.armature?.run) && !window.armature.session.running);
  return page;
}
const break_ = (page) => page.evaluate(() => window.armature.editor.replace(window.armature.editor.text.replace("plane: xy", "plane: xyz")));

test("arrow keys go from tab to tab, Escape and Tab leave the editor, Escape closes what lies over the page", async () => {
  const page = await open();
  await page.locator("#values-tab").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.body.dataset.tab), "file");
  assert.equal(await page.evaluate(() => window.armature.player.t), 0, "the animation keeps its time");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => Boolean(document.activeElement.closest(".cm-content"))), true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => Boolean(document.activeElement.closest("#editor"))), false);
  for (const list of [".as", ".traces", ".plot .menu"]) {
    await page.locator(`${list} summary`).first().focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(list).first().evaluate((e) => e.open), true, list);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(list).first().evaluate((e) => e.open), false, list);
  }
  await page.context().close();
});

test("the tree of a screen reader: how the run ended and what is wrong are told, and nothing has no name", async () => {
  const page = await open();
  await page.locator("#file-tab").click();
  await break_(page);
  await page.waitForSelector("#problems li");
  const tool = await page.context().newCDPSession(page);
  const { nodes } = await tool.send("Accessibility.getFullAXTree");
  const used = nodes.filter((node) => !node.ignored);
  const property = (node, name) => node.properties?.find((each) => each.name === name)?.value.value;
  const nameless = used.filter((node) => property(node, "focusable") && !["RootWebArea", "generic"].includes(node.role.value) && !node.name?.value);
  assert.deepEqual(nameless.map((node) => node.role.value), []);
  const inside = (node) => [node, ...(node.childIds ?? []).flatMap((id) => inside(nodes.find((each) => each.nodeId === id)))];
  const said = (role) =>
    used.filter((node) => node.role.value === role).map((node) => inside(node).map((each) => each.name?.value ?? "").join(" "));
  assert.ok(said("status").some((text) => /error.*line 10: unknown word 'xyz'/.test(text)), said("status").join("\n"));
  assert.ok(said("alert").some((text) => /unknown word 'xyz'/.test(text)), said("alert").join("\n"));
  assert.equal(await page.locator("input[aria-label=time]").getAttribute("aria-valuetext"), "0.000 s");
  await page.context().close();
});

// WCAG 2.2, 1.4.3 and 1.4.11: text differs from its ground by 4.5:1, also beside an error; the edge of a field by 3:1.
test("a file with an error can be read, and fields have an edge", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open({ colorScheme });
    await page.locator("#file-tab").click();
    await break_(page);
    await page.waitForSelector(".cm-lintRange-error");
    const { faint, edge } = await page.evaluate(() => {
      const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      const rgba = (text) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = text;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
      };
      const over = (top, below) => [0, 1, 2].map((k) => (top[3] * top[k] + (255 - top[3]) * below[k]) / 255);
      const ground = (e) => (e ? over(rgba(getComputedStyle(e).backgroundColor), ground(e.parentElement)) : [255, 255, 255]);
      const opacity = (e) => (e ? Number(getComputedStyle(e).opacity) * opacity(e.parentElement) : 1);
      const light = (rgb) => rgb.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0.05);
      const ratio = (a, b) => Math.max(light(a) / light(b), light(b) / light(a));
      const contrast = (e) => {
        const [r, g, b, alpha] = rgba(getComputedStyle(e).color);
        return ratio(over([r, g, b, alpha * opacity(e)], ground(e)), ground(e));
      };
      const texts = [...document.querySelectorAll("#editor span, #plots :is(h2, small, button, th, td)")].filter((e) => e.checkVisibility() && e.textContent.trim());
      const field = document.querySelector("#header select");
      return {
        faint: texts.filter((e) => contrast(e) < 4.5).map((e) => `${e.textContent.trim().slice(0, 30)}: ${contrast(e).toFixed(2)}`),
        edge: ratio(rgba(getComputedStyle(field).borderTopColor).slice(0, 3), ground(field.parentElement)),
      };
    });
    assert.deepEqual(faint, [], colorScheme);
    assert.ok(edge >= 3, `${colorScheme}: ${edge}`);
    await page.context().close();
  }
});

// WCAG 2.2, 1.4.4 and 1.4.10: letters of twice the size, and 320 px.
test("nothing runs out of a page that is narrow or has large letters", async () => {
  const narrow = await open({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  assert.ok((await narrow.evaluate(() => document.documentElement.scrollWidth)) <= 320);
  await narrow.context().close();
  const page = await open();
  const size = (selector) => page.locator(selector).first().evaluate((e) => parseFloat(getComputedStyle(e).fontSize));
  const selectors = ["#values h2", ".plot summary h2", "#values label", ".card h2"];
  const before = await Promise.all(selectors.map(size));
  await page.evaluate(() => (document.documentElement.style.fontSize = "175%")); // as if the reader's size were 32 px instead of 16
  const after = await Promise.all(selectors.map(size));
  after.forEach((each, k) => assert.ok(Math.abs(each - 2 * before[k]) < 0.1, `${selectors[k]}: ${before[k]} px, then ${each}`));
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 1280);
  await page.context().close();
});
