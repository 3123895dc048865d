// node ticks.mjs PACKAGES: labels of axes, without a browser.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const { buildSync } = createRequire(join(resolve(process.argv[2]), "x.js"))("esbuild");
const source = join(dirname(dirname(fileURLToPath(import.meta.url))), "src");
async function bundled(file) {
  const { outputFiles } = buildSync({ entryPoints: [join(source, file)], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}
const { decades, roundTicks } = await bundled("ticks.ts");
const { Scale } = await bundled("study/scale.ts");

test("decades where there are many, at most as many as fit", () => {
  assert.deepEqual(decades(1e-4, 1e-1), [1e-4, 1e-3, 1e-2, 1e-1]);
  assert.deepEqual(decades(3e-3, 0.04), [5e-3, 1e-2, 2e-2]);
  assert.ok(decades(1e-16, 1, 8).length <= 9);
});

test("at least two, however narrow the range", () => {
  assert.deepEqual(decades(3e-4, 4e-4), [3e-4, 4e-4]); // neither 1, 2 nor 5 lies there
  for (const [min, max] of [
    [1.1, 1.9],
    [3.2e-7, 3.9e-7],
    [6.01e-9, 6.02e-9],
    [9e-15, 1.1e-14],
    [0.04, 5.1],
  ]) {
    const ticks = decades(min, max);
    assert.ok(ticks.length >= 2 && ticks.length <= 9, `${min} … ${max}: ${ticks}`);
    assert.ok(ticks.every((tick) => tick >= min * (1 - 1e-9) && tick <= max * (1 + 1e-9)), `${ticks}`);
  }
});

test("neighboring labels of large numbers have one form and differ", () => {
  const labels = (min, max) => new Scale(min, max, false, 0, 300).ticks(60).map(({ text }) => text);
  assert.deepEqual(labels(0, 1.2e7), ["0", "5e6", "10e6"]);
  assert.deepEqual(labels(8e6, 1.1e7), ["8e6", "9e6", "10e6", "11e6"]);
  assert.deepEqual(labels(20000000, 20000040), ["2.000000e7", "2.000001e7", "2.000002e7", "2.000003e7", "2.000004e7"]);
});

// Each of these took forever, or as many ticks as the memory holds.
test("a range too narrow for the digits of a number has no ticks, or those that there are", () => {
  for (const [min, max] of [[1, 1 + 2 ** -52], [0.1, 0.1 + 3e-17], [1e9, 1e9 + 2e-7], [0, 5e-324], [-1e-322, 1e-322], [-1e308, 1e308]]) {
    for (const ticks of [roundTicks(min, max, 8), new Scale(min, max, false, 0, 300).ticks(60)]) assert.ok(ticks.length <= 20, `${min} … ${max}: ${ticks.length}`);
    if (min > 0) assert.ok(decades(min, max).length <= 20);
  }
});
