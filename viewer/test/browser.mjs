// What the tests of pages share: a browser without network, pages made by the program itself, and patience.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";

const [packages, executablePath, armature, modelFolder] = process.argv.slice(2).map((path) => resolve(path));
const { chromium } = createRequire(join(packages, "x.js"))("playwright-core");

process.env.ARMATURE_VERIFY ??= "0"; // reports need no errors of their numbers
export const program = armature;
export const models = modelFolder;
export const folder = mkdtempSync(join(tmpdir(), "armature_browser_"));
const patience = 60000; // ms for a machine that has other things to do; nothing waits longer than it must
let browser;

// WebGL in software: test machines have no graphics; the page around it is drawn without, at half the cost
const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"];

before(async () => {
  browser = await chromium.launch({ executablePath, args });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

// Another browser, whose data lies in a folder.
export const launchWith = (data) => chromium.launchPersistentContext(data, { executablePath, args, viewport: { width: 1280, height: 800 } });

// armature VERB models/MODEL.yaml -o FOLDER/NAME OPTIONS…
export function make(verb, model, name, ...options) {
  const out = join(folder, name);
  execFileSync(program, [verb, join(models, `${model}.yaml`), "-o", out, ...options], { stdio: "pipe" });
  return out;
}

// In the colors that were asked for, and nothing runs out of the page.
export async function expectFit(page, colorScheme, width) {
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${width} px`);
}

// A page at an address, after what is done with it before; what it complains about, and whatever else it asks the network for, is counted.
export async function visit(address, settings = {}, allowed = (url) => url === address, before = () => {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...settings });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on(
    "request",
    (request) => allowed(request.url()) || /^(data|blob):/.test(request.url()) || complaints.push(request.url()),
  );
  await before(page);
  await page.goto(address);
  return { page, complaints: () => complaints.filter((text) => !/GPU stall|GL Driver Message/.test(text)) };
}

// The report.html of a folder. The browser has no network.
export const open = (out, settings = {}) =>
  visit(pathToFileURL(join(out, "report.html")).href, { offline: true, ...settings });

// Asks the page again and again: its rules forbid the evaluation of text, which waiting inside it would need.
export async function until(page, condition, argument) {
  for (const end = Date.now() + patience; Date.now() < end; ) {
    if (await page.evaluate(condition, argument)) return;
    await page.waitForTimeout(20);
  }
  assert.fail(`waited in vain for ${condition}`);
}

// Parts of a page that scroll by themselves, up and down.
export const scrolling = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("*")]
      .filter((e) => /auto|scroll/.test(getComputedStyle(e).overflowY) && e.scrollHeight > e.clientHeight + 1)
      .map((e) => `${e.tagName} #${e.id} .${e.className}`),
  );

export const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a} is not ${b}`);
