/** The experiment tracker that the option `wb` enables, and its options `tracker_kwargs`. */

import { z } from "zod";
import { environmentVariable } from "../http/access.ts";
import { nearest } from "../specs/messages.ts";
import type { Tracker } from "./Tracker.ts";
import { TRACKER_SERVICE_NAMES, TRACKER_SERVICES } from "./trackerServices.ts";
import { type ExperimentOptions, TRACKER_SETTINGS } from "./trackerSettings.ts";

const NAMES = {
  tracker: z.union([z.enum(TRACKER_SERVICE_NAMES), z.custom<Tracker>(isTracker)]),
  ...TRACKER_SETTINGS,
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

/**
 * @returns null if the tracker is disabled (`mode` or WANDB_MODE is "disabled").
 * @throws TypeError for `tracker_kwargs`; RangeError for an address; TrackerRefusedError without a key.
 */
export async function experimentTracker(options: ExperimentOptions): Promise<Tracker | null> {
  const kwargs = parseTrackerKwargs(options.tracker_kwargs);
  const chosen = kwargs.tracker ?? environmentVariable("RLKIT_TRACKER") ?? "wandb";
  if (typeof chosen === "object") return chosen;
  const service = TRACKER_SERVICE_NAMES.find((name) => name === chosen);
  if (service === undefined)
    throw new RangeError(
      `RLKIT_TRACKER: found ${JSON.stringify(chosen)}, allowed ${TRACKER_SERVICE_NAMES.join(" and ")}`,
    );
  const make = await TRACKER_SERVICES[service].load();
  return make(options, kwargs);
}
