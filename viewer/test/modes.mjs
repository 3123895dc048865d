// node modes.mjs PACKAGES CHROMIUM ARMATURE MODELS: the page of `armature modes`. Shapes move the machine with its loops closed, poles and table choose a
// mode, and the frequency response is that of A, B, C, D.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as browser from "./browser.mjs";
import { expectFit, make, near, until } from "./browser.mjs";

const modes = (model, ...options) => make("modes", model, `${model.replace("/", "_")}_modes`, ...options);
// Names above and to the left.
const table = (file) => {
  const [, ...lines] = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => line.split(",").slice(1).map(Number));
};

test("the five-bar: every mode in the table swings the machine, and the poles choose, too", async () => {
  const out = modes("five_bar");
  const { page, complaints } = await browser.open(out);
  await page.waitForSelector("#modes tbody tr");
  const found = JSON.parse(readFileSync(join(out, "modes.json"), "utf8"));
  assert.equal(await page.locator("#modes tbody tr").count(), found.modes.length);
  const hertz = await page.locator("#modes tbody tr").first().locator("td").first().innerText();
  near(Number(hertz), found.modes[0].frequency_hz, 1e-3 * found.modes[0].frequency_hz, "Hz");
  // every mode moves some body; what oscillates is back after its period
  const swings = found.modes.map(({ eigenvalue }) => eigenvalue[1] !== 0);
  for (const k of [0, swings.indexOf(true)]) {
    await page.locator("#modes .mode").nth(k).click();
    await until(page, (k) => window.armature.chosen === k, k);
    const { moved, back } = await page.evaluate(() => {
      const { player, scene } = window.armature;
      player.pause();
      const places = (t) => {
        player.seek(t);
        scene.draw();
        return scene.run.scene.bodies.map((_, i) => scene.machine.bodies[i].matrix.elements.slice(12, 15));
      };
      const distance = (a, b) => Math.max(...a.map((p, i) => Math.hypot(...p.map((x, j) => x - b[i][j]))));
      const [first, middle, last] = [places(player.begin), places(player.begin + 0.5 * (player.end - player.begin)), places(player.end)];
      return { moved: distance(first, middle), back: distance(first, last) };
    });
    assert.ok(moved > 1e-4, `mode ${k + 1} moves by ${moved}`);
    if (swings[k]) assert.ok(back < 1e-5, `and comes back to ${back}`);
  }
  await page.locator(".pole").first().dispatchEvent("click");
  await until(page, () => window.armature.chosen === 0);
  assert.equal(await page.locator("#modes tr.chosen").count(), 1);
  assert.deepEqual(complaints(), []);
});

test("the frequency response is C (i w - A)^-1 B + D", async () => {
  const out = modes("five_bar");
  const { page, complaints } = await browser.open(out);
  await page.waitForSelector(".bode .uplot");
  const [A, B, C] = ["A", "B", "C"].map((name) => table(join(out, `${name}.csv`)));
  const curve = await page.evaluate(() => ({ w: [...window.armature.bode.curve.w], magnitude: [...window.armature.bode.curve.magnitude] }));
  assert.ok(curve.w.length > 300);
  // by the real system of twice the size: [-A  -w; w  -A] [re; im] = [B; 0]
  const at = (w) => {
    const n = A.length;
    const M = Array.from({ length: 2 * n }, (_, i) => Array.from({ length: 2 * n + 1 }, (_, j) => {
      const [r, c] = [i % n, j % n];
      if (j === 2 * n) return i < n ? B[r][0] : 0;
      const same = i < n === j < n;
      return same ? -A[r][c] : r === c ? (i < n ? -w : w) : 0;
    }));
    for (let k = 0; k < 2 * n; ++k) {
      const p = M.slice(k).reduce((best, row, i) => (Math.abs(row[k]) > Math.abs(M[best][k]) ? k + i : best), k);
      [M[k], M[p]] = [M[p], M[k]];
      for (let i = 0; i < 2 * n; ++i) if (i !== k) {
        const f = M[i][k] / M[k][k];
        for (let j = k; j <= 2 * n; ++j) M[i][j] -= f * M[k][j];
      }
    }
    const x = M.map((row, i) => row[2 * n] / row[i]);
    return Math.hypot(C[0].reduce((sum, c, i) => sum + c * x[i], 0), C[0].reduce((sum, c, i) => sum + c * x[n + i], 0));
  };
  // also between them, where no pole is: at zeros the curve turns within a hundredth of a frequency
  for (let k = 1; k < curve.w.length; k += 3) {
    const [a, b] = [curve.w[k - 1], curve.w[k]];
    if (b / a < 1.001) continue;
    near(Math.log(at(Math.sqrt(a * b))), Math.log(curve.magnitude[k - 1] * curve.magnitude[k]) / 2, 0.05, `between ${a} and ${b} rad/s`);
  }
  for (const k of [0, 100, 250, curve.w.length - 1]) near(curve.magnitude[k], at(curve.w[k]), 1e-8 * at(curve.w[k]), `at ${curve.w[k]} rad/s`);
  assert.deepEqual(complaints(), []);
});

test("without damping the phase goes back by half a turn at the resonance", async () => {
  const { page, complaints } = await browser.open(modes("press"));
  await page.waitForSelector(".bode .uplot");
  const { phase, magnitude } = await page.evaluate(() => window.armature.bode.curve);
  near(phase[0], 0, 1e-6, "at first");
  near(phase.at(-1), -180, 1e-6, "at last");
  assert.ok(Math.max(...magnitude) < 1e5 * magnitude[0], "a resonance that is infinite is cut off");
  assert.deepEqual(complaints(), []);
});

test("without drives there is no input; dark and narrow nothing runs out of the page", async () => {
  const out = modes("four_bar");
  const { page, complaints } = await browser.open(out, { colorScheme: "dark", viewport: { width: 400, height: 800 } });
  await page.waitForSelector("#modes tbody tr");
  assert.match(await page.locator("#bode").innerText(), /no input/);
  await expectFit(page, "dark", 400);
  assert.deepEqual(complaints(), []);
});
