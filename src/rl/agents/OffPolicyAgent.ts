/** Agents that learn from transitions of a memory, whoever collected them. */
import { algorithmDefinition } from "../../specs/index.ts";
import { requireFields, rowsOf } from "../buffers/experienceRows.ts";
import { BATCH_FIELDS, type Experiences, rowWidths } from "../buffers/experiences.ts";
import type { LearnedBatch, OffPolicyAlgorithm } from "../contract/offPolicy.ts";
import { describeValue } from "../spaces/describeValue.ts";
import { ElementCheck, type ElementFault } from "../spaces/ElementCheck.ts";
import { firstNotFinite } from "../spaces/finiteNumbers.ts";
import { elementSize } from "../spaces/index.ts";
import type { AgentOptions } from "./agentOptions.ts";
import { type ActingOptions, type Observation, SingleAgentAlgorithm } from "./SingleAgentAlgorithm.ts";

/** What a batch is beside its transitions. */
export interface BatchOptions {
  /** Steps that each transition spans; its reward is the discounted sum of theirs. 1 unless given. */
  readonly n_step?: number;
  /** Importance weights, one for each transition; all 1 unless given. */
  readonly weights?: ArrayLike<number> | null;
}

/** Options of algorithms that explore by random actions. */
export interface EpsilonActingOptions extends ActingOptions {
  /** Chance of a random legal action; 0 unless given. */
  readonly epsilon?: number;
}

/** What differs in the types of off-policy algorithms' agents. */
export interface OffPolicyFace {
  readonly algo: string;
  readonly acting: ActingOptions;
  /** One action, and what several observations give. */
  readonly action: number | Float32Array;
  readonly actions: number | Float32Array | Int32Array;
  /** What `learn` takes behind the batch, and gives. */
  readonly learning: readonly [options?: BatchOptions];
  readonly result: unknown;
}

/** An agent of one algorithm, told from those of others by its name. */
export type OffPolicyAgentOf<F extends OffPolicyFace> = OffPolicyAgent<F> & { readonly algo: F["algo"] };

/** By how much rounding may carry an action past the policy's range. */
const ROUNDING = 1e-5;

/**
 * Base of agents of off-policy algorithms.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("CartPole-v1");
 * const [agent] = createPopulation({ algorithm: "DQN", observation_space, action_space, population_size: 1 });
 * console.log(agent instanceof OffPolicyAgent); // true
 * ```
 */
export abstract class OffPolicyAgent<F extends OffPolicyFace = OffPolicyFace> extends SingleAgentAlgorithm {
  readonly #definition: OffPolicyAlgorithm;
  readonly #observations = new ElementCheck(this.observation_space);
  readonly #actions = new ElementCheck(this.action_space);

  protected constructor(definition: OffPolicyAlgorithm, options: AgentOptions<object>) {
    super(definition.name, options);
    this.#definition = definition;
  }

  abstract override clone(index?: number): OffPolicyAgentOf<F>;

  /**
   * The policy's action as the environment takes it, among the legal ones. While training it explores: with `epsilon` by
   * a random legal choice, of algorithms that have it; else as the algorithm does, by noise of its actions or weights.
   * @throws RangeError for an `epsilon` that is no chance.
   */
  override getAction(
    observation: Observation,
    options?: F["acting"] & { readonly num_envs?: undefined },
  ): F["action"];
  override getAction(observation: Observation, options: F["acting"]): F["actions"];
  override getAction(observation: Observation, options: EpsilonActingOptions = {}): F["actions"] {
    const { epsilon = 0, training = true } = options;
    const { epsilon_greedy } = algorithmDefinition(this.algo);
    if (epsilon_greedy && !(epsilon >= 0 && epsilon <= 1))
      throw new RangeError(`getAction epsilon: found ${epsilon}, allowed 0 to 1`);
    const explores = training && (!epsilon_greedy || epsilon > 0);
    return explores ? this.explore(observation, options, epsilon) : this.greedyAction(observation, options);
  }

  /**
   * One learning step from a batch of transitions (`ReplayBuffer.sample` gives one), of any size; actions that are numbers
   * lie on the policy's own scale. Of an algorithm that samples by priority, `options` say what the batch is beside them.
   * @returns what the algorithm says of the step, by the networks before it: of DQN the loss, of RainbowDQN the loss and
   *   each transition's new priority, of DDPG and TD3 the losses of policy and critics.
   * @throws RangeError naming the field that does not fit.
   */
  learn(experiences: Experiences, ...[options = {}]: F["learning"]): F["result"] {
    const { prioritised } = algorithmDefinition(this.algo);
    const learned = this.learnBatch(experiences, prioritised ? options : {});
    return this.#definition.result(learned, this.hyperparameters);
  }

  /** An action with the algorithm's exploration. `epsilon`: chance of a random one, where the algorithm has it. */
  protected explore(
    observation: Observation,
    options: ActingOptions,
    epsilon = 0,
  ): number | Float32Array | Int32Array {
    const residence = this.present("act", observation, options);
    residence.set("epsilon", epsilon);
    residence.set("eps_decay", 1);
    residence.set("eps_end", 0);
    this.session.run("act");
    return this.actionOf(residence.arena.read("act.applied") as Float32Array | Int32Array, options);
  }

  /** @throws RangeError naming the transition whose action is none that the policy takes; they are finite numbers. */
  #requireActions(actions: ArrayLike<number>): void {
    const { actionRange, policy } = this.#definition;
    const data = this.state.networks[policy]?.data;
    if (actionRange && data) {
      requireRange(actions, actionRange(data), elementSize(this.action_space));
      return;
    }
    const fault = this.#actions.choiceFault(actions);
    if (fault) throw refused(`action${fault.place}`, fault);
  }

  /** One learning step. @throws TypeError or RangeError naming the field, and the transition, that do not fit. */
  protected learnBatch(
    experiences: Experiences,
    { n_step = 1, weights = null }: BatchOptions = {},
  ): LearnedBatch {
    requireFields(experiences);
    const { count, rows } = rowsOf(experiences, rowWidths(this));
    if (count === 0) throw new RangeError("learn: found no transitions, allowed one or more");
    if (!Number.isInteger(n_step) || n_step < 1)
      throw new RangeError(`learn n_step: found ${n_step}, allowed positive integers`);
    if (weights && weights.length !== count)
      throw new RangeError(`learn weights: found ${weights.length}, allowed ${count}`);
    for (const field of ["obs", "next_obs"] as const) {
      const fault = this.#observations.choiceFault(rows[field]);
      if (fault) throw refused(`${field}${fault.place}`, fault);
    }
    this.#requireActions(rows.action);
    requireNumbers("learn weights", weights ?? []);
    const { discount: given } = experiences;
    if (given && given.length !== count)
      throw new RangeError(`experiences.discount: found ${given.length} numbers, allowed ${count}`);
    requireNumbers("experiences.discount", given ?? []);
    const residence = this.session.open(["learn"], { batch: count });
    const { arena } = residence;
    for (const field of BATCH_FIELDS) arena.write(`batch.${field}`, rows[field]);
    let discount = 1;
    for (let k = 0; k < n_step; k++) discount *= Number(this.hyperparameters.gamma);
    arena.write("batch.discount", given ?? new Float32Array(count).fill(discount));
    if (arena.has("batch.weight")) arena.write("batch.weight", weights ?? new Float32Array(count).fill(1));
    const metrics = this.session.learn();
    const hasPriorities = arena.has("batch.priority");
    return {
      metrics,
      priorities: hasPriorities ? Float32Array.from(arena.read("batch.priority")) : null,
    };
  }
}

/** @throws RangeError naming the transition whose action lies outside the policy's scale, of `size` numbers each. */
function requireRange(
  actions: ArrayLike<number>,
  [least, most]: readonly [least: number, most: number],
  size: number,
): void {
  for (let i = 0; i < actions.length; i++) {
    const action = actions[i] as number;
    if (action >= least - ROUNDING && action <= most + ROUNDING) continue;
    throw new RangeError(
      `experiences.action[${i % size}] of transition ${Math.floor(i / size)}: found ${action}, allowed ${least} to ${most}, the policy's own scale: where the environment's bounds are low and high, ${least} + ${most - least} * (action - low) / (high - low)`,
    );
  }
}

const refused = (field: string, { row, found, allowed }: ElementFault): RangeError =>
  new RangeError(
    `experiences.${field} of transition ${row}: found ${describeValue(found)}, allowed ${allowed}`,
  );

function requireNumbers(place: string, values: ArrayLike<number>): void {
  const at = firstNotFinite(values);
  if (at >= 0)
    throw new RangeError(`${place}[${at}]: found ${describeValue(values[at])}, allowed finite numbers`);
}
