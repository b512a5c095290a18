/**
 * One machine that works on a run: it takes the run's turns from their queue and trains them in its threads.
 */
import { ComputePool, type Gate, type RlKinds } from "../../../src/hosting/index.ts";
import { StoppedError, type WorkloadDefinition } from "../../../src/training/index.ts";
import { spawnWorker } from "../../../src/workers/index.ts";
import { patientStore, type TurnStore } from "../artifacts/ArtifactStore.ts";
import type { Database } from "../database/Database.ts";
import type { Queues } from "../jobs/Queues.ts";
import { TurnFiles } from "./files/TurnFiles.ts";
import { TurnConsumer } from "./TurnConsumer.ts";
import { TurnTrainer } from "./TurnTrainer.ts";
import type { Attempt } from "./turnJob.ts";

interface NodeRunnerOptions {
  readonly database: Database;
  readonly queues: Queues;
  readonly store: TurnStore;
  readonly definition: WorkloadDefinition<RlKinds>;
  readonly attempt: Attempt;
  /** Pauses the threads. When it is aborted, the machine ends its work. */
  readonly gate: Gate;
  /** Artifact of the run's setup. */
  readonly setup: string;
  /** Maximum number of threads. At most one per member is started. */
  readonly cores: number;
  readonly lock_ms: number;
  /** Called with messages for the run's owner. */
  readonly onNotice: (message: string) => void;
}

export class NodeRunner {
  readonly #threads: ComputePool<RlKinds>;
  readonly #consumer: TurnConsumer;
  readonly #ending: AbortController;
  #turns = 0;

  private constructor(threads: ComputePool<RlKinds>, consumer: TurnConsumer, ending: AbortController) {
    this.#threads = threads;
    this.#consumer = consumer;
    this.#ending = ending;
  }

  /**
   * Resolves when it takes turns.
   * @throws Error if no thread can be started; StorageError if the setup cannot be read.
   */
  static async open(options: NodeRunnerOptions): Promise<NodeRunner> {
    const { definition, cores, gate, onNotice } = options;
    const ending = new AbortController();
    const onWait = (reason: string): void =>
      onNotice(`A turn's outcome is waiting for disk space: ${reason}`);
    const store = patientStore(options.store, { onWait, signal: ending.signal });
    const files = new TurnFiles({ store, agents: definition.files });
    const setup = await files.setup(options.setup);
    const count = Math.min(cores, setup.members ?? cores);
    const threads = new ComputePool({
      ...{ definition, setup, gate, onNotice },
      spawn: spawnWorker,
      workers: count,
    });
    try {
      await threads.opened();
      const trainer = new TurnTrainer(files, threads);
      const consumer = await TurnConsumer.open({
        ...options,
        threads: count,
        train: async (job, tell) => {
          try {
            return await orStopped(trainer.train(job, tell), ending.signal);
          } catch (error) {
            if (error instanceof StoppedError) return null;
            throw error;
          }
        },
      });
      const runner = new NodeRunner(threads, consumer, ending);
      // Its threads would refuse turn after turn. Whoever closes it hears why it cannot be.
      gate.onAbort(() => void runner.close().catch(() => undefined));
      consumer.onAnswered(() => {
        runner.#turns += 1;
      });
      return runner;
    } catch (error) {
      threads.end();
      throw error;
    }
  }

  /** Number of turns that it has answered. */
  get turns(): number {
    return this.#turns;
  }

  async kernels() {
    return this.#threads.kernels();
  }

  /** Returns its unfinished turns to the queue, and ends. */
  async close(): Promise<void> {
    // Closed before the turns return to the queue, or it would take them again.
    const closed = this.#consumer.close();
    this.#ending.abort();
    this.#threads.end();
    await closed;
  }
}

/**
 * Resolves with the result of `work`.
 * @throws StoppedError when `signal` is aborted, even if `work` still waits for an unreachable server.
 */
async function orStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new StoppedError());
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
