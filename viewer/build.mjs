// node build.mjs PACKAGES PAGE: bundles src/main.ts with its packages and puts script and style into page.html.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [packages, page] = process.argv.slice(2).map((path) => resolve(path));
const { buildSync } = createRequire(join(packages, "x.js"))("esbuild");
const sources = join(dirname(fileURLToPath(import.meta.url)), "src");

const result = buildSync({
  entryPoints: [join(sources, "main.ts")],
  nodePaths: [packages],
  bundle: true,
  minify: true,
  write: false,
  outdir: "out",
  format: "iife",
  target: "es2022",
  legalComments: "none",
});
const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending)).text;

// The licenses of what is bundled ask to be kept with it.
const licenses = ["three", "uplot"].map((name) => readFileSync(join(packages, name, "LICENSE"), "utf8").trim());
const html = readFileSync(join(sources, "page.html"), "utf8")
  .replace("/*STYLE*/", () => text(".css"))
  .replace("/*SCRIPT*/", () => text(".js"))
  .replace("<!--LICENSES-->", () => `<!--\nThis page contains three.js and uPlot:\n\n${licenses.join("\n\n")}\n-->`);
writeFileSync(page, html);
