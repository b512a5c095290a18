/** The server that a run is told to, beside its own history. */
export interface TrackerChoice {
  readonly service: "wandb" | "mlflow";
  /** Of the server, http or https. */
  readonly address: string;
  /** "" for none. It lies in memory only, and goes into the Authorization header of requests to that server. */
  readonly key: string;
}

export interface StartOptions {
  readonly device?: "auto" | "wasm" | "webgpu";
  readonly seed?: number;
  readonly name?: string;
  /** None unless given. Resume in the same tab tells it on; nothing of it is stored. */
  readonly tracker?: TrackerChoice;
}
