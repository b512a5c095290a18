import { environmentVariable, requireAddress } from "../../http/access.ts";
import type { MetricRow } from "../metricRow.ts";
import { openServer, type RemoteOptions, remoteSender, type Sender } from "../remote/Sender.ts";
import { ServerError, TrackerHttp, type TrackerHttpOptions } from "../remote/TrackerHttp.ts";
import { requireKey, trackerKey } from "../remote/trackerKey.ts";
import type { Tracker, TrackerEnd } from "../Tracker.ts";
import { type ExperimentOptions, projectOf, runNameOf, type TrackerSettings } from "../trackerSettings.ts";

export interface MlflowRun {
  readonly experiment_name: string;
  readonly run_name: string;
  readonly tags?: readonly string[];
  /** Sent once, as text. */
  readonly params: Readonly<Record<string, unknown>>;
}

export interface MlflowOptions extends TrackerHttpOptions, RemoteOptions {
  readonly run: MlflowRun;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

interface ToldRow {
  readonly row: MetricRow;
  readonly step: number;
  readonly timestamp: number;
}

/** A table as a JSON artifact of a run, in the layout of MLflow's `log_table`. */
interface MlflowTable {
  /** URL-encoded path among the run's artifacts. */
  readonly file: string;
  readonly text: string;
}

type Told = ToldRow | MlflowTable;

const API = "/api/2.0/mlflow";
/** Limits of one log-batch request. */
const MOST_METRICS = 1000;
const MOST_PARAMS = 100;
const MOST_PARAM_LENGTH = 6000;
/** Maximum bytes of a metric apart from its key: value, timestamp, step, field names. */
const METRIC_BYTES = 120;
const MOST_BYTES = 1_000_000;

/** A number in MLflow's JSON encoding. */
const asJson = (value: number): number | string => {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? value : value > 0 ? "Infinity" : "-Infinity";
};

/** Sends the rows of a run to MLflow over its REST API. */
export class MlflowTracker implements Tracker {
  readonly name = "wb";
  readonly #http: TrackerHttp;
  readonly #options: MlflowOptions;
  readonly #sender: Sender<Told>;
  readonly #now: () => number;
  #runId = "";
  /** Server path for artifacts; null if the server accepts none. */
  #artifacts: string | null = null;
  #warnedOfTables = false;
  #step = 0;
  #toldParams = false;

  constructor(options: MlflowOptions) {
    const { now = Date.now } = options;
    this.#options = options;
    this.#http = new TrackerHttp(options);
    this.#now = now;
    this.#sender = remoteSender<Told>(this, options, {
      prepare: () => this.#prepare(),
      send: (rows) => this.#send(rows),
      fits: (rows) => {
        let [metrics, bytes] = [0, 0];
        const over = rows.findIndex((told) => {
          const keys = "row" in told ? Object.keys(told.row) : [];
          metrics += keys.length;
          bytes += keys.reduce((sum, key) => sum + 2 * key.length + METRIC_BYTES, 0);
          return metrics > MOST_METRICS || bytes > MOST_BYTES;
        });
        return over < 0 ? rows.length : over;
      },
    });
  }

  /** @throws TrackerRefusedError for a key or an origin that the server rejects. */
  async open(): Promise<void> {
    await openServer(() => this.#prepare(), "tracker_api_key: the server refuses the key or the password");
  }

  row(row: MetricRow, step: number): void {
    this.#step = step;
    this.#sender.add({ row, step, timestamp: Math.floor(this.#now()) });
  }

  /** Stores the table as an artifact of the run. */
  table(name: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): void {
    this.#sender.add(mlflowTable(name, this.#step, columns, rows));
  }

  async close({ ok }: TrackerEnd): Promise<void> {
    await this.#sender.close();
    if (this.#runId === "") return;
    const status = ok ? "FINISHED" : "FAILED";
    await this.#post("runs/update", { run_id: this.#runId, status, end_time: Math.floor(this.#now()) });
  }

  async #prepare(): Promise<void> {
    if (this.#runId === "") await this.#create();
    if (!this.#toldParams) await this.#tellParams();
    this.#toldParams = true;
  }

  async #create(): Promise<void> {
    const { run } = this.#options;
    const experiment_id = await this.#experiment(run.experiment_name);
    const tags = [
      { key: "mlflow.runName", value: run.run_name },
      ...(run.tags ?? []).map((tag) => ({ key: tag, value: "true" })),
    ].slice(0, 100);
    const made = await this.#post("runs/create", {
      experiment_id,
      start_time: Math.floor(this.#now()),
      run_name: run.run_name,
      tags,
    });
    const { info } = made.run as {
      readonly info: { readonly run_id: string; readonly artifact_uri?: string };
    };
    this.#artifacts = artifactsPath(info.artifact_uri ?? "");
    this.#runId = info.run_id;
  }

  /** Safe to repeat: the parameters are always the same. */
  async #tellParams(): Promise<void> {
    const { run } = this.#options;
    const params = Object.entries(run.params).map(([key, value]) => ({
      key,
      value: (typeof value === "string" ? value : JSON.stringify(value)).slice(0, MOST_PARAM_LENGTH),
    }));
    for (let at = 0; at < params.length; at += MOST_PARAMS)
      await this.#post("runs/log-batch", {
        run_id: this.#runId,
        params: params.slice(at, at + MOST_PARAMS),
      });
  }

  async #experiment(name: string): Promise<string> {
    const path = `${API}/experiments/get-by-name?experiment_name=${encodeURIComponent(name)}`;
    try {
      const found = JSON.parse(await this.#http.send(path, null)) as {
        readonly experiment: { readonly experiment_id: string };
      };
      return found.experiment.experiment_id;
    } catch (error) {
      if (!(error instanceof ServerError) || error.status !== 404) throw error;
    }
    const made = await this.#post("experiments/create", { name });
    return String(made.experiment_id);
  }

  /** Safe to repeat: rows keep their times and steps. A row with more metrics than fit is sent in parts. */
  async #send(told: readonly Told[]): Promise<void> {
    for (const table of told) if ("file" in table) await this.#sendTable(table);
    const metrics = told.flatMap((one) => {
      if (!("row" in one)) return [];
      const { row, step, timestamp } = one;
      return Object.entries(row).map(([key, value]) => ({ key, value: asJson(value), timestamp, step }));
    });
    for (let at = 0; at < metrics.length; at += MOST_METRICS)
      await this.#post("runs/log-batch", {
        run_id: this.#runId,
        metrics: metrics.slice(at, at + MOST_METRICS),
      });
  }

  /** Warns once if the server accepts no tables; metrics are still sent. */
  async #sendTable({ file, text }: MlflowTable): Promise<void> {
    let reason = "only MLflow's own client can reach the server's artifact store";
    try {
      if (this.#artifacts !== null) {
        await this.#http.send(`${this.#artifacts}/${file}`, text, "PUT");
        return;
      }
    } catch (error) {
      if (!(error instanceof ServerError) || error.passes) throw error;
      reason = error.message;
    }
    if (!this.#warnedOfTables) this.#options.warn(`${this.name}: tables are not stored there: ${reason}`);
    this.#warnedOfTables = true;
  }

  async #post(path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    const text = await this.#http.send(`${API}/${path}`, JSON.stringify(body));
    return text.trim() === "" ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>);
  }
}

/** @throws TypeError for a cell that JSON cannot represent. */
const mlflowTable = (
  name: string,
  step: number,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): MlflowTable => ({
  file: `tables/${encodeURIComponent(name.replaceAll("/", "-"))}_${step}.json`,
  text: JSON.stringify({ columns, data: rows }),
});

/**
 * The path at which a server accepts a run's artifacts; null if the server does not proxy the artifact store.
 */
function artifactsPath(artifact_uri: string): string | null {
  const [, path] = /^mlflow-artifacts:\/([^/].*)$/.exec(artifact_uri) ?? [];
  return path === undefined ? null : `/api/2.0/mlflow-artifacts/artifacts/${path}`;
}

/** @throws RangeError without a valid address. */
export async function mlflowTracker(options: ExperimentOptions, kwargs: TrackerSettings): Promise<Tracker> {
  const { store, tracker_api_key, onFailure, warn } = options;
  const address = kwargs.tracking_uri ?? environmentVariable("MLFLOW_TRACKING_URI");
  if (address === null)
    throw new RangeError(
      "tracker_kwargs.tracking_uri: found nothing; give the server's address, or set MLFLOW_TRACKING_URI",
    );
  const base = requireAddress(address, "tracker_kwargs.tracking_uri");
  const token = await trackerKey(tracker_api_key, "MLFLOW_TRACKING_TOKEN", base, store);
  const user = environmentVariable("MLFLOW_TRACKING_USERNAME");
  const password = environmentVariable("MLFLOW_TRACKING_PASSWORD");
  const basic =
    user !== null && password !== null
      ? `Basic ${btoa(`${requireKey(user)}:${requireKey(password)}`)}`
      : null;
  const run = {
    experiment_name: kwargs.experiment_name ?? kwargs.project ?? projectOf(options),
    run_name: kwargs.name ?? runNameOf(options),
    tags: kwargs.tags ?? [],
    params: { ...options.config, ...kwargs.config },
  };
  return new MlflowTracker({
    base,
    authorization: token === null ? basic : `Bearer ${token}`,
    run,
    onFailure,
    warn,
  });
}
