/** Spreads a generation's turns over machines as jobs. Results do not depend on their assignment. */
import { Gate, longestFirst, type RlKinds } from "../../../src/hosting/index.ts";
import type { KernelReport } from "../../../src/kernels/index.ts";
import { StorageError, sha256Hex } from "../../../src/storage/index.ts";
import type { Slice } from "../../../src/training/extending/workload.ts";
import {
  type Executor,
  type MemberTurn,
  type RunSetup,
  StoppedError,
  type TurnOutcome,
  type WorkloadDefinition,
  type Written,
} from "../../../src/training/index.ts";
import { type ArtifactStore, patientStore, type TurnStore } from "../artifacts/ArtifactStore.ts";
import type { Database } from "../database/Database.ts";
import type { Queues } from "../jobs/Queues.ts";
import { DeterminismError } from "../runs/ClaimedRun.ts";
import { type Part, stillHeld } from "./files/history.ts";
import { TurnFiles, type TurnFilesOptions } from "./files/TurnFiles.ts";
import { type LeaseJob, LeaseQueue } from "./LeaseQueue.ts";
import { NodeRunner } from "./NodeRunner.ts";
import { PendingTurns, turnKeyOf } from "./PendingTurns.ts";
import { TurnQueue } from "./TurnQueue.ts";
import type { Attempt } from "./turnJob.ts";
import { UsedArtifacts } from "./UsedArtifacts.ts";

interface QueueExecutorOptions {
  readonly database: Database;
  readonly queues: Queues;
  readonly store: TurnStore;
  readonly definition: WorkloadDefinition<RlKinds>;
  readonly attempt: Attempt;
  readonly resource_id: string;
  /** Maximum number of machines, including this one. */
  readonly num_nodes: number;
  /** Threads of this machine. */
  readonly cores: number;
  readonly lock_ms: number;
  /** Called with messages for the run's owner. */
  readonly onNotice: (message: string) => void;
}

/** Polls per lock duration, for changes whose events were lost. */
const LOOKS = 4;

/** The resources of an open run. */
interface Opened {
  readonly setup: string;
  readonly segment: number;
  readonly turns: TurnQueue;
  readonly leases: LeaseQueue;
  /** Places for further machines. */
  readonly places: readonly LeaseJob[];
  readonly node: NodeRunner;
  readonly timer: ReturnType<typeof setInterval>;
}

export class QueueExecutor implements Executor<RlKinds> {
  readonly device = "wasm";
  readonly #options: QueueExecutorOptions;
  readonly #files: TurnFiles;
  readonly #used = new UsedArtifacts();
  readonly #closing = new AbortController();
  #opened: Opened | null = null;
  #pending: PendingTurns | null = null;
  #gate = new Gate();
  /** Contents of the replay buffers. */
  #parts: readonly Part[] = [];
  /** First outcome of each turn in the last generations. */
  readonly #outcomes = new Map<string, string>();
  /** Error that the next generation throws. */
  #failure: Error | null = null;
  #looking: Promise<void> | null = null;

  constructor(options: QueueExecutorOptions) {
    this.#options = options;
    const { definition, onNotice } = options;
    const onUse = (sha256: string): void => this.#used.use(sha256);
    const onWait = (reason: string): void => onNotice(`A turn is waiting for disk space: ${reason}`);
    const store = patientStore(options.store, { onWait, signal: this.#closing.signal });
    this.#files = new TurnFiles({ store, agents: definition.files, onUse });
  }

  get label(): string {
    return `WASM SIMD, up to ${this.#options.num_nodes} machines`;
  }

  /**
   * Resolves when this machine takes turns. Others may join from then on.
   * @throws Error if no thread can be started.
   */
  async open(setup: RunSetup, gate = new Gate()): Promise<void> {
    this.#gate = gate;
    const { database, queues, attempt, resource_id, lock_ms } = this.#options;
    const members = setup.members ?? 1;
    const sha256 = await this.#files.putSetup(setup);
    // Transitions from before this executor opened count as generation 0.
    const parts = [...(await this.#written(setup.written, 0))];
    for await (const part of setup.data?.() ?? []) parts.push(...(await this.#written([part], 0)));
    this.#parts = parts;
    const turns = await TurnQueue.open({
      database,
      queues,
      attempt,
      kept: 4 * members,
      onEnd: (id) => void this.#pending?.lookAt(id),
      onProgress: (id, progress) => {
        if (progress.outcome !== null) this.#hearOutcome(id, progress.outcome);
        this.#pending?.progress(id, progress);
      },
    });
    const leases = await LeaseQueue.open(database, queues, resource_id);
    const node = await NodeRunner.open({ ...this.#options, setup: sha256, gate }).catch(
      async (error: unknown) => {
        await turns.close();
        await leases.close();
        throw error;
      },
    );
    const timer = setInterval(() => {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null;
      });
    }, lock_ms / LOOKS);
    const others = Math.min(this.#options.num_nodes, members) - 1;
    const places = Array.from({ length: others }, (_, i) => ({ ...attempt, node: i + 2, setup: sha256 }));
    this.#opened = { setup: sha256, segment: setup.replay?.segment ?? 0, turns, leases, places, node, timer };
    await this.#offerPlaces(this.#opened);
  }

  async generation(
    turns: readonly MemberTurn<RlKinds>[],
    news: readonly Written[],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome<RlKinds>[]> {
    const opened = this.#opened;
    if (!opened) throw new Error("executor: generation() before open()");
    if (this.#failure) throw this.#failure;
    const { definition, onNotice } = this.#options;
    const pending = new PendingTurns({
      queue: {
        add: (id, job) => this.#persist(() => opened.turns.add(id, job)),
        state: (id) => this.#persist(() => opened.turns.state(id)),
      },
      files: this.#files,
      onSlice,
      onAnswer: (id, sha256) => this.#hearOutcome(id, sha256),
      onNotice,
    });
    this.#pending = pending;
    const forget = this.#gate.onAbort(() => pending.cancel(new StoppedError()));
    const generation = turns[0]?.turn.generation ?? 0;
    const outcomes: TurnOutcome<RlKinds>[] = [];
    try {
      const history = await pending.orCancelled(this.#begin(opened, generation, news));
      const all: Promise<void>[] = [];
      for (const [position, turn] of longestFirst<RlKinds>(turns, definition)) {
        const sha256 = await pending.orCancelled(this.#files.putTurn(turn));
        const { slot, evaluates } = turn.turn;
        const job = { generation, slot, ...(evaluates && { evaluates }), turn: sha256, history };
        const done = pending.train(job).then((outcome) => {
          outcomes[position] = outcome;
        });
        // A turn that fails while others are still being queued is reported by `Promise.all` below.
        done.catch(() => undefined);
        all.push(done);
      }
      await Promise.all(all);
      return outcomes;
    } finally {
      forget();
      pending.cancel(new StoppedError());
      this.#pending = null;
    }
  }

  async kernels(): Promise<readonly KernelReport[]> {
    return this.#opened?.node.kernels() ?? [];
  }

  /** Ends this machine's work and withdraws places and turns. Other machines leave once the run is over. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    this.#closing.abort();
    this.#pending?.cancel(new StoppedError());
    if (!opened) return;
    const { node, turns, leases, places, timer } = opened;
    clearInterval(timer);
    await this.#looking;
    await node.close();
    try {
      for (const place of places) await leases.withdraw(place);
      await turns.obliterate();
    } catch (error) {
      // The server deletes the remains of an attempt that is over.
      this.#options.queues.failed(error);
    }
    await turns.close();
    await leases.close();
  }

  /** Publishes the previous generation's transitions to all machines. @returns the history artifact. */
  async #begin({ setup, segment }: Opened, generation: number, news: readonly Written[]): Promise<string> {
    const fresh = await this.#written(news, generation - 1);
    this.#parts = stillHeld([...this.#parts, ...fresh], segment);
    const needed = new Set([setup, ...this.#parts.map(({ rows }) => rows)]);
    void this.#collect(this.#used.begin(generation, needed));
    for (const key of this.#outcomes.keys())
      if (Number(key.split("-")[0]) < generation - 1) this.#outcomes.delete(key);
    return this.#files.putHistory(this.#parts);
  }

  /** @param generation Generation that wrote the transitions. */
  async #written(written: readonly Written[], generation: number): Promise<readonly Part[]> {
    const some = written.filter(({ count }) => count > 0);
    return Promise.all(some.map((part) => this.#files.putWritten(part, generation)));
  }

  /** Deletes artifacts in the background. Any that remain are deleted with the attempt. */
  async #collect(artifacts: readonly string[]): Promise<void> {
    for (const sha256 of artifacts) await this.#options.store.remove(sha256).catch(() => undefined);
  }

  /** Checks for changes whose events were lost, and offers places again that machines have left. */
  async #look(): Promise<void> {
    await this.#pending?.look();
    const opened = this.#opened;
    if (opened) await this.#offerPlaces(opened).catch((error: unknown) => this.#options.queues.failed(error));
  }

  async #offerPlaces({ leases, places }: Opened): Promise<void> {
    for (const place of places) await this.#persist(() => leases.offer(place));
  }

  /** If a turn has two outcomes, the first counts. A different second outcome ends the run. */
  #hearOutcome(id: string, sha256: string): void {
    const key = turnKeyOf(id);
    const first = this.#outcomes.get(key);
    if (first === undefined) this.#outcomes.set(key, sha256);
    else if (first !== sha256) void this.#compare(key, first, sha256);
  }

  async #compare(key: string, first: string, second: string): Promise<void> {
    try {
      const [a, b] = [await this.#files.outcome(first), await this.#files.outcome(second)];
      if (await sameOutcome(a, b, this.#options.definition.files)) return;
    } catch {
      // An outcome that cannot be read proves nothing. If it is the first one, the pending turn reports it.
      return;
    }
    const [generation, slot] = key.split("-");
    this.#failure = new DeterminismError(`the turn of member ${slot} in generation ${generation}`);
    this.#pending?.cancel(this.#failure);
  }

  #persist<T>(work: () => Promise<T>): Promise<T> {
    return this.#options.database.persist(work, this.#closing.signal);
  }
}

/** A store that only hashes and keeps nothing. */
const hashing: ArtifactStore = {
  put: sha256Hex,
  get: async (sha256) => {
    throw new StorageError("not_found", sha256, "was not kept");
  },
};

/** Whether two outcomes of a turn are the same. Compares contents, not artifacts: two machines may gzip the same transitions to different bytes. */
async function sameOutcome(
  a: TurnOutcome<RlKinds>,
  b: TurnOutcome<RlKinds>,
  agents: TurnFilesOptions["agents"],
): Promise<boolean> {
  // A failed turn cannot be compared: its machine may have run out of memory.
  if (!a.ok || !b.ok) return true;
  const hashes = new TurnFiles({ store: hashing, agents });
  return (await hashes.putOutcome(a)) === (await hashes.putOutcome(b));
}
