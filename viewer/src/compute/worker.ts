// Computes motions and poses beside the page. A newer wish ends the one before.
import { Engine, type Wish } from "./engine";
import type { Computed, Moment, Motion, Pose, Pull, Status, Values } from "./model";
import { unpacked } from "./packed";
import type { Force } from "./running";

export type Question =
  | { kind: "run"; wish: Wish }
  | { kind: "grab"; t: number; values: Values; q: (number | undefined)[] }
  | { kind: "pull"; pull: Pull; milliseconds: number }
  | { kind: "go on"; wish: Wish; t: number }
  | { kind: "flow"; seconds: number; values: Values; pull: Force | null };
export type Request = { kind: "make"; kernel: string; compute: Computed } | { kind: "ask"; id: number; question: Question };
export type Answer = Motion | Pose | Moment | Status | null; // null: the loops do not close; or a newer wish has come
export type Reply = { kind: "answer"; id: number; answer: Answer } | { kind: "failed"; id: number; message: string };

let engine: Promise<Engine> | null = null;
let latest = 0;
const breathe = () => new Promise<void>((done) => setTimeout(done));

async function answered(id: number, question: Question): Promise<Answer> {
  const computing = await engine!;
  if (question.kind === "grab") return computing.grab(question.t, question.values, question.q);
  if (question.kind === "pull") return computing.pull(question.pull, question.milliseconds);
  if (question.kind === "go on") return computing.goOn(question.wish, question.t);
  if (question.kind === "flow") return computing.flow(question.seconds, question.values, question.pull);
  const motion = await computing.run(question.wish, async () => {
    await breathe();
    return latest === id;
  });
  return latest === id ? motion : null;
}

let running: Promise<void> = Promise.resolve();
self.onmessage = ({ data }: MessageEvent<Request>) => {
  const fail = (id: number) => (error: unknown) => self.postMessage({ kind: "failed", id, message: String((error as Error).message ?? error) } satisfies Reply);
  if (data.kind === "make") {
    engine = unpacked(data.kernel).then((bytes) => Engine.make(bytes, data.compute));
    engine.catch(fail(0));
    return;
  }
  latest = data.id;
  const { id, question } = data;
  running = running
    .then(async () => {
      const answer = latest === id || question.kind === "grab" ? await answered(id, question) : null;
      const reply: Reply = { kind: "answer", id, answer };
      self.postMessage(reply, { transfer: answer && typeof answer === "object" && "rows" in answer ? [answer.rows.buffer, answer.frames.buffer] : [] });
    })
    .catch(fail(id));
};
