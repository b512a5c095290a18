/**
 * Conservative Q-learning for continuous actions (Kumar et al. 2020, arXiv 2006.04779): soft actor-critic whose critics
 * also push down the values of actions that are not in the data. For Discrete actions, see CQN.
 */

import { z } from "zod";
import { mulDims, squashedNormal } from "../../kernels/functions.ts";
import {
  add,
  broadcastTo,
  concat,
  constant,
  type Dim,
  log,
  meanAll,
  mul,
  reshape,
  stackColumns,
  stopGradient,
  sub,
  type Tensor,
} from "../../kernels/index.ts";
import { defineAlgorithm, learningRate } from "../../specs/algorithms.ts";
import { atLeast, count, field, hpoRangeOf } from "../../specs/checks.ts";
import { hyperparameter, learningUniforms, type NumberIn, normals } from "../contract/inputs.ts";
import type { Network } from "../contract/network.ts";
import { type Batch, defineOffPolicy } from "../contract/offPolicy.ts";
import { gaussianOf } from "./actionDistribution.ts";
import { CRITIC_SEARCH, OFFLINE_FACTS, offlineCriticShape } from "./offlineLearning.ts";
import { logSumExp } from "./qLearning.ts";
import { softLearning, softPolicy } from "./SAC.ts";

/** Most actions of either kind, whose values are in memory together. */
const MOST_ACTIONS = 64;

/** Conservative Q-learning for continuous actions (Kumar et al. 2020), from a data set. */
export const CQLSpec = z.strictObject({
  name: field(
    z.literal("CQL").default("CQL"),
    "Conservative Q-learning of continuous actions, from a data set.",
  ),
  ...offlineCriticShape,
  lr_alpha: learningRate(3e-4, "Learning rate of the temperature's Adam."),
  conservative_weight: field(
    atLeast(0).default(5),
    "Weight of the conservative term; 0 gives soft actor-critic on the data.",
    { step: "log", hpo: hpoRangeOf(0.1, 10) },
  ),
  num_actions: field(
    count(1).max(MOST_ACTIONS).default(10),
    "Uniform actions, and as many of the policy's, of which the conservative term takes the values.",
    { mutable: false, advanced: true },
  ),
});
export type CQLSpec = z.output<typeof CQLSpec>;
export type CQLSpecInput = z.input<typeof CQLSpec>;

/** Reads a hyperparameter in a program. */
const read = hyperparameter<NumberIn<CQLSpec>>;

export const CQL_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  ...OFFLINE_FACTS,
  name: "CQL",
  title: "Conservative Q-learning of continuous actions",
  schema: CQLSpec,
  rlkit_only: true,
  search: CRITIC_SEARCH,
  default_hp: ["lr_actor", "lr_critic", "batch_size"],
});

/** Each row `times` times, next to each other: [n, k] -> [n * times, k]. */
function repeated(x: Tensor, times: number): Tensor {
  const [n, k] = x.shape as [Dim, Dim];
  return rowsOf(broadcastTo(reshape(x, [n, 1, k]), [n, times, k]));
}

/** [n, m, k] -> [n * m, k]. */
function rowsOf(x: Tensor): Tensor {
  const [n, m, k] = x.shape as [Dim, Dim, Dim];
  return reshape(x, [mulDims(n, m), k]);
}

/** Actions of every row, side by side [n, m * size], as rows [n * m, size]. */
function actionsOf(columns: readonly Tensor[], size: number): Tensor {
  const side = stackColumns(columns);
  return rowsOf(reshape(side, [side.shape[0] as Dim, columns.length / size, size]));
}

/** Actions [n * each, size] with the logarithms of their densities, [n, each] or one for all. */
interface Proposed {
  readonly action: Tensor;
  readonly log_prob: Tensor | number;
}

/** `each` uniform actions at each observation, and as many of the policy's, without gradient. */
function proposals(actor: Network, { obs, row }: Batch, each: number): readonly Proposed[] {
  const { mean, log_std, size } = gaussianOf(actor, actor.encode(obs));
  const [taken, many] = [2 * size, each * size];
  // The first uniform vectors are those of soft actor-critic.
  const noise = normals((count) => learningUniforms(row, taken, count), many);
  const uniforms = learningUniforms(row, taken + many + (many % 2), many);
  const drawn = squashedNormal(repeated(mean, each), repeated(log_std, each)).draw(actionsOf(noise, size));
  const density = reshape(drawn.log_prob, [obs.shape[0] as Dim, each]);
  return [
    { action: sub(mul(actionsOf(uniforms, size), 2), 1), log_prob: -size * Math.LN2 },
    { action: stopGradient(drawn.action), log_prob: stopGradient(density) },
  ];
}

/**
 * The mean over states of log E[exp Q(s, a) / p(a)] - Q(s, data), an estimate of equation 4's log sum exp by importance
 * sampling (appendix F), where half of the actions are uniform and half are the policy's.
 */
function conservative(
  critic: Network,
  { obs, action }: Pick<Batch, "obs" | "action">,
  proposed: readonly Proposed[],
  each: number,
): Tensor {
  const n = obs.shape[0] as Dim;
  const latent = repeated(critic.encode(obs), each);
  const weighted = proposed.map(({ action, log_prob }) =>
    sub(reshape(critic.valueOf(latent, action), [n, each]), log_prob),
  );
  const most = sub(logSumExp(concat(weighted)), log(constant(proposed.length * each)));
  return meanAll(sub(most, reshape(critic.value(obs, action), [n])));
}

export const CQL = /* @__PURE__ */ defineOffPolicy({
  ...softPolicy,
  spec: CQL_DEFINITION,
  metrics: [...softPolicy.metrics, "conservative_loss"],
  structural: ["num_actions", "normalize_images"],
  counts: ["learn_step", "num_actions"],
  act: softPolicy.greedy,

  learn: (networks, batch, { num_actions }, parameters) => {
    const { actor, critic_1, critic_2 } = networks;
    const soft = softLearning(networks, batch, parameters);
    const each = Number(num_actions);
    const proposed = proposals(actor, batch, each);
    const [first, second] = [critic_1, critic_2].map((critic) =>
      conservative(critic, batch, proposed, each),
    ) as [Tensor, Tensor];
    const weight = read("conservative_weight");
    const { critic_1_optimizer, critic_2_optimizer } = soft.losses;
    return {
      losses: {
        ...soft.losses,
        critic_1_optimizer: add(critic_1_optimizer, mul(weight, first)),
        critic_2_optimizer: add(critic_2_optimizer, mul(weight, second)),
      },
      metrics: { ...soft.metrics, conservative_loss: add(first, second) },
    };
  },
});
