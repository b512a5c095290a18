/** The queue of one attempt's turns, as the run's driver uses it. */
import { Queue, QueueEvents } from "bullmq";
import { z } from "zod";
import { pause } from "../../../src/hosting/index.ts";
import type { Database } from "../database/Database.ts";
import { type Queues, whenReady } from "../jobs/Queues.ts";
import {
  type Attempt,
  type TurnAnswer,
  type TurnJob,
  type TurnProgress,
  turnAnswerSchema,
  turnProgressSchema,
  turnQueueName,
} from "./turnJob.ts";

/** State of a turn's job. */
export type TurnState =
  | { readonly state: "open" | "missing" }
  | { readonly state: "answered"; readonly answer: TurnAnswer }
  | { readonly state: "failed"; readonly reason: string };

interface TurnQueueOptions {
  readonly database: Database;
  readonly queues: Queues;
  readonly attempt: Attempt;
  /** Number of ended jobs to keep. */
  readonly kept: number;
  /** Called when a job has ended. A call may be missing or repeated. */
  readonly onEnd: (id: string) => void;
  /** Called with a turn's progress, also by machines that have since lost the turn. */
  readonly onProgress: (id: string, progress: TurnProgress) => void;
}

/** Milliseconds until a broken listening connection is reopened. */
const AGAIN_MS = 500;

const makeQueue = (queues: Queues, attempt: Attempt) => {
  // Creating it writes nothing, as it may be created only to be deleted.
  const options = { connection: queues.connection, skipMetasUpdate: true };
  const queue = new Queue(turnQueueName(attempt), options, queues.backend);
  queue.on("error", (error) => queues.failed(error));
  return queue;
};

const makeEvents = (queues: Queues, attempt: Attempt) => {
  const options = { connection: queues.connection, autorun: false };
  const events = new QueueEvents(turnQueueName(attempt), options, queues.backend);
  events.on("error", (error) => queues.failed(error));
  return events;
};

export class TurnQueue {
  readonly #queue: ReturnType<typeof makeQueue>;
  readonly #events: ReturnType<typeof makeEvents>;
  readonly #options: TurnQueueOptions;
  readonly #closing = new AbortController();
  readonly #listening: Promise<void>;

  private constructor(
    options: TurnQueueOptions,
    queue: ReturnType<typeof makeQueue>,
    events: ReturnType<typeof makeEvents>,
  ) {
    this.#options = options;
    this.#queue = queue;
    this.#events = events;
    events.on("completed", ({ jobId }) => options.onEnd(jobId));
    events.on("failed", ({ jobId }) => options.onEnd(jobId));
    events.on("progress", ({ jobId, data }) => {
      const progress = turnProgressSchema.safeParse(data);
      if (progress.success) options.onProgress(jobId, progress.data);
    });
    this.#listening = this.#listen();
  }

  static async open(options: TurnQueueOptions): Promise<TurnQueue> {
    const { database, queues, attempt } = options;
    const queue = await whenReady(database, () => makeQueue(queues, attempt));
    return new TurnQueue(options, queue, await whenReady(database, () => makeEvents(queues, attempt)));
  }

  /** Deletes an attempt's queue and its contents. */
  static async obliterate(queues: Queues, attempt: Attempt): Promise<void> {
    const queue = makeQueue(queues, attempt);
    try {
      await queue.waitUntilReady();
      await queue.obliterate({ force: true });
    } finally {
      await queue.close();
    }
  }

  /** Adds a turn, unless one with the same ID exists. */
  async add(id: string, job: TurnJob): Promise<void> {
    const { kept: count } = this.#options;
    await this.#queue.add("turn", job, { jobId: id, removeOnComplete: { count }, removeOnFail: { count } });
  }

  async state(id: string): Promise<TurnState> {
    const job = await this.#queue.getJob(id);
    if (!job) return { state: "missing" };
    const state = await job.getState();
    if (state === "completed") return answerOf(job.returnvalue);
    if (state === "failed") return { state, reason: job.failedReason ?? "no reason given" };
    return { state: state === "unknown" ? "missing" : "open" };
  }

  /** Deletes the queue and its contents. */
  async obliterate(): Promise<void> {
    await this.#queue.obliterate({ force: true });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#events.close();
    await this.#listening;
    await this.#queue.close();
  }

  /** Listens for events, which are faster than polling. Polling finds what lost events did not report. */
  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#events.run().catch((error: unknown) => {
        if (!signal.aborted) this.#options.queues.failed(error);
      });
      await pause(AGAIN_MS, signal);
    }
  }
}

function answerOf(returned: unknown): TurnState {
  const answer = turnAnswerSchema.safeParse(returned);
  if (answer.success) return { state: "answered", answer: answer.data };
  return { state: "failed", reason: `its answer is invalid: ${z.prettifyError(answer.error)}` };
}
