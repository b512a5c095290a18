/** A held lock. It ends with `release`, or when its tab, worker or process ends. */
export interface RunLock {
  release(): Promise<void>;
}

/** Exclusive locks by run id, so that each run has one writer. */
export interface RunLocks {
  /**
   * Acquires the lock, waiting up to `waitMs` (default 0) for its release; null if another holder keeps it.
   */
  acquire(id: string, waitMs?: number): Promise<RunLock | null>;
  /** Whether anyone holds the lock now. */
  isHeld(id: string): Promise<boolean>;
}

/** Locks across all tabs and workers of the origin, through the Web Locks API; named `run:<id>`. */
export function webRunLocks(): RunLocks {
  return {
    acquire: (id, waitMs = 0) =>
      new Promise((resolve, reject) => {
        const name = `run:${id}`;
        const patience = waitMs > 0 ? patienceWith(name, waitMs) : null;
        const options = patience ? { signal: patience.signal } : { ifAvailable: true };
        const ended = navigator.locks.request(name, options, (lock) => {
          patience?.end();
          if (lock === null) return resolve(null);
          return new Promise<void>((unlock) => {
            resolve({
              async release() {
                unlock();
                await ended;
              },
            });
          });
        });
        ended.catch((error: unknown) => {
          patience?.end();
          if (error instanceof DOMException && error.name === "TimeoutError") resolve(null);
          else reject(error instanceof Error ? error : new Error(String(error)));
        });
      }),
    isHeld: (id) => isNameHeld(`run:${id}`),
  };
}

async function isNameHeld(name: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some((lock) => lock.name === name);
}

/**
 * Stops waiting for a lock after `waitMs`, unless nobody holds it: then the browser is only slow to grant it.
 */
function patienceWith(name: string, waitMs: number): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const look = async (): Promise<void> => {
    if (await isNameHeld(name)) controller.abort(new DOMException("another holds it", "TimeoutError"));
  };
  const timer = setInterval(() => look().catch((error: unknown) => controller.abort(error)), waitMs);
  return { signal: controller.signal, end: () => clearInterval(timer) };
}

/** Locks between users of this one object. */
export function memoryRunLocks(): RunLocks {
  const held = new Set<string>();
  const tryAcquire = (id: string): RunLock | null => {
    if (held.has(id)) return null;
    held.add(id);
    let mine = true;
    return {
      async release() {
        if (mine) held.delete(id);
        mine = false;
      },
    };
  };
  return {
    async acquire(id, waitMs = 0) {
      const deadline = Date.now() + waitMs;
      for (;;) {
        const lock = tryAcquire(id);
        if (lock !== null || Date.now() >= deadline) return lock;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    isHeld: async (id) => held.has(id),
  };
}
