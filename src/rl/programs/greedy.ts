/** Greedy actions for observations of the host. */
import { type Program, state, trace } from "../../kernels/index.ts";
import { legalActions } from "./choices.ts";
import { greedyAction } from "./evaluation.ts";
import { lanes, networkInput } from "./lanes.ts";
import { type AgentStructure, readNetworks } from "./learning.ts";
import type { TransitionLayout } from "./replayFields.ts";

/** Actions for `act.obs` in `act.greedy`; of a Discrete space those that `act.mask` allows. */
export function greedyProgram(structure: AgentStructure, layout: TransitionLayout): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.greedy`, () => {
    const obs = state("act.obs", [lanes, ...layout.observation_space.shape]).read();
    const networks = readNetworks(structure, [algorithm.policy]);
    const action = greedyAction(
      algorithm,
      networks,
      networkInput(layout.observation_space, obs),
      layout.action_space,
      legalActions(layout, lanes),
    );
    state("act.greedy", action.shape, { dtype: action.dtype }).write(action);
  });
}
