// The worker of a page, asked by calls.
import type { Wish } from "./engine";
import type { Computed, Moment, Motion, Pose, Pull, Status, Values } from "./model";
import type { Force } from "./running";
import type { Answer, Question, Reply, Request } from "./worker";

declare const ARMATURE_KERNEL: string; // base64 of gzip; "": the program was built without it
declare const ARMATURE_WORKER: string; // the worker's script

export const hasKernel = ARMATURE_KERNEL !== "";
let script = ""; // address of the worker's script, one for all

export class Computer {
  private worker: Worker;
  private asked = 0;
  private waiting = new Map<number, { take: (answer: Answer) => void; fail: (why: Error) => void }>();
  private failure: Error | null = null;

  constructor(compute: Computed) {
    this.worker = new Worker((script ||= URL.createObjectURL(new Blob([ARMATURE_WORKER], { type: "text/javascript" }))));
    this.worker.onmessage = ({ data }: MessageEvent<Reply>) => this.take(data);
    this.worker.onerror = (event) => this.take({ kind: "failed", id: 0, message: event.message });
    this.worker.postMessage({ kind: "make", kernel: ARMATURE_KERNEL, compute } satisfies Request);
  }

  // null: a newer wish has come meanwhile.
  run(wish: Wish): Promise<Motion | null> {
    return this.ask({ kind: "run", wish }) as Promise<Motion | null>;
  }
  // Takes hold of the machine; null: its loops do not close.
  grab(t: number, values: Values, q: (number | undefined)[]): Promise<Pose | null> {
    return this.ask({ kind: "grab", t, values, q }) as Promise<Pose | null>;
  }
  pull(pull: Pull, milliseconds: number): Promise<Pose | null> {
    return this.ask({ kind: "pull", pull, milliseconds }) as Promise<Pose | null>;
  }
  // A motion under way from time t on; "goes on", or why not.
  goOn(wish: Wish, t: number): Promise<Status | null> {
    return this.ask({ kind: "go on", wish, t }) as Promise<Status | null>;
  }
  // null: another motion was computed meanwhile.
  flow(seconds: number, values: Values, pull: Force | null): Promise<Moment | null> {
    return this.ask({ kind: "flow", seconds, values, pull }) as Promise<Moment | null>;
  }
  // What was asked, or is asked from now on, fails.
  end(): void {
    this.worker.terminate();
    this.failAll("the model has changed");
  }

  private ask(question: Question): Promise<Answer> {
    if (this.failure) return Promise.reject(this.failure);
    const id = ++this.asked;
    this.worker.postMessage({ kind: "ask", id, question } satisfies Request);
    return new Promise((take, fail) => this.waiting.set(id, { take, fail }));
  }
  // A failure of no question of its own is one of all.
  private take(reply: Reply): void {
    if (reply.kind === "answer") this.waiting.get(reply.id)?.take(reply.answer);
    else if (reply.id > 0) this.waiting.get(reply.id)?.fail(new Error(reply.message));
    else this.failAll(reply.message);
    this.waiting.delete(reply.id);
  }
  private failAll(message: string): void {
    this.failure = new Error(message);
    for (const { fail } of this.waiting.values()) fail(this.failure);
    this.waiting.clear();
  }
}
