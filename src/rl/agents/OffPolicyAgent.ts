/** Agents that learn from transitions of a memory, whoever collected them. */
import { requireFields, rowsOf } from "../buffers/experienceRows.ts";
import { BATCH_FIELDS, type Experiences, rowWidths } from "../buffers/experiences.ts";
import { describeValue } from "../spaces/describeValue.ts";
import { ElementCheck, type ElementFault } from "../spaces/ElementCheck.ts";
import { firstNotFinite } from "../spaces/finiteNumbers.ts";
import { type ActingOptions, type Observation, SingleAgentAlgorithm } from "./SingleAgentAlgorithm.ts";

/** What a batch is beside its transitions. */
export interface BatchOptions {
  /** Steps that each transition spans; its reward is the discounted sum of theirs. 1 unless given. */
  readonly n_step?: number;
  /** Importance weights, one for each transition; all 1 unless given. */
  readonly weights?: ArrayLike<number> | null;
}

/** What one learning step gave. */
export interface LearnedBatch {
  readonly metrics: Readonly<Record<string, number>>;
  /** Error of each transition, where the algorithm has one. */
  readonly priorities: Float32Array | null;
}

/** Base of agents of off-policy algorithms. */
export abstract class OffPolicyAgent extends SingleAgentAlgorithm {
  readonly #observations = new ElementCheck(this.observation_space);
  readonly #actions = new ElementCheck(this.action_space);

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
  protected requireActions(actions: ArrayLike<number>): void {
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
    this.requireActions(rows.action);
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

const refused = (field: string, { row, found, allowed }: ElementFault): RangeError =>
  new RangeError(
    `experiences.${field} of transition ${row}: found ${describeValue(found)}, allowed ${allowed}`,
  );

function requireNumbers(place: string, values: ArrayLike<number>): void {
  const at = firstNotFinite(values);
  if (at >= 0)
    throw new RangeError(`${place}[${at}]: found ${describeValue(values[at])}, allowed finite numbers`);
}
