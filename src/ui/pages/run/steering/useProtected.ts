import { useMemo } from "react";
import { SteeringScript } from "../../../../training/loop/SteeringScript.ts";
import type { RunSession } from "../../../state/RunSession.ts";
import { useSteering } from "./useSteering.ts";

/** Identities of the members that a person protects from selection, from the end of this generation on. */
export function useProtected(session: RunSession): ReadonlySet<number> {
  const { actions } = useSteering(session);
  return useMemo(() => new SteeringScript(actions).protectedAt(Number.POSITIVE_INFINITY), [actions]);
}
