/** The tracker named when a run starts: validation, and conversion to training options. */
import { z } from "zod";
import { requireAddress } from "../http/access.ts";
import { TRACKER_SERVICE_NAMES, TRACKER_SERVICES } from "../tracking/clients.ts";
import type { TrackerOptions } from "../training/plan.ts";
import type { TrackerChoice } from "./protocol.ts";

const schema = z.strictObject({
  service: z.enum(TRACKER_SERVICE_NAMES),
  address: z.string(),
  key: z.string(),
});

/** @throws RangeError naming the problem, without revealing the key. */
export function requireTrackerChoice(given: unknown): TrackerChoice {
  const { success, data, error } = schema.safeParse(given);
  if (success) return { ...data, address: requireAddress(data.address.trim(), "tracker.address") };
  const [issue] = error.issues;
  throw new RangeError(`tracker.${issue?.path.join(".")}: ${issue?.message}`);
}

/** @param run The run's name and its id on the server, by which `resume` finds it again. */
export const trackerOptionsOf = (
  { service, address, key }: TrackerChoice,
  run: { readonly id: string; readonly name: string },
): TrackerOptions => ({
  wb: true,
  tracker_api_key: key === "" ? null : key,
  tracker_kwargs: {
    tracker: service,
    [TRACKER_SERVICES[service].setting]: address,
    ...run,
    resume: "allow",
  },
});
