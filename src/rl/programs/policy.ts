/** The greedy policy as a program of its own, from raw observations to actions: what an exported model computes. */
import {
  concat,
  type Dim,
  type Program,
  reshape,
  state,
  sym,
  type Tensor,
  trace,
} from "../../kernels/index.ts";
import { networkNamed } from "../algorithms/algorithm.ts";
import type { Space } from "../spaces/index.ts";
import { greedyAction } from "./evaluation.ts";
import { SYMBOLS } from "./inputs.ts";
import { networkInput } from "./lanes.ts";
import { type AgentStructure, readNetworks } from "./learning.ts";
import type { TransitionLayout } from "./replayFields.ts";

/** Observations [n, ...] from the state "observation", or for a Dict or Tuple from "observation.<key>" for each part. */
function readObservation(space: Space, n: Dim): Tensor {
  if (space.kind !== "Dict" && space.kind !== "Tuple")
    return state("observation", [n, ...space.shape]).read();
  return concat(
    space.parts.map(({ key, space: part, size }) =>
      reshape(state(`observation.${key}`, [n, ...part.shape]).read(), [n, size]),
    ),
  );
}

const write = (name: string, value: Tensor): void =>
  state(name, value.shape, { dtype: value.dtype }).write(value);

/**
 * Writes `action` as the environment takes it, and what it was chosen by under the algorithm's own names. All choices
 * count as legal.
 */
export function policyProgram(
  structure: AgentStructure,
  { observation_space, action_space }: TransitionLayout,
): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.policy`, () => {
    const obs = networkInput(observation_space, readObservation(observation_space, sym(SYMBOLS.batch)));
    const networks = readNetworks(structure, [algorithm.policy]);
    const latent = networkNamed(networks, algorithm.policy).encode(obs);
    const outputs = algorithm.policyOutputs?.(networks, latent) ?? {};
    for (const [name, value] of Object.entries(outputs)) write(name, value);
    write("action", greedyAction(algorithm, networks, { obs }, action_space).action);
  });
}
