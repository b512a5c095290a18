import { useEffect, useState } from "react";
import type { KeptAgent } from "../../../../workers/protocol.ts";
import { messageOf } from "../../../lib/format.ts";
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
  const [found, setFound] = useState<{ readonly index: number; readonly keeping: Keeping } | null>(null);
  useEffect(() => {
    let wanted = true;
    const ask = async (): Promise<void> => {
      let keeping: Keeping;
      try {
        const agents = (await coordinator.agents(run)).filter((agent) => agent.index === index);
        // The newest version has trained the longest.
        const [agent] = agents.toSorted((a, b) => b.generation - a.generation);
        keeping = agent === undefined ? { state: "gone" } : { state: "kept", agent };
      } catch (error) {
        keeping = { state: "failed", problem: messageOf(error) };
      }
      if (wanted) setFound({ index, keeping });
    };
    void ask();
    return () => {
      wanted = false;
    };
  }, [coordinator, run, index, version]);
  return found?.index === index ? found.keeping : { state: "asking" };
}
