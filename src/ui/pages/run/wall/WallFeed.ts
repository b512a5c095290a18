import type { AgentFile, AgentRef, KeptAgent, PageCalls } from "../../../../workers/protocol.ts";
import { messageOf } from "../../../lib/format.ts";

/** Minimum milliseconds between two casts, so that the user can follow the changes. */
const CALM = 3000;
/** Maximum share of time spent reading agents, including waiting for a busy coordinator. */
const READING_SHARE = 0.2;
/** Maximum pause in milliseconds between two casts while there are new members. */
const LONGEST = 15_000;
/** Milliseconds before a retry after a failure. */
const AGAIN = 1000;
/** Consecutive failures that are not reported: a generation boundary may pass while agents are read. */
const FORGIVEN = 2;

interface WallFeedParts {
  readonly read: () => Promise<readonly AgentFile[]>;
  readonly show: (files: readonly AgentFile[]) => void;
  /** Called with an error message, or with null after a success. */
  readonly problem: (message: string | null) => void;
}

/** Updates the wall with a run's members whenever they change, at a rate that the user can follow. */
export class WallFeed {
  readonly #parts: WallFeedParts;
  #wanted = false;
  #busy = false;
  /** Visibility conditions that do not hold. */
  readonly #hidden = new Set<string>();
  #closed = false;
  #failures = 0;
  #rested = true;
  /** Whether the user has requested other members. */
  #soon = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: WallFeedParts) {
    this.#parts = parts;
  }

  /** Signals that the members have changed since the last read. */
  news(): void {
    this.#wanted = true;
    this.#next();
  }

  /** Signals that the user requested other members, which are read without a pause. */
  asked(): void {
    this.#soon = true;
    clearTimeout(this.#timer);
    this.#rested = true;
    this.news();
  }

  /** Sets a visibility condition. Nothing is read while any condition does not hold. */
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

/** The source of a run's players. */
export interface StageAgents {
  /** Lists all stored agents. */
  readonly list: () => Promise<readonly KeptAgent[]>;
  readonly file: (ref: AgentRef) => Promise<AgentFile>;
  /**
   * Policies of the members at the last generation boundary, by slot; for a given generation, the nearest
   * stored ones. The wall and its time-lapse read agents here only.
   */
  readonly agentsAt: (generation: number | null) => Promise<readonly AgentFile[]>;
}

/** The agents of a run, from the coordinator. */
export const runAgents = (
  coordinator: Pick<PageCalls, "agents" | "agent" | "players">,
  id: string,
): StageAgents => ({
  list: () => coordinator.agents(id),
  file: (ref) => coordinator.agent(id, ref),
  agentsAt: (generation) => coordinator.players(id, generation),
});
