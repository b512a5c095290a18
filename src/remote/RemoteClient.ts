import type { z } from "zod";
import { type ManifestInput, parseManifest } from "../manifests/index.ts";
import {
  ANY,
  ANY_TEXT,
  COUNT,
  checkOptions,
  DELAY,
  FLAG,
  FUNCTION,
  instanceOf,
  type OptionRules,
  SECONDS,
  TEXT,
} from "../specs/checks.ts";
import { sha256Hex } from "../storage/index.ts";
import { httpOptions, type RemoteClientOptions } from "./clientOptions.ts";
import { SUBMIT_PATH } from "./errors/apiErrorOf.ts";
import { RemoteApiError, RemoteConfigError } from "./errors/RemoteError.ts";
import { manifestPayload } from "./manifestPayload.ts";
import { RemoteHttp } from "./RemoteHttp.ts";
import { collectSubmission, JOB_OPTIONS, type JobOptions } from "./submission.ts";
import { readFileOf, submitBody } from "./submitBody.ts";
import { type WatchOptions, watchEvents } from "./watchEvents.ts";
import {
  AnyObject,
  AnyObjects,
  Checkpoint,
  Environments,
  Existence,
  Metrics,
  Posted,
  type RemoteRunEvent,
  Upload,
} from "./wire.ts";

type JsonObject = Record<string, unknown>;

const API = "/api/cli/v1";
const PLAYS = "/v1/plays";
/** Default number of rows in a download of metrics. */
const PREVIEW_ROWS = 50_000;

const runPath = (experiment: string, ...rest: readonly string[]): string =>
  ["/v1/runs", ...[experiment, ...rest].map(encodeURIComponent)].join("/");

/**
 * A client of a remote training platform, over HTTP. Every method throws RemoteAuthError if there is no key, before sending
 * anything, or if the platform rejects the key. It throws RemoteApiError if the platform rejects the request, fails, does
 * not answer in time (status 0), or sends an unexpected response.
 *
 * @example
 * ```ts
 * const client = new RemoteClient({ base_url: "https://platform.example", project: "maze" });
 * for (const experiment of await client.listExperiments()) console.log(experiment.experiment_name);
 * for await (const { event, data } of client.watchExperiment("maze-1")) console.log(event, data);
 * ```
 */
export class RemoteClient {
  readonly #http: RemoteHttp;
  /** Default project of jobs and lists; `null` for none. */
  readonly project: string | null;

  /**
   * Sends nothing.
   * @throws TypeError and RangeError for invalid options; RemoteAuthError for a key
   *   that is not valid in a header;
   * RemoteConfigError for an invalid address.
   */
  constructor(options: RemoteClientOptions = {}, ...positional: never[]) {
    this.#http = new RemoteHttp(httpOptions(options, positional));
    this.project = options.project ?? null;
  }

  /** Base URL of the platform. */
  get base_url(): string {
    return this.#http.base_url;
  }

  /** The profile of the key's owner. */
  currentUser(): Promise<JsonObject> {
    return this.#get(AnyObject, "/api/users/current");
  }

  credits(): Promise<JsonObject> {
    return this.#get(AnyObject, "/api/users/credits");
  }

  /**
   * Environments by name, then by version.
   * @param options.include_platform Whether to include the platform's own.
   */
  listEnvironments(
    options: { readonly name?: string | null; readonly include_platform?: boolean | null } = {},
  ): Promise<Record<string, Record<string, JsonObject>>> {
    checkOptions("listEnvironments", options, { name: TEXT, include_platform: FLAG }, { example: "{}" });
    const { name, include_platform } = options;
    return this.#get(Environments, `${API}/environments`, { name, include_arena: include_platform });
  }

  async environmentExists(name: string, version: string | number | null = null): Promise<boolean> {
    requireText("environmentExists", "name", name);
    return (await this.#get(Existence, `${API}/environments/exists`, { name, version })).exists;
  }

  /**
   * Submits a job. If the connection fails, submits it once more under the same Idempotency-Key.
   * @param options.manifest YAML or JSON text, an object, or a parsed manifest.
   * @returns the platform's record of the accepted job: `experiment_id`, `experiment_name`.
   * @throws SpecError for an invalid manifest or multi-frequency selection; TypeError and RangeError for
   *   other options; RemoteFileNotFoundError; RemoteTrainingError for a job that is not accepted, and
   *   RemoteEnvironmentNotFoundError if the platform does not have its environment.
   */
  async submitExperiment(options: JobOptions & { readonly manifest: ManifestInput }): Promise<JsonObject> {
    checkOptions(
      "submitExperiment",
      options,
      { manifest: ANY, ...JOB_OPTIONS },
      { example: "{ manifest, num_nodes: 2 }" },
    );
    const { resource_id, num_nodes, project, experiment_name, reward_file, completion, onEvent } = options;
    const submission = {
      manifest: manifestPayload(parseManifest(options.manifest)),
      resource_id: resource_id ?? null,
      num_nodes: num_nodes ?? null,
      project: project ?? this.project,
      experiment_name: experiment_name ?? null,
    };
    const body = await submitBody(submission, reward_file ?? null, completion ?? null);
    const headers = { "Idempotency-Key": freshKey() };
    const submit = (): Promise<JsonObject> =>
      collectSubmission(
        this.#http.lines("POST", SUBMIT_PATH, { body, headers, accept: "application/x-ndjson" }),
        onEvent ?? (() => undefined),
      );
    try {
      return await submit();
    } catch (error) {
      if (!(error instanceof RemoteApiError) || error.status_code !== 0) throw error;
      return await submit();
    }
  }

  /**
   * Uploads a data set for jobs of a project, with the time limit `upload_timeout`. Uploading it again has no
   * effect.
   * @param file A path or the bytes of an HDF5 file, at most 1 GiB.
   * @param options.project Defaults to the client's project, then to that of the key.
   * @returns the `dataset_path` by which manifests name it.
   * @throws RemoteFileNotFoundError if the path does not exist.
   */
  async uploadDataset(
    file: string | Uint8Array,
    options: { readonly project?: string | null } = {},
  ): Promise<string> {
    checkOptions("uploadDataset", options, { project: TEXT }, { example: '{ project: "maze" }' });
    const bytes = typeof file === "string" ? await readFileOf("file", file) : file;
    const place = `/v1/datasets/${await sha256Hex(bytes)}`;
    const body = new Blob([new Uint8Array(bytes)], { type: "application/octet-stream" });
    const query = { project: options.project ?? this.project };
    const seconds = this.#http.upload_timeout;
    return expected(Upload, await this.#http.ask("PUT", place, { body, query, seconds }), place).dataset_path;
  }

  /**
   * Posts a play file of the workbench; anyone with the returned address can open it.
   * @param play.html The file, at most 600 kB.
   * @param play.title Shown in previews, 1 to 200 characters.
   * @param play.poster A PNG for previews, in base64, at most 600 kB (default: none).
   * @returns its id, for `deletePlay`, and its short address.
   */
  async postPlay(play: {
    readonly html: string;
    readonly title: string;
    readonly poster?: string | null;
  }): Promise<{ readonly id: string; readonly url: string }> {
    return expected(Posted, await this.#http.ask("POST", PLAYS, { body: play }), PLAYS);
  }

  /** Deletes a play file that was posted with the client's key. @param id As `postPlay` returned it. */
  async deletePlay(id: string): Promise<void> {
    requireText("deletePlay", "id", id);
    await this.#http.ask("DELETE", `${PLAYS}/${encodeURIComponent(id)}`);
  }

  /** @param project Defaults to the client's project. @throws RemoteConfigError if neither is set. */
  async listExperiments(project: string | null = null): Promise<JsonObject[]> {
    const own = project ?? this.project;
    if (own === null)
      throw new RemoteConfigError(
        "project: found none; pass a project, or create the client with one ({ project: ... })",
      );
    return this.#get(AnyObjects, `${API}/experiments/list`, { project: own });
  }

  /**
   * The current state of an experiment, with its manifest.
   * @param experiment Id or name of the experiment.
   */
  getExperiment(experiment: string): Promise<JsonObject> {
    requireText("getExperiment", "experiment", experiment);
    return this.#get(AnyObject, runPath(experiment));
  }

  /** Pauses a job. @param experiment Id or name of the experiment. */
  async pauseExperiment(experiment: string): Promise<void> {
    requireText("pauseExperiment", "experiment", experiment);
    await this.#http.ask("POST", runPath(experiment, "pause"));
  }

  /**
   * Continues a job that is paused, was stopped or failed.
   * @param experiment Id or name of the experiment.
   */
  async continueExperiment(experiment: string): Promise<void> {
    requireText("continueExperiment", "experiment", experiment);
    await this.#http.ask("POST", runPath(experiment, "resume"));
  }

  /**
   * Resumes a job from its newest checkpoint.
   * @param max_steps Environment steps per member, including earlier ones.
   */
  async resumeExperiment(experiment_name: string, max_steps: number): Promise<JsonObject> {
    requireText("resumeExperiment", "experiment_name", experiment_name);
    checkOptions("resumeExperiment", { max_steps }, { max_steps: COUNT }, { example: "" });
    return this.#post(AnyObject, `${API}/experiments/jobs/resume`, { experiment_name, max_steps });
  }

  /** Stops a job at the end of its generation. Everything saved is kept. */
  async stopExperiment(experiment_name: string): Promise<void> {
    requireText("stopExperiment", "experiment_name", experiment_name);
    await this.#http.ask("POST", `${API}/experiments/jobs/stop`, { body: { experiment_name } });
  }

  async listCheckpoints(experiment_name: string): Promise<JsonObject[]> {
    requireText("listCheckpoints", "experiment_name", experiment_name);
    return this.#get(AnyObjects, `${API}/experiments/jobs/checkpoints`, { experiment_name });
  }

  /**
   * Metric names of an experiment.
   * @returns an object with `experiment_id` and `metrics` if `details` is true.
   */
  async listMetrics(
    experiment_name: string,
    options: { readonly project?: string | null; readonly details?: boolean | null } = {},
  ): Promise<string[] | JsonObject> {
    requireText("listMetrics", "experiment_name", experiment_name);
    checkOptions("listMetrics", options, { project: TEXT, details: FLAG }, { example: "{ details: true }" });
    const { project = this.project, details } = options;
    return this.#get(Metrics, `${API}/experiments/metrics`, { experiment_name, project, details });
  }

  /** Rows of metrics, as CSV. @param options.preview_rows Upper bound on the rows (default: 50,000). */
  async downloadMetrics(
    experiment_name: string,
    metrics: readonly string[],
    options: { readonly project?: string | null; readonly preview_rows?: number | null } = {},
  ): Promise<string> {
    requireText("downloadMetrics", "experiment_name", experiment_name);
    const rules = { project: TEXT, preview_rows: COUNT };
    checkOptions("downloadMetrics", options, rules, { example: "{ preview_rows: 1000 }" });
    const { project = this.project, preview_rows } = options;
    const query = { experiment_name, project, preview_rows: preview_rows ?? PREVIEW_ROWS, metric: metrics };
    return this.#http.text(`${API}/experiments/metrics`, "text/csv", query);
  }

  /** Kinds of machines that a job can request as `resource_id`. */
  listResources(): Promise<unknown> {
    return this.#http.ask("GET", `${API}/resources/list`);
  }

  /** The machines that train jobs, each with `host`, `cores`, `device` and `version`. */
  listWorkers(): Promise<JsonObject[]> {
    return this.#get(AnyObjects, "/v1/workers");
  }

  listProjects(): Promise<JsonObject[]> {
    return this.#get(AnyObjects, `${API}/projects`);
  }

  /** @param options.llm_based Whether its jobs train language models (default: false). */
  async createProject(
    name: string,
    options: { readonly description?: string | null; readonly llm_based?: boolean | null } = {},
  ): Promise<JsonObject> {
    requireText("createProject", "name", name);
    const rules = { description: ANY_TEXT, llm_based: FLAG };
    checkOptions("createProject", options, rules, { example: "{ llm_based: true }" });
    const { description, llm_based } = options;
    const body = { name, description: description ?? "", llm_based: llm_based ?? false };
    return this.#post(AnyObject, `${API}/projects/create`, body);
  }

  async deleteProject(name: string): Promise<void> {
    requireText("deleteProject", "name", name);
    await this.#http.ask("DELETE", `${API}/projects/delete`, { body: { name } });
  }

  /**
   * Yields a run's events until it is over, from the first one or after `last_event_id`. Reconnects as
   * needed, and yields each event once.
   * @param experiment Id or name of the experiment.
   * @throws TypeError and RangeError for options; RemoteApiError if the first connection fails,
   *   or the platform refuses later.
   */
  watchExperiment(
    experiment: string,
    options: WatchOptions = {},
  ): AsyncGenerator<RemoteRunEvent, void, undefined> {
    requireText("watchExperiment", "experiment", experiment);
    checkOptions("watchExperiment", options, WATCH_OPTIONS, { example: "{ last_event_id: 12 }" });
    const open = (after: number | null, signal: AbortSignal): AsyncIterable<string> => {
      const headers: Record<string, string> = after === null ? {} : { "Last-Event-ID": String(after) };
      const accept = "text/event-stream";
      return this.#http.lines("GET", runPath(experiment, "events"), {
        headers,
        signal,
        accept,
        waits: false,
      });
    };
    return watchEvents({ open }, options);
  }

  /**
   * Downloads a checkpoint as a zip file. Once unpacked, `rlkit train --resume` can read it.
   * @param name From `listCheckpoints` (default: the newest).
   * @throws RemoteApiError (404) if there is no such checkpoint.
   */
  async downloadCheckpoint(
    experiment_name: string,
    name: string | null = null,
  ): Promise<{ readonly name: string; readonly zip: Uint8Array<ArrayBuffer> }> {
    const rows = await this.listCheckpoints(experiment_name);
    const row = name === null ? rows.at(-1) : rows.find((one) => one.name === name);
    if (row) {
      const checkpoint = expected(Checkpoint, row, "checkpoints");
      return { name: checkpoint.name, zip: await this.#http.bytes(checkpoint.download_url) };
    }
    const detail = `${experiment_name} has no checkpoint${name === null ? "" : ` "${name}"`}`;
    const names = rows.map((one) => one.name).join(", ") || "none";
    throw new RemoteApiError({ detail, status_code: 404, extras: { checkpoints: names } });
  }

  /**
   * Downloads one file of a checkpoint, such as "elite.safetensors", or
   * "member_0.safetensors" for the first member.
   * @param experiment Id or name of the experiment.
   * @param name From `listCheckpoints`.
   * @throws RemoteApiError (404) if the checkpoint or the file does not exist.
   */
  downloadCheckpointFile(experiment: string, name: string, file: string): Promise<Uint8Array<ArrayBuffer>> {
    requireText("downloadCheckpointFile", "experiment", experiment);
    requireText("downloadCheckpointFile", "name", name);
    requireText("downloadCheckpointFile", "file", file);
    return this.#http.bytes(runPath(experiment, "checkpoints", name, file));
  }

  /** Downloads the best member's agent file (safetensors). @param experiment Id or name of the experiment. */
  downloadElite(experiment: string): Promise<Uint8Array<ArrayBuffer>> {
    requireText("downloadElite", "experiment", experiment);
    return this.#http.bytes(runPath(experiment, "elite.safetensors"));
  }

  async #get<S extends z.ZodType>(
    schema: S,
    path: string,
    query: Parameters<RemoteHttp["text"]>[2] = {},
  ): Promise<z.output<S>> {
    return expected(schema, await this.#http.ask("GET", path, { query }), path);
  }

  async #post<S extends z.ZodType>(schema: S, path: string, body: object): Promise<z.output<S>> {
    return expected(schema, await this.#http.ask("POST", path, { body }), path);
  }
}

const WATCH_OPTIONS: OptionRules = {
  signal: instanceOf("an AbortSignal", AbortSignal),
  last_event_id: DELAY,
  idle_timeout: SECONDS,
  onLost: FUNCTION,
  onConnected: FUNCTION,
};

/** @throws RemoteApiError for a response that does not fit the schema. */
function expected<S extends z.ZodType>(schema: S, answer: unknown, path: string): z.output<S> {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.join(".") ?? "";
  throw new RemoteApiError({
    detail: `the answer of ${path} has an unexpected format: ${place === "" ? "" : `${place}: `}${issue?.message}`,
    status_code: 200,
    hint: "The address may belong to another server, or the platform may have a different version than this client.",
  });
}

/** @throws TypeError */
function requireText(what: string, name: string, value: unknown): void {
  if (!TEXT.allows(value))
    throw new TypeError(`${what}: ${name}: found ${JSON.stringify(value)}, allowed ${TEXT.allowed}`);
}

/** A new key for one submission, reused when it is sent again. */
function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
