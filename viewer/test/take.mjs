// node take.mjs PACKAGES CHROMIUM ARMATURE MODELS: what can be taken out of a report: plots, the picture, films, and all of it on paper.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, make, near, open, until, visit } from "./browser.mjs";
import { report, saved } from "./robot.mjs";

test("a plot as SVG, PNG and CSV of what is shown", async () => {
  const { page, complaints } = await report();
  await page.evaluate(() => window.armature.plots.setRange(0.25, 0.5));
  const menu = page.locator(".plot .menu").first();
  const svg = await saved(page, menu, "SVG");
  assert.equal(svg.name, "planar-3RRR-robot-with-PD-control-Angles.svg");
  const text = svg.bytes.toString();
  assert.ok(text.startsWith("<svg") && text.includes("theta1") && text.includes("[rad]"));
  assert.match(text, /rotate\(-90\)" fill="#[0-9a-f]+"[^>]*>type_II = 0, [a-z]+<\/text>/, "events have their names");
  const png = await saved(page, menu, "PNG");
  assert.deepEqual([...png.bytes.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join(""), "PNG");
  assert.equal(png.bytes.readUInt32BE(16), 1520); // twice the width of the picture
  const csv = (await saved(page, menu, "CSV")).bytes.toString().trim().split("\n").map((line) => line.split(","));
  assert.deepEqual(csv[0].slice(0, 2), ["t [s]", "theta1 [rad]"]);
  const times = csv.slice(1).map(([t]) => Number(t));
  assert.equal(times.length, 51);
  near(times[0], 0.25, 1e-9, "first time");
  near(times.at(-1), 0.5, 1e-9, "last time");
  assert.ok(csv.slice(1).every(([t]) => t.length <= 6), "no round-off in times");
  const recorded = readFileSync(join(folder, "rrr_pd", "trajectory.csv"), "utf8").split("\n")[1 + 50].split(",");
  near(Number(csv[1][1]), Number(recorded[1]), 1e-6, "theta1");
  await page.evaluate(() => window.armature.ownPlots.add("xy", ["platform.C.y"], "platform.C.x"));
  const path = (await saved(page, page.locator("#own .menu").first(), "CSV")).bytes.toString().trim().split("\n");
  assert.equal(path[0], "platform.C.x [m],platform.C.y [m]");
  assert.equal(path.length, 52);
  assert.deepEqual(complaints(), []);
});

test("plots without a unit say so", async () => {
  const { page, complaints } = await report();
  const notes = await page.locator(".plot > summary").evaluateAll((list) => list.map((each) => [each.querySelector("h2")?.textContent, each.querySelector("small")?.textContent.trim()]).filter(([title]) => title));
  assert.deepEqual(notes.filter(([, unit]) => !unit), []);
  assert.equal(Object.fromEntries(notes)["Determinants and events"], "in SI units, mixed");
  assert.deepEqual(complaints(), []);
});

test("the picture as SVG: its pixels are those of the page", async () => {
  const { page, complaints } = await report();
  await page.evaluate(() => window.armature.player.seek(0.4));
  const { far, shapes } = await page.evaluate(async () => {
    const svg = window.armature.pictureSvg();
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    await image.decode();
    const shown = window.armature.pictureAt(0.4);
    const draw = (what) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: shown.width, height: shown.height });
      canvas.getContext("2d").drawImage(what, 0, 0, shown.width, shown.height);
      return canvas.getContext("2d").getImageData(0, 0, shown.width, shown.height).data;
    };
    const [a, b] = [draw(image), draw(shown)];
    let different = 0;
    for (let k = 0; k < a.length; k += 4) if (Math.abs(a[k] - b[k]) + Math.abs(a[k + 1] - b[k + 1]) + Math.abs(a[k + 2] - b[k + 2]) > 120) ++different;
    return { far: different / (a.length / 4), shapes: svg.match(/<path /g).length };
  });
  assert.ok(shapes > 20, `${shapes} shapes`);
  assert.ok(far < 0.02, `${100 * far} % of the pixels differ`);
  assert.deepEqual(complaints(), []);
});

test("print has every plot, whether it was looked at or not, and the machine", async () => {
  const { page, complaints } = await report();
  await page.evaluate(() => {
    window.addEventListener("beforeprint", () => {
      const plots = [...document.querySelectorAll("#plots .plot")];
      window.printed = {
        plots: plots.length,
        drawn: plots.filter((plot) => plot.open && plot.querySelector(".paper svg path[stroke-linejoin], .torque-speed path[stroke-linejoin]")).length,
        machine: document.querySelectorAll("#stage canvas.paper").length,
      };
    });
  });
  const pdf = await page.pdf({ format: "A4" });
  const printed = await page.evaluate(() => window.printed);
  assert.ok(printed.plots > 10, JSON.stringify(printed));
  assert.equal(printed.drawn, printed.plots);
  assert.equal(printed.machine, 1);
  assert.ok((pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).length >= 4, "pages");
  assert.equal(await page.locator(".paper").count(), 0, "and the page is as it was");
  assert.deepEqual(complaints(), []);
});

test("print has all curves but those that the reader hid; a saved plot says how many it leaves out", async () => {
  const { page, complaints } = await open(make("run", "rrr_motors", "many", "--end", "0.1"), { acceptDownloads: true });
  await page.waitForSelector(".uplot");
  const angles = await page.evaluate(() => window.armature.plots.list[0].description.series.map(({ name }) => name));
  assert.ok(angles.length > 8, `${angles}`);
  await page.evaluate(() => window.addEventListener("beforeprint", () => (window.printed = [...document.querySelectorAll(".plot .paper")][0].textContent)));
  const missing = (text) => angles.filter((name) => !text.includes(name));
  await page.pdf({ format: "A4" });
  const printed = await page.evaluate(() => window.printed);
  assert.deepEqual(missing(printed), []);
  assert.doesNotMatch(printed, /more/);
  const file = (await saved(page, page.locator(".plot .menu").first(), "SVG")).bytes.toString();
  assert.deepEqual(missing(file), angles.slice(8));
  assert.ok(file.includes(`>and ${angles.length - 8} more<`));
  await page.locator(".plot .u-series th", { hasText: angles[1] }).first().click();
  await page.pdf({ format: "A4" });
  const without = await page.evaluate(() => window.printed);
  assert.deepEqual(missing(without), [angles[1]]);
  assert.match(without, /and 1 more/);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("a dark page prints all of its curves on white, those of torque over speed too", async () => {
  const { page, complaints } = await open(join(folder, "rrr_pd"), { colorScheme: "dark" });
  await page.waitForSelector(".uplot");
  const label = () => page.evaluate(() => document.querySelector(".torque-speed text").getAttribute("fill"));
  const dark = await label();
  await page.evaluate(() => window.addEventListener("beforeprint", () => (window.printed = document.querySelector(".torque-speed text").getAttribute("fill"))));
  await page.pdf({ format: "A4" });
  assert.equal(await page.evaluate(() => window.printed), "#1d2329");
  assert.equal(await label(), dark, "afterwards the page is as it was");
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

// Films are decoded by the browser itself, on a page that may: a frame must show what the picture shows at its time.
const decoder = {
  webm: async ({ bytes, seconds }) => {
    const video = Object.assign(document.createElement("video"), { muted: true, src: URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: "video/webm" })) });
    await new Promise((resolve, reject) => ((video.onloadeddata = resolve), (video.onerror = () => reject(new Error("cannot be decoded")))));
    video.currentTime = seconds;
    await new Promise((resolve) => (video.onseeked = resolve));
    const canvas = Object.assign(document.createElement("canvas"), { width: video.videoWidth, height: video.videoHeight });
    canvas.getContext("2d").drawImage(video, 0, 0);
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return { data: [...data], width: canvas.width, height: canvas.height, duration: video.duration };
  },
  gif: async ({ bytes, seconds }) => {
    const images = new ImageDecoder({ data: new Uint8Array(bytes), type: "image/gif" });
    await images.tracks.ready;
    await images.completed;
    const { image } = await images.decode({ frameIndex: Math.round(20 * seconds) });
    const canvas = Object.assign(document.createElement("canvas"), { width: image.displayWidth, height: image.displayHeight });
    canvas.getContext("2d").drawImage(image, 0, 0);
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return { data: [...data], width: canvas.width, height: canvas.height, duration: images.tracks.selectedTrack.frameCount / 20 };
  },
};
for (const kind of ["webm", "gif"])
  test(`a film as ${kind}: its frames show the motion at their times`, async () => {
    const { page, complaints } = await report();
    await page.evaluate(() => (window.armature.plots.setRange(0, 0.4), window.armature.player.setSpeed(1)));
    const bytes = await page.evaluate(async (kind) => {
      const blob = await window.armature.film(kind);
      return [...new Uint8Array(await blob.arrayBuffer())];
    }, kind);
    const elsewhere = await visit("file:///", {}, () => true); // a page whose rules allow films
    const frame = await elsewhere.page.evaluate(decoder[kind], { bytes, seconds: 0.3 });
    assert.ok(frame.duration > 0.35 && frame.duration < 0.55, `${frame.duration} s`);
    const compare = (t) =>
      page.evaluate(
        ({ t, frame }) => {
          const canvas = Object.assign(document.createElement("canvas"), { width: frame.width, height: frame.height });
          const context = canvas.getContext("2d");
          context.drawImage(window.armature.pictureAt(t), 0, 0, frame.width, frame.height);
          const { data } = context.getImageData(0, 0, frame.width, frame.height);
          let different = 0;
          for (let k = 0; k < data.length; k += 4)
            if (Math.max(...[0, 1, 2].map((c) => Math.abs(data[k + c] - frame.data[k + c]))) > 60) ++different;
          return different / (data.length / 4);
        },
        { t, frame },
      );
    const [there, before] = [await compare(0.3), await compare(0)];
    assert.ok(there < 0.006, `${there} of the pixels differ`);
    assert.ok(before > 3 * there + 0.01, `but ${before} do from the start's`);
    assert.deepEqual(complaints(), []);
    await elsewhere.page.context().close();
  });

test("a WebM film has the colors of the page", async () => {
  const { page, complaints } = await open(make("run", "slider_crank", "colors", "--end", "0.1"), { colorScheme: "dark", viewport: { width: 900, height: 600 } });
  const bytes = await page.evaluate(async () => [...new Uint8Array(await (await window.armature.film("webm")).arrayBuffer())]);
  const elsewhere = await visit("file:///", {}, () => true);
  const frame = await elsewhere.page.evaluate(decoder.webm, { bytes, seconds: 0.05 });
  // the ground, in a corner where nothing is drawn
  const ground = await page.evaluate(() => [...window.armature.pictureAt(0).getContext("2d").getImageData(2, 2, 1, 1).data].slice(0, 3));
  const filmed = frame.data.slice(4 * (2 * frame.width + 2), 4 * (2 * frame.width + 2) + 3);
  assert.ok(ground.every((level, c) => Math.abs(level - filmed[c]) <= 6), `${filmed} is not ${ground}`);
  assert.deepEqual(complaints(), []);
  await elsewhere.page.context().close();
  await page.context().close();
});

test("a long film keeps its speed, with fewer frames a second", async () => {
  const { page, complaints } = await report();
  await page.evaluate(() => (window.armature.plots.setRange(0, 1), window.armature.player.setSpeed(0.02)));
  const bytes = await page.evaluate(async () => [...new Uint8Array(await (await window.armature.film("gif")).arrayBuffer())]);
  await page.evaluate(() => window.armature.player.setSpeed(1));
  // graphic control extensions: 21 f9 04 flags, delay in hundredths of a second
  const delays = bytes.flatMap((byte, k) => (byte === 0x21 && bytes[k + 1] === 0xf9 && bytes[k + 2] === 4 && bytes[k + 7] === 0 ? [bytes[k + 4] + 256 * bytes[k + 5]] : []));
  const seconds = delays.reduce((sum, each) => sum + each, 0) / 100;
  near(seconds, 50, 3, "1 s of motion at 0.02 of its speed");
  assert.deepEqual(complaints(), []);
});

const startFilm = async (page, kind) => {
  await page.locator(".film .menu summary").click();
  await page.locator(".film .menu button", { hasText: `${kind} film` }).click();
  await until(page, () => / [1-9]\d* %/.test(document.querySelector(".recording").innerText));
};

test("while a film is recorded the page waits, and the picture keeps its look", async () => {
  const { page, complaints } = await open(join(folder, "rrr_pd"), { colorScheme: "light" });
  await page.waitForSelector(".uplot");
  await page.evaluate(() => window.armature.player.setSpeed(0.01));
  const looks = () => page.evaluate(() => {
    const { width, height } = document.querySelector("#scene canvas");
    return [width, height, document.documentElement.dataset.theme, window.armature.plots.rangeShown, window.armature.player.speed].join();
  });
  const before = await looks();
  const place = await page.locator("button.theme").boundingBox();
  await startFilm(page, "GIF");
  await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
  for (const key of ["f", "+", "ArrowLeft"]) await page.keyboard.press(key);
  await page.setViewportSize({ width: 1100, height: 700 });
  await page.waitForTimeout(200);
  assert.equal(await looks(), before);
  await page.keyboard.press("Escape");
  await until(page, () => !document.querySelector(".recording"));
  await until(page, (before) => document.querySelector("#scene canvas").width !== before, Number(before.split(",")[0]));
  assert.equal(await page.locator(".film-status").innerText(), "");
  assert.equal(await page.evaluate(() => window.armature.player.t), 0, "the animation is where it was");
  assert.deepEqual(complaints(), []);
  await page.context().close();
});

test("a film is of one motion: another one stops it; it ends where the motion ends", async () => {
  const { page, complaints } = await open(make("run", "slider_crank_equal", "equal", "--end", "2"), { acceptDownloads: true });
  await page.waitForSelector(".uplot");
  await page.evaluate(() => window.armature.player.setSpeed(0.05));
  await startFilm(page, "WebM");
  await page.evaluate(() => (location.hash = `#set=${encodeURIComponent("flywheel=2.385 kg*m^2")}`));
  await until(page, () => document.querySelector(".film-status").innerText === "The motion changed, so the film was stopped.");
  const end = await page.evaluate(() => window.armature.player.end);
  assert.ok(end > 1.3 && end < 1.9, `the page stops at ${end} s`);
  await page.evaluate(() => (window.armature.plots.setRange(1.2, 1.9), window.armature.player.setSpeed(1)));
  const range = await page.evaluate(() => window.armature.plots.rangeShown);
  const bytes = await page.evaluate(async () => [...new Uint8Array(await (await window.armature.film("gif")).arrayBuffer())]);
  const frames = bytes.filter((byte, k) => byte === 0x21 && bytes[k + 1] === 0xf9 && bytes[k + 2] === 4 && bytes[k + 7] === 0).length;
  near(range[1], 1.9, 1e-9, "end of the range");
  assert.equal(frames, Math.round(20 * (end - 1.2)) + 1);
  assert.deepEqual(complaints(), []);
  await page.context().close();
});
