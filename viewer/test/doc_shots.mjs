// node doc_shots.mjs PACKAGES CHROMIUM ARMATURE MODELS OUT: the pages that the documentation shows. No test: see ./go pictures.
import { copyFileSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { folder, make, models, program, until, visit } from "./browser.mjs";

const out = resolve(process.argv[6]);
const viewport = { width: 1280, height: 800 };
const report = (...of) => pathToFileURL(join(make(...of), "report.html")).href;

async function shoot(name, address, act, settings = {}) {
  const { page } = await visit(address, { viewport, ...settings }, () => true);
  await act?.(page);
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(out, `${name}.png`) });
  await page.context().close();
}
const seek = (t) => (page) => page.evaluate((t) => window.armature.player.seek(t), t);

test("a run", () => shoot("report_rrr", report("run", "rrr_motors", "rrr", "--end", "1"), seek(0.55)));
test("a run, dark", () => shoot("report_delta", report("run", "delta", "delta", "--end", "2"), seek(0.4), { colorScheme: "dark" }));
test("a study", () => shoot("report_tune", report("tune", "arm_on_circle", "tune")));

test("the live page, with a pinned run", async () => {
  mkdirSync(join(folder, "served"));
  copyFileSync(join(models, "rrr.yaml"), join(folder, "served", "rrr.yaml"));
  const child = spawn(program, ["view", join(folder, "served", "rrr.yaml"), "--no-open"]);
  const line = await new Promise((resolve) => child.stdout.once("data", (text) => resolve(String(text))));
  await shoot("view_rrr", /http:\S+/.exec(line)[0], async (page) => {
    const settled = () => until(page, () => window.armature?.run && !window.armature.session.running);
    await settled();
    await page.click("button:text-is('pin')");
    const mass = page.locator(".row.slider", { hasText: "m2" }).locator("input[type=text]");
    await mass.fill("1.5 kg");
    await mass.press("Enter");
    await until(page, () => /m2: 1\.5 kg/.test(window.armature.session.text));
    await settled();
    await page.evaluate(() => window.armature.player.seek(0.55));
  });
  child.kill("SIGKILL");
});
