import type { MetricRow } from "../metricRow.ts";
import { type RemoteOptions, remoteSender } from "../remote/remoteSender.ts";
import type { Sender } from "../remote/Sender.ts";
import { TrackerHttp, type TrackerHttpOptions } from "../remote/TrackerHttp.ts";
import { type Tracker, type TrackerEnd, TrackerRefusedError } from "../Tracker.ts";
import { historyLine, UPSERT, VIEWER } from "./wandbRequests.ts";

export interface WandbRun {
  readonly project: string;
  /** The key's own unless given. */
  readonly entity?: string | null;
  readonly displayName: string;
  /** Of the run in the server's addresses: 8 of a-z and 0-9. */
  readonly id: string;
  readonly group?: string | null;
  readonly job_type?: string | null;
  readonly notes?: string | null;
  readonly tags?: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
}

export interface WandbOptions extends Omit<TrackerHttpOptions, "authorization">, RemoteOptions {
  readonly api_key: string;
  readonly run: WandbRun;
  /** Seconds since 1970. */
  readonly now?: () => number;
}

/** Most of a request, bytes. */
const MOST_BYTES = 1_000_000;

/** Rows of a run for Weights & Biases, over its public addresses. */
export class WandbTracker implements Tracker {
  readonly name = "wb";
  readonly #http: TrackerHttp;
  readonly #run: WandbRun;
  readonly #sender: Sender<string>;
  readonly #now: () => number;
  readonly #start: number;
  #stream = "";
  /** Lines that the server has. */
  #offset = 0;
  #step = 0;

  constructor(options: WandbOptions) {
    const { base, api_key, fetch, run, now = () => Date.now() / 1000 } = options;
    // A key is of letters and digits, which stand for themselves in this encoding too.
    const authorization = `Basic ${btoa(`api:${api_key}`)}`;
    this.#http = new TrackerHttp({ base, authorization, ...(fetch && { fetch }) });
    this.#run = run;
    this.#now = now;
    this.#start = now();
    this.#sender = remoteSender<string>(this, options, {
      prepare: () => this.#prepare(),
      send: (lines) => this.#send(lines),
      fits: (lines) => {
        let bytes = 0;
        const over = lines.findIndex((line) => (bytes += 2 * line.length) > MOST_BYTES / 2);
        return over < 0 ? lines.length : over;
      },
    });
  }

  /** @throws TrackerRefusedError for a key that the server refuses. */
  async open(): Promise<void> {
    try {
      await this.#prepare();
    } catch (error) {
      if (isRefused(error))
        throw new TrackerRefusedError(
          "tracker_api_key: the server refuses the key; give the one of its settings page, or leave wb out",
        );
      if (!passes(error)) throw error;
      // It may be back when there is something to tell.
    }
  }

  row(row: MetricRow): void {
    const now = this.#now();
    const told = { _step: this.#step++, _timestamp: now, _runtime: now - this.#start };
    this.#sender.add(historyLine({ ...row, ...told }));
  }

  async close({ ok }: TrackerEnd): Promise<void> {
    await this.#sender.close();
    if (this.#stream !== "")
      await this.#http.send(this.#stream, JSON.stringify({ complete: true, exitcode: ok ? 0 : 1 }));
  }

  /** Makes the run. */
  async #prepare(): Promise<void> {
    if (this.#stream !== "") return;
    const run = this.#run;
    const viewer = await this.#query(VIEWER, {});
    const own = (viewer.viewer as { readonly entity?: string } | null)?.entity;
    if (own === undefined) throw new TrackerRefusedError("tracker_api_key: the server knows no such key");
    const config = Object.fromEntries(Object.entries(run.config).map(([key, value]) => [key, { value }]));
    const made = await this.#query(UPSERT, {
      name: run.id,
      project: run.project,
      entity: run.entity ?? own,
      groupName: run.group ?? null,
      displayName: run.displayName,
      notes: run.notes ?? null,
      jobType: run.job_type ?? null,
      tags: run.tags ?? [],
      config: JSON.stringify(config),
    });
    const { bucket } = made.upsertBucket as {
      readonly bucket: {
        readonly name: string;
        readonly project: { readonly entity: { readonly name: string } };
      };
    };
    const parts = [bucket.project.entity.name, run.project, bucket.name].map(encodeURIComponent);
    this.#stream = `/files/${parts.join("/")}/file_stream`;
  }

  async #query(query: string, variables: object): Promise<Readonly<Record<string, unknown>>> {
    const text = await this.#http.send("/graphql", JSON.stringify({ query, variables }));
    const { data, errors } = JSON.parse(text) as {
      readonly data?: Readonly<Record<string, unknown>> | null;
      readonly errors?: readonly { readonly message?: string }[];
    };
    if (errors?.length || !data) throw new Error(errors?.[0]?.message ?? "the server gave no data");
    return data;
  }

  async #send(lines: readonly string[]): Promise<void> {
    const files = {
      "wandb-history.jsonl": { offset: this.#offset, content: lines },
      "wandb-summary.json": { offset: 0, content: lines.slice(-1) },
    };
    await this.#http.send(this.#stream, JSON.stringify({ files }));
    this.#offset += lines.length;
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof TrackerRefusedError || (error as { readonly refused?: boolean }).refused === true;
const passes = (error: unknown): boolean => (error as { readonly passes?: boolean }).passes === true;
