/** `tracker_kwargs`: settings of an experiment tracker. */
import { z } from "zod";
import { nearest } from "../specs/checks.ts";
import type { Tracker } from "./Tracker.ts";

const text = z.string();

const NAMES = {
  tracker: z.union([z.enum(["wandb", "mlflow"]), z.custom<Tracker>(isTracker)]),
  project: text,
  entity: text,
  name: text,
  id: z.string().regex(/^[\w-]+$/, "must be letters, digits, _ and -"),
  group: text,
  job_type: text,
  tags: z.array(z.string()),
  notes: text,
  config: z.record(z.string(), z.unknown()),
  mode: z.enum(["online", "disabled"]),
  resume: z.enum(["allow", "must"]),
  base_url: text,
  tracking_uri: text,
  experiment_name: text,
} as const;

const Schema = z.object(NAMES).partial();
export type TrackerKwargs = z.output<typeof Schema>;

function isTracker(value: unknown): boolean {
  const methods = ["open", "row", "close"] as const;
  return (
    typeof value === "object" &&
    value !== null &&
    methods.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "function")
  );
}

/** @throws TypeError naming the entry that is unknown or invalid. */
export function parseTrackerKwargs(
  given: Readonly<Record<string, unknown>> | null | undefined,
): TrackerKwargs {
  const { addl_args, ...own } = given ?? {};
  const all: Record<string, unknown> = { ...own, ...(addl_args as object | undefined) };
  const allowed = Object.keys(NAMES);
  for (const name of Object.keys(all)) {
    if (name === "api_key")
      throw new TypeError(
        "tracker_kwargs.api_key: keys are not given here, where options may be stored; use tracker_api_key",
      );
    if (allowed.includes(name)) continue;
    const near = nearest(name, allowed);
    throw new TypeError(
      `tracker_kwargs.${name}: unknown${near ? `; did you mean "${near}"?` : ""} Allowed: ${allowed.join(", ")}, addl_args`,
    );
  }
  const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  const { success, data, error } = Schema.safeParse(present);
  if (success) {
    if (data.resume === "must" && data.id === undefined)
      throw new TypeError("tracker_kwargs.id: found nothing, allowed the id of a run, since resume is must");
    return data;
  }
  const [issue] = error.issues;
  throw new TypeError(`tracker_kwargs.${issue?.path.join(".")}: ${issue?.message}`);
}
