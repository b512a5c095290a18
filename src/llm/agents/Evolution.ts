/**
 * Evolution of a policy without gradients: perturbed copies of its actor, and a step along the noise of those that
 * returned more (Salimans et al. 2017, arXiv 1703.03864).
 */

import { RETURN_SPREAD } from "../../evolution/members.ts";
import {
  adam,
  type FitnessShaping,
  fiveNumbers,
  sgd,
  type Update,
  utilities,
} from "../../kernels/functions.ts";
import { mul, mulDims, type Program, state, sub, sym, trace } from "../../kernels/index.ts";
import type { ActorCopies } from "../engine/Decodings.ts";
import { COPIES, gradientName, OPTIMIZERS, resultName, scalarName } from "../engine/names.ts";
import type { PassInputs, Policy } from "../engine/Policy.ts";
import { copiesName, type OwnWeight, ownName, ownWeights } from "../models/WeightSource.ts";
import type { Metrics, UpdatePlace } from "./Learner.ts";
import { addNoise, type Noise, NoiseSource } from "./noise.ts";
import type { PolicyState } from "./PolicyState.ts";

/** Fields of a spec that an iteration reads. */
export interface EvolutionFields {
  readonly perturbations: number;
  readonly batch_size: number;
  readonly antithetic: boolean;
  readonly sigma: number;
  readonly rank: number | null;
  readonly fitness_shaping: FitnessShaping;
  readonly lr: number;
  readonly optimizer: "adam" | "sgd";
  readonly weight_decay: number;
}

/** Rows that use a large model's weights well enough: more gain little, and each costs its cache and its adapter. */
const MANY_ROWS = 16;

/** Perturbed copies that answer their prompts at once, where they can. */
export const copiesTogether = ({
  perturbations,
  batch_size,
}: Pick<EvolutionFields, "perturbations" | "batch_size">): number =>
  Math.min(perturbations, Math.max(1, Math.floor(MANY_ROWS / batch_size)));

/** The member before an iteration, and where its noise is drawn. */
interface Center {
  readonly policy: PolicyState;
  readonly place: UpdatePlace;
}

/** Inputs of the utilities' program, [copies]. */
const RETURNS = { returns: "evolution.returns", counted: "evolution.counted" } as const;

const actorName = ({ name }: OwnWeight): string => ownName("actor", name);
const gradientOf = (weight: OwnWeight): string => gradientName(actorName(weight));

/** The member's values of a weight; a policy has all of them. */
const valuesIn = ({ policy }: Center, weight: OwnWeight): Float32Array =>
  policy[actorName(weight)] as Float32Array;

/** 2 if each direction is taken forwards and backwards, else 1. Copies are in the order [directions, signs]. */
const signsOf = ({ antithetic }: EvolutionFields): 1 | 2 => (antithetic ? 2 : 1);

export class Evolution {
  readonly #policy: Policy;
  readonly #own: readonly OwnWeight[];
  readonly #programs = new Map<string, Program>();
  #noise: NoiseSource | null = null;
  /** Copies that generate side by side, and how many they are of how many prompts each. */
  #copies: (ActorCopies & { readonly key: string }) | null = null;

  constructor(policy: Policy) {
    this.#policy = policy;
    this.#own = ownWeights(policy.model.weights, policy.shape.tuning);
  }

  /** Makes the actor a perturbed copy of the member's. One weight at a time is in memory. */
  perturb(copy: number, center: Center, fields: EvolutionFields): void {
    this.#policy.write(this.#perturbed(copy, center, fields));
  }

  /**
   * Perturbed copies side by side, from the copy `first` on.
   * @param count Number of copies, of `batch_size` rows each.
   */
  perturbed(first: number, count: number, center: Center, fields: EvolutionFields): ActorCopies {
    const copies = this.room(count, fields.batch_size);
    for (let i = 0; i < count && first + i < fields.perturbations; i++)
      for (const [name, values] of this.#perturbed(first + i, center, fields))
        copies.arena.write(copiesName(name), values, i * values.length);
    return copies;
  }

  /** Buffers of copies side by side, of `batch_size` rows each. */
  room(count: number, batch_size: number): ActorCopies {
    const key = `${count} ${batch_size}`;
    if (this.#copies?.key === key) return this.#copies;
    this.#copies?.arena.release();
    const { model, arena: inside } = this.#policy;
    const size = sym(COPIES);
    const states = this.#own.map((weight) => ({
      name: copiesName(actorName(weight)),
      shape: [size, mulDims(...weight.shape)],
      dtype: "f32" as const,
      shared: false,
    }));
    const arena = model.arena(states, { [COPIES]: count }, inside);
    this.#copies = { key, arena, of: (row) => Math.floor(row / batch_size) };
    return this.#copies;
  }

  /**
   * Moves the actor by the returns of its copies.
   * @param returns Of each copy; NaN for one without a return, which is left out with its pair.
   * @returns Metrics, and the utility of each copy.
   * @throws RangeError if no copy has a return.
   */
  async learn(
    returns: readonly number[],
    center: Center,
    fields: EvolutionFields,
  ): Promise<{ readonly metrics: Metrics; readonly utilities: Float32Array }> {
    const signs = signsOf(fields);
    const pairs = Array.from({ length: returns.length / signs }, (_, i) => i * signs);
    // A pair counts as a whole, since the difference of its copies is what is learnt.
    const whole = pairs.map((first) => returns.slice(first, first + signs).every(Number.isFinite));
    const counted = returns.map((_, copy) => (whole[Math.floor(copy / signs)] ? 1 : 0));
    const known = returns.filter((_, copy) => counted[copy] === 1);
    const [many, { slot }] = [known.length, center.place];
    if (many === 0)
      throw new RangeError(
        `member ${slot}: none of ${returns.length / signs} ${signs === 2 ? "pairs" : "copies"} has returns that are finite numbers, so nothing can be learned; check what the environment gives as rewards`,
      );
    const [shaped, ...spread] = await this.#shaped(fields.fitness_shaping, returns, counted);
    const weights = pairs.map((copy) => (shaped[copy] ?? 0) - (signs === 2 ? (shaped[copy + 1] ?? 0) : 0));
    const favour = weights.reduce((sum, weight) => sum + weight * weight, 0);

    this.#policy.write(Object.entries(center.policy));
    const estimate = this.#estimate(weights, center, fields, -1 / (many * fields.sigma));
    // Without a difference between copies there is nothing to learn, not even from the optimiser's momentum.
    if (favour > 0) await this.step(estimate.gradients, fields);
    const { square, size } = estimate;
    const average = known.reduce((sum, own) => sum + own, 0) / many;
    return {
      metrics: {
        return_mean: average,
        return_std: Math.sqrt(known.reduce((sum, own) => sum + (own - average) ** 2, 0) / many),
        ...Object.fromEntries(RETURN_SPREAD.map((name, i) => [name, spread[i]?.[0] ?? Number.NaN])),
        gradient_norm: Math.sqrt(square),
        // Directions are independent and of variance 1, so that weights without any signal give this square on average.
        noise_share: square === 0 ? 1 : Math.min(1, (favour * size) / (square * (many * fields.sigma) ** 2)),
        left_out: returns.length - many,
      },
      utilities: shaped,
    };
  }

  /**
   * One step of the optimiser.
   * @param gradients Of all of the actor's weights, by the name of their buffer.
   */
  async step(
    gradients: Iterable<readonly [string, Float32Array]>,
    { optimizer, lr, weight_decay }: Pick<EvolutionFields, "optimizer" | "lr" | "weight_decay">,
  ): Promise<void> {
    const program = this.#program(optimizer, () => {
      const rate = state(scalarName("lr")).read();
      const kept = sub(1, mul(rate, state(scalarName("weight_decay")).read()));
      const updates = this.#own.map((weight): Update => {
        const parameter = state(actorName(weight), weight.shape);
        const gradient = state(gradientOf(weight), weight.shape).read();
        return { parameter, value: mul(parameter.read(), kept), gradient };
      });
      if (optimizer === "sgd") sgd(OPTIMIZERS.actor, updates, { lr: rate });
      else adam(OPTIMIZERS.actor, updates, { lr: rate });
    });
    const scalars = { [scalarName("lr")]: [lr], [scalarName("weight_decay")]: [weight_decay] };
    await this.#run(program, [Object.entries(scalars), gradients]);
    this.#policy.changed();
  }

  /** Frees memory outside of the policy. */
  release(): void {
    this.#noise?.release();
    this.#noise = null;
    this.#copies?.arena.release();
    this.#copies = null;
  }

  *#perturbed(
    copy: number,
    center: Center,
    fields: EvolutionFields,
  ): Generator<readonly [string, Float32Array]> {
    const signs = signsOf(fields);
    const [direction, factor] = [Math.floor(copy / signs), copy % signs === 0 ? fields.sigma : -fields.sigma];
    for (const [index, weight] of this.#own.entries()) {
      const values = valuesIn(center, weight).slice();
      addNoise(values, this.#drawn(index, direction, center, fields), factor);
      yield [actorName(weight), values];
    }
  }

  /** The sum of the directions times their weights and a factor. Its square and size are known after all have been read. */
  #estimate(weights: readonly number[], center: Center, fields: EvolutionFields, factor: number) {
    const found = { square: 0, size: 0 };
    const [own, drawn] = [this.#own, (index: number, d: number) => this.#drawn(index, d, center, fields)];
    function* gradients(): Generator<[string, Float32Array]> {
      for (const [index, weight] of own.entries()) {
        const gradient = new Float32Array(valuesIn(center, weight).length);
        for (const [direction, favour] of weights.entries())
          if (favour !== 0) addNoise(gradient, drawn(index, direction), favour * factor);
        for (const element of gradient) found.square += element * element;
        found.size += gradient.length;
        yield [gradientOf(weight), gradient];
      }
    }
    return Object.assign(found, { gradients: gradients() });
  }

  /** An adapter's matrices are small, and have noise on each of their numbers. */
  #drawn(index: number, direction: number, { place }: Center, { rank }: EvolutionFields): Noise {
    this.#noise ??= new NoiseSource();
    const isWhole = this.#policy.shape.tuning.kind === "whole";
    const weight = this.#own[index] as OwnWeight; // an index of this list
    return this.#noise.draw(weight, index, { ...place, direction }, isWhole ? rank : null);
  }

  /** Utilities, and the five numbers of the returns that count. */
  async #shaped(
    shaping: FitnessShaping,
    returns: readonly number[],
    counted: readonly number[],
  ): Promise<[Float32Array, ...Float32Array[]]> {
    const program = this.#program(shaping, () => {
      const shape = [sym(COPIES)];
      const [own, each] = [state(RETURNS.returns, shape).read(), state(RETURNS.counted, shape).read()];
      state(resultName("utilities"), shape).write(utilities(shaping, own, each));
      for (const [i, number] of fiveNumbers(own, each).entries())
        state(resultName(RETURN_SPREAD[i] as string)).write(number); // as many as names
    });
    const inputs = { [RETURNS.returns]: returns, [RETURNS.counted]: counted };
    const binding = { [COPIES]: returns.length };
    const results = await this.#run(program, [Object.entries(inputs)], binding, [
      "utilities",
      ...RETURN_SPREAD,
    ]);
    return results as [Float32Array, ...Float32Array[]]; // one for each name
  }

  #program(name: string, body: () => void): Program {
    const known = this.#programs.get(name);
    if (known) return known;
    const program = trace(`evolution ${name}`, body);
    this.#programs.set(name, program);
    return program;
  }

  /** Runs a program on buffers of its own beside the policy's. @returns the results of these names. */
  async #run(
    program: Program,
    inputs: readonly Iterable<readonly [string, PassInputs[string]]>[],
    binding: Readonly<Record<string, number>> = {},
    results: readonly string[] = [],
  ): Promise<readonly Float32Array[]> {
    const { model, arena: inside } = this.#policy;
    const executable = await model.device.compile(program);
    const arena = model.arena(program.states.values(), binding, inside);
    try {
      for (const some of inputs) for (const [name, values] of some) arena.write(name, values);
      const bound = executable.bind(arena);
      try {
        await bound.run();
      } finally {
        bound.release();
      }
      const read: Float32Array[] = [];
      for (const name of results) read.push((await arena.read(resultName(name))) as Float32Array); // all are f32
      return read;
    } finally {
      arena.release();
    }
  }
}
