import type { AgentState } from "../../rl/agents/agentState.ts";
import { findAlgorithm } from "../../rl/algorithms/registry.ts";
import { describeNetwork } from "../../rl/networks/index.ts";
import type { TurnResult } from "../../rl/runtime/memberRunner.ts";
import type { MemberReport } from "../observer.ts";

/** What the world hears of a member's generation; a null result is a member that failed. */
export function memberReport(slot: number, before: AgentState, result: TurnResult | null): MemberReport {
  const agent = result?.agent ?? before;
  const hyperparameters = Object.entries(agent.hyperparameters).filter(
    (entry): entry is [string, number] => typeof entry[1] === "number",
  );
  const policy = agent.networks[findAlgorithm(agent.algorithm).policy];
  return {
    slot,
    index: agent.index,
    parent: agent.parent,
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
