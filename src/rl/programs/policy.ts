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
import type { Space } from "../spaces/index.ts";
import { greedyAction } from "./evaluation.ts";
import { SYMBOLS } from "./inputs.ts";
import { networkInput } from "./lanes.ts";
import { type AgentStructure, readNetworks } from "./learning.ts";
import { encodeStep, memoryStates } from "./memory.ts";
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

/** "h0" of "actor.encoder.h0": only the policy remembers. */
const shortName = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

const write = (name: string, value: Tensor): void =>
  state(name, value.shape, { dtype: value.dtype }).write(value);

/**
 * Writes `action` as the environment takes it, and what it was chosen by under the algorithm's own names. All choices
 * count as legal. A policy with memory reads its layers' hidden and cell states from `h0`, `c0`, ... [n, width], and
 * writes those after the step to `next_h0`, `next_c0`, ...
 */
export function policyProgram(
  structure: AgentStructure,
  { observation_space, action_space }: TransitionLayout,
): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.policy`, () => {
    const batch = sym(SYMBOLS.batch);
    const obs = networkInput(observation_space, readObservation(observation_space, batch));
    const networks = readNetworks(structure, [algorithm.policy]);
    const buffers = memoryStates(networks, [batch], shortName);
    const memory = Object.fromEntries(Object.entries(buffers).map(([name, buffer]) => [name, buffer.read()]));
    const { latents } = encodeStep(algorithm, networks, obs, memory);
    const outputs = algorithm.policyOutputs?.(networks, latents(algorithm.policy)) ?? {};
    for (const [name, value] of Object.entries(outputs)) write(name, value);
    const greedy = greedyAction(algorithm, networks, { obs, memory }, action_space);
    write("action", greedy.action);
    for (const [name, value] of Object.entries(greedy.memory)) write(`next_${shortName(name)}`, value);
  });
}
