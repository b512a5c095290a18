/** Milliseconds for which a returned worker is kept. */
const KEPT_MS = 300_000;

/** At most one worker that is started ahead of its use: a worker's code takes longer to load than most of its work. */
export class SpareWorker {
  readonly #start: () => Worker;
  #waiting: Worker | null = null;
  #expiry: ReturnType<typeof setTimeout> | undefined;

  constructor(start: () => Worker) {
    this.#start = start;
  }

  /** Starts a worker, unless one waits. */
  prepare(): Worker {
    this.#waiting ??= this.#wait(this.#start());
    return this.#waiting;
  }

  /** The worker that waits, or a new one. */
  take(): Worker {
    const taken = this.#waiting ?? this.#start();
    this.#forget();
    return taken;
  }

  /** Keeps a worker for reuse. It must hold nothing of its previous use. */
  keep(worker: Worker): void {
    if (this.#waiting !== null) return worker.terminate();
    this.#waiting = this.#wait(worker);
    this.#expiry = setTimeout(() => this.#drop(worker), KEPT_MS);
  }

  #wait(worker: Worker): Worker {
    // The next `take` starts a new worker, which reports the error.
    worker.addEventListener("error", (event) => {
      if (this.#waiting !== worker) return;
      event.preventDefault();
      this.#drop(worker);
    });
    return worker;
  }

  #drop(worker: Worker): void {
    if (this.#waiting !== worker) return;
    this.#forget();
    worker.terminate();
  }

  #forget(): void {
    this.#waiting = null;
    clearTimeout(this.#expiry);
  }
}
