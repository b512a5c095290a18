import { serialiser } from "./fileStore.ts";
import { checkRunId, runDirectory } from "./runLayout.ts";
import type { RunLock, RunLocks } from "./runLocks.ts";
import { StorageError } from "./storageError.ts";

/** The lock of a reloaded tab is released within tens of milliseconds; that of a live tab stays. */
const LOCK_WAIT_MS = 300;

/** The run locks held here. Runs are changed only through this class. */
export class HeldRuns {
  readonly #locks: RunLocks;
  readonly #held = new Map<string, RunLock>();
  readonly #serially = serialiser();
  /** Called before a lock is released: others may change the run from then on. */
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

  /**
   * Acquires the run's lock and holds it. Throws `locked` if another tab has it; no error if it
   * is already held here.
   */
  async acquire(id: string): Promise<void> {
    checkRunId(id);
    await this.#serially(id, async () => {
      if (!this.#held.has(id)) this.#held.set(id, await this.#lock(id));
    });
  }

  /** Releases the lock; no error if it is not held. */
  async release(id: string): Promise<void> {
    await this.#serially(id, async () => {
      const lock = this.#held.get(id);
      this.#held.delete(id);
      this.#onRelease(id);
      await lock?.release();
    });
  }

  /** Runs `work` exclusively on the run, under its lock, which is acquired for the call if it is not held. */
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

  /** As `change` if nobody holds the run, else returns null. */
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
