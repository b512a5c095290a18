/** Learning steps of off-policy agents, from batches that callers supply. */

import { algorithmDefinition } from "../../manifests/index.ts";
import type { LearnedBatch, OffPolicyAlgorithm } from "../../rl/contract.ts";
import { scaleOf } from "../../rl/definitions.ts";
import {
  describeValue,
  ElementCheck,
  type ElementFault,
  elementRows,
  elementSize,
  firstNotFinite,
  isArrayLike,
  type SpaceElement,
} from "../../rl/spaces.ts";
import { choicesIn, requireFields, rowsOf, withoutMasks } from "../buffers/experienceRows.ts";
import { BATCH_FIELDS, type Experiences, rowWidths, withFlatObservations } from "../buffers/experiences.ts";
import { requireRange } from "../buffers/policyRange.ts";
import { isByAgent, jointExperiences, type TeamExperiences, teamShares } from "../buffers/teamExperiences.ts";
import type { AgentSession } from "../runtime/wasm/AgentSession.ts";

/** Options that accompany a batch of transitions. */
export interface BatchOptions {
  /** Steps that each transition spans (default: 1); its reward is the discounted sum over them. */
  readonly n_step?: number;
  /** Importance weights, one per transition (default: all 1). */
  readonly weights?: ArrayLike<number> | null;
}

/** A vector step that the agent played. */
export interface PlayedStep {
  /** Observations that it acted on, one for each lane; joint rows of a team. */
  readonly obs: SpaceElement | readonly SpaceElement[];
  /** Rewards as the environment returns them, [num_envs], or [num_envs, agents] of a team. */
  readonly reward: number | ArrayLike<number>;
  /** Whether each lane's episode ended, [num_envs]. */
  readonly done: boolean | number | ArrayLike<boolean | number>;
  /** Teams: 1 for agents whose task had ended before the step, [num_envs, agents] (default: none). */
  readonly left?: ArrayLike<number>;
}

export class TransitionLearning {
  readonly #session: AgentSession;
  readonly #definition: OffPolicyAlgorithm;
  readonly #observations: ElementCheck;
  readonly #actions: ElementCheck;

  constructor(session: AgentSession, definition: OffPolicyAlgorithm) {
    this.#session = session;
    this.#definition = definition;
    this.#observations = new ElementCheck(session.layout.observation_space);
    this.#actions = new ElementCheck(session.layout.action_space);
  }

  /**
   * Runs one learning step and returns the algorithm's result.
   * @throws TypeError or RangeError naming the invalid field and transition.
   */
  learn(experiences: Experiences | TeamExperiences, options: BatchOptions = {}): unknown {
    const { prioritised } = algorithmDefinition(this.#definition.name);
    const learned = this.#learnBatch(experiences, prioritised ? options : {});
    return this.#definition.result(learned, this.#session.state.hyperparameters);
  }

  /**
   * Updates the running statistics by a vector step. Does nothing for an agent that normalises nothing.
   * @throws TypeError or RangeError naming the field that does not fit.
   */
  learnStatistics({ obs, reward, done, left }: PlayedStep): void {
    const { layout, state } = this.#session;
    const { observations = false, rewards = false } = state.normalization?.settings ?? {};
    if (!observations && !rewards) return;
    const { observation_space: space } = layout;
    const given = elementRows("learnStatistics obs", space, obs);
    const rows = typeof given === "number" ? [given] : (given as ArrayLike<number>);
    const lanes = rows.length / elementSize(space);
    if (!Number.isInteger(lanes) || lanes < 1)
      throw new RangeError(
        `learnStatistics obs: found ${rows.length} numbers, allowed multiples of ${elementSize(space)}`,
      );
    const fault = this.#observations.fault(rows);
    if (fault) throw refused(`obs${fault.place}`, fault);
    const agents = space.kind === "Agents" ? space.ids.length : 1;
    const numbers = (name: string, values: unknown, size: number): number[] => {
      const list = isArrayLike(values) ? Array.from(values as ArrayLike<unknown>, Number) : [Number(values)];
      if (list.length !== size)
        throw new RangeError(`learnStatistics ${name}: found ${list.length} numbers, allowed ${size}`);
      requireNumbers(`learnStatistics ${name}`, list);
      return list;
    };
    const contents = {
      "act.obs": rows,
      "step.reward": numbers("reward", reward, lanes * agents),
      "step.done": numbers("done", done, lanes),
      "step.left": numbers("left", left ?? new Float32Array(lanes * agents), lanes * agents),
    };
    const { arena } = this.#session.open(["statistics"], { num_envs: lanes });
    for (const [name, values] of Object.entries(contents)) if (arena.has(name)) arena.write(name, values);
    this.#session.run("statistics");
  }

  /**
   * @throws RangeError naming the transition whose action the policy could not have taken. The actions are
   *   known to be finite.
   */
  #requireActions(actions: ArrayLike<number>): void {
    const { actionRange, policy } = this.#definition;
    const data = this.#session.state.networks[policy]?.data;
    const { action_space } = this.#session.layout;
    if (actionRange && data && action_space.kind !== "Discrete") {
      const range = actionRange(data);
      const scaling = action_space.kind === "Box" ? scaleOf(action_space, range, data) : null;
      const placeOf = (row: number, at: number) => `experiences.action[${at}] of transition ${row}`;
      requireRange(actions, range, elementSize(action_space), scaling, placeOf);
      return;
    }
    const fault = this.#actions.choiceFault(actions);
    if (fault) throw refused(`action${fault.place}`, fault);
  }

  /** One learning step. @throws TypeError or RangeError naming the invalid field and transition. */
  #learnBatch(
    transitions: Experiences | TeamExperiences,
    { n_step = 1, weights = null }: BatchOptions = {},
  ): LearnedBatch {
    const { layout } = this.#session;
    const given = withFlatObservations("experiences.", layout.observation_space, transitions);
    const shares = isByAgent(given) ? teamShares(layout) : null;
    const experiences = isByAgent(given) && shares ? jointExperiences(given, shares) : given;
    requireFields(experiences);
    if (choicesIn(experiences) > 0) this.#session.keepMasks();
    const widths = rowWidths(this.#session.layout);
    const { count, rows } = rowsOf(experiences, widths);
    if (count === 0) throw new RangeError("learn: found no transitions, allowed one or more");
    if (!Number.isInteger(n_step) || n_step < 1)
      throw new RangeError(`learn n_step: found ${n_step}, allowed positive integers`);
    if (weights && weights.length !== count)
      throw new RangeError(`learn weights: found ${weights.length}, allowed ${count}`);
    for (const field of ["obs", "next_obs"] as const) {
      const fault = this.#observations.choiceFault(withoutMasks(rows[field], widths));
      if (fault) throw refused(`${field}${fault.place}`, fault);
    }
    this.#requireActions(rows.action);
    requireNumbers("learn weights", weights ?? []);
    const { discount: discounts } = experiences;
    if (discounts && discounts.length !== count)
      throw new RangeError(`experiences.discount: found ${discounts.length} numbers, allowed ${count}`);
    requireNumbers("experiences.discount", discounts ?? []);
    const residence = this.#session.open(["learn"], { batch: count });
    const { arena } = residence;
    for (const field of BATCH_FIELDS) arena.write(`batch.${field}`, rows[field]);
    let discount = 1;
    for (let k = 0; k < n_step; k++) discount *= Number(this.#session.state.hyperparameters.gamma);
    arena.write("batch.discount", discounts ?? new Float32Array(count).fill(discount));
    if (arena.has("batch.weight")) arena.write("batch.weight", weights ?? new Float32Array(count).fill(1));
    const metrics = this.#session.learn();
    const hasPriorities = arena.has("batch.priority");
    return {
      metrics,
      priorities: hasPriorities ? Float32Array.from(arena.read("batch.priority")) : null,
    };
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
