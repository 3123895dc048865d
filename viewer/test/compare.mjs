// node compare.mjs PACKAGES CHROMIUM ARMATURE MODELS: the page of `armature compare`, which shows both runs and their difference.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as browser from "./browser.mjs";
import { expectFit, make, near, until } from "./browser.mjs";

test("two sets of options: both curves, their difference, and what was compared", async () => {
  const out = make("compare", "crane", "both", "--with", "--set inductance=0", "--end", "2");
  const { page, complaints } = await browser.open(out);
  await page.locator("#plots .plot").first().evaluate((plot) => plot.scrollIntoView()); // plots are made when they are seen
  await page.waitForSelector(".uplot");
  assert.match(await page.locator("header").innerText(), /with B: --set inductance=0/);
  const compared = JSON.parse(readFileSync(join(out, "compare.json"), "utf8"));
  assert.ok((await page.locator("#answers").innerText()).includes(compared.verdict));
  assert.match(await page.locator("#answers").innerText(), /operations of an acceleration/);
  assert.match(await page.locator("#answers .card", { hasText: "All runs" }).innerText(), /this run\s+8\.437\d*\s+B: --set inductance=0\s+[\d.]+/);
  const largest = await page.evaluate(() => {
    const { plots } = window.armature.plots.channels;
    const series = plots.flatMap((plot) => plot.series);
    const own = series.find(({ name }) => name === "travel");
    const other = series.find(({ name }) => name.startsWith("travel, B"));
    return Math.max(...Array.from(own.values, (x, k) => Math.abs(x - other.values[k])));
  });
  assert.ok(largest > 1e-6, `the runs differ by ${largest}`);
  await page.locator("button", { hasText: "difference" }).click();
  await until(page, () => window.armature.plots.channels.plots.some(({ title }) => title.endsWith(", difference")));
  const shown = await page.evaluate(() => Math.max(...Array.from(window.armature.plots.find("travel").series.values, Math.abs)));
  near(shown, largest, 1e-12, "the largest difference");
  assert.deepEqual(complaints(), []);
});

test("two models of one machine, narrow and dark", async () => {
  const out = make("compare", "crane", "models", join(browser.models, "crane_lagrangian.yaml"), "--match", "travel=q1", "--end", "1");
  const { page, complaints } = await browser.open(out, { colorScheme: "dark", viewport: { width: 400, height: 800 } });
  await until(page, () => Boolean(window.armature?.otherRuns));
  await expectFit(page, "dark", 400);
  const cut = await page.evaluate(() => [...document.querySelectorAll(".wide, .card table")].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent));
  assert.deepEqual(cut, [], "every column of the tables can be read");
  assert.deepEqual(complaints(), []);
});

test("runs that agree to seven digits do not differ, and are told apart by their options", async () => {
  const [out, other] = ["1e-10", "1e-9"].map((rtol) => make("run", "crane", `crane${rtol}`, "--rtol", rtol, "--end", "2"));
  const { page, complaints } = await browser.open(out);
  await page.locator("header input[type=file]").setInputFiles(join(other, "report.html"));
  await until(page, () => document.querySelector(".made-of").textContent === "with overhead crane rtol=1e-9");
  await page.locator("button", { hasText: "difference" }).click();
  const sizes = await page.evaluate(() => ["travel", "travel'", "swing'", "motor.current"].map((name) => Math.max(...Array.from(window.armature.plots.find(name).series.values, Math.abs))));
  sizes.forEach((size) => assert.ok(size < 1e-9, `${sizes}`));
  assert.deepEqual(complaints(), []);
});

test("a run of another machine is told as such, and not drawn over this one unless they share bodies", async () => {
  const [out, same, foreign, partly] = ["four_bar", "four_bar", "pendulum", "press"].map((model, k) => make("run", model, `machine${k}`, "--end", "0.5"));
  const { page, complaints } = await browser.open(out);
  const paths = () => page.evaluate(() => window.armature.pictureSvg().split("<path").length);
  const compareWith = async (run) => {
    if (await page.locator("button[aria-label='stop comparing']").isVisible()) await page.click("button[aria-label='stop comparing']");
    const alone = await paths();
    await page.locator("header input[type=file]").setInputFiles(join(run, "report.html"));
    await page.locator(".made-of", { hasText: "with" }).waitFor();
    return { drawn: (await paths()) > alone, told: await page.locator(".other-machine").textContent() };
  };
  assert.deepEqual(await compareWith(same), { drawn: true, told: "" });
  assert.deepEqual(await compareWith(foreign), { drawn: false, told: "pendulum is another machine: no body has the same name, so it is not drawn over this one." });
  assert.deepEqual(await compareWith(partly), { drawn: true, told: "press is another machine: only one of the two has coupler, rocker, rod and slider." });
  assert.deepEqual(complaints(), []);
});

test("a plan: what was asked for and what it costs stand above the plots; titles do not run under the buttons on a phone", async () => {
  const out = make("plan", "plan/cart", "plan", "--to", "travel=1 m", "--minimize", "push^2", "--time", "1");
  const { sentence } = JSON.parse(readFileSync(join(out, "plan.json"), "utf8"));
  const { page, complaints } = await browser.open(out, { viewport: { width: 400, height: 800 } });
  const text = await page.locator("#answers").innerText();
  assert.ok(text.includes(sentence), text);
  assert.match(text, /minimized\s+push\^2\s+cost\s+48 kg\^2 m\^2\/s\^3\s+at the end travel\s+1 m\s+duration\s+1 s/);
  const under = await page.evaluate(() =>
    [...document.querySelectorAll(".plot[open]")].filter((plot) => {
      const tools = plot.querySelector(".plot-tools")?.getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(plot.querySelector("summary"));
      return tools && [...range.getClientRects()].some(({ right, top }) => right > tools.left && top < tools.bottom - 4);
    }).map((plot) => plot.querySelector("summary").textContent),
  );
  assert.deepEqual(under, []);
  assert.deepEqual(complaints(), []);
});
