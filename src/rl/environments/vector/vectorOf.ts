import type { HostEnvironment } from "../face/HostEnvironment.ts";
import type { ParallelEnvironment } from "../face/ParallelEnvironment.ts";
import { requireEnvironment, requireVectorEnvironment } from "../face/requireEnvironment.ts";
import { isVectorEnvironment, type VectorEnvironment } from "../face/VectorEnvironment.ts";
import { SyncVectorEnvironment } from "./SyncVectorEnvironment.ts";

/**
 * A single environment, of one agent or of several, as one lane; vectorised ones as they are.
 * @throws TypeError or RangeError naming `place` and what of the face of environments it lacks.
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
