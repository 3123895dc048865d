// node colors.mjs: colors of curves and classes can be told apart by readers with any of the three kinds of color
// blindness. Their sight is simulated after Machado, Oliveira and Fernandes (2009, severity 1, in linear RGB); distances are
// those of CIE L*a*b* (1976). The palette of Okabe and Ito, made for them, reaches 16; a just noticeable difference is 2.3.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const least = 15;
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const sights = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};
const times = (m, v) => [0, 3, 6].map((k) => m[k] * v[0] + m[k + 1] * v[1] + m[k + 2] * v[2]);
const linear = (hex) =>
  [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
function lab(rgb) {
  const xyz = times([0.4124564, 0.3575761, 0.1804375, 0.2126729, 0.7151522, 0.072175, 0.0193339, 0.119192, 0.9503041], rgb);
  const [x, y, z] = [xyz[0] / 0.95047, xyz[1], xyz[2] / 1.08883].map((c) => (c > 0.008856 ? Math.cbrt(c) : 7.787 * c + 16 / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

// Lists of at least five colors in a file.
function palettes(file) {
  const lists = readFileSync(join(root, file), "utf8").match(/[[{]("#[0-9a-f]{6}",?\s*){5,}[\]}]/g) ?? [];
  return lists.map((list) => list.match(/#[0-9a-f]{6}/g));
}

for (const file of ["viewer/src/theme.ts", "viewer/src/study/colors.ts", "src/report/plot_style.hpp", "src/report/heat_map.cpp"])
  test(`colors of ${file}`, () => {
    const found = palettes(file).filter((palette, k) => file !== "viewer/src/theme.ts" || k % 2 === 0); // bodies have shapes
    assert.ok(found.length > 0);
    for (const palette of found)
      for (const [sight, matrix] of Object.entries(sights)) {
        const seen = palette.map((hex) => lab(times(matrix, linear(hex)).map((c) => Math.min(Math.max(c, 0), 1))));
        for (let i = 0; i < seen.length; ++i)
          for (let k = 0; k < i; ++k) {
            const distance = Math.hypot(...seen[i].map((c, n) => c - seen[k][n]));
            assert.ok(distance >= least, `${palette[i]} and ${palette[k]}, ${sight}: ${distance.toFixed(1)}`);
          }
      }
  });

// WCAG 2.2, 1.4.11: what must be seen to understand a picture differs from its ground by 3:1.
test("curves of both themes stand out from their ground", () => {
  const light = (hex) => linear(hex).reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0.05);
  const grounds = readFileSync(join(root, "viewer/src/theme.ts"), "utf8").match(/background: "(#[0-9a-f]{6})"/g).map((text) => text.slice(-8, -1));
  assert.equal(grounds.length, 2);
  palettes("viewer/src/theme.ts")
    .filter((_, k) => k % 2 === 0)
    .forEach((palette, k) => {
      for (const color of palette) {
        const [more, less] = [light(color), light(grounds[k])].sort((a, b) => b - a);
        assert.ok(more / less >= 3, `${color} on ${grounds[k]}: ${(more / less).toFixed(2)}`);
      }
    });
});

// WCAG 2.2, 1.4.3: small text by 4.5:1.
test("numbers of events can be read", () => {
  const light = (hex) => linear(hex).reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0.05);
  const theme = readFileSync(join(root, "viewer/src/theme.ts"), "utf8");
  const all = (key) => [...theme.matchAll(new RegExp(`${key}: "(#[0-9a-f]{6})"`, "g"))].map((found) => found[1]);
  const grounds = all("background");
  all("markText").forEach((color, k) => {
    const [more, less] = [light(color), light(grounds[k])].sort((a, b) => b - a);
    assert.ok(more / less >= 4.5, `${color} on ${grounds[k]}: ${(more / less).toFixed(2)}`);
  });
  assert.equal(all("markText").length, 2);
});
