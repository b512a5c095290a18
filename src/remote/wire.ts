/** What the platform sends, as far as the client reads it. Other fields are passed through. */
import { z } from "zod";

/** Any object. */
export const AnyObject = z.record(z.string(), z.unknown());
export const AnyObjects = z.array(AnyObject);
export const Existence = z.looseObject({ exists: z.boolean() });
/** Environments by name, then by version. */
export const Environments = z.record(z.string(), z.record(z.string(), AnyObject));
/** A checkpoint that can be downloaded. */
export const Checkpoint = z.looseObject({
  name: z.string(),
  /** URL of its zip file, or a path on the platform. */
  download_url: z.string().regex(/^(https?:\/\/|\/(?!\/))/, "is neither an http address nor a path"),
});
export const Metrics = z.union([z.array(z.string()), AnyObject]);

/** A posted play file. */
export const Posted = z.looseObject({ id: z.string(), url: z.url() });

export const Upload = z.looseObject({ dataset_path: z.string() });

/** States that a run leaves only by a user's action. */
export const FINAL_STATES = ["finished", "stopped", "failed"] as const;

/** Data of a `state` event. The last one of a run has a final state. @internal */
export const StateData = z.looseObject({
  state: z.enum(["queued", "running", "paused", ...FINAL_STATES]),
  /** Reason in plain words; `null` for none. */
  reason: z.string().nullish(),
});

/** Data of any event. */
export const EventData = z.record(z.string(), z.unknown());

/** One event of a run. */
export interface RemoteRunEvent {
  /** Its number in the run, from 1; `null` for events that are sent once and not stored, such as progress. */
  readonly seq: number | null;
  /**
   * "generation", "checkpoint", "warning", "state", ... Reports are the same as
   * those of a local run's observer.
   */
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Fields common to all lines of the stream that answers a submission (NDJSON). Future platforms may add kinds. */
export const StreamLine = z.looseObject({
  kind: z.string(),
  stage: z.string().nullish(),
  status: z.string().nullish(),
  message: z.string().nullish(),
  level: z.string().nullish(),
  detail: z.record(z.string(), z.unknown()).nullish(),
});
export type StreamLine = z.output<typeof StreamLine>;
