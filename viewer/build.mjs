// node build.mjs PACKAGES FOLDER: bundles each page's main.ts with its packages and puts script and style into its page.html:
// FOLDER/report.html of one run, FOLDER/study.html of many, FOLDER/modes.html of vibrations, FOLDER/view.html of `armature view`. The report and the live page carry FOLDER/kernel.wasm
// and the worker that computes with it.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const [packages, folder] = process.argv.slice(2).map((path) => resolve(path));
const { buildSync } = createRequire(join(packages, "x.js"))("esbuild");
const sources = join(dirname(fileURLToPath(import.meta.url)), "src");

function bundle(main, define = {}) {
  const result = buildSync({
    define,
    entryPoints: [main],
    nodePaths: [packages],
    bundle: true,
    minify: true,
    write: false,
    outdir: "out",
    format: "iife",
    target: "es2022",
    legalComments: "none",
    metafile: true,
  });
  const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending)).text;
  return { text, contents: Object.keys(result.metafile.inputs).flatMap(packageOf) };
}

// ["@lezer/lr"] of …/node_modules/@lezer/lr/dist/index.js, [] of our own sources.
function packageOf(path) {
  const place = path.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/);
  return place ? [place[1]] : [];
}

// The licenses of what is bundled ask to be kept with it; packages of one author share theirs.
function licenses(contents) {
  const names = [...new Set(contents)].sort();
  if (names.length === 0) return "";
  const texts = new Set(names.map((name) => readFileSync(join(packages, name, "LICENSE"), "utf8").trim()));
  return `<!--\nThis page contains ${names.join(", ")}:\n\n${[...texts].join("\n\n")}\n-->`;
}

function build(page, from, define = {}, within = []) {
  const { text, contents } = bundle(join(sources, from, "main.ts"), define);
  const html = readFileSync(join(sources, from, "page.html"), "utf8")
    .replace("</head>", () => licenses([...contents, ...within]) + "</head>")
    .replace("/*STYLE*/", () => text(".css"))
    .replace("/*SCRIPT*/", () => text(".js"));
  writeFileSync(join(folder, page), html);
}

const kernel = readFileSync(join(folder, "kernel.wasm"));
const worker = bundle(join(sources, "compute", "worker.ts"));
const computing = {
  ARMATURE_KERNEL: JSON.stringify(kernel.length > 0 ? gzipSync(kernel, { level: 9 }).toString("base64") : ""),
  ARMATURE_WORKER: JSON.stringify(kernel.length > 0 ? worker.text(".js") : ""),
};
build("report.html", ".", computing, worker.contents);
build("study.html", "study");
build("modes.html", "modes");
build("view.html", "live", computing, worker.contents);
