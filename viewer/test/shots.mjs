// node shots.mjs PACKAGES CHROMIUM ARMATURE MODELS OUT [PATTERN]: pictures of every page, light and dark, 1600, 1280 and 400 px wide, to be looked at.
// No test: it only fails where a page complains or is wider than its window.
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { folder, make, models, program, until, visit } from "./browser.mjs";

const out = resolve(process.argv[6] ?? "shots");
const wanted = new RegExp(process.argv[7] ?? ".");
mkdirSync(out, { recursive: true });

// A page: its file, and what is done before the picture is taken.
const report = (verb, model, name, ...options) => () => join(make(verb, model, name, ...options), "report.html");
const press = ["--over", "phi0=0:2*pi:25", "--over", "w0=-3:3:21", "--rtol", "1e-5", "--refine", "1"];
const classes = "never: turns(phi) < 1; for good: final(phi) - at(phi, 28) > 2*pi; trapped";
const pages = {
  run_rrr_motors: [report("run", "rrr_motors", "rrr_motors", "--end", "1"), (page) => page.evaluate(() => window.armature.player.seek(0.0768787))],
  run_values: [report("run", "four_bar", "values", "--end", "2"), (page) => page.click("#compute summary h2")],
  run_stewart: [report("run", "stewart", "stewart", "--end", "0.3")],
  run_crane: [report("run", "crane", "crane", "--end", "4", "--result", "peak=max(abs(swing))")],
  run_squeezer: [report("run", "squeezer", "squeezer", "--end", "0.01")],
  run_flexible: [report("run", "flexible_slider_crank", "flexible", "--end", "0.05")],
  run_wishbone: [report("run", "machines/wishbone", "wishbone", "--end", "0.3")],
  run_lagrangian: [report("run", "press_lagrangian", "press_lagrangian", "--end", "5")],
  run_stop: [report("run", "contact/four_bar_stop", "stop")],
  run_n_four_bar: [report("run", "n_four_bar", "n40", "--set", "N=40", "--end", "1")],
  kinematics: [report("kinematics", "slider_crank", "kinematics", "--move", "crank=2*pi*t", "--end", "1")],
  inverse: [report("inverse", "slider_crank", "inverse")],
  compare: [report("compare", "crane", "compare", "--with", "--set inductance=0")],
  modes: [report("modes", "five_bar", "modes")],
  map: [report("map", "press", "map", ...press, "--classify", classes)],
  map_line: [report("map", "press", "line", "--set", "phi0=pi", "--set", "ripple=0", "--over", "w0=0:3:31", "--rtol", "1e-5", "--refine", "6", "--classify", classes)],
  sweep: [report("sweep", "crane", "sweep", "--over", "rope=0.5:1.5:6", "--over", "volts=5:15:5", "--end", "3", "--result", "peak=max(abs(swing))")],
  scatter: [report("sweep", "crane", "scatter", "--over", "rope=0.5:1.5", "--over", "volts=5:15", "--sobol", "40", "--end", "3", "--result", "peak=max(abs(swing))")],
  optimize: [report("optimize", "crane", "optimize", "--over", "rope=0.3:1.5", "--over", "volts=5:15", "--end", "3", "--minimize", "max(abs(swing))")],
  tune: [report("tune", "rrr_benchmark", "tune")],
  singularities: [report("singularities", "rrr_motors", "singularities", "--end", "1")],
  view: [null],
  gallery: [() => (execFileSync(program, ["gallery", "--from", dirname(models), "--only", "rrr/fig2a,benchmarks/a01,gains/fig7", "-o", join(folder, "gallery")], { stdio: "pipe" }), join(folder, "gallery", "index.html"))],
};

async function live() {
  mkdirSync(join(folder, "served"), { recursive: true });
  for (const name of ["rrr.yaml", "crane.yaml"]) copyFileSync(join(models, name), join(folder, "served", name));
  const child = spawn(program, ["view", join(folder, "served", "rrr.yaml"), "--no-open"]);
  const line = await new Promise((resolve) => child.stdout.once("data", (text) => resolve(String(text))));
  return { address: /http:\S+/.exec(line)[0], end: () => child.kill("SIGKILL") };
}

// Plots are made when they are seen: from top to bottom and back.
async function seen(page) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y < Math.min(height, 9000); y += 500) {
    await page.evaluate((y) => window.scrollTo(0, y), y);
    await page.waitForTimeout(60);
  }
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.waitForTimeout(300);
}

for (const [name, [make_, act]] of Object.entries(pages).filter(([name]) => wanted.test(name)))
  test(name, async () => {
    const served = make_ ? null : await live();
    const address = served ? served.address : pathToFileURL(make_()).href;
    const failures = [];
    for (const colorScheme of ["light", "dark"])
      for (const width of [1600, 1280, 400]) {
        const { page, complaints } = await visit(address, { colorScheme, viewport: { width, height: width > 500 ? 1000 : 800 } }, () => true);
        if (served) await until(page, () => window.armature?.run);
        await act?.(page);
        await seen(page);
        await page.screenshot({ path: join(out, `${name}_${colorScheme}_${width}.png`), fullPage: true });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        if (wide > width) failures.push(`${colorScheme} ${width}: ${wide} px wide`);
        failures.push(...complaints());
        await page.context().close();
      }
    served?.end();
    if (failures.length > 0) throw new Error(failures.join("\n"));
  });
