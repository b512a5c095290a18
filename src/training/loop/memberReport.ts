import { findAlgorithm } from "../../rl/algorithms/registry.ts";
import type { AgentState } from "../../rl/member/agentState.ts";
import { describeNetwork } from "../../rl/networks/index.ts";
import type { TurnResult } from "../../rl/runtime/turn.ts";
import type { MemberReport } from "./observer.ts";

export interface MemberTurn {
  /** The member as the generation began. */
  readonly before: AgentState;
  /** Null for a member that failed. */
  readonly result: TurnResult | null;
  /** Null where selection has no subpopulations. */
  readonly subpopulation: number | null;
}

/** What the world hears of a member's generation. */
export function memberReport(slot: number, { before, result, subpopulation }: MemberTurn): MemberReport {
  const agent = result?.agent ?? before;
  const hyperparameters = Object.entries(agent.hyperparameters).filter(
    (entry): entry is [string, number] => typeof entry[1] === "number",
  );
  const policy = agent.networks[findAlgorithm(agent.algorithm).policy];
  return {
    slot,
    index: agent.index,
    parent: agent.parent,
    subpopulation,
    fitness: result?.fitness ?? Number.NaN,
    steps: agent.steps,
    score: result?.score ?? null,
    mutation: agent.mut,
    hyperparameters: Object.fromEntries(hyperparameters),
    metrics: result?.metrics ?? {},
    architecture: policy ? describeNetwork(policy.data) : "",
    learn_steps: result?.learn_steps ?? 0,
  };
}
