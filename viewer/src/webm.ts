// A film as a WebM file: frames encoded by the browser (WebCodecs), wrapped here. Each frame has the time of the motion that it shows, however
// long drawing it took. Format: RFC 8794 (EBML) and 9559 (Matroska).
import { element } from "./dom";

const joined = (parts: Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};
const bigEndian = (value: number, count: number) =>
  Uint8Array.from({ length: count }, (_, k) => Math.floor(value / 2 ** (8 * (count - 1 - k))) % 256);

// An element: its id, its size in eight bytes, its content.
function item(id: number, ...content: Uint8Array[]): Uint8Array {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  const idBytes = bigEndian(id, Math.ceil(Math.log2(id + 1) / 8));
  return joined([idBytes, Uint8Array.of(1), bigEndian(length, 7), ...content]);
}
const whole = (id: number, value: number) => item(id, bigEndian(value, value > 0xffffffff ? 8 : 4));
const text = (id: number, value: string) => item(id, new TextEncoder().encode(value));
function real(id: number, value: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, value);
  return item(id, new Uint8Array(bytes.buffer));
}

interface EncodedFrame {
  ms: number;
  key: boolean;
  data: Uint8Array;
}

// VP8 is defined for the colors of BT.601 in the range of television, and players take it for nothing else: left to itself the browser encodes
// others. The file says so, too, by the codes of ITU-T H.273: matrix, range, transfer (of sRGB) and primaries (of sRGB).
const colorSpace: VideoColorSpaceInit = { matrix: "smpte170m", fullRange: false, transfer: "iec61966-2-1", primaries: "bt709" };
const colour = item(0x55b0, whole(0x55b1, 6), whole(0x55b9, 1), whole(0x55ba, 13), whole(0x55bb, 1));

// A picture of even width and height: the brightness of each pixel, then blue and red of each four.
function yuv({ data, width, height }: ImageData): Uint8Array<ArrayBuffer> {
  const count = width * height;
  const out = new Uint8Array((3 * count) / 2);
  for (let k = 0, at = 0; k < count; ++k, at += 4) out[k] = 16.5 + (65.481 * data[at] + 128.553 * data[at + 1] + 24.966 * data[at + 2]) / 255;
  let to = count;
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2, ++to) {
      const at = 4 * (y * width + x);
      const below = at + 4 * width;
      const sum = (c: number) => data[at + c] + data[at + 4 + c] + data[below + c] + data[below + 4 + c];
      const [r, g, b] = [sum(0), sum(1), sum(2)];
      out[to] = 128.5 + (112 * b - 37.797 * r - 74.203 * g) / 1020;
      out[to + count / 4] = 128.5 + (112 * r - 93.786 * g - 18.214 * b) / 1020;
    }
  return out;
}

const clusterLength = 5000; // ms; the times inside one are of 16 bits

function webmFile(frames: EncodedFrame[], width: number, height: number, durationMs: number): Blob {
  const head = item(
    0x1a45dfa3,
    whole(0x4286, 1), // version, and the oldest that can read it
    whole(0x42f7, 1),
    whole(0x42f2, 4), // longest ids and sizes
    whole(0x42f3, 8),
    text(0x4282, "webm"),
    whole(0x4287, 4),
    whole(0x4285, 2),
  );
  const info = item(0x1549a966, whole(0x2ad7b1, 1000000), real(0x4489, durationMs), text(0x4d80, "Armature"), text(0x5741, "Armature"));
  const video = item(0xe0, whole(0xb0, width), whole(0xba, height), colour);
  const track = item(0xae, whole(0xd7, 1), whole(0x73c5, 1), whole(0x83, 1), text(0x86, "V_VP8"), video);
  const clusters: Uint8Array[] = [];
  let blocks: Uint8Array[] = [];
  let begin = 0;
  const close = () => blocks.length > 0 && clusters.push(item(0x1f43b675, whole(0xe7, begin), ...blocks));
  for (const { ms, key, data } of frames) {
    if (blocks.length === 0 || (key && ms - begin >= clusterLength)) {
      close();
      [blocks, begin] = [[], ms];
    }
    blocks.push(item(0xa3, Uint8Array.of(0x81), bigEndian(ms - begin, 2), Uint8Array.of(key ? 0x80 : 0), data));
  }
  close();
  return new Blob([joined([head, item(0x18538067, info, item(0x1654ae6b, track), ...clusters)])], { type: "video/webm" });
}

// draw: puts a frame onto the canvas.
export async function webmOf(
  canvas: HTMLCanvasElement,
  count: number,
  perSecond: number,
  draw: (frame: number) => void,
  progress: (share: number) => boolean, // false: stop
): Promise<Blob | null> {
  if (!("VideoEncoder" in window)) throw new Error("this browser cannot encode films; a GIF works everywhere");
  const frames: EncodedFrame[] = [];
  let failure: Error | null = null;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      frames.push({ ms: Math.round(chunk.timestamp / 1000), key: chunk.type === "key", data });
    },
    error: (error) => (failure = error),
  });
  const { width, height } = canvas;
  const pixels = element("canvas", { width: String(width), height: String(height) }).getContext("2d", { willReadFrequently: true })!;
  encoder.configure({ codec: "vp8", width, height, framerate: perSecond, bitrate: Math.max(1e6, 6 * width * height) });
  for (let k = 0; k < count && !failure; ++k) {
    draw(k);
    pixels.drawImage(canvas, 0, 0);
    const picture = yuv(pixels.getImageData(0, 0, width, height));
    const frame = new VideoFrame(picture, { format: "I420", codedWidth: width, codedHeight: height, colorSpace, timestamp: Math.round((1e6 * k) / perSecond), duration: Math.round(1e6 / perSecond) });
    encoder.encode(frame, { keyFrame: k % Math.max(1, Math.round(4 * perSecond)) === 0 });
    frame.close();
    do await new Promise((resolve) => window.setTimeout(resolve));
    while (encoder.encodeQueueSize > 2 && !failure);
    if (!progress((k + 1) / count)) {
      encoder.close();
      return null;
    }
  }
  if (failure) throw failure;
  await encoder.flush();
  encoder.close();
  return webmFile(frames, width, height, (1000 * count) / perSecond);
}
