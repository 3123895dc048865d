// node types.mjs PACKAGES: the viewer's types are right, as the compiler of TypeScript sees them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, cpSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const packages = resolve(process.argv[2]);
const viewer = dirname(dirname(fileURLToPath(import.meta.url)));
const copy = mkdtempSync(join(tmpdir(), "armature_types_")); // sources beside the packages, where imports find them
cpSync(join(viewer, "src"), join(copy, "src"), { recursive: true });
cpSync(join(viewer, "tsconfig.json"), join(copy, "tsconfig.json"));
symlinkSync(packages, join(copy, "node_modules"));
const result = spawnSync(process.execPath, [join(packages, "typescript", "bin", "tsc"), "-p", copy], {
  encoding: "utf8",
});
rmSync(copy, { recursive: true });
process.stdout.write(result.stdout + result.stderr);
process.exit(result.status ?? 1);
