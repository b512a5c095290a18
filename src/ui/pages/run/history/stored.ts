import { useCallback } from "react";
import type { KeptAgent } from "../../../../workers/protocol.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useAnswer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";

/** Whether an agent's weights are still stored. */
type Keeping =
  | { readonly state: "asking" | "gone" }
  | { readonly state: "kept"; readonly agent: KeptAgent; readonly pinned?: boolean }
  | { readonly state: "failed"; readonly problem: string };

/** 1 for a reference to the elite, which may be another agent by now; 0 for others. */
const byElite = ({ ref }: KeptAgent): number =>
  Number(ref.kind === "elite" || (ref.kind === "checkpoint" && ref.index === null));

/**
 * Looks up an agent among the stored agents of a run.
 * @param version number of generations so far; a change looks it up again
 * @param eliteOf if not null, the elite of that generation is looked up, or the nearest one that is stored
 */
export function useKeptAgent(
  run: string,
  index: number,
  version: number,
  eliteOf: number | null = null,
): Keeping & { readonly again: () => void } {
  const { coordinator } = useWorkbench();
  const ask = useCallback(async (): Promise<(KeptAgent & { readonly pinned?: boolean }) | undefined> => {
    const elite = eliteOf === null ? null : await coordinator.eliteAt(run, eliteOf);
    if (elite) return elite;
    const agents = (await coordinator.agents(run)).filter((agent) => agent.index === index);
    // The newest version has trained the longest. A final evaluation may have made another agent the elite since it
    // was listed, so a member's own identity is surer.
    return agents.toSorted((a, b) => b.generation - a.generation || byElite(a) - byElite(b))[0];
  }, [coordinator, run, index, eliteOf]);
  const { value: agent, problem, current, again } = useAnswer(ask, version);
  if (!current) return { state: "asking", again };
  if (problem !== null) return { state: "failed", problem, again };
  if (agent === undefined) return { state: "gone", again };
  return { state: "kept", agent, ...(agent.pinned !== undefined && { pinned: agent.pinned }), again };
}

/** Whether the requested reports are available. */
export type Reading =
  | { readonly state: "there" | "reading" | "lost" }
  | { readonly state: "failed"; readonly problem: string };

/**
 * The stored agent of an identity as it was in a generation, or else in the nearest one; null if its weights are not
 * stored.
 */
export function useStoredNear(
  run: string,
  index: number | null,
  generation: number,
): { readonly agent: KeptAgent | null | undefined; readonly problem: string | null } {
  const { coordinator } = useWorkbench();
  const ask = useCallback(async (): Promise<KeptAgent | null> => {
    const listed = (await coordinator.agents(run)).filter((agent) => agent.index === index);
    const away = (agent: KeptAgent): number => Math.abs(agent.generation - generation);
    const [nearest = null] = listed.toSorted((a, b) => away(a) - away(b) || byElite(a) - byElite(b));
    if (nearest !== null && away(nearest) === 0) return nearest;
    const elite = await coordinator.eliteAt(run, generation);
    return elite?.index === index ? elite : nearest;
  }, [coordinator, run, index, generation]);
  const { value, problem, current } = useAnswer(index === null ? null : ask);
  return { agent: current ? value : undefined, problem: current ? problem : null };
}

/** Loads the reports from `first` to `last`. The state is "lost" if some can no longer be read. */
export function useReports({ reports }: RunView, first: number, last: number): Reading {
  let missing = false;
  for (let generation = first; generation <= last && !missing; generation += 1) {
    missing = reports.get(generation) === undefined;
  }
  const load = useCallback(() => reports.load(first, last), [reports, first, last]);
  const { problem, current } = useAnswer(missing ? load : null);
  if (!missing) return { state: "there" };
  if (!current) return { state: "reading" };
  return problem === null ? { state: "lost" } : { state: "failed", problem };
}
