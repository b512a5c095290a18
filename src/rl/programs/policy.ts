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
import { choicesOf } from "../contract/choices.ts";
import { SYMBOLS } from "../contract/inputs.ts";
import type { AgentSpaces } from "../spaces/index.ts";
import { describeSpace, type Space } from "../spaces/index.ts";
import { greedyAction } from "./evaluation.ts";
import { networkInput } from "./lanes.ts";
import { type AgentStructure, readNetworks } from "./learning.ts";
import { encodeStep, memoryStates } from "./memory.ts";

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

/** What is legal, [n, choices], from the state "action_mask". */
function readMask({ action_space }: AgentSpaces, n: Dim): Tensor {
  const choices = choicesOf(action_space);
  if (choices > 0) return state("action_mask", [n, choices]).read();
  throw new RangeError(
    `mask: found actions ${describeSpace(action_space)}, allowed Discrete, MultiDiscrete and MultiBinary ones`,
  );
}

export interface PolicyOptions {
  /** Whether the policy is told what is legal; false unless given: every choice is. */
  readonly mask?: boolean;
}

/**
 * Writes `action` as the environment takes it, and what it was chosen by, legal or not, under the algorithm's own names.
 * With a mask it reads from `action_mask` [n, choices] which choices are legal (1). A policy with memory reads its
 * layers' hidden and cell states from `h0`, `c0`, ... [n, width], and writes those after the step to `next_h0`,
 * `next_c0`, ...
 * @throws RangeError for a mask of actions that are no choice.
 */
export function policyProgram(
  structure: AgentStructure,
  layout: AgentSpaces,
  options: PolicyOptions = {},
): Program {
  const { observation_space } = layout;
  const { algorithm } = structure;
  return trace(`${algorithm.name}.policy`, () => {
    const batch = sym(SYMBOLS.batch);
    const obs = networkInput(structure, observation_space, readObservation(observation_space, batch));
    const mask = options.mask ? readMask(layout, batch) : undefined;
    const networks = readNetworks(structure, algorithm.policies);
    const buffers = memoryStates(networks, [batch], shortName);
    const memory = Object.fromEntries(Object.entries(buffers).map(([name, buffer]) => [name, buffer.read()]));
    const { latents } = encodeStep(algorithm, networks, obs, layout, memory);
    const outputs = algorithm.policyOutputs?.(networks, latents(algorithm.policy)) ?? {};
    for (const [name, value] of Object.entries(outputs)) write(name, value);
    const greedy = greedyAction(algorithm, networks, { obs, memory, mask }, layout);
    write("action", greedy.action);
    for (const [name, value] of Object.entries(greedy.memory)) write(`next_${shortName(name)}`, value);
  });
}
