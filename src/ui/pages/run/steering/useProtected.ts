import { useMemo } from "react";
import { SteeringScript } from "../../../../training/loop.ts";
import type { RunSession } from "../../../state/RunSession.ts";
import { useSteering } from "./useSteering.ts";

/** Indices of the members that the user has protected from selection, from the end of this generation on. */
export function useProtected(session: RunSession): ReadonlySet<number> {
  const { actions } = useSteering(session);
  return useMemo(() => new SteeringScript(actions).protectedAt(Number.POSITIVE_INFINITY), [actions]);
}
