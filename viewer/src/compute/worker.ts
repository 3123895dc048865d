// Computes motions beside the page. A newer wish ends the one before.
import { Engine, unpacked, type Wish } from "./engine";
import type { Computed, Motion } from "./model";

export type Request = { kind: "make"; kernel: string; compute: Computed } | { kind: "run"; id: number; wish: Wish };
export type Reply = { kind: "motion"; id: number; motion: Motion } | { kind: "failed"; message: string };

let engine: Promise<Engine> | null = null;
let latest = 0;
const breathe = () => new Promise<void>((done) => setTimeout(done));

async function compute(id: number, wish: Wish): Promise<void> {
  const motion = await (await engine!).run(wish, async () => {
    await breathe();
    return latest === id;
  });
  if (latest !== id) return;
  const reply: Reply = { kind: "motion", id, motion };
  self.postMessage(reply, { transfer: [motion.rows.buffer, motion.frames.buffer] });
}

let running: Promise<void> = Promise.resolve();
self.onmessage = ({ data }: MessageEvent<Request>) => {
  const fail = (error: unknown) => self.postMessage({ kind: "failed", message: String((error as Error).message ?? error) } satisfies Reply);
  if (data.kind === "make") {
    engine = unpacked(data.kernel).then((bytes) => Engine.make(bytes, data.compute));
    engine.catch(fail);
  } else {
    latest = data.id;
    running = running.then(() => (latest === data.id ? compute(data.id, data.wish) : undefined)).catch(fail);
  }
};
