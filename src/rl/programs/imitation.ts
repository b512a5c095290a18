/**
 * Imitation of demonstrations beside reinforcement learning: the loss -log pi(a | s) of the demonstrations' actions, with a
 * weight that falls linearly to 0. Rajeswaran et al. 2018 (DAPG, arXiv 1709.10087, eq. 6) add the same gradient to the
 * policy's, but their weight falls geometrically, times the rollout's largest advantage. Here advantages are normalised.
 */
import {
  add,
  cast,
  dimValue,
  maximum,
  meanAll,
  mul,
  neg,
  state,
  sub,
  type Tensor,
} from "../../kernels/index.ts";
import type { Learned } from "../contract/definition.ts";
import { counter } from "../contract/inputs.ts";
import type { AgentSpaces } from "../spaces.ts";
import { drawDemonstrations } from "./demonstrations.ts";
import type { Learner } from "./learning.ts";
import { encodeStep } from "./memory.ts";
import { knownBatch } from "./offPolicy.ts";
import { PLAIN_MEMORY } from "./replayFields.ts";
import { horizon } from "./rollout.ts";
import type { OnPolicyStructure } from "./rolloutLearning.ts";
import { takeTransitions } from "./transitions.ts";

/** Names of f32 scalars: the weight at the start of the turn, and what each vector step takes from it. */
export const IMITATION = { weight: "imitation.weight", step: "imitation.weight_step" } as const;

/** The weight as of the rollout's start. */
function weight(): Tensor {
  const taken = sub(counter("vector_step").read(), dimValue(horizon, "i32"));
  const fallen = mul(cast(taken, "f32"), state(IMITATION.step).read());
  return maximum(sub(state(IMITATION.weight).read(), fallen), 0);
}

/**
 * Adds the loss of imitation to that of the policy's optimiser. It draws as many demonstrations as the minibatch has rows.
 * @param layout That of the replay buffer which holds the demonstrations.
 */
export function withImitation<L extends Learned>(
  structure: OnPolicyStructure,
  { networks }: Learner,
  layout: AgentSpaces,
  learned: L,
): L {
  const { algorithm } = structure;
  const { logProb, optimizers, policy } = algorithm;
  const [name] = Object.entries(optimizers).find(([, own]) => own.networks.includes(policy)) ?? [];
  const loss = name === undefined ? undefined : learned.losses[name];
  if (!logProb || name === undefined || !loss)
    throw new TypeError(`${algorithm.name}: has no probabilities of given actions, so it cannot imitate`);
  const draws = counter("draw");
  const step = draws.read();
  const rows = takeTransitions(layout, drawDemonstrations(step), PLAIN_MEMORY, structure);
  draws.write(add(step, 1));
  const { obs, action, mask } = knownBatch(structure, layout, rows);
  const { latents } = encodeStep(algorithm, networks, obs, layout);
  const imitation = neg(meanAll(logProb(networks, latents, action, mask)));
  return { ...learned, losses: { ...learned.losses, [name]: add(loss, mul(weight(), imitation)) } };
}
