import { environmentVariable, requireAddress } from "../../http/access.ts";
import type { MetricRow } from "../metricRow.ts";
import { openServer, type RemoteOptions, remoteSender, type Sender } from "../remote/Sender.ts";
import { TrackerHttp, type TrackerHttpOptions } from "../remote/TrackerHttp.ts";
import { trackerKey } from "../remote/trackerKey.ts";
import { type Tracker, type TrackerEnd, TrackerRefusedError } from "../Tracker.ts";
import { type ExperimentOptions, projectOf, runNameOf, type TrackerSettings } from "../trackerSettings.ts";
import {
  CREATE_FILES,
  lineEntries,
  RESUME,
  tableFile,
  UPSERT,
  VIEWER,
  type WandbTable,
  wandbTable,
} from "./wandbRequests.ts";

export interface WandbRun {
  readonly project: string;
  /** Defaults to the key's own entity. */
  readonly entity?: string | null;
  readonly displayName: string;
  /** Id of the run in the server's URLs: 8 characters from a-z and 0-9. */
  readonly id: string;
  /**
   * Whether to continue a run with this id if it exists, or to require that it exists. By default
   * the run is new.
   */
  readonly resume?: "allow" | "must" | null;
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

/** Maximum size of a request, bytes. */
const MOST_BYTES = 1_000_000;

/** A line of the history to send, without the step number that it gets once the run exists. */
interface Line {
  /** 0 for the first line of this process. */
  readonly index: number;
  readonly entries: string;
  /** A table that has not been uploaded yet. */
  readonly table?: WandbTable;
}

/** Sends the rows of a run to Weights & Biases over its public API. */
export class WandbTracker implements Tracker {
  readonly name = "wb";
  readonly #http: TrackerHttp;
  readonly #run: WandbRun;
  readonly #sender: Sender<Line>;
  readonly #now: () => number;
  readonly #start: number;
  /** Names of the run's entity, project and run on the server; null before the run is created. */
  #place: readonly [entity: string, project: string, run: string] | null = null;
  /** Entries of lines whose tables have been uploaded. */
  readonly #tables = new WeakMap<Line, string>();
  /** Number of lines that the server had before this process. */
  #before = 0;
  /** Number of lines sent by this process. */
  #sent = 0;
  #told = 0;

  constructor(options: WandbOptions) {
    const { base, api_key, fetch, origin, run, now = () => Date.now() / 1000 } = options;
    // Keys are printable ASCII (see `requireKey`), which is the same in Latin-1 and UTF-8.
    const authorization = `Basic ${btoa(`api:${api_key}`)}`;
    this.#http = new TrackerHttp({ base, authorization, ...(fetch && { fetch }), ...(origin && { origin }) });
    this.#run = run;
    this.#now = now;
    this.#start = now();
    this.#sender = remoteSender<Line>(this, options, {
      prepare: () => this.#prepare(),
      send: (lines) => this.#send(lines),
      fits: (lines) => {
        let bytes = 0;
        const over = lines.findIndex(({ entries }) => (bytes += 2 * entries.length) > MOST_BYTES / 2);
        return over < 0 ? lines.length : over;
      },
    });
  }

  /** @throws TrackerRefusedError for a key or an origin that the server rejects. */
  async open(): Promise<void> {
    await openServer(
      () => this.#prepare(),
      "tracker_api_key: the server refuses the key; give the one from its settings page, or leave wb out",
    );
  }

  row(row: MetricRow): void {
    this.#sender.add({ index: this.#told++, entries: lineEntries({ ...row, ...this.#times() }) });
  }

  table(name: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): void {
    const table = wandbTable(name, columns, rows);
    this.#sender.add({ index: this.#told++, entries: lineEntries(this.#times()), table });
  }

  async close({ ok }: TrackerEnd): Promise<void> {
    await this.#sender.close();
    if (this.#place)
      await this.#http.send(this.#stream, JSON.stringify({ complete: true, exitcode: ok ? 0 : 1 }));
  }

  get #stream(): string {
    return `/files/${(this.#place ?? []).map(encodeURIComponent).join("/")}/file_stream`;
  }

  #times(): { readonly _timestamp: number; readonly _runtime: number } {
    const now = this.#now();
    return { _timestamp: now, _runtime: now - this.#start };
  }

  /** Creates the run, or continues the existing one. */
  async #prepare(): Promise<void> {
    if (this.#place) return;
    const run = this.#run;
    const viewer = await this.#query(VIEWER, {});
    const own = (viewer.viewer as { readonly entity?: string } | null)?.entity;
    if (own === undefined)
      throw new TrackerRefusedError(
        "tracker_api_key: the server does not know the key; give the one from its settings page, or leave wb out",
      );
    const entity = run.entity ?? own;
    if (run.resume) this.#before = await this.#lineCount(entity, run.resume);
    const config = Object.fromEntries(Object.entries(run.config).map(([key, value]) => [key, { value }]));
    const made = await this.#query(UPSERT, {
      name: run.id,
      project: run.project,
      entity,
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
    this.#place = [bucket.project.entity.name, run.project, bucket.name];
  }

  /** Number of lines in the run's history. */
  async #lineCount(entity: string, resume: "allow" | "must"): Promise<number> {
    const { project, id } = this.#run;
    const found = await this.#query(RESUME, { project, entity, name: id });
    const { bucket } = (found.model ?? { bucket: null }) as {
      readonly bucket: { readonly historyLineCount?: number | null } | null;
    };
    if (!bucket && resume === "must")
      throw new TrackerRefusedError(
        `tracker_kwargs.id: found no run ${id} in ${entity}/${project}, but resume is must; use allow to start it`,
      );
    return bucket?.historyLineCount ?? 0;
  }

  async #query(query: string, variables: object): Promise<Readonly<Record<string, unknown>>> {
    const text = await this.#http.send("/graphql", JSON.stringify({ query, variables }));
    const { data, errors } = JSON.parse(text) as {
      readonly data?: Readonly<Record<string, unknown>> | null;
      readonly errors?: readonly { readonly message?: string }[];
    };
    if (errors?.length || !data)
      throw new Error(this.#http.withoutKey(errors?.[0]?.message ?? "the server returned no data"));
    return data;
  }

  async #send(told: readonly Line[]): Promise<void> {
    const lines: string[] = [];
    for (const line of told) {
      const step = this.#before + line.index;
      const more = line.table ? `, ${await this.#entryOf(line, line.table, step)}` : "";
      lines.push(`{"_step": ${step}, ${line.entries}${more}}`);
    }
    const files = {
      "wandb-history.jsonl": { offset: this.#before + this.#sent, content: lines },
      "wandb-summary.json": { offset: 0, content: lines.slice(-1) },
    };
    await this.#http.send(this.#stream, JSON.stringify({ files }));
    this.#sent += lines.length;
  }

  /** Uploads a table's file once and returns the history entry for it. */
  async #entryOf(line: Line, table: WandbTable, step: number): Promise<string> {
    const known = this.#tables.get(line);
    if (known !== undefined) return known;
    const { path, entry } = await tableFile(table, step);
    const [entity, project, run] = this.#place ?? [];
    const made = await this.#query(CREATE_FILES, { entity, project, run, files: [path] });
    const { uploadHeaders, files } = made.createRunFiles as {
      readonly uploadHeaders: readonly string[] | null;
      readonly files: readonly { readonly name: string; readonly uploadUrl: string }[];
    };
    const file = files.find(({ name }) => name === path);
    if (!file) throw new Error(`the server returned no upload URL for ${path}`);
    await this.#http.upload(file.uploadUrl, uploadHeaders ?? [], table.bytes);
    this.#tables.set(line, entry);
    return entry;
  }
}

const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** A run id of 8 characters from a-z and 0-9. It does not use the run's random numbers. */
function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => DIGITS[byte % DIGITS.length]).join("");
}

/** @throws RangeError for an address; TrackerRefusedError without a key. */
export async function wandbTracker(
  options: ExperimentOptions,
  kwargs: TrackerSettings,
): Promise<Tracker | null> {
  if ((kwargs.mode ?? environmentVariable("WANDB_MODE")) === "disabled") return null;
  const { store, tracker_api_key, onFailure, warn } = options;
  const address = kwargs.base_url ?? environmentVariable("WANDB_BASE_URL") ?? "https://api.wandb.ai";
  const base = requireAddress(address, "tracker_kwargs.base_url");
  const api_key = await trackerKey(tracker_api_key, "WANDB_API_KEY", base, store);
  if (api_key === null)
    throw new TrackerRefusedError("tracker_api_key: found none; give it, set WANDB_API_KEY, or leave wb out");
  const tags = environmentVariable("WANDB_TAGS")?.split(",") ?? [];
  const run = {
    project: kwargs.project ?? environmentVariable("WANDB_PROJECT") ?? projectOf(options),
    entity: kwargs.entity ?? environmentVariable("WANDB_ENTITY"),
    displayName: kwargs.name ?? environmentVariable("WANDB_NAME") ?? runNameOf(options),
    id: kwargs.id ?? freshId(),
    resume: kwargs.resume ?? null,
    group: kwargs.group ?? environmentVariable("WANDB_RUN_GROUP"),
    job_type: kwargs.job_type ?? null,
    notes: kwargs.notes ?? null,
    tags: kwargs.tags ?? tags,
    config: { ...options.config, ...kwargs.config },
  };
  return new WandbTracker({ base, api_key, run, onFailure, warn });
}
