import type { AgentState } from "../member/agentState.ts";
import { trainedNames } from "../member/registry.ts";
import { loadStored } from "./ActingAgent.ts";
import { classNamed, type SupportedAgent } from "./agentClasses.ts";
import type { AgentContext } from "./agentOptions.ts";

/** Creates an agent from its state. @throws RangeError for an algorithm that is not in this build. */
export function agentFromState(state: AgentState, context: AgentContext): SupportedAgent {
  const Agent = classNamed(state.algorithm);
  if (Agent) return new Agent({ ...context, state });
  throw new RangeError(`state.algorithm: found "${state.algorithm}", allowed ${trainedNames().join(", ")}`);
}

/** Creates a population from its members' states. */
export const agentsFromStates = (states: readonly AgentState[], context: AgentContext): SupportedAgent[] =>
  states.map((state) => agentFromState(state, context));

/** Loads an agent of any algorithm from a file. @throws StorageError from the store. */
export async function loadAgent(path: string, context: Partial<AgentContext> = {}): Promise<SupportedAgent> {
  const { state, ...spaces } = await loadStored(path, context);
  return agentFromState(state, { ...spaces, ...context });
}
