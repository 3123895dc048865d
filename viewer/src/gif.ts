// A film as a GIF: 255 colors for the whole of it, and only what changes from frame to frame. GIF89a; LZW after Welch, 1984.

// The colors that occur most, by bins of five bits a channel, each with the mean of what is in it.
export class Palette {
  readonly colors: [number, number, number][] = [];
  private nearest = new Int16Array(32768).fill(-1);

  constructor(samples: Uint8ClampedArray[]) {
    const count = new Uint32Array(32768);
    const sums = new Float64Array(3 * 32768);
    for (const pixels of samples)
      for (let k = 0; k < pixels.length; k += 4) {
        const bin = Palette.bin(pixels, k);
        ++count[bin];
        for (let c = 0; c < 3; ++c) sums[3 * bin + c] += pixels[k + c];
      }
    const used = [...count.keys()].filter((bin) => count[bin] > 0).sort((a, b) => count[b] - count[a] || a - b);
    for (const bin of used.slice(0, 255))
      this.colors.push([0, 1, 2].map((c) => Math.round(sums[3 * bin + c] / count[bin])) as [number, number, number]);
    if (this.colors.length === 0) this.colors.push([0, 0, 0]);
  }
  private static bin(pixels: Uint8ClampedArray, k: number): number {
    return ((pixels[k] >> 3) << 10) | ((pixels[k + 1] >> 3) << 5) | (pixels[k + 2] >> 3);
  }
  indexOf(pixels: Uint8ClampedArray, k: number): number {
    const bin = Palette.bin(pixels, k);
    if (this.nearest[bin] < 0) {
      const away = ([r, g, b]: [number, number, number]) =>
        2 * (r - pixels[k]) ** 2 + 4 * (g - pixels[k + 1]) ** 2 + (b - pixels[k + 2]) ** 2;
      let best = 0;
      this.colors.forEach((color, i) => away(color) < away(this.colors[best]) && (best = i));
      this.nearest[bin] = best;
    }
    return this.nearest[bin];
  }
}

// Codes of growing length for the longest runs of indices seen before, in blocks of at most 255 bytes.
export function packed(indices: Uint8Array): number[] {
  const bits = 8;
  const [clear, end] = [1 << bits, (1 << bits) + 1];
  const bytes: number[] = [];
  let [held, heldBits] = [0, 0];
  let known = new Map<number, number>();
  let [next, length] = [end + 1, bits + 1];
  const write = (code: number) => {
    held |= code << heldBits;
    for (heldBits += length; heldBits >= 8; heldBits -= 8, held >>>= 8) bytes.push(held & 255);
  };
  write(clear);
  let run = indices[0];
  for (let k = 1; k < indices.length; ++k) {
    const longer = known.get((run << 8) | indices[k]);
    if (longer !== undefined) {
      run = longer;
      continue;
    }
    write(run);
    known.set((run << 8) | indices[k], next);
    if (next === 1 << length && length < 12) ++length;
    if (++next > 4095) {
      write(clear);
      known = new Map();
      [next, length] = [end + 1, bits + 1];
    }
    run = indices[k];
  }
  write(run);
  write(end);
  if (heldBits > 0) bytes.push(held & 255);
  const blocks: number[] = [bits];
  for (let k = 0; k < bytes.length; k += 255) blocks.push(Math.min(255, bytes.length - k), ...bytes.slice(k, k + 255));
  blocks.push(0);
  return blocks;
}

const two = (x: number) => [x & 255, x >> 8];

export class GifWriter {
  private parts: Uint8Array<ArrayBuffer>[] = [];
  private before: Uint8Array | null = null;

  constructor(
    private width: number,
    private height: number,
    private palette: Palette,
    private delay: number, // hundredths of a second
  ) {
    const colors = [...palette.colors.flat(), ...Array<number>(3 * (256 - palette.colors.length)).fill(0)];
    const head = [...new TextEncoder().encode("GIF89a"), ...two(width), ...two(height), 0xf7, 0, 0, ...colors];
    const forever = [0x21, 0xff, 11, ...new TextEncoder().encode("NETSCAPE2.0"), 3, 1, 0, 0, 0];
    this.parts.push(Uint8Array.from([...head, ...forever]));
  }
  // What has not changed is transparent: runs of it pack well.
  add(pixels: Uint8ClampedArray): void {
    const transparent = 255;
    const now = new Uint8Array(this.width * this.height);
    for (let k = 0; k < now.length; ++k) now[k] = this.palette.indexOf(pixels, 4 * k);
    const { before } = this;
    const changed = before ? now.map((index, k) => (index === before[k] ? transparent : index)) : now;
    const control = [0x21, 0xf9, 4, before ? 0x05 : 0x04, ...two(this.delay), transparent, 0];
    const image = [0x2c, 0, 0, 0, 0, ...two(this.width), ...two(this.height), 0];
    this.parts.push(Uint8Array.from([...control, ...image]), Uint8Array.from(packed(changed)));
    this.before = now;
  }
  file(): Blob {
    return new Blob([...this.parts, Uint8Array.of(0x3b)], { type: "image/gif" });
  }
}
