import { useCallback } from "react";
import type { KeptAgent, NetworkWeights } from "../../../../workers/protocol.ts";
import { type Answer, useAnswer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";

/** The weights of a stored agent, read once for all views of them. @param agent null reads nothing */
export function useWeights(run: string, agent: KeptAgent | null): Answer<readonly NetworkWeights[]> {
  const { coordinator } = useWorkbench();
  // The same agent may be looked up again, and its reference is then another object.
  const key = agent === null ? null : JSON.stringify([agent.ref, agent.index, agent.generation]);
  const read = useCallback(
    () => (agent === null ? Promise.resolve([]) : coordinator.network(run, agent.ref)),
    // oxlint-disable-next-line react/exhaustive-deps -- `key` stands for `agent`.
    [coordinator, run, key],
  );
  const answer = useAnswer(agent === null ? null : read);
  return answer.current ? answer : { ...answer, value: undefined };
}
