// node access.mjs PACKAGES CHROMIUM ARMATURE MODELS: pages for everybody. Whatever can be pressed has a name and can be reached by the keyboard, pictures
// say what they are, what moves by itself stands still where the reader asks for it, and a finger is not caught in a picture.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { make, models, open, until } from "./browser.mjs";

// Pages of each kind, small ones.
const pages = {
  run: () => make("run", "rrr_pd", "run", "--end", "0.3", "--result", "peak=max(motor1.current)"),
  map: () => make("map", "press", "map", "--over", "phi0=0:2*pi:5", "--over", "w0=-3:3:4", "--rtol", "1e-3", "--classify", "turns: turns(phi) >= 1; rests"),
  modes: () => make("modes", "five_bar", "modes"),
  compare: () => make("compare", "crane", "compare", "--with", "--set inductance=0", "--end", "0.5"),
  inverse: () => make("inverse", "slider_crank", "inverse"),
  identify: () => make("identify", "measured/crane", "identify", join(models, "measured", "crane.csv"), "--fit", "cart_mass,rope"),
};
const made = {};
const out = (kind) => (made[kind] ??= pages[kind]());

// Controls without a name, pictures without a role or a label, and what a click reaches but no key.
const faults = () => {
  const seen = (e) => e.checkVisibility() && e.getClientRects().length > 0;
  const all = [...document.querySelectorAll("button, input, select, summary, a[href], textarea")].filter(seen);
  const named = (e) => [e.getAttribute("aria-label"), e.title, e.textContent, e.labels?.[0]?.textContent, e.placeholder].some((text) => text?.trim());
  const describe = (e) => e.outerHTML.slice(0, 120);
  const pictures = [...document.querySelectorAll("canvas, svg")].filter(seen);
  const says = (e) => e.closest("[role][aria-label], [aria-hidden=true], button, summary, label") || (e.getAttribute("role") && e.getAttribute("aria-label"));
  const inPlots = (e) => e.closest(".uplot")?.querySelector(".u-over[role=img][aria-label]");
  return {
    nameless: all.filter((e) => !named(e)).map(describe),
    silent: pictures.filter((e) => !says(e) && !inPlots(e)).map(describe),
    unreachable: [...document.querySelectorAll("[role=button]")].filter((e) => seen(e) && !["BUTTON", "A", "SUMMARY"].includes(e.tagName) && e.tabIndex < 0).map(describe),
    untitled: document.title ? [] : ["the page"],
    language: document.documentElement.lang ? [] : ["no language"],
  };
};

for (const kind of Object.keys(pages))
  test(`${kind}: everything has a name, pictures have roles, and the keyboard reaches all`, async () => {
    const { page, complaints } = await open(out(kind));
    await page.waitForTimeout(300);
    assert.deepEqual(await page.evaluate(faults), { nameless: [], silent: [], unreachable: [], untitled: [], language: [] });
    assert.deepEqual(complaints(), []);
    await page.context().close();
  });

test("the focus is seen wherever it is", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page } = await open(out("run"), { colorScheme });
    await page.waitForSelector(".uplot");
    const unseen = [];
    for (let k = 0; k < 25; ++k) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate(() => {
        const e = document.activeElement;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(e);
        return { what: e.outerHTML.slice(0, 100), seen: (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none", body: e === document.body };
      });
      if (!focused.body && !focused.seen) unseen.push(focused.what);
    }
    assert.deepEqual(unseen, []);
    await page.context().close();
  }
});

// WCAG 2.2, 1.4.3: text differs from its ground by 4.5:1.
test("text can be read in both themes", async () => {
  for (const kind of ["run", "map", "modes", "identify"])
    for (const colorScheme of ["light", "dark"]) {
      const { page } = await open(out(kind), { colorScheme });
      await page.waitForTimeout(300);
      const faint = await page.evaluate(() => {
        const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        const rgba = (text) => {
          canvas.clearRect(0, 0, 1, 1);
          canvas.fillStyle = text;
          canvas.fillRect(0, 0, 1, 1);
          return [...canvas.getImageData(0, 0, 1, 1).data];
        };
        const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0.05);
        const ground = (e) => {
          for (let at = e; at; at = at.parentElement) {
            const color = rgba(getComputedStyle(at).backgroundColor);
            if (color[3] > 200) return color;
          }
          return [255, 255, 255, 255];
        };
        const texts = [...document.querySelectorAll("body *")].filter(
          (e) => e.checkVisibility({ opacityProperty: true }) && !e.closest("svg, .uplot, [disabled]") && [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()),
        );
        return texts
          .map((e) => {
            const [a, b] = [light(rgba(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
            return { text: e.textContent.trim().slice(0, 40), ratio: a / b };
          })
          .filter(({ ratio }) => ratio < 4.5)
          .map(({ text, ratio }) => `${text}: ${ratio.toFixed(2)}`);
      });
      assert.deepEqual(faint, [], `${kind}, ${colorScheme}`);
      await page.context().close();
    }
});

test("what moves by itself stands still where the reader asks for it", async () => {
  const { page } = await open(out("modes"), { reducedMotion: "reduce" });
  await page.waitForSelector("#modes tbody tr");
  assert.equal(await page.evaluate(() => window.armature.player.playing), false);
  const long = await page.evaluate(() =>
    [...document.querySelectorAll("*")].filter((e) => parseFloat(getComputedStyle(e).transitionDuration) > 0.01 || parseFloat(getComputedStyle(e).animationDuration) > 0.01).length,
  );
  assert.equal(long, 0);
  await page.context().close();
  const moving = await open(out("modes"));
  await until(moving.page, () => window.armature.player?.playing);
  await moving.page.context().close();
});

test("a phone: a finger on the picture or a plot scrolls the page, and targets are large enough", async () => {
  for (const kind of ["run", "map", "modes", "identify"]) {
    const { page } = await open(out(kind), { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true });
    await page.waitForTimeout(300);
    // a finger that goes up scrolls, wherever it lies
    const caught = await page.evaluate(() =>
      [...document.querySelectorAll("canvas, .u-over, svg")]
        .filter((e) => e.checkVisibility() && e.clientHeight > 120)
        .filter((e) => getComputedStyle(e).touchAction === "none")
        .map((e) => e.outerHTML.slice(0, 100)),
    );
    assert.deepEqual(caught, [], kind);
    // WCAG 2.2, 2.5.8: 24 px
    const small = await page.evaluate(() =>
      [...document.querySelectorAll("button, select, summary, input:not([type=checkbox])")]
        .filter((e) => e.checkVisibility() && e.getClientRects().length > 0)
        .map((e) => ({ e, box: e.getBoundingClientRect() }))
        .filter(({ box }) => box.height < 23.5 || box.width < 23.5)
        .map(({ e, box }) => `${e.outerHTML.slice(0, 80)} ${Math.round(box.width)} x ${Math.round(box.height)}`),
    );
    assert.deepEqual(small, [], kind);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 400, kind);
    await page.context().close();
  }
});

test("a phone: the bar of a pose by hand does not cover the picture, and buttons of plots stand in one line", async () => {
  const { page, complaints } = await open(make("run", "four_bar", "by_hand", "--end", "0.5"), { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true });
  const picture = await page.locator("#scene").boundingBox();
  const [x, y] = await page.evaluate(() => window.armature.onScreen("crank", [0.3, 0, 0]));
  const at = [picture.x + ((x + 1) / 2) * picture.width, picture.y + ((1 - y) / 2) * picture.height];
  await page.mouse.move(...at);
  await page.mouse.down();
  for (let k = 1; k <= 4; ++k) await page.mouse.move(at[0] - 3 * k, at[1] + 3 * k);
  await page.mouse.up();
  await until(page, () => window.armature.grab.settled);
  const bar = await page.locator(".pose").boundingBox();
  assert.ok(bar.y >= picture.y + picture.height || bar.y + bar.height <= picture.y, `${JSON.stringify(bar)} over ${JSON.stringify(picture)}`);
  assert.ok(bar.y >= 0 && bar.y + bar.height <= 800, "in view");
  const middles = await page.locator(".plot-tools").first().evaluate((tools) =>
    [...tools.querySelectorAll(":scope > button, .menu > summary")].map((e) => {
      const range = document.createRange();
      range.selectNodeContents(e);
      const box = range.getBoundingClientRect();
      return (box.top + box.bottom) / 2;
    }),
  );
  assert.ok(middles.length > 2 && Math.max(...middles) - Math.min(...middles) < 1.5, `${middles}`);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});
