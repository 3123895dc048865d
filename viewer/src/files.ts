// What a reader takes with them: files that the page makes itself.
import { element } from "./dom";

export function download(name: string, content: Blob | string, type = "text/plain"): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// "planar 3RRR robot", "Angles" → "planar-3RRR-robot-Angles.svg"
export const fileName = (ending: string, ...words: string[]) =>
  `${words.join(" ").replace(/[^\p{L}\p{N}._]+/gu, "-").replace(/^-+|-+$/g, "") || "armature"}.${ending}`;

export const pngOf = (canvas: HTMLCanvasElement) =>
  new Promise<Blob>((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));

// An SVG picture as pixels, `scale` of them to one of its own.
export async function pixelsOf(svg: string, width: number, height: number, scale = 2): Promise<Blob> {
  const image = new Image();
  image.setAttribute("src", `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`);
  await image.decode();
  const canvas = element("canvas");
  [canvas.width, canvas.height] = [width * scale, height * scale];
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return pngOf(canvas);
}
