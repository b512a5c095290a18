import type { HostEnvironment } from "../face/HostEnvironment.ts";
import type { ParallelEnvironment } from "../face/ParallelEnvironment.ts";
import { requireEnvironment, requireVectorEnvironment } from "../face/requireEnvironment.ts";
import { isVectorEnvironment, type VectorEnvironment } from "../face/VectorEnvironment.ts";
import { SyncVectorEnvironment } from "./SyncVectorEnvironment.ts";

/**
 * Wraps a single-agent or multi-agent environment as a vector environment with one lane; returns vector
 * environments unchanged.
 * @throws TypeError or RangeError naming `place` and the field of the interface that is missing or invalid.
 */
export function vectorOf(
  environment: HostEnvironment | ParallelEnvironment | VectorEnvironment,
  place = "env",
): VectorEnvironment {
  if (typeof environment === "object" && environment !== null && isVectorEnvironment(environment)) {
    requireVectorEnvironment(environment, place);
    return environment;
  }
  requireEnvironment(environment, place);
  return new SyncVectorEnvironment([() => environment]);
}
