import type { TrackerServiceName } from "../../tracking/clients.ts";

/** The server that receives a run's metrics, in addition to the run's own history. */
export interface TrackerChoice {
  readonly service: TrackerServiceName;
  /** http or https address of the server. */
  readonly address: string;
  /** "" for none. Kept in memory only, and sent in the Authorization header of requests to that server. */
  readonly key: string;
}

export interface StartOptions {
  readonly device?: "auto" | "wasm" | "webgpu";
  readonly seed?: number;
  readonly name?: string;
  /** No tracker by default. A resume in the same tab continues tracking; none of this is stored. */
  readonly tracker?: TrackerChoice;
}
