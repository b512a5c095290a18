import { checkRunId, runDirectory } from "./runLayout.ts";
import type { RunLock, RunLocks } from "./runLocks.ts";
import { serialiser } from "./serialise.ts";
import { StorageError } from "./storageError.ts";

/** A lock that a reloaded tab held is gone within tens of milliseconds; a live one stays. */
const LOCK_WAIT_MS = 300;

/** The locks of runs that are held here, and the one way to change a run. */
export class HeldRuns {
  readonly #locks: RunLocks;
  readonly #held = new Map<string, RunLock>();
  readonly #serially = serialiser();
  /** Called before a lock goes back: others may change the run from then on. */
  readonly #onRelease: (id: string) => void;

  constructor(locks: RunLocks, onRelease: (id: string) => void) {
    this.#locks = locks;
    this.#onRelease = onRelease;
  }

  has(id: string): boolean {
    return this.#held.has(id);
  }

  /** Whether another tab or process holds the run. */
  async isElsewhere(id: string): Promise<boolean> {
    return !this.#held.has(id) && this.#locks.isHeld(id);
  }

  /** Takes the run's lock and holds it. `locked` when another tab has it; no error when it is held here already. */
  async acquire(id: string): Promise<void> {
    checkRunId(id);
    await this.#serially(id, async () => {
      if (!this.#held.has(id)) this.#held.set(id, await this.#lock(id));
    });
  }

  /** Gives the lock back; no error when it is not held. */
  async release(id: string): Promise<void> {
    await this.#serially(id, async () => {
      const lock = this.#held.get(id);
      this.#held.delete(id);
      this.#onRelease(id);
      await lock?.release();
    });
  }

  /** Runs `work` alone on the run, under its lock, taken for the time when it is not held. */
  async change<T>(id: string, work: () => Promise<T>): Promise<T> {
    checkRunId(id);
    return this.#serially(id, async () => {
      if (this.#held.has(id)) return work();
      const lock = await this.#lock(id);
      try {
        return await work();
      } finally {
        this.#onRelease(id);
        await lock.release();
      }
    });
  }

  /** As `change` where nobody holds the run, else null. */
  async ifFree<T>(id: string, work: () => Promise<T>): Promise<T | null> {
    const lock = await this.#locks.acquire(id, LOCK_WAIT_MS);
    if (lock === null) return null;
    try {
      return await this.#serially(id, work);
    } finally {
      this.#onRelease(id);
      await lock.release();
    }
  }

  async #lock(id: string): Promise<RunLock> {
    const lock = await this.#locks.acquire(id, LOCK_WAIT_MS);
    if (lock !== null) return lock;
    throw new StorageError(
      "locked",
      runDirectory(id),
      "the run is live in another tab; use that one or close it",
    );
  }
}
