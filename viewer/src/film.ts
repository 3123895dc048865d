// The picture and the motion as files: PNG, WebM and GIF. Frames are drawn one by one at their own times, so that a film is smooth
// however slow the computer is.
import { element } from "./dom";
import { download, fileName, pngOf } from "./files";
import { GifWriter, Palette } from "./gif";
import { menu } from "./plot_tools";
import type { SceneView } from "./scene";
import { webmOf } from "./webm";

const [webmRate, gifRate] = [30, 20]; // frames per second
const [mostWebm, mostGif] = [1800, 400]; // frames; a longer film keeps its speed and has fewer a second
const gifWidth = 480;

export type Range = () => [number, number]; // of the times to be shown

interface Film {
  count: number;
  rate: number; // frames per second
  at: (frame: number) => number; // time of the motion
}
// A motion may end before the times of the plots do.
function filmOf({ player }: SceneView, range: [number, number], rate: number, most: number): Film {
  const [from, to] = range.map((t) => Math.min(Math.max(t, player.begin), player.end));
  const seconds = Math.max(0, to - from) / player.speed;
  const count = Math.min(most, Math.max(1, Math.round(seconds * rate) + 1));
  return { count, rate: count === most ? (count - 1) / seconds : rate, at: (k) => from + (count > 1 ? (k / (count - 1)) * (to - from) : 0) };
}

// The rest of the page waits until the film is made or canceled; the animation is where it was afterwards.
async function record(scene: SceneView, status: HTMLElement, kind: Kind, range: Range): Promise<void> {
  const { player } = scene;
  const { t } = player;
  let wanted = true;
  const said = element("span", {}, "recording…");
  const cancel = element("button", { type: "button", click: () => (wanted = false) }, "cancel");
  const waiting = element("dialog", { class: "recording", "aria-label": "a film is recorded", cancel: () => (wanted = false), keydown: (event) => event.stopPropagation() }, said, cancel);
  document.body.append(waiting);
  waiting.showModal();
  player.pause();
  try {
    const blob = await film(scene, kind, range, (share) => {
      said.textContent = `recording… ${Math.round(100 * share)} %`;
      return wanted;
    });
    status.replaceChildren();
    if (blob) download(fileName(kind, scene.run.run.model.name), blob);
  } catch (error) {
    status.replaceChildren(String((error as Error).message));
  }
  waiting.remove();
  player.seek(t);
}

type Kind = "webm" | "gif";
type Progress = (share: number) => boolean; // false: stop

// Of the motion and the look that are shown when it begins; null: it was stopped.
export async function film(scene: SceneView, kind: Kind, range: Range, progress: Progress): Promise<Blob | null> {
  scene.showMotion();
  const { run } = scene;
  scene.freeze();
  try {
    const blob = await (kind === "gif" ? gifFilm : webmFilm)(scene, range, (share) => scene.run === run && progress(share));
    if (scene.run !== run) throw new Error("The motion changed, so the film was stopped.");
    return blob;
  } finally {
    scene.thaw();
  }
}

async function webmFilm(scene: SceneView, range: Range, progress: Progress): Promise<Blob | null> {
  const film = filmOf(scene, range(), webmRate, mostWebm);
  const canvas = scene.snapshot();
  return webmOf(canvas, film.count, film.rate, (k) => scene.drawTo(canvas, film.at(k)), progress);
}

async function gifFilm(scene: SceneView, range: Range, progress: Progress): Promise<Blob | null> {
  const film = filmOf(scene, range(), gifRate, mostGif);
  const large = scene.snapshot();
  const canvas = element("canvas");
  const scale = Math.min(1, gifWidth / large.width);
  [canvas.width, canvas.height] = [Math.round(large.width * scale), Math.round(large.height * scale)];
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  const frame = (k: number) => {
    scene.drawTo(large, film.at(k));
    context.drawImage(large, 0, 0, canvas.width, canvas.height);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const samples = [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => frame(Math.floor(share * (film.count - 1))));
  const writer = new GifWriter(canvas.width, canvas.height, new Palette(samples), Math.round(100 / film.rate));
  for (let k = 0; k < film.count; ++k) {
    writer.add(frame(k));
    await new Promise((resolve) => window.setTimeout(resolve));
    if (!progress((k + 1) / film.count)) return null;
  }
  return writer.file();
}

// A small picture of the same shape whatever that of the window: all of what is shown.
const thumbnailSize = [480, 300] as const;
function thumbnail(scene: SceneView): HTMLCanvasElement {
  const whole = scene.snapshot();
  const canvas = element("canvas");
  [canvas.width, canvas.height] = thumbnailSize;
  const context = canvas.getContext("2d")!;
  context.fillStyle = scene.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const scale = Math.min(canvas.width / whole.width, canvas.height / whole.height);
  const [width, height] = [whole.width * scale, whole.height * scale];
  context.imageSmoothingQuality = "high";
  context.drawImage(whole, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
  return canvas;
}

// "save" of the picture.
export function filmMenu(scene: SceneView, range: Range): HTMLElement {
  const status = element("span", { class: "film-status", role: "status" });
  const name = (ending: string) => fileName(ending, scene.run.run.model.name);
  const list = menu(
    "save the picture or a film",
    ["PNG picture", "of what is shown", () => void pngOf(scene.snapshot()).then((blob) => download(name("png"), blob))],
    ["SVG picture", "of what is shown, as vector graphics", () => download(name("svg"), scene.svg(), "image/svg+xml")],
    ["thumbnail", "PNG of 480 × 300 pixels, for documents", () => void pngOf(thumbnail(scene)).then((blob) => download(fileName("png", scene.run.run.model.name, "thumbnail"), blob))],
    ["WebM film", "of the time range of the plots, at the chosen speed", () => void record(scene, status, "webm", range)],
    ["GIF film", "for pages that cannot show video; smaller", () => void record(scene, status, "gif", range)],
  );
  return element("span", { class: "film" }, list, status);
}
