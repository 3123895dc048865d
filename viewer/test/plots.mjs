// node plots.mjs PACKAGES CHROMIUM ARMATURE MODELS: what can be done with plots.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, make, near, open, program, until } from "./browser.mjs";
import { report, saved } from "./robot.mjs";

const over = (page) => page.locator(".plot .u-over").first().boundingBox();
const range = (page) => page.evaluate(() => window.armature.plots.rangeShown);
const yRange = (page) => page.evaluate(() => ["min", "max"].map((end) => window.armature.plots.list[0].chart.scales.y[end]));

async function wheel(page, box, share, notches, ctrl = true) {
  await page.mouse.move(box.x + share * box.width, box.y + box.height / 2);
  if (ctrl) await page.keyboard.down("Control");
  for (let k = 0; k < Math.abs(notches); ++k) await page.mouse.wheel(0, 100 * Math.sign(notches));
  if (ctrl) await page.keyboard.up("Control");
}
test("answers stand above the plots: results and largest values", async () => {
  const { page, complaints } = await report();
  const { numbers, peaks } = JSON.parse(readFileSync(join(folder, "rrr_pd", "run.json"), "utf8"));
  const text = await page.locator("#answers").textContent();
  assert.ok(text.includes(`peak [A]${Number(numbers.peak.toPrecision(10))}`), text);
  assert.ok(text.includes(`motor2.current${Number(peaks["motor2.current"].value.toPrecision(6))} A`), text);
  await page.locator("#answers tr", { hasText: "motor2.current" }).locator("button").click();
  near(await page.evaluate(() => window.armature.player.t), peaks["motor2.current"].t, 1e-9, "time of the peak");
  assert.deepEqual(complaints(), []);
});

test("hovering shows the values there; ctrl and the wheel zoom about the pointer; a wheel alone scrolls", async () => {
  const { page, complaints } = await report();
  const box = await over(page);
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 20);
  const tip = await page.locator(".plot-tip").first().textContent();
  const [t, theta] = [/t([\d.]+) s/.exec(tip)[1], /theta1(-?[\d.e-]+) rad/.exec(tip)[1]].map(Number);
  near(t, 0.5, 5e-3, "time under the pointer");
  const row = await page.evaluate((t) => window.armature.plots.channels.times.findIndex((each) => Math.abs(each - t) < 1e-6), t);
  near(theta, await page.evaluate((row) => window.armature.plots.find("theta1").series.values[row], row), 1e-3, "value under the pointer");
  assert.equal(await page.evaluate(() => window.armature.player.t), 0, "hovering does not move the animation");
  await wheel(page, box, 0.5, -5);
  const [min, max] = await range(page);
  near(max - min, 1.15 ** -5, 1e-6, "length after five notches");
  near((min + max) / 2, 0.5, 5e-3, "the time under the pointer stays");
  assert.equal(await page.locator(".u-cursor-x").first().evaluate((line) => line.classList.contains("u-off") || line.style.transform.includes("-10px")), true, "no cursor at a time that is not shown");
  await wheel(page, box, 0.5, 60);
  assert.deepEqual(await range(page), [0, 1], "no farther out than everything");
  await wheel(page, box, 0.5, 3, false);
  assert.deepEqual(await range(page), [0, 1]);
  await until(page, () => window.scrollY > 0);
  assert.deepEqual(complaints(), []);
});

test("the times are moved by the middle button and by their axis; values are zoomed by theirs", async () => {
  const { page, complaints } = await report();
  await page.evaluate(() => window.armature.plots.setRange(0.4, 0.6));
  const box = await over(page);
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 30);
  await page.mouse.down({ button: "middle" });
  await page.mouse.move(box.x + 0.25 * box.width, box.y + 30, { steps: 4 });
  await page.mouse.up({ button: "middle" });
  near((await range(page))[0], 0.45, 2e-3, "moved by a quarter");
  const before = await yRange(page);
  await page.mouse.move(box.x - 30, box.y + box.height / 2); // the values' axis
  for (let k = 0; k < 4; ++k) await page.mouse.wheel(0, -100);
  const zoomed = await yRange(page);
  near(zoomed[1] - zoomed[0], (before[1] - before[0]) * 1.15 ** -4, 1e-3 * (before[1] - before[0]), "values");
  await page.mouse.dblclick(box.x - 30, box.y + box.height / 2);
  assert.deepEqual(await yRange(page), before);
  assert.deepEqual(complaints(), []);
});

test("zooming in and out again shows the whole, with its first and its last row", async () => {
  const { page, complaints } = await report();
  const ranges = await page.evaluate(() => {
    const { plots } = window.armature;
    const seen = [];
    for (let k = 0; k <= 20; ++k) {
      for (const by of [1 / 1.6, 1 / 1.6, 1 / 1.6, 1.6, 1.6, 1.6]) plots.zoom(by, k / 20);
      seen.push([...plots.rangeShown, plots.range === null, ...plots.rowsOf(plots.channels.times)]);
      plots.resetRange();
    }
    return seen;
  });
  for (const range of ranges) assert.deepEqual(range, [0, 1, true, 0, 200]);
  assert.deepEqual(complaints(), []);
});

test("two cursors: times and values with their differences", async () => {
  const { page, complaints } = await report();
  await page.evaluate(() => window.armature.player.seek(0.2));
  await page.keyboard.press("m");
  await page.evaluate(() => window.armature.player.seek(0.7));
  const legend = await page.locator(".plot .u-legend").first().textContent();
  assert.match(legend, /^t0\.7000 s Δ 0\.5000 s \(2 Hz\)/);
  const difference = await page.evaluate(() => {
    const { times } = window.armature.plots.channels;
    const { values } = window.armature.plots.find("theta1").series;
    const at = (t) => values[times.findIndex((each) => Math.abs(each - t) < 1e-9)];
    return at(0.7) - at(0.2);
  });
  near(Number(/theta1-?[\d.e-]+ Δ (-?[\d.e-]+)/.exec(legend)[1]), difference, 1e-3 * Math.abs(difference) + 1e-6, "difference");
  await page.evaluate(() => window.armature.player.seek(0.2));
  await page.keyboard.press("m");
  assert.equal(await page.evaluate(() => window.armature.plots.mark), null);
  assert.deepEqual(complaints(), []);
});

test("a plot stays under the pointer that sets a second cursor in it", async () => {
  const { page, complaints } = await report();
  await page.locator("#plots .plot").nth(2).scrollIntoViewIfNeeded();
  const third = page.locator("#plots .plot").nth(2).locator(".u-over");
  await third.waitFor();
  await page.waitForTimeout(200); // plots above are made, too
  const before = await third.boundingBox();
  await page.keyboard.down("Alt");
  await page.mouse.click(before.x + 0.3 * before.width, before.y + 40);
  await page.keyboard.up("Alt");
  await until(page, () => window.armature.plots.mark !== null);
  near((await third.boundingBox()).y, before.y, 1, "place of the plot");
  assert.deepEqual(complaints(), []);
});

test("own plots: over time, over another channel at true scale, and frequencies", async () => {
  const { page, complaints } = await report();
  const before = await page.locator(".plot").count();
  await page.locator(".builder summary").click();
  await page.locator(".builder input[type=text]").fill("motor1.c");
  await page.locator(".channel-list label", { hasText: "motor1.current" }).locator("input").check();
  await page.locator(".builder button", { hasText: "add plot" }).click();
  assert.equal(await page.locator(".plot").count(), before + 1);
  assert.equal(await page.evaluate(() => window.armature.plots.list.at(-1).description.unit), "A");
  // a legend's name is dragged to the builder, then to the new plot
  const drag = (name, target) =>
    page.evaluate(
      ([name, target]) => {
        const label = [...document.querySelectorAll(".u-series th")].find((each) => each.textContent === name);
        const dataTransfer = new DataTransfer();
        label.dispatchEvent(new DragEvent("dragstart", { dataTransfer, bubbles: true }));
        const place = [...document.querySelectorAll(target)].at(-1);
        for (const type of ["dragover", "drop"]) place.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      },
      [name, target],
    );
  await drag("theta1", ".builder");
  assert.equal(await page.locator(".plot").count(), before + 2);
  await drag("theta2", "#plots > div > .plot");
  assert.deepEqual(await page.evaluate(() => window.armature.plots.list.at(-1).description.series.map((each) => each.name)), ["theta1", "theta2"]);
  await page.evaluate(() => window.armature.ownPlots.add("xy", ["platform.C.y"], "platform.C.x"));
  const unit = await page.evaluate(() => {
    const label = (text) => [...document.querySelectorAll("#own text")].find((each) => each.textContent === text);
    const ticks = [...document.querySelectorAll("#own text")].filter((each) => /^-?[\d.]+$/.test(each.textContent));
    const along = (anchor, at) => {
      const found = ticks.filter((each) => each.getAttribute("text-anchor") === anchor);
      const [a, b] = [found[0], found.at(-1)];
      return Math.abs(Number(b.getAttribute(at)) - Number(a.getAttribute(at))) / Math.abs(Number(b.textContent) - Number(a.textContent));
    };
    return { x: along("middle", "x"), y: along("end", "y"), labelled: Boolean(label("platform.C.x [m]")) };
  });
  assert.ok(unit.labelled);
  near(unit.x, unit.y, 0.02 * unit.y, "pixels per metre along both axes");
  await page.evaluate(() => window.armature.ownPlots.add("spectrum", ["theta1"]));
  assert.match(await page.locator("#own").textContent(), /frequency \[Hz\]/);
  // the value under the pointer: at the largest amplitude
  const peak = await page.evaluate(() => {
    const chart = window.armature.ownPlots.charts.at(-1);
    const svg = chart.root.querySelector("svg");
    svg.scrollIntoView({ block: "center" });
    const { left, top, width } = svg.getBoundingClientRect();
    const { x, y } = chart.spectrum().lines[0];
    const best = y.indexOf(Math.max(...y));
    const [px, py] = chart.frame.at(x[best], y[best]).map((each) => (each * width) / chart.frame.width);
    return { x: left + px, y: top + py, frequency: chart.peak() };
  });
  await page.mouse.move(peak.x, peak.y + 1);
  await until(page, (frequency) => document.querySelector("#own svg > text:last-child")?.textContent.endsWith(` at ${frequency} Hz`), peak.frequency);
  await page.locator("#own .plot-tools button[title='remove this plot']").first().click();
  assert.doesNotMatch(await page.locator("#own").textContent(), /frequency \[Hz\]/);
  assert.deepEqual(complaints(), []);
});

// A pendulum with quantities that are functions of time alone.
function signals(name, record, end) {
  const file = join(folder, "signals.yaml");
  writeFileSync(file, `armature: 1
name: signals
plane: xy
gravity: [0, -9.81, 0]
bodies: {rod: {mass: 1 kg, center: [0.5, 0, 0], inertia: {rod: 1 m}}}
joints: {a: {type: revolute, between: [ground, rod]}}
record:
  quantities:
    east: 3 m * sin(2*pi*t/(1 s))
    north: 2 m * cos(4*pi*t/(1 s))
    fast: 2 m * sin(2*pi*80*t/(1 s))
simulate: {end: 10 s, rtol: 1e-6}
`);
  execFileSync(program, ["run", file, "-o", join(folder, name), "--record", record, "--end", end], { stdio: "pipe" });
  return join(folder, name);
}
const addOwn = (page, kind, names, x) => page.evaluate(([kind, names, x]) => window.armature.ownPlots.add(kind, names, x), [kind, names, x]);

test("frequencies have the amplitudes of the signal, are zoomed, and are refused where the page does not keep all rows", async () => {
  const { page, complaints } = await open(signals("even", "0.005", "10"));
  await addOwn(page, "spectrum", ["fast"]);
  const peak = await page.evaluate(() => {
    const { x, y } = window.armature.ownPlots.charts[0].spectrum().lines[0];
    const best = y.indexOf(Math.max(...y));
    return [x[best], y[best]];
  });
  near(peak[0], 80, 0.05, "Hz");
  near(peak[1], 2, 0.03, "m");
  const view = () => page.evaluate(() => window.armature.ownPlots.charts[0].view);
  const svg = page.locator("#own svg").first();
  await svg.scrollIntoViewIfNeeded();
  const box = await svg.boundingBox();
  await wheel(page, box, 0.5, -8);
  const { x } = await view();
  assert.ok(x[1] - x[0] < 35, `${x}`);
  await page.mouse.move(box.x + 0.6 * box.width, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.4 * box.width, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  assert.ok((await view()).x[0] > x[0] + 3, "a drag moves what is zoomed");
  await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + box.height / 2);
  assert.equal(await view(), null);
  const long = await open(signals("long", "0.0005", "20"));
  await addOwn(long.page, "spectrum", ["fast"]);
  assert.match(await long.page.locator("#own .message").textContent(), /^Of 40001 recorded rows this page has only the extremes/);
  // a path through the middle of the extremes, not through extremes of different times
  await addOwn(long.page, "xy", ["north"], "east");
  const off = await long.page.evaluate(() => {
    const { x, y } = window.armature.ownPlots.charts.at(-1).xy().lines[0];
    return Math.max(...x.map((each, k) => Math.abs(y[k] - 2 * (1 - 2 * (each / 3) ** 2))));
  });
  assert.ok(off < 0.02, `${off} m off the parabola`);
  assert.deepEqual([...complaints(), ...long.complaints()], []);
});

test("an own plot is zoomed in as far as the digits of its values go", async () => {
  const { page, complaints } = await open(signals("far", "0.05", "2"));
  await addOwn(page, "xy", ["north"], "east");
  const length = await page.evaluate(() => {
    const [chart] = window.armature.ownPlots.charts;
    const nearer = chart.root.querySelector("button[title^='zoom in']");
    for (let k = 0; k < 200; ++k) nearer.click();
    return chart.view.x[1] - chart.view.x[0];
  });
  assert.ok(length > 1e-7 && length < 1e-4, `${length} m`);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("own plots that a difference or another run does not have come back; a chart says what is not there", async () => {
  const { page, complaints } = await open(signals("own", "0.05", "2"));
  await addOwn(page, "time", ["north", "east"]);
  await addOwn(page, "xy", ["north"], "east");
  const shown = () => page.evaluate(() => window.armature.plots.list.map(({ description }) => description.title).filter((title) => title === "north, east").length);
  const without = () =>
    page.evaluate(() => {
      const { plots } = window.armature;
      const { channels, events } = plots;
      plots.setChannels({ ...channels, plots: channels.plots.filter(({ series }) => series.every(({ name }) => name !== "north")) }, events);
      const told = document.querySelector("#own .message").textContent;
      const gone = plots.list.every(({ description }) => description.title !== "north, east");
      plots.setChannels(channels, events);
      return [told, gone];
    });
  assert.equal(await shown(), 1);
  assert.deepEqual(await without(), ["This run does not have north, east.", true]);
  assert.equal(await shown(), 1);
  assert.equal(await page.locator("#own .message").count(), 0);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("a run of one row is printed", async () => {
  const { page } = await open(make("run", "pendulum", "one_row", "--end", "0.001", "--record", "1"));
  const paths = await page.evaluate(() => {
    const { plots } = window.armature;
    const { channels, events } = plots;
    const first = ({ values, ...series }) => ({ ...series, values: values.slice(0, 1) });
    plots.setChannels({ ...channels, times: channels.times.slice(0, 1), plots: channels.plots.map((plot) => ({ ...plot, series: plot.series.map(first) })) }, events);
    window.dispatchEvent(new Event("beforeprint"));
    return [...document.querySelectorAll(".paper svg")].map((svg) => svg.outerHTML);
  });
  assert.ok(paths.length > 0);
  for (const svg of paths) assert.doesNotMatch(svg, /NaN/);
  await page.context().close();
});

test("the animation plays once, however often it is stopped and started", async () => {
  const { page, complaints } = await report();
  const ticks = await page.evaluate(async () => {
    const { player } = window.armature;
    let ticks = 0;
    player.onChange(() => ++ticks);
    for (let k = 0; k < 9; ++k) player.toggle();
    ticks = 0;
    let pictures = 0;
    while (++pictures < 20) await new Promise((done) => requestAnimationFrame(done));
    player.pause();
    return ticks / pictures;
  });
  assert.ok(ticks < 1.5, `${ticks} steps a picture`);
  assert.deepEqual(complaints(), []);
});

test("another report beside this one, and the difference of both", async () => {
  const { page, complaints } = await report();
  const other = make("run", "rrr_pd", "heavier", "--end", "1", "--set", "m2=0.9 kg");
  await page.locator("header input[type=file]").setInputFiles(join(other, "report.html"));
  await until(page, () => document.querySelector(".made-of").textContent.includes("m2=0.9 kg"));
  const { own, beside } = await page.evaluate(() => {
    const { series } = window.armature.plots.channels.plots[0];
    const value = (start) => series.find((each) => each.name.startsWith(start)).values.at(-1);
    return { own: value("theta1"), beside: value("theta1, ") };
  });
  const last = readFileSync(join(other, "trajectory.csv"), "utf8").trim().split("\n").at(-1).split(",");
  near(beside, Number(last[1]), 1e-5, "theta1 of the other run");
  await addOwn(page, "time", ["theta1", "theta2"]);
  await addOwn(page, "xy", ["theta2"], "theta1");
  await addOwn(page, "spectrum", ["theta1"]);
  await page.locator("button", { hasText: "difference" }).click();
  near(await page.evaluate(() => window.armature.plots.find("theta1").series.values.at(-1)), own - beside, 1e-6, "difference");
  // which every plot and every table says
  const tables = [];
  for (const plot of [page.locator(".plot:has(h2:text-is('Angles, difference'))"), page.locator("#plots > div > .plot").last(), ...(await page.locator("#own details.plot:not(.builder)").all()).slice(0, 2)]) {
    const { name, bytes } = await saved(page, plot.locator(".menu"), "CSV");
    tables.push([await plot.locator("> summary").textContent(), name.replace("planar-3RRR-robot-with-PD-control-", ""), bytes.toString().split("\n")[0].replaceAll('"', "")]);
  }
  assert.deepEqual(tables[0].slice(0, 2), ["Angles, difference rad", "Angles-difference.csv"]);
  assert.match(tables[0][2], /^t \[s\],theta1, difference \[rad\],theta2, difference \[rad\]/);
  assert.deepEqual(tables.slice(1), [
    ["theta1, theta2, difference rad", "theta1-theta2-difference.csv", "t [s],theta1, difference [rad],theta2, difference [rad]"],
    ["Frequencies of theta1, difference", "Frequencies-of-theta1-difference.csv", "frequency [Hz],theta1, difference [rad]"],
    ["theta2 over theta1, difference", "theta2-over-theta1-difference.csv", "theta1, difference [rad],theta2, difference [rad]"],
  ]);
  const axes = await page.locator("#own svg text").allTextContents();
  for (const words of ["theta1, difference [rad]", "theta2, difference [rad]", "amplitude, difference [rad]"]) assert.ok(axes.includes(words), words);
  const remove = "button[title='remove this plot']";
  for (const each of [page.locator(`#own ${remove}`).first(), page.locator(`#own ${remove}`).first(), page.locator(`#plots ${remove}`).last()]) await each.click();
  await page.locator("button", { hasText: "difference" }).click();

  // a third run, and one page with all of them
  const third = make("run", "rrr_pd", "lighter", "--end", "1", "--set", "m2=0.6 kg");
  await page.locator("header input[type=file]").setInputFiles(join(third, "report.html"));
  await until(page, () => document.querySelector(".made-of").textContent.includes("m2=0.6 kg"));
  const names = () => window.armature.plots.channels.plots[0].series.map(({ name }) => name).filter((name) => name.startsWith("theta1"));
  const all = await page.evaluate(names);
  assert.equal(all.length, 3, all.join());
  mkdirSync(join(folder, "saved"), { recursive: true });
  writeFileSync(join(folder, "saved", "report.html"), await page.evaluate(() => window.armature.otherRuns.page()));
  const kept = await open(join(folder, "saved"));
  await kept.page.waitForSelector(".uplot");
  assert.deepEqual(await kept.page.evaluate(names), all);
  // plots of the reader's own show all of them, too
  for (const [kind, x] of [["time", ""], ["xy", "platform.C.x"], ["spectrum", ""]]) await addOwn(kept.page, kind, ["platform.C.y"], x);
  const curves = await kept.page.evaluate(() => {
    const { plots, ownPlots } = window.armature;
    return [plots.list.at(-1).description.series.map(({ name }) => name), ...ownPlots.charts.map((chart) => chart.drawn.lines.map(({ name }) => name))];
  });
  for (const names of curves) {
    assert.equal(names.length, 3, names.join());
    assert.match(names[1], /^platform.C.y, .*m2=0.9 kg/);
  }
  assert.match(await kept.page.locator(".made-of").innerText(), /m2=0.9 kg, .*m2=0.6 kg/);
  assert.deepEqual(kept.complaints(), []);
  // a report that is none does not keep the others from being read
  const broken = join(folder, "broken.html");
  writeFileSync(broken, '<script type="application/json" id="armature-run">{"run": {"model": {"name": "x"}, "settings": {}, "options": {}}}</script>');
  await kept.page.locator("header input[type=file]").setInputFiles([broken, join(third, "report.html")]);
  await until(kept.page, () => document.querySelector(".not-read").textContent.startsWith("broken.html: "));
  assert.match(await kept.page.locator(".made-of").innerText(), /m2=0.9 kg, .*m2=0.6 kg, .*m2=0.6 kg/, "and the others are still named");
  assert.equal(await kept.page.evaluate(() => window.armature.otherRuns.others.length), 3);
  await kept.page.reload();
  await kept.page.waitForSelector(".uplot");
  // their numbers side by side
  const table = kept.page.locator("#answers .card", { hasText: "All runs" });
  const rows = await table.locator("tbody tr").allInnerTexts();
  const current = (folder) => String(Number(JSON.parse(readFileSync(join(folder, "run.json"), "utf8")).peaks["motor1.current"].value.toPrecision(6)));
  assert.deepEqual(rows.map((row) => /m2=\S+ kg|this run/.exec(row)[0]), ["this run", "m2=0.9 kg", "m2=0.6 kg"]);
  assert.ok(rows[1].split("\t").includes(current(other)), rows[1]);
  assert.ok(rows[2].split("\t").includes(current(third)), rows[2]);

  await page.locator("header button[title='stop comparing']").click();
  near(await page.evaluate(() => window.armature.plots.find("theta1").series.values.at(-1)), own, 1e-6, "this run alone");
  assert.deepEqual(complaints(), []);
});

test("two fingers zoom the times about what lies between them", async () => {
  const out = make("run", "pendulum", "pinched", "--end", "2");
  const { page } = await open(out, { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true });
  await page.locator("#plots .plot").first().evaluate((plot) => plot.scrollIntoView());
  await page.waitForSelector(".uplot .u-over");
  const box = await page.locator(".plot .u-over").first().boundingBox();
  const touch = await page.context().newCDPSession(page);
  const fingers = (type, ...shares) =>
    touch.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: shares.map((share, id) => ({ x: box.x + share * box.width, y: box.y + box.height / 2, id })),
    });
  await fingers("touchStart", 0.4);
  await fingers("touchStart", 0.4, 0.6);
  for (let k = 1; k <= 10; ++k) await fingers("touchMove", 0.4 - 0.02 * k, 0.6 + 0.02 * k);
  await fingers("touchEnd");
  const [min, max] = await page.evaluate(() => window.armature.plots.rangeShown);
  assert.ok(max - min < 0.5 * 2 && max - min > 0.2 * 2, `${min} … ${max}`); // three times as far apart
  assert.ok(min < 1 && max > 1, "the middle stays");
  await page.context().close();
});

test("a page of inverse dynamics: torque over speed, and no numbers of steps that were not taken", async () => {
  const { page, complaints } = await open(make("inverse", "slider_crank", "inverse", "--result", "peak=max(abs(motor.torque))"));
  assert.match(await page.locator("#answers").innerText(), /peak \[N m\]\s+14\.53/);
  const axes = await page.locator(".torque-speed svg text").allTextContents();
  assert.ok(axes.includes("torque [N m]") && axes.includes("speed of the shaft [rad/s]"), axes.join());
  assert.equal(await page.locator("#plots", { hasText: "Torque over speed" }).count(), 1);
  assert.match(await page.locator("#answers").textContent(), /motor\.torque\s*[\d.]+ N m/);
  const told = await page.locator("#outcome").textContent();
  for (const word of ["rejected", "longest step", "evaluations", "energy error"]) assert.ok(!told.includes(word), word);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

// A four-bar of 0.3 um and 1e-12 kg, in a vacuum of its own: its energies are some 1e-18 J.
test("energies of a machine of micrometers are drawn", async () => {
  const lengths = Object.entries({ ground: 0.8, crank: 0.3, coupler: 0.7, rocker: 0.6 }).flatMap(([name, length]) => ["--set", `${name}_length=${length} um`]);
  const { page, complaints } = await open(make("run", "four_bar", "micro", ...lengths, "--set", "line_density=1e-6 kg/m", "--end", "2e-3", "--record", "2e-5"));
  await until(page, () => window.armature.plots.list.some(({ description, chart }) => description.title === "Energy ledger" && chart));
  const largest = await page.evaluate(() => {
    const { chart, description } = window.armature.plots.list.find(({ description }) => description.title === "Energy ledger");
    const at = description.series.findIndex(({ name }) => name === "energy.kinetic");
    return Math.max(...[...chart.data[at + 1]].filter((x) => x !== null));
  });
  const recorded = await page.evaluate(() => window.armature.run.series.channels.find(({ name }) => name === "energy.kinetic") !== undefined);
  assert.ok(recorded && largest > 1e-20 && largest < 1e-16, `${largest} J`);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("round-off is not printed as data: of a machine at rest no number is smaller than an atom", async () => {
  const { page, complaints } = await open(make("run", "machines/wishbone", "at_rest", "--end", "0.3"));
  await page.locator("#plots .plot", { hasText: "Errors" }).evaluate((plot) => plot.scrollIntoView());
  await until(page, () => window.armature.plots.list.some(({ description, chart }) => description.title === "Errors" && chart));
  const least = await page.evaluate(() => {
    const { chart } = window.armature.plots.list.find(({ description }) => description.title === "Errors");
    return Math.min(...chart.data.slice(1).flatMap((values) => [...values].filter((x) => x !== null)));
  });
  assert.ok(least >= 1e-20, `${least}`);
  const recorded = await page.evaluate(() => window.armature.run.run.statistics.velocity_error);
  assert.ok(recorded > 0 && recorded < 1e-20, `the machine of this test is at rest: ${recorded}`);
  assert.doesNotMatch(await page.locator("body").innerText(), /\de-(2[1-9]|[3-9]\d)/);
  assert.deepEqual(complaints(), []);
  await page.context().close();
  // a gap that is closed all the time is nothing but round-off, and there is no other length beside it
  const block = await open(make("run", "contact/block_on_incline", "closed"), { viewport: { width: 900, height: 900 } });
  const gaps = await block.page.evaluate(() => {
    const plot = window.armature.plots.list.find(({ description }) => description.series.some(({ name }) => name === "slab_back.gap"));
    plot.root.open = true;
    plot.root.scrollIntoView();
    window.armature.player.seek(0.37);
    return { title: plot.description.title, recorded: Math.max(...plot.description.series.find(({ name }) => name === "slab_back.gap").values.map(Math.abs)) };
  });
  assert.ok(gaps.recorded > 0 && gaps.recorded < 1e-15, `${gaps.recorded}`);
  await until(block.page, () => [...document.querySelectorAll(".u-series")].some((each) => each.textContent.includes("slab_back.gap")));
  assert.doesNotMatch(await block.page.locator("#plots").innerText(), /gap:?\s*-?\d(\.\d+)?e-/);
  await block.page.context().close();
});
