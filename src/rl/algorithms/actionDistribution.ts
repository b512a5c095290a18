/** What a stochastic actor's outputs say of actions, for every action space. */
import {
  bernoulli,
  categorical,
  multiCategorical,
  normal,
  type SquashedNormal,
  squashedNormal,
} from "../../kernels/functions/distributions.ts";
import { broadcastTo, clip, slice, stackColumns, type Tensor } from "../../kernels/index.ts";
import { environmentAction } from "../contract/choices.ts";
import type { Draws } from "../contract/definition.ts";
import { normals } from "../contract/inputs.ts";
import type { Network } from "../contract/network.ts";
import type { Space } from "../spaces/index.ts";
import { toBounds, withinBounds } from "./boxActions.ts";

/** A distribution of actions: i32 [n] of a Discrete space, else [n, numbers], f32 of a Box and i32 elsewhere. */
export interface Policy {
  readonly mode: () => Tensor;
  readonly sample: (draws: Draws) => Tensor;
  /** [n]. */
  readonly logProb: (action: Tensor) => Tensor;
  /** [n]. */
  readonly entropy: () => Tensor;
  /** Actions went through tanh: they lie between -1 and 1. */
  readonly squashed: boolean;
}

/**
 * The actor's distribution for latent vectors [n, latent]. `mask` [n, outputs]: 1 for what is legal among choices (of
 * several, side by side) and for bits that may be 1; all of it unless given, and unused by a Box.
 * @throws TypeError for a network that is no stochastic actor.
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
      // The entropy of a squashed Gaussian has no closed form; that of the Gaussian inside stands for it.
      const numbers = squashed ? squashedNormal(output, log_std) : gaussian;
      const sample = (draws: Draws) => numbers.sample(stackColumns(normals(draws, size)));
      return { ...numbers, sample, entropy: gaussian.entropy, squashed };
    }
    case "squashed_normal": {
      const gaussian = gaussianOf(actor, latent);
      const sample = (draws: Draws) => gaussian.sample(stackColumns(normals(draws, gaussian.size)));
      // As above, the Gaussian inside stands for it.
      const { entropy } = normal(gaussian.mean, gaussian.log_std);
      return { ...gaussian, sample, entropy, squashed: true };
    }
    case undefined:
      throw new TypeError(`network (${actor.data.kind}): has no action distribution; a stochastic_actor has`);
  }
}

/** What choices are made by, or the Gaussian before any squashing, from latent vectors [n, latent]; nothing of numbers alone. */
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

/** Bounds of the logarithm of a standard deviation that depends on the observation, as in the authors' own code. */
const LOG_STD = [-20, 2] as const;

/** The parts of a Gaussian whose deviation depends on the observation, and tanh of it. */
export interface SquashedGaussian extends SquashedNormal {
  /** Before tanh, [n, size]. */
  readonly mean: Tensor;
  readonly log_std: Tensor;
  /** Numbers of an action. */
  readonly size: number;
}

/**
 * The actor's distribution for latent vectors [n, latent].
 * @throws TypeError for a network that gives no means and deviations.
 */
export function gaussianOf(actor: Network, latent: Tensor): SquashedGaussian {
  const { distribution, kind } = actor.data;
  if (distribution?.kind !== "squashed_normal")
    throw new TypeError(`network (${kind}): gives no means and deviations; a squashed Gaussian actor does`);
  const { size } = distribution;
  const output = actor.head(latent);
  const mean = slice(output, 0, size);
  const log_std = clip(slice(output, size, size), ...LOG_STD);
  return { ...squashedNormal(mean, log_std), mean, log_std, size };
}

/** An action as the environment takes it: numbered its way, clipped to the bounds, or stretched to them when squashed. */
export function appliedSample(action: Tensor, space: Space, { squashed }: Policy): Tensor {
  if (space.kind !== "Box") return environmentAction(space, action);
  return squashed ? toBounds(action, [-1, 1], space) : withinBounds(action, space);
}
