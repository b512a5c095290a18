/** Action distributions from a stochastic actor's outputs, for every action space. */
import {
  bernoulli,
  categorical,
  multiCategorical,
  normal,
  type SquashedNormal,
  squashedNormal,
} from "../../kernels/functions.ts";
import { broadcastTo, clip, slice, stackColumns, type Tensor } from "../../kernels/index.ts";
import { environmentAction } from "../contract/choices.ts";
import type { Draws } from "../contract/definition.ts";
import { normals } from "../contract/inputs.ts";
import type { Network } from "../contract/network.ts";
import type { Space } from "../spaces.ts";
import { toBounds } from "./boxActions.ts";

/** A distribution of actions: i32 [n] for Discrete, otherwise [n, numbers], f32 for Box, otherwise i32. */
export interface Policy {
  readonly mode: () => Tensor;
  readonly sample: (draws: Draws) => Tensor;
  /** Log-probabilities, [n]. */
  readonly logProb: (action: Tensor) => Tensor;
  /** Entropies, [n]. */
  readonly entropy: () => Tensor;
  /** Whether actions went through tanh, and are therefore between -1 and 1. */
  readonly squashed: boolean;
}

/**
 * The actor's distribution for latent vectors [n, latent]. `mask` [n, outputs]: 1 for legal choices
 * (concatenated over several numbers) and for bits that may be 1 (default: all legal). A Box ignores it.
 * @throws TypeError when the network is not a stochastic actor.
 */
export function policyOf(actor: Network, latent: Tensor, mask?: Tensor): Policy {
  const { distribution } = actor.data;
  const output = actor.head(latent);
  switch (distribution?.kind) {
    case "categorical": {
      const choice = categorical(output, mask);
      return { ...choice, sample: (draws) => choice.sample(draws(1)[0] as Tensor), squashed: false };
    }
    case "multi_categorical": {
      const { nvec } = distribution;
      const choices = multiCategorical(output, nvec, mask);
      return { ...choices, sample: (draws) => choices.sample(draws(nvec.length)), squashed: false };
    }
    case "bernoulli": {
      const bits = bernoulli(output, mask);
      return { ...bits, sample: (draws) => bits.sample(draws(distribution.n)), squashed: false };
    }
    case "normal": {
      const log_std = actor.parameter("log_std");
      const { size, squash_output: squashed } = distribution;
      const gaussian = normal(output, log_std);
      // The entropy of a squashed Gaussian has no closed form; the entropy before tanh is used instead.
      const numbers = squashed ? squashedNormal(output, log_std) : gaussian;
      const sample = (draws: Draws) => numbers.sample(stackColumns(normals(draws, size)));
      return { ...numbers, sample, entropy: gaussian.entropy, squashed };
    }
    case "squashed_normal": {
      const gaussian = gaussianOf(actor, latent);
      const sample = (draws: Draws) => gaussian.sample(stackColumns(normals(draws, gaussian.size)));
      // As above, the entropy before tanh is used.
      const { entropy } = normal(gaussian.mean, gaussian.log_std);
      return { ...gaussian, sample, entropy, squashed: true };
    }
    case undefined:
      throw new TypeError(`network (${actor.data.kind}): has no action distribution; use a stochastic_actor`);
  }
}

/**
 * Named parameters of the action distributions from latent vectors [n, latent]: logits, or the Gaussian
 * before any squashing. Empty for a network without a distribution.
 */
export function policyRows(actor: Network, latent: Tensor): Record<string, Tensor> {
  const { distribution } = actor.data;
  if (!distribution) return {};
  if (distribution.kind === "squashed_normal") {
    const { mean, log_std } = gaussianOf(actor, latent);
    return { mean, log_std };
  }
  const output = actor.head(latent);
  if (distribution.kind !== "normal") return { logits: output };
  return { mean: output, log_std: broadcastTo(actor.parameter("log_std"), output.shape) };
}

/** Bounds of the log standard deviation if it depends on the observation, as in the authors' own code. */
const LOG_STD = [-20, 2] as const;

/** A Gaussian whose standard deviation depends on the observation, squashed by tanh, and its parameters. */
export interface SquashedGaussian extends SquashedNormal {
  /** Mean before tanh, [n, size]. */
  readonly mean: Tensor;
  readonly log_std: Tensor;
  /** How many numbers an action has. */
  readonly size: number;
}

/**
 * The actor's squashed Gaussian for latent vectors [n, latent].
 * @throws TypeError when the network does not output a squashed Gaussian.
 */
export function gaussianOf(actor: Network, latent: Tensor): SquashedGaussian {
  const { distribution, kind } = actor.data;
  if (distribution?.kind !== "squashed_normal")
    throw new TypeError(`network (${kind}): has no squashed Gaussian outputs; use a squashed Gaussian actor`);
  const { size } = distribution;
  const output = actor.head(latent);
  const mean = slice(output, 0, size);
  const log_std = clip(slice(output, size, size), ...LOG_STD);
  return { ...squashedNormal(mean, log_std), mean, log_std, size };
}

/** Converts an action of the actor for the environment: renumbers choices, scales and rounds numbers. */
export function appliedSample(
  action: Tensor,
  space: Space,
  { squashed }: Pick<Policy, "squashed">,
  { data }: Network,
): Tensor {
  if (space.kind !== "Box") return environmentAction(space, action);
  return toBounds(action, squashed ? [-1, 1] : null, space, data);
}
