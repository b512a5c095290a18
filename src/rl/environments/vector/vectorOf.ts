import type { HostEnvironment } from "../face/HostEnvironment.ts";
import { requireEnvironment, requireVectorEnvironment } from "../face/requireEnvironment.ts";
import { isVectorEnvironment, type VectorEnvironment } from "../face/VectorEnvironment.ts";
import { SyncVectorEnvironment } from "./SyncVectorEnvironment.ts";

/**
 * A single environment as one lane; vectorised ones as they are.
 * @throws TypeError or RangeError naming `place` and what of the face of environments it lacks.
 */
export function vectorOf(environment: HostEnvironment | VectorEnvironment, place = "env"): VectorEnvironment {
  if (typeof environment === "object" && environment !== null && isVectorEnvironment(environment)) {
    requireVectorEnvironment(environment, place);
    return environment;
  }
  requireEnvironment(environment, place);
  return new SyncVectorEnvironment([() => environment]);
}
