/** One compute worker, as the executor sees it. */
import type { KernelReport } from "../../kernels/devices.ts";
import {
  type Gate,
  type MemberTurn,
  type Setup,
  type Slice,
  StoppedError,
  type TurnOutcome,
} from "../../training/loop.ts";
import type { ComputeThread, FromCompute, Spawn } from "../protocol/compute.ts";

/** A compute worker ended or stopped answering while it had work. */
export class WorkerLostError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "WorkerLostError";
  }
}

interface Waiting {
  readonly resolve: (outcome: TurnOutcome) => void;
  readonly reject: (error: Error) => void;
  readonly onSlice: (slice: Slice) => void;
}

/** Data that a worker receives before its first turn, part by part. */
export type News = Iterable<unknown> | AsyncIterable<unknown>;

interface ComputeClientOptions {
  /** Its changes are sent to the worker. */
  readonly gate: Gate;
  readonly spawn: Spawn;
  /** The setup with which the worker opens the run, after it has loaded the modules. */
  readonly setup: Setup;
  /** Absolute URLs. */
  readonly modules: readonly string[];
  /** Data for the worker before its first turn. The iterator is closed if the worker is lost. */
  readonly news: News;
  /** A worker that is silent for this many milliseconds counts as lost. */
  readonly silenceMs: number;
}

/** Id of the next turn in any worker: one that is given back knows the ids of its earlier runs. */
let nextId = 1;

/** Maximum parts in flight: while the worker processes one, the next is read. */
const PARTS = 2;

/** Number of intervals in the silence limit, so that a machine that slept loses only one of them. */
const TICKS = 4;

export class ComputeClient {
  readonly #thread: ComputeThread;
  readonly #gate: Gate;
  #leaveGate: () => void = () => undefined;
  readonly #silenceMs: number;
  readonly #waiting = new Map<number, Waiting>();
  readonly #opened: Promise<void>;
  #settleOpened: { resolve: () => void; reject: (error: Error) => void } | null = null;
  #lost: Error | null = null;
  #lostIdle: WorkerLostError | null = null;
  /** Resolvers of pending `kernels` calls, in order. */
  readonly #askers: ((reports: readonly KernelReport[]) => void)[] = [];
  #watch: ReturnType<typeof setInterval> | null = null;
  #silentTicks = 0;
  /** Null once sending has started. */
  #news: News | null;
  /** News messages that the worker has not acknowledged. */
  #unheard = 0;
  /** Wakes the sender that waits for an acknowledgement. */
  #wake: () => void = () => undefined;

  /** Starts a worker, and opens a run in it. */
  constructor({ gate, spawn, setup, modules, news, silenceMs }: ComputeClientOptions) {
    this.#gate = gate;
    this.#silenceMs = silenceMs;
    this.#news = news;
    this.#opened = new Promise((resolve, reject) => {
      this.#settleOpened = { resolve, reject };
    });
    // Callers learn of a lost worker through `opened` or `turn`.
    this.#opened.catch(() => undefined);
    this.#thread = spawn({
      message: (message) => this.#take(message),
      failed: (message) => this.#lose(new WorkerLostError(message)),
    });
    this.#thread.post({ type: "open", setup, modules });
    if (gate.isHeld) this.#thread.post({ type: "pause" });
    this.#leaveGate = gate.watch((type) => {
      this.#silentTicks = 0;
      this.#thread.post({ type });
    });
    this.#watchSilence();
  }

  /**
   * Resolves when the worker has opened the run and received its news.
   * @throws WorkerLostError if it did not; any error from reading the news.
   */
  get opened(): Promise<void> {
    return this.#opened;
  }

  /** The error of a worker that was lost while idle; null while it lives, and if it was lost at work. */
  get lostIdle(): WorkerLostError | null {
    return this.#lostIdle;
  }

  hear(news: readonly unknown[]): void {
    if (this.#lost) return;
    this.#unheard++;
    this.#thread.post({ type: "news", news });
  }

  /** @throws WorkerLostError if the worker ends before its turn does; StoppedError when the gate is aborted, and after end. */
  async turn(turn: MemberTurn, onSlice: (slice: Slice) => void): Promise<TurnOutcome> {
    await this.#opened;
    if (this.#lost) throw this.#lost;
    if (this.#gate.isAborted) throw new StoppedError();
    const id = nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onSlice });
      this.#thread.post({ type: "turn", id, turn });
      this.#watchSilence();
    });
  }

  /** The kernels that the worker has compiled; empty if it is gone. */
  kernels(): Promise<readonly KernelReport[]> {
    if (this.#lost) return Promise.resolve([]);
    return new Promise((resolve) => {
      this.#askers.push(resolve);
      this.#thread.post({ type: "kernels" });
    });
  }

  /** Ends the worker at once: its memory may hold half a turn. */
  end(): void {
    this.#lose(new StoppedError());
  }

  /** Ends the run in a worker that has not failed. */
  release(): void {
    this.#lose(new StoppedError(), () =>
      this.#thread.release ? this.#thread.release() : this.#thread.terminate(),
    );
  }

  #take(message: FromCompute): void {
    if (this.#lost) return;
    this.#silentTicks = 0;
    switch (message.type) {
      case "ready":
        void this.#tellNews();
        break;
      case "heard":
        this.#unheard--;
        this.#wake();
        break;
      case "slice":
        this.#waiting.get(message.id)?.onSlice(message.slice);
        break;
      case "done":
        this.#settle(message.id)?.resolve(message.outcome);
        break;
      case "stopped":
        this.#settle(message.id)?.reject(new StoppedError());
        break;
      case "kernels":
        this.#askers.shift()?.(message.reports);
        break;
      case "failed":
        this.#lose(new WorkerLostError(message.message));
    }
    if (this.#idle) this.#stopWatching();
  }

  /**
   * Sends the news, at most {@link PARTS} parts ahead of the acknowledgements: a data set may be larger than
   * the remaining memory.
   */
  async #tellNews(): Promise<void> {
    const news = this.#news ?? [];
    this.#news = null;
    try {
      for await (const part of news) {
        this.hear([part]);
        while (!this.#lost && this.#unheard >= PARTS)
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        if (this.#lost) return;
      }
    } catch (error) {
      this.#lose(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.#settleOpened?.resolve();
    this.#settleOpened = null;
    if (this.#idle) this.#stopWatching();
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  get #idle(): boolean {
    return this.#settleOpened === null && this.#waiting.size === 0;
  }

  /** Whether the worker waits while the next part of the news is being read. */
  get #reads(): boolean {
    return this.#settleOpened !== null && this.#news === null && this.#unheard === 0;
  }

  #lose(reason: Error, leaveThread = () => this.#thread.terminate()): void {
    if (this.#lost) return;
    this.#lost = reason;
    this.#leaveGate();
    this.#wake();
    if (this.#news) leave(this.#news);
    this.#news = null;
    if (this.#idle && reason instanceof WorkerLostError) this.#lostIdle = reason;
    this.#stopWatching();
    leaveThread();
    this.#settleOpened?.reject(reason);
    this.#settleOpened = null;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
    for (const answer of this.#askers.splice(0)) answer([]);
  }

  #watchSilence(): void {
    this.#silentTicks = 0;
    this.#watch ??= setInterval(() => {
      if (this.#gate.isHeld || this.#reads) return;
      this.#silentTicks++;
      if (this.#silentTicks <= TICKS) return;
      this.#lose(new WorkerLostError(`it did not respond for ${Math.round(this.#silenceMs / 1000)} s`));
    }, this.#silenceMs / TICKS);
  }

  #stopWatching(): void {
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#watch = null;
  }
}

/** Closes the iterator of news that will not be read. */
function leave(news: News): void {
  const parts = Symbol.asyncIterator in news ? news[Symbol.asyncIterator]() : news[Symbol.iterator]();
  void parts.return?.();
}
