import { useCallback } from "react";
import type { KeptAgent } from "../../../../workers/protocol.ts";
import { useAnswer } from "../../../lib/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";

/** Whether an agent's weights are still stored. */
type Keeping =
  | { readonly state: "asking" | "gone" }
  | { readonly state: "kept"; readonly agent: KeptAgent }
  | { readonly state: "failed"; readonly problem: string };

/**
 * Looks up an agent among the stored agents of a run.
 * @param version number of generations so far; a change looks it up again
 */
export function useKeptAgent(run: string, index: number, version: number): Keeping {
  const { coordinator } = useWorkbench();
  const ask = useCallback(async () => {
    const agents = (await coordinator.agents(run)).filter((agent) => agent.index === index);
    // The newest version has trained the longest.
    return agents.toSorted((a, b) => b.generation - a.generation)[0];
  }, [coordinator, run, index]);
  const { value: agent, problem, current } = useAnswer(ask, version);
  if (!current) return { state: "asking" };
  if (problem !== null) return { state: "failed", problem };
  return agent === undefined ? { state: "gone" } : { state: "kept", agent };
}
