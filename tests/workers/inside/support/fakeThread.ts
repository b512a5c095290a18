import { serveCompute } from "../../../../src/workers/compute/computeServer.ts";
import type { Spawn } from "../../../../src/workers/computing.ts";
import type { ComputeThread, FromCompute, ThreadEvents, ToCompute } from "../../../../src/workers/index.ts";

/** What a fake worker does instead of its first turn. With "die at start", it fails even earlier. */
export type Misfortune = "die" | "die at start" | "fail" | "hang" | "diverge" | "none";

/** A worker in this thread that does real work on real copies, and fails on demand. */
export class FakeThread implements ComputeThread {
  readonly received: ToCompute[] = [];
  /** Turns that it has received and not answered. */
  readonly unanswered = new Set<number>();
  terminated = false;
  readonly #events: ThreadEvents;
  readonly #misfortune: Misfortune;
  #handle: (message: ToCompute) => void = () => undefined;

  constructor(events: ThreadEvents, misfortune: Misfortune) {
    this.#events = events;
    this.#misfortune = misfortune;
    if (misfortune === "die at start") {
      queueMicrotask(() => events.failed("the script could not be loaded"));
      return;
    }
    serveCompute({
      post: (message, transfer) => this.#reply(structuredClone(message, { transfer })),
      listen: (handler) => {
        this.#handle = handler;
      },
    });
  }

  post(message: ToCompute): void {
    this.received.push(message);
    if (message.type === "turn") this.unanswered.add(message.id);
    const copy = structuredClone(message);
    if (message.type === "turn" && this.#strike(message.id, message.turn.turn.slot)) return;
    setImmediate(() => {
      if (!this.terminated) this.#handle(copy);
    });
  }

  terminate(): void {
    this.terminated = true;
  }

  /** Ends by itself, as if the system were short of memory. */
  perish(): void {
    this.#events.failed("killed by the system");
  }

  /** Fails if it should. @returns whether it failed instead of training the turn. */
  #strike(id: number, slot: number): boolean {
    switch (this.#misfortune) {
      case "die":
        this.#reply({ type: "slice", id, slice: { env_steps: 10, learn_steps: 1 } });
        setImmediate(() => this.#events.failed("out of memory"));
        return true;
      case "fail": {
        const outcome = { ok: false, slot, message: "unreachable executed" } as const;
        this.#reply({ type: "done", id, outcome });
        return true;
      }
      case "diverge": {
        const message = `member ${slot}: a weight is not a finite number`;
        this.#reply({ type: "done", id, outcome: { ok: false, slot, message, diverged: true } });
        return true;
      }
      case "hang":
        return true;
      case "die at start":
      case "none":
        return false;
    }
  }

  #reply(message: FromCompute): void {
    setImmediate(() => {
      if (!this.terminated) this.#events.message(message);
      if (message.type === "done") this.unanswered.delete(message.id);
    });
  }
}

/** Spawns workers with these misfortunes in turn, and with none afterwards. */
export function fakeSpawn(...misfortunes: readonly Misfortune[]): { spawn: Spawn; threads: FakeThread[] } {
  const threads: FakeThread[] = [];
  const spawn: Spawn = (events) => {
    const thread = new FakeThread(events, misfortunes[threads.length] ?? "none");
    threads.push(thread);
    return thread;
  };
  return { spawn, threads };
}
