// Numbers and programs as a report carries them: base64 of bytes, some of them packed by gzip.
export function bytes(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  return Uint8Array.from(text, (c) => c.charCodeAt(0)) as Uint8Array<ArrayBuffer>;
}
export async function unpacked(base64: string): Promise<ArrayBuffer> {
  const stream = new Blob([bytes(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
