// node drawing.mjs PACKAGES CHROMIUM ARMATURE MODELS: the machine in the picture of a report: its symbols are those of `armature draw`, at the same sides.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, make, models, near, open, program } from "./browser.mjs";

// Paths of an SVG with what they stand for: kind, and the numbers of their points.
function paths(svg) {
  return [...svg.matchAll(/<path[^>]*>/g)].flatMap(([tag]) => {
    const kind = /class="([^"]*)"/.exec(tag)?.[1];
    const numbers = / d="([^"]*)"/.exec(tag)[1].match(/-?\d+(\.\d+)?/g).map(Number);
    return kind ? [{ kind, x: numbers.filter((_, k) => k % 2 === 0), y: numbers.filter((_, k) => k % 2 === 1) }] : [];
  });
}
const drawnBy = (model, ...options) => paths(drawing(join(models, `${model}.yaml`), ...options));
function drawing(model, ...options) {
  const file = join(folder, "drawn.svg");
  execFileSync(program, ["draw", model, "-o", file, ...options], { stdio: "pipe" });
  return readFileSync(file, "utf8");
}
// The run of a model that is given as text.
function written(name, text) {
  const out = join(folder, name);
  writeFileSync(`${out}.yaml`, text);
  execFileSync(program, ["run", `${out}.yaml`, "-o", out], { stdio: "pipe" });
  return out;
}
async function inPage(model) {
  const { page, complaints } = await open(make("run", model, model.replaceAll("/", "_"), "--end", "0.02"), { viewport: { width: 700, height: 600 } });
  const found = paths(await page.evaluate(() => window.armature.pictureSvg()));
  assert.deepEqual(complaints(), [], model);
  await page.context().close();
  return found;
}
const kinds = (list) => [...new Set(list.map(({ kind }) => kind))].sort();
const middle = (list, kind, axis) => {
  const numbers = list.filter((each) => each.kind === kind).flatMap((each) => each[axis]);
  return numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
};

test("the picture of a page has the symbols of `armature draw`", async () => {
  const elements = ["cam", "geneva", "gear_pair", "rack", "chain", "rope", "gas_spring", "bushing", "power_screw", "screw_joint", "torsion_bar", "planetary"];
  const others = ["two_joint_arm", "crane", "squeezer", "stewart", "five_bar", "rrr_lagrangian", "plan/swing_up", "machines/wishbone", "contact/four_bar_stop", "contact/slotted_lever",
    "contact/bouncing_ball", "contact/block_on_incline", "contact/ball_at_rest", "contact/cam_roller", "contact/chaplygin_sleigh", "drives/servo", "drives/hydraulic_cylinder", "drives/pmsm", "biped", "elements/brake", "elements/capstan", "elements/clutch", "elements/worm", "beams/elastica", "beams/bent_arc"];
  const [page, drawn] = [{}, {}];
  for (const model of [...elements.map((name) => `elements/${name}`), ...others]) [page[model], drawn[model]] = [kinds(await inPage(model)).join(" "), kinds(drawnBy(model)).join(" ")];
  assert.deepEqual(page, drawn);
});

test("guides, bases, racks and arrows lie inside the picture", async () => {
  for (const [model, ...options] of [["crane"], ["elements/wedge"], ["machines/shaper"], ["elements/rack"], ["beams/elastica"], ["lead_screw"], ["press"], ["flexible_slider_crank", "--end", "0.05"]]) {
    const { page } = await open(make("run", model, `inside_${model.replaceAll("/", "_")}`, ...options), { viewport: { width: 700, height: 600 } });
    const svg = await page.evaluate(() => window.armature.pictureSvg());
    const [width, height] = ["width", "height"].map((name) => Number(new RegExp(` ${name}="([\\d.]+)`).exec(svg)[1]));
    for (const { kind, x, y } of paths(svg).filter(({ kind }) => kind !== "path"))
      assert.ok(Math.min(...x, ...y) >= 0 && Math.max(...x) <= width && Math.max(...y) <= height, `${model}: ${kind} in ${width} x ${height}`);
    await page.context().close();
  }
});

test("heads of arrows are filled, and seen from their broad side, in every plane and in space", async () => {
  for (const [model, kinds, end = "0.05"] of [["elements/sleeve", ["force", "velocity"]], ["beams/bent_arc", ["force"]], ["crane", ["velocity"]], ["delta", ["velocity"], "0.3"], ["press", ["effort"]], ["lead_screw", ["effort"]]]) {
    const { page } = await open(make("run", model, `heads_${model.replaceAll("/", "_")}`, "--end", end), { viewport: { width: 700, height: 600 } });
    await page.evaluate((end) => (window.armature.player.seek(0.8 * end), [...document.querySelectorAll("#scene label, #controls label")].find((label) => /velocities/.test(label.textContent))?.click()), Number(end));
    const svg = await page.evaluate(() => window.armature.pictureSvg());
    for (const wanted of kinds) {
      const of = (list) => paths(list).filter(({ kind }) => kind === wanted);
      const heads = of(svg.replace(/<path[^>]*fill="none"[^>]*>/g, ""));
      assert.ok(heads.length > 0 && heads.length === of(svg).length / 2, `${model}: ${heads.length} heads of ${of(svg).length} ${wanted}`);
      for (const { x, y } of heads) {
        const sides = x.map((_, k) => Math.hypot(x[(k + 1) % 3] - x[k], y[(k + 1) % 3] - y[k]));
        const twiceArea = Math.abs((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]));
        assert.ok(x.length === 3 && twiceArea / Math.max(...sides) > 1.5, `${model}: ${wanted} has a flat head, ${x}, ${y}`);
      }
    }
    await page.context().close();
  }
});

test("a spring in space is a zigzag however it is looked at", async () => {
  const { page, complaints } = await open(written("spring", `armature: 1
gravity: [0, 0, -9.81]
bodies: {block: {mass: 1 kg, inertia: {sphere: 0.1 m}, shape: {sphere: 0.1 m}}}
points: {wall: [1, 0, 0]}
joints: {move: {type: free, between: [ground, block]}}
forces: {spring: {type: spring, between: [wall, block], stiffness: 100 N/m, length: 1 m}}
simulate: {end: 10 ms}
`), { viewport: { width: 700, height: 600 } });
  for (const side of ["aside", "front", "top"]) {
    await page.locator('select[aria-label="view"]').selectOption({ label: side });
    const [{ x, y }] = paths(await page.evaluate(() => window.armature.pictureSvg())).filter(({ kind }) => kind === "spring");
    const [dx, dy] = [x.at(-1) - x[0], y.at(-1) - y[0]];
    const away = x.map((_, k) => (dx * (y[k] - y[0]) - dy * (x[k] - x[0])) / Math.hypot(dx, dy));
    assert.ok(Math.max(...away) > 3 && Math.min(...away) < -3, `${side}: ${Math.min(...away)} to ${Math.max(...away)} px`);
  }
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("a slider in space has its end stops, as a rail and as a tube, each just beyond where the slider meets it", async () => {
  for (const [kind, lower] of [["rail", -0.2], ["tube", 0.3]]) {
    const { page, complaints } = await open(written(`stops_${kind}`, `armature: 1
gravity: [0, 0, 0]
bodies: {block: {mass: 1 kg}}
joints: {slide: {type: prismatic, axis: x, between: [ground, block], limits: {lower: ${lower} m, upper: 0.6 m, restitution: 0}}}
start: {keep: {slide: 0.4 m}}
simulate: {end: 10 ms}
`), { viewport: { width: 700, height: 600 } });
    const found = paths(await page.evaluate(() => window.armature.pictureSvg())).filter(({ kind }) => kind === "stop");
    const [width, height] = await page.evaluate(() => [document.querySelector("#scene canvas").clientWidth, document.querySelector("#scene canvas").clientHeight]);
    const seen = async (slide) => {
      const [x, y] = await page.evaluate((x) => window.armature.onScreen("block", [x, 0, 0]), slide - 0.4);
      return [((x + 1) / 2) * width, ((1 - y) / 2) * height];
    };
    for (const [stop, beyond] of [[lower, lower - 0.1], [0.6, 0.7]]) {
      const [[x, y], [u, v]] = [await seen(stop), await seen(beyond)];
      const bars = found.map((bar) => [(bar.x[0] + bar.x[1]) / 2, (bar.y[0] + bar.y[1]) / 2]); // a line, then its hatching
      const share = ([a, b]) => ((a - x) * (u - x) + (b - y) * (v - y)) / ((u - x) ** 2 + (v - y) ** 2);
      const aside = ([a, b]) => Math.abs((a - x) * (v - y) - (b - y) * (u - x)) / Math.hypot(u - x, v - y);
      assert.ok(bars.some((bar) => share(bar) > 0 && share(bar) < 1 && aside(bar) < 1), `${kind}: at ${stop} m of ${bars.map(share)}`);
    }
    assert.deepEqual(complaints(), [], kind);
    await page.context().close();
  }
});

test("the damper of a slider in space lies beside its tube, or beside the spring of a rail, held at both ends", async () => {
  for (const [kind, start, elements] of [["tube", 0.4, "damping: 1 N*s/m"], ["coil", 0.4, "damping: 1 N*s/m, spring: {stiffness: 1 N/m}"], ["rail", 0, "damping: 1 N*s/m, spring: {stiffness: 1 N/m}"]]) {
    const { page, complaints } = await open(written(`damper_${kind}`, `armature: 1
gravity: [0, 0, 0]
bodies: {block: {mass: 1 kg}}
joints: {slide: {type: prismatic, axis: x, between: [ground, block], ${elements}}}
start: {keep: {slide: ${start} m}}
simulate: {end: 10 ms}
`), { viewport: { width: 700, height: 600 } });
    const found = paths(await page.evaluate(() => window.armature.pictureSvg()));
    const [dampers, slider] = ["damper", "slider"].map((wanted) => found.filter(({ kind }) => kind === wanted));
    const [width, height] = await page.evaluate(() => [document.querySelector("#scene canvas").clientWidth, document.querySelector("#scene canvas").clientHeight]);
    const [from, to] = await page.evaluate(() => [0, 0.01].map((x) => window.armature.onScreen("block", [x, 0, 0])));
    const line = ([x, y]) => [((x + 1) / 2) * width, ((1 - y) / 2) * height];
    const [[x, y], [u, v]] = [line(from), line(to)];
    const away = (a, b) => ((a - x) * (v - y) - (b - y) * (u - x)) / Math.hypot(u - x, v - y);
    const across = (list) => list.map((each) => [away(each.x[0], each.y[0]), away(each.x[1], each.y[1])]);
    if (kind === "rail") {
      const joined = across(found.filter(({ kind, x }) => kind === "spring" && x.length === 2));
      assert.equal(joined.filter(([a, b]) => a * b < -25).length, 2, `lines from one side to the other, ${joined}`);
      assert.ok(across(dampers).flat().filter((at) => Math.sign(at) !== Math.sign(across(dampers)[0][0])).length === 0, `${across(dampers)}`);
    } else {
      const half = Math.max(...slider.flatMap((each) => each.x.map((a, k) => Math.abs(away(a, each.y[k]))))); // of the tube
      const ends = across(dampers).map((pair) => pair.map(Math.abs).sort((a, b) => a - b));
      assert.equal(ends.filter(([near, far]) => near < 0.5 && far > half).length, 2, `${kind}: lines from the axis to the damper, ${ends}`);
      const rows = ends.filter(([near]) => near > 0.5);
      assert.ok(rows.length > 3 && rows.every(([near]) => near > half), `${kind}: beside ${half} px, ${rows}`);
    }
    assert.deepEqual(complaints(), [], kind);
    await page.context().close();
  }
});

test("motors have an M in space, too: in the page, in its SVG, once each", async () => {
  const { page, complaints } = await open(make("run", "delta", "delta_motors", "--end", "0.02"), { viewport: { width: 900, height: 700 } });
  assert.equal(await page.locator(".label.motor:visible").count(), 3);
  const svg = () => page.evaluate(() => window.armature.pictureSvg());
  const letters = async () => [...(await svg()).matchAll(/<text x="([\d.]+)" y="([\d.]+)" [^>]*fill="#d55e00"[^>]*paint-order="stroke"[^>]*>M<\/text>/g)];
  const machine = paths(await svg()).filter(({ kind }) => ["pin", "motor", "link", "ground"].includes(kind));
  for (const [, left, base] of await letters())
    for (const { kind, x, y } of machine)
      assert.ok(!x.some((a, k) => a > Number(left) && a < Number(left) + 10 && y[k] < Number(base) && y[k] > Number(base) - 10), `${kind} at the M of ${left}, ${base}`);
  assert.equal((await letters()).length, 3);
  await page.locator(".shown label", { hasText: "names" }).locator("input").check();
  assert.equal((await letters()).length, 3);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("nothing runs from a base through the machine that hangs on it", async () => {
  const { page, complaints } = await open(make("run", "delta", "delta_bases", "--end", "0.02"), { viewport: { width: 700, height: 600 } });
  const [width, height] = await page.evaluate(() => [document.querySelector("#scene canvas").clientWidth, document.querySelector("#scene canvas").clientHeight]);
  const seen = async (body, at) => {
    const [x, y] = await page.evaluate(([body, at]) => window.armature.onScreen(body, at), [body, at]);
    return [((x + 1) / 2) * width, ((1 - y) / 2) * height];
  };
  const bases = await Promise.all(["arm1", "arm2", "arm3"].map((arm) => seen(arm, [0, 0, 0])));
  const [[, platform], [, highest]] = [await seen("platform", [0, 0, 0]), bases.reduce((a, b) => (a[1] < b[1] ? a : b))];
  const ground = paths(await page.evaluate(() => window.armature.pictureSvg())).filter(({ kind }) => kind === "ground");
  assert.ok(ground.length >= 3);
  for (const { x, y } of ground)
    for (const [k, at] of y.entries()) assert.ok(Math.min(...bases.map(([u, v]) => Math.hypot(x[k] - u, at - v))) < 0.2 * (platform - highest), `${x[k]}, ${at}`);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("the plates of a clutch lie over the wheels on its shaft", async () => {
  for (const model of ["elements/clutch", "elements/freewheel"]) {
    const kinds = (await inPage(model)).map(({ kind }) => kind);
    assert.equal(kinds.filter((kind) => kind === "clutch").length, 2, model);
    assert.ok(kinds.indexOf("clutch") > kinds.lastIndexOf("shape"), model);
  }
});

test("gas springs, hydraulic cylinders and the shoes of brakes are filled, and as broad as the drawing is large", async () => {
  for (const [model, wanted] of [["elements/gas_spring", "gas_spring"], ["drives/hydraulic_cylinder", "cylinder"], ["elements/brake", "brake"], ["elements/capstan", "brake"]]) {
    const wide = [];
    for (const size of [400, 800]) {
      const { page } = await open(make("run", model, `filled_${model.replaceAll("/", "_")}`, "--end", "0.02"), { viewport: { width: size, height: size } });
      const svg = await page.evaluate(() => window.armature.pictureSvg());
      const { x, y } = paths(svg.replace(/<path[^>]*fill="none"[^>]*>/g, "")).find(({ kind }) => kind === wanted);
      const length = ([a, b]) => Math.hypot(x[a] - x[b], y[a] - y[b]);
      const ground = paths(svg).filter(({ kind }) => kind === "ground").flatMap(({ y }) => y);
      wide.push(Math.min(...[[0, 1], [1, 2], [2, 0]].map(length)) / (Math.max(...ground) - Math.min(...ground)));
      await page.context().close();
    }
    near(wide[0], wide[1], 0.1 * wide[1], model);
  }
});

test("lines of a Lagrangian model are bars with pins, in the colors of a drawing", async () => {
  const { page, complaints } = await open(make("run", "rrr_lagrangian", "lines", "--end", "0.02"), { viewport: { width: 700, height: 600 } });
  const fills = (svg, kind) => new Set([...svg.matchAll(new RegExp(`<path[^>]*class="${kind}"[^>]* fill="(#[^"]*)"`, "g"))].map(([, fill]) => fill));
  const [seen, drawn] = [await page.evaluate(() => window.armature.pictureSvg()), drawing(join(models, "rrr_lagrangian.yaml"))];
  for (const kind of ["link", "pin"]) for (const fill of fills(drawn, kind)) assert.ok(fills(seen, kind).has(fill), `${kind} ${fill} of ${[...fills(seen, kind)]}`);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("bushings and pulleys are filled, over their bodies", async () => {
  for (const [model, wanted] of [["elements/bushing", "bushing"], ["elements/rope", "pulley"]]) {
    const { page } = await open(make("run", model, `filled_${wanted}`, "--end", "0.02"), { viewport: { width: 700, height: 600 } });
    const svg = await page.evaluate(() => window.armature.pictureSvg());
    const last = svg.lastIndexOf('class="shape"');
    assert.ok([...svg.matchAll(new RegExp(`<path[^>]*class="${wanted}"[^>]* fill="#`, "g"))].some(({ index }) => index > last), model);
    await page.context().close();
  }
});

test("a shape has the same color in every plane", async () => {
  const colors = [];
  for (const plane of ["xy", "xz", "yz"]) {
    const { page } = await open(written(`light_${plane}`, `armature: 1
plane: ${plane}
gravity: [0, 0, 0]
bodies: {block: {mass: 1 kg, inertia: {box: [1, 1, 1]}, shape: {box: [1, 1, 1]}}}
joints: {pin: {type: revolute, axis: ${{ xy: "z", xz: "y", yz: "x" }[plane]}, between: [ground, block]}}
simulate: {end: 10 ms}
`), { viewport: { width: 700, height: 600 } });
    const color = await page.evaluate(() => {
      const picture = window.armature.pictureAt(0);
      return [...picture.getContext("2d").getImageData(Math.round(0.6 * picture.width), Math.round(0.4 * picture.height), 1, 1).data].join(" ");
    });
    colors.push(color);
    await page.context().close();
  }
  assert.deepEqual(colors, [colors[0], colors[0], colors[0]]);
});

test("the block of a slider is seen in every plane", async () => {
  for (const [plane, axis] of [["xy", "[1, 1, 0]"], ["xz", "[1, 0, 1]"], ["yz", "[0, 1, 1]"]]) {
    const { page, complaints } = await open(written(`block_${plane}`, `armature: 1
plane: ${plane}
gravity: [0, 0, 0]
bodies: {block: {mass: 1 kg}}
joints: {slide: {type: prismatic, axis: ${axis}, between: [ground, block]}}
forces: {push: {type: effort, on: slide, is: 1}}
simulate: {end: 1 s}
`), { viewport: { width: 700, height: 600 } });
    const blocks = paths(await page.evaluate(() => window.armature.pictureSvg())).filter(({ kind }) => kind === "slider");
    const area = ({ x, y }) => Math.abs(x.reduce((sum, _, k) => sum + x[k] * y[(k + 1) % x.length] - x[(k + 1) % x.length] * y[k], 0)) / 2;
    assert.ok(blocks.length > 0 && blocks.every((block) => area(block) > 50), `${plane}: ${blocks.map(area)} px^2`);
    assert.deepEqual(complaints(), [], plane);
    await page.context().close();
  }
});

test("a thread lies on its screw, and pitch circles over their wheels", async () => {
  const { page } = await open(make("run", "lead_screw", "thread", "--end", "0.02"), { viewport: { width: 700, height: 600 } });
  const width = await page.evaluate(() => document.querySelector("#scene canvas").clientWidth);
  const x = async (at) => (((await page.evaluate((at) => window.armature.onScreen("spindle", at), at))[0] + 1) / 2) * width;
  const half = Math.max(...(await Promise.all([[0.008, 0, 0], [0, 0.008, 0], [0.0057, 0.0057, 0]].map(x))).map((at) => at)) - (await x([0, 0, 0]));
  const thread = paths(await page.evaluate(() => window.armature.pictureSvg())).filter(({ kind }) => kind === "screw").flatMap(({ x }) => x);
  const wide = (Math.max(...thread) - Math.min(...thread)) / 2;
  assert.ok(wide > half && wide < 1.6 * half, `${wide} px around ${half} px`);
  await page.context().close();
  const kinds = (await inPage("elements/worm")).map(({ kind }) => kind);
  assert.ok(kinds.indexOf("gear") > kinds.lastIndexOf("shape"));
});

test("plates in space have round corners, however sharp", async () => {
  const corners = [[0, 0, 0], [1, 0.1, 0], [1, -0.1, 0]];
  const { page, complaints } = await open(written("plate", `armature: 1
gravity: [0, 0, 0]
bodies: {plate: {mass: 1 kg, center: [0.5, 0, 0], inertia: {sphere: 0.1}, points: {a: [0, 0, 0], b: [1, 0.1, 0], c: [1, -0.1, 0]}}}
joints: {move: {type: free, between: [ground, plate]}}
simulate: {end: 10 ms}
`), { viewport: { width: 700, height: 600 } });
  await page.locator('select[aria-label="view"]').selectOption({ label: "top" });
  const [width, height] = await page.evaluate(() => [document.querySelector("#scene canvas").clientWidth, document.querySelector("#scene canvas").clientHeight]);
  const seen = await page.evaluate((corners) => corners.map((at) => window.armature.onScreen("plate", at)), corners);
  const at = seen.map(([x, y]) => [((x + 1) / 2) * width, ((1 - y) / 2) * height]);
  const [[tip, middle]] = at;
  const beyond = paths(await page.evaluate(() => window.armature.pictureSvg()))
    .filter(({ kind }) => kind === "link")
    .flatMap(({ x, y }) => x.flatMap((each, k) => (each < tip ? [[tip - each, Math.abs(y[k] - middle)]] : [])));
  const [far, wide] = [0, 1].map((k) => Math.max(...beyond.map((each) => each[k])));
  assert.ok(far > 5 && wide > 0.7 * far, `${wide} px to the side, ${far} px out`);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("a base above the floor stands on a post where nothing passes below it", async () => {
  const bases = async (name, joint) => {
    const { page } = await open(written(name, `armature: 1
gravity: [0, 0, -9.81]
bodies: {bar: {mass: 1 kg, center: [0.5, 0, 0], inertia: {xx: 0.01, yy: 0.1, zz: 0.1}, points: {tip: [1, 0, 0]}}}
joints: {pin: ${joint}}
simulate: {end: 1 s, record: 20 ms}
`), { viewport: { width: 700, height: 600 } });
    const ground = paths(await page.evaluate(() => window.armature.pictureSvg())).filter(({ kind }) => kind === "ground");
    await page.context().close();
    return Math.max(...ground.map(({ y }) => Math.max(...y) - Math.min(...y)));
  };
  const [hangs, turns] = [await bases("hangs", "{type: revolute, axis: y, between: [ground, bar]}"), await bases("turns", "{type: revolute, axis: y, between: [ground, bar], limits: {lower: -10 deg, upper: 10 deg, stiffness: 1e4 N*m/rad, damping: 10 N*m*s/rad}}")];
  assert.ok(turns > 2 * hangs, `${turns} px, ${hangs} px`);
});

test("the shaft of a spindle shows its ends alone, the spindle keeps its color", async () => {
  const list = (await inPage("lead_screw")).filter(({ kind }) => kind === "pin");
  const heights = list.map(({ y }) => Math.max(...y) - Math.min(...y));
  assert.ok(Math.max(...heights) < 60, `${heights.join(" ")} px of 600`);
});

test("an upright guide lies on the same side in both", async () => {
  for (const [model, block] of [["elements/cam", "cam"], ["elements/gas_spring", "shape"], ["elements/rack", "rack"]]) {
    const [page, drawn] = [await inPage(model), drawnBy(model)];
    const side = (list) => Math.sign(middle(list, "ground", "x") - middle(list, block, "x"));
    assert.equal(side(page), side(drawn), model);
  }
});

test("springs and dampers side by side have the same sides in both", async () => {
  for (const [name, elements, forces] of [["slider", "damping: 1 N*s/m, spring: {stiffness: 1 N/m}", ""], ["link", "", "forces: {strut: {type: spring, between: [ground, block], stiffness: 1 N/m, length: 0.4 m, damping: 1 N*s/m}}"]]) {
    const out = written(`sides_${name}`, `armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies: {block: {mass: 1 kg}}
joints: {slide: {type: prismatic, axis: x, between: [ground, block], ${elements}}}
${forces}
start: {keep: {slide: 0.4 m}}
simulate: {end: 10 ms}
`);
    const { page, complaints } = await open(out, { viewport: { width: 700, height: 600 } });
    const above = (list) => Math.sign(middle(list, "damper", "y") - middle(list, "spring", "y"));
    assert.equal(above(paths(await page.evaluate(() => window.armature.pictureSvg()))), above(paths(drawing(`${out}.yaml`))), name);
    assert.deepEqual(complaints(), [], name);
    await page.context().close();
  }
});

test("centers of mass are quartered discs, axes have heads, and end stops are gray, as in a drawing", async () => {
  const { page, complaints } = await open(make("run", "contact/four_bar_stop", "marks", "--end", "0.02"), { viewport: { width: 700, height: 600 } });
  for (const text of ["masses", "frames"]) await page.locator(".shown label", { hasText: text }).locator("input").check();
  const svg = await page.evaluate(() => window.armature.pictureSvg());
  const drawn = drawing(join(models, "contact/four_bar_stop.yaml"), "--centers", "--frames");
  const colors = (text, kind, attribute) => [...new Set([...text.matchAll(new RegExp(`<path[^>]*class="${kind}"[^>]*>`, "g"))].map(([tag]) => new RegExp(` ${attribute}="(#[^"]*)"`).exec(tag)?.[1]).filter(Boolean))].sort();
  assert.deepEqual(colors(svg, "center", "fill"), colors(drawn, "center", "fill"));
  assert.deepEqual(colors(svg, "frame", "fill"), colors(drawn, "frame", "fill"));
  assert.deepEqual(colors(svg, "stop", "stroke"), colors(drawn, "stop", "stroke"));
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("a pitch circle is dash-dotted: strokes with gaps between them", async () => {
  const strokes = (await inPage("elements/gear_pair")).filter(({ kind }) => kind === "gear");
  const lengths = strokes.map(({ x, y }) => Math.hypot(x[1] - x[0], y[1] - y[0]));
  assert.ok(strokes.length > 40, `${strokes.length} strokes`);
  assert.ok(strokes.every(({ x }) => x.length === 2), "each on its own");
  assert.ok(Math.max(...lengths) > 3 * Math.min(...lengths), "long and short");
});

// How many pixels of the picture are drawn in a color that is wanted.
const pixels = (page, wanted) =>
  page.evaluate(`(${(wanted) => {
    window.armature.pictureAt(window.armature.player.t);
    const canvas = document.querySelector("#scene canvas");
    const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let k = 0; k < data.length; k += 4) if (data[k + 3] > 128 && wanted(data[k], data[k + 1], data[k + 2])) ++count;
    return count;
  }})(${wanted})`);
const reactions = (r, g, b) => r > 170 && g < 75 && b < 45;
const freeMotion = (r, g, b) => r < 30 && Math.abs(g - 158) < 25 && Math.abs(b - 115) < 25;

test("the pin of the Geneva drive is drawn in the slot that it leads", async () => {
  const { page, complaints } = await open(make("run", "elements/geneva", "geneva"), { viewport: { width: 900, height: 700 } });
  const { kinds, away } = await page.evaluate(() => {
    const { profiles } = window.armature.run.scene;
    const numbers = (text) => new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
    window.armature.player.seek(0.5); // in the middle of the slot
    const middle = (profile) => {
      const list = numbers(profile.outline);
      const sum = [0, 0, 0];
      for (let k = 0; k < list.length; ++k) sum[k % 3] += list[k] / (list.length / 3);
      return sum;
    };
    const pin = window.armature.drawn("crank_disc", middle(profiles[2]));
    // the corner of the wheel that is nearest to its axis lies at the bottom of a slot
    const corners = numbers(profiles[0].outline);
    const places = Array.from({ length: corners.length / 3 }, (_, k) => window.armature.drawn("wheel", [...corners.subarray(3 * k, 3 * k + 3)]));
    return { kinds: profiles.map(({ kind }) => kind), away: Math.min(...places.map((p) => Math.hypot(p[0] - pin[0], p[1] - pin[1]))) };
  });
  assert.deepEqual(kinds, ["geneva", "geneva", "pin"]);
  assert.ok(away > 0.0055 && away < 0.0075, `the pin is ${away} m from the flank of its slot`); // 0.09 of 0.0707 m
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("reactions are arrows where the run has recorded them, and no legend is cut off", async () => {
  const { page, complaints } = await open(make("run", "four_bar", "reactions", "--end", "1"), { viewport: { width: 1280, height: 800 } });
  await page.evaluate(() => window.armature.player.seek(0.4));
  const without = await pixels(page, reactions);
  await page.locator(".shown label", { hasText: "reactions" }).locator("input").check();
  assert.ok((await pixels(page, reactions)) > without + 30, "an arrow");
  const cut = await page.evaluate(() => [...document.querySelectorAll(".u-series")].filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent));
  assert.deepEqual(cut, []);
  await page.locator(".shown label", { hasText: "velocities" }).locator("input").check();
  assert.deepEqual(complaints(), []);
  await page.context().close();
  const none = await open(make("run", "pendulum", "no_reactions", "--end", "0.1"));
  assert.equal(await none.page.locator(".shown label", { hasText: "reactions" }).count(), 0);
  const stewart = await open(make("run", "stewart", "legend", "--end", "0.1"));
  assert.deepEqual(await stewart.page.evaluate(() => [...document.querySelectorAll(".u-series")].filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)), []);
});

test("named views turn the camera, a followed body stays in the middle, and the ground stands still without", async () => {
  const { page, complaints } = await open(make("run", "arm", "looks", "--end", "0.5"), { viewport: { width: 700, height: 600 } });
  const body = await page.evaluate(() => window.armature.run.scene.bodies.at(-1).name);
  const look = (text) => page.locator('select[aria-label="view"]').selectOption({ label: text });
  const at = (name, t) => page.evaluate(([name, t]) => (window.armature.player.seek(t), window.armature.onScreen(name, window.armature.run.scene.bodies.at(-1).center)), [name, t]);
  const places = [];
  for (const side of ["front", "side", "top", "aside"]) {
    await look(side);
    places.push((await at(body, 0)).map((x) => x.toFixed(2)).join());
  }
  assert.equal(new Set(places).size, 4, places.join("; "));
  const moved = async () => {
    const [[x, y], [u, v]] = [await at(body, 0), await at(body, 0.5)];
    return Math.hypot(u - x, v - y);
  };
  assert.ok((await moved()) > 0.01, "the ground stands still");
  await look(`follow ${body}`);
  await at(body, 0);
  assert.ok((await moved()) < 0.01, `${body} stays where it is`);
  await look("fixed ground");
  assert.ok((await moved()) > 0.01);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("what can move at a singular pose is drawn there, and nowhere else", async () => {
  const { page, complaints } = await open(make("run", "rrr_motors", "free", "--end", "0.6"), { viewport: { width: 900, height: 700 } });
  await page.evaluate(() => window.armature.player.seek(0.39));
  const without = await pixels(page, freeMotion);
  await page.locator(".shown label", { hasText: "free motion" }).locator("input").check();
  near(await page.evaluate(() => window.armature.player.t), 0.3935121, 1e-6, "the nearest singular pose");
  assert.ok((await pixels(page, freeMotion)) > without + 100, "arrows");
  await page.evaluate(() => window.armature.player.seek(0.2));
  assert.ok((await pixels(page, freeMotion)) < without + 30, "none at a regular pose");
  assert.deepEqual(complaints(), []);
  await page.context().close();
  const regular = await open(make("run", "pendulum", "no_free", "--end", "0.1"));
  assert.equal(await regular.page.locator(".shown label", { hasText: "free motion" }).count(), 0);
});

test("end stops of a turning joint are drawn beside the arm, on the side that it comes to", async () => {
  const { page, complaints } = await open(make("run", "contact/four_bar_stop", "stops", "--end", "1.2"), { viewport: { width: 900, height: 700 } });
  const stop = await page.evaluate(() => {
    const { joints } = window.armature.run.scene;
    return joints.find(({ stop_arm }) => stop_arm);
  });
  assert.equal(stop.name, "d");
  near(stop.stops[0], (95 * Math.PI) / 180, 1e-9, "lower");
  assert.equal(stop.stops[1], null);
  assert.deepEqual(stop.stop_arm.arm.map((x) => Math.round(x * 1e6) / 1e6), [1, 0, 0]);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});
