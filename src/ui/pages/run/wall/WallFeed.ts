import type { AgentFile } from "../../../../workers/protocol.ts";
import { messageOf } from "../../../lib/messageOf.ts";

/** Least time from one cast to the next, so that a person can follow who goes and who comes, ms. */
const CALM = 3000;
/** Reading agents takes at most this part of the time, waiting for a busy coordinator included. */
const READING_SHARE = 0.2;
/** Longest time from one cast to the next while there is news, ms. */
const LONGEST = 15_000;
/** After a failure, ms. */
const AGAIN = 1000;
/** Failures in a row that are put down to a boundary that passed while agents were read. */
const FORGIVEN = 2;

export interface WallFeedParts {
  readonly read: () => Promise<readonly AgentFile[]>;
  readonly show: (files: readonly AgentFile[]) => void;
  /** Null once it works again. */
  readonly problem: (message: string | null) => void;
}

/** Brings a run's members to the wall whenever there are others, and not more often than anybody can watch. */
export class WallFeed {
  readonly #parts: WallFeedParts;
  #wanted = false;
  #busy = false;
  /** What keeps it from being looked at. */
  readonly #hidden = new Set<string>();
  #closed = false;
  #failures = 0;
  #rested = true;
  /** Somebody asked for others, and waits. */
  #soon = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: WallFeedParts) {
    this.#parts = parts;
  }

  /** There are other members than those that were read last. */
  news(): void {
    this.#wanted = true;
    this.#next();
  }

  /** Somebody asked for other members: without a rest. */
  asked(): void {
    this.#soon = true;
    clearTimeout(this.#timer);
    this.#rested = true;
    this.news();
  }

  /** While one of the conditions for being looked at does not hold, nothing is read. */
  look(condition: "seen" | "uncovered", holds: boolean): void {
    if (holds) this.#hidden.delete(condition);
    else this.#hidden.add(condition);
    this.#next();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #next(): void {
    if (!this.#wanted || this.#busy || this.#hidden.size > 0 || this.#closed || !this.#rested) return;
    this.#busy = true;
    this.#wanted = false;
    this.#soon = false;
    void this.#read();
  }

  async #read(): Promise<void> {
    const start = performance.now();
    let rest = CALM;
    try {
      const files = await this.#parts.read();
      if (this.#closed) return;
      this.#failures = 0;
      this.#parts.problem(null);
      this.#parts.show(files);
      rest = Math.min(LONGEST, Math.max(CALM, (performance.now() - start) / READING_SHARE));
    } catch (error) {
      if (this.#closed) return;
      this.#failures += 1;
      if (this.#failures > FORGIVEN) this.#parts.problem(messageOf(error));
      else this.#wanted = true;
      rest = AGAIN;
    } finally {
      this.#busy = false;
    }
    if (this.#soon) return this.#next();
    this.#rested = false;
    this.#timer = setTimeout(() => {
      this.#rested = true;
      this.#next();
    }, rest);
  }
}
