/** The turns of one attempt at a run, as who drives the run sees them. */
import { Queue, QueueEvents } from "bullmq";
import { z } from "zod";
import type { Database } from "../database/Database.ts";
import { pause } from "../database/pause.ts";
import type { Queues } from "../jobs/Queues.ts";
import { whenReady } from "../jobs/whenReady.ts";
import {
  type Attempt,
  type TurnAnswer,
  type TurnJob,
  type TurnProgress,
  turnAnswerSchema,
  turnProgressSchema,
  turnQueueName,
} from "./turnJob.ts";

/** How a job stands. */
export type TurnState =
  | { readonly state: "open" | "missing" }
  | { readonly state: "answered"; readonly answer: TurnAnswer }
  | { readonly state: "failed"; readonly reason: string };

export interface TurnQueueOptions {
  readonly database: Database;
  readonly queues: Queues;
  readonly attempt: Attempt;
  /** Answered jobs that are kept. */
  readonly kept: number;
  /** Told that a job has ended; it may be told of none, or twice. */
  readonly onEnd: (id: string) => void;
  /** Told how far a turn is; also by machines that have lost it since. */
  readonly onProgress: (id: string, progress: TurnProgress) => void;
}

/** Milliseconds until a connection that listens and broke is made again. */
const AGAIN_MS = 500;

const makeQueue = (queues: Queues, attempt: Attempt) => {
  // Nothing is written when it is made: it may be one to delete.
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

  /** Deletes an attempt's queue with all that is in it. */
  static async obliterate(queues: Queues, attempt: Attempt): Promise<void> {
    const queue = makeQueue(queues, attempt);
    try {
      await queue.waitUntilReady();
      await queue.obliterate({ force: true });
    } finally {
      await queue.close();
    }
  }

  /** Adds a turn; one of the same id is not added again. */
  async add(id: string, job: TurnJob): Promise<void> {
    const { kept: count } = this.#options;
    await this.#queue.add("turn", job, { jobId: id, removeOnComplete: { count }, removeOnFail: { count } });
  }

  async state(id: string): Promise<TurnState> {
    const job = await this.#queue.getJob(id);
    if (!job) return { state: "missing" };
    const state = await job.getState();
    if (state === "completed") return answerOf(job.returnvalue);
    if (state === "failed") return { state, reason: job.failedReason ?? "nobody says why" };
    return { state: state === "unknown" ? "missing" : "open" };
  }

  /** Deletes the queue with all that is in it. */
  async obliterate(): Promise<void> {
    await this.#queue.obliterate({ force: true });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#events.close();
    await this.#listening;
    await this.#queue.close();
  }

  /** Events tell at once what looks would find: they may be lost, and then looks find it. */
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
  return { state: "failed", reason: `its answer is none: ${z.prettifyError(answer.error)}` };
}
