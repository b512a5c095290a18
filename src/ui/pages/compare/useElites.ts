import { useEffect, useState } from "react";
import type { AgentFile } from "../../../workers/protocol.ts";
import { messageOf } from "../../lib/format.ts";
import { useWorkbench } from "../../state/Workbench.ts";

/** The elite of a run, or why it could not be read. */
export type Elite = { readonly file: AgentFile } | { readonly problem: string };

/**
 * The current elites, by run id; runs whose elite is still loading are missing.
 * @param round a new number reads the elites again
 */
export function useElites(ids: readonly string[], round: number): ReadonlyMap<string, Elite> {
  const { coordinator } = useWorkbench();
  const [elites, setElites] = useState<ReadonlyMap<string, Elite>>(new Map());
  const wanted = ids.join(",");
  useEffect(() => {
    let shown = true;
    const read = async (id: string): Promise<void> => {
      let elite: Elite;
      try {
        elite = { file: await coordinator.agent(id, { kind: "elite" }) };
      } catch (error) {
        elite = { problem: messageOf(error) };
      }
      if (shown) setElites((before) => new Map(before).set(id, elite));
    };
    for (const id of wanted.split(",")) if (id !== "") void read(id);
    return () => {
      shown = false;
    };
  }, [coordinator, wanted, round]);
  return elites;
}
