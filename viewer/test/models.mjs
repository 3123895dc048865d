// node models.mjs PACKAGES KERNEL ARMATURE MODELS: every shipped model in the engine of pages, without a browser. It computes the whole run, or the
// list here says why not.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { farthest, models, motionOf, run } from "./page_engine.mjs";

// What a page does not compute at all, by the sentence that it shows.
const refused = {
  "the model is too large for a page": ["beams/bent_arc", "biped"],
  "the model has constraints on velocities alone (rolling, knife_edge)": ["contact/chaplygin_sleigh", "contact/rolling_coin", "contact/turntable"],
}; // prettier-ignore
// Motions that end early in a page, which shows the command that computes them.
const ended = ["n_four_bar", "slider_crank_equal", "slider_crank_equal_lagrangian"]; // at a singular pose
const warned = ["contact/beam_on_supports", "contact/block_on_incline"]; // forces of rigid contacts are not determined, which the program warns of
const fixed = ["beams/spin_up"]; // the page takes fixed steps, which follow its fastest vibrations less well

const names = readdirSync(models, { recursive: true })
  .filter((file) => file.endsWith(".yaml") && /^armature: 1$/m.test(readFileSync(join(models, file), "utf8")))
  .map((file) => file.replace(/\.yaml$/, ""))
  .filter((name) => !/^(motors|robots)\//.test(name)) // parts of models, and lists of losses
  .sort();

for (const name of names)
  test(`${name} in a page`, async () => {
    const recorded = run(name, ...(fixed.includes(name) ? ["--end", "2"] : []));
    const reason = Object.keys(refused).find((sentence) => refused[sentence].includes(name));
    if (reason) return assert.equal(recorded.document.compute.refused, reason);
    const motion = await motionOf(recorded);
    if (ended.includes(name)) return assert.equal(motion.status, "singular");
    if (warned.includes(name)) return assert.equal(motion.status, "contacts");
    const far = farthest(motion, recorded);
    assert.ok(far < (fixed.includes(name) ? 1 : 1e-3), `${far}`); // stiff beams and parameters that are inputs: within the tolerance of the run
  });
