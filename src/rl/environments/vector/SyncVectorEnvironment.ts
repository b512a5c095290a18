/** A vector environment that steps host environments one after another. */

import { describeValue, isClass, requireGoals, type Space, spaceToJson } from "../../spaces.ts";
import { vectorActionValues } from "../face/action.ts";
import { nameOf, requireLanes, thrownBy } from "../face/EnvironmentError.ts";
import type { EnvironmentSpec, HostEnvironment, Info } from "../face/HostEnvironment.ts";
import { type GoalBatch, type GoalOutcome, goalOutcome } from "../face/hostGoals.ts";
import { isParallelEnvironment, type ParallelEnvironment } from "../face/ParallelEnvironment.ts";
import { requireEnvironment, requireVectorEnvironment } from "../face/requireEnvironment.ts";
import {
  type Branch,
  isVectorEnvironment,
  leftAfter,
  type PlacedLanes,
  type VectorEnvironment,
  type VectorResetOptions,
  type VectorResetResult,
  type VectorStepResult,
} from "../face/VectorEnvironment.ts";
import { EpisodeLane, type EpisodePlace } from "./EpisodeLane.ts";
import type { Lane, StepRows } from "./Lane.ts";
import { ParallelLane } from "./ParallelLane.ts";
import { SingleLane } from "./SingleLane.ts";

/**
 * Steps several environments as lanes. It owns its environments: closing it closes them. The spaces of
 * multi-agent environments are joined into spaces of kind `Agents`.
 *
 * @example
 * ```ts
 * const env = new SyncVectorEnvironment([() => make("CartPole-v1"), () => make("CartPole-v1")]);
 * const { observation } = env.reset({ seed: 1 });
 * ```
 */
export class SyncVectorEnvironment implements VectorEnvironment {
  readonly num_envs: number;
  readonly single_observation_space: Space;
  readonly single_action_space: Space;
  readonly spec?: EnvironmentSpec;
  readonly #lanes: readonly EpisodeLane[];
  readonly #environments: readonly (HostEnvironment | ParallelEnvironment)[];
  readonly #factories: readonly (() => HostEnvironment | ParallelEnvironment)[];
  /** Lanes in which a search takes its steps. */
  #branches: SyncVectorEnvironment | null = null;

  /**
   * @param factories Functions that create the environments, one per lane.
   * @throws RangeError when there is no factory, or when two lanes have different spaces or are the same
   * object.
   * @throws TypeError when a factory does not return an environment.
   */
  constructor(factories: readonly (() => HostEnvironment | ParallelEnvironment)[]) {
    if (!Array.isArray(factories))
      throw new TypeError(
        `SyncVectorEnvironment: found ${describeValue(factories)}, allowed a list of functions, each of which makes an environment`,
      );
    this.num_envs = requireLanes(factories.length);
    this.#factories = factories;
    const environments = factories.map(made);
    const lanes = environments.map(
      (environment, lane): Lane =>
        isParallelEnvironment(environment)
          ? new ParallelLane(environment, lane)
          : new SingleLane(environment, lane),
    );
    // requireLanes checked that there is at least one.
    const first = lanes[0] as Lane;
    this.single_observation_space = first.observation_space;
    this.single_action_space = first.action_space;
    const spec = environments[0]?.spec;
    if (spec) this.spec = spec;
    for (const [lane, environment] of environments.entries()) {
      const { observation_space, action_space } = lanes[lane] as Lane;
      const place = `environments[${lane}]`;
      requireSameSpace(`${place}.observation_space`, observation_space, first.observation_space);
      requireSameSpace(`${place}.action_space`, action_space, first.action_space);
      const other = environments.indexOf(environment);
      if (other < lane)
        throw new RangeError(
          `${place}: found the same object as environments[${other}], allowed a separate environment for each lane; create a new one in each function`,
        );
    }
    this.#environments = environments;
    this.#lanes = lanes.map(
      (lane, i) =>
        new EpisodeLane(lane, i, { name: this.name, saves: typeof environments[i]?.save === "function" }),
    );
  }

  /** Name of the environments, for messages. */
  get name(): string {
    const [first] = this.#environments;
    return first ? nameOf(first) : "";
  }

  /**
   * @throws EnvironmentError naming the lane whose reset threw or returned a result that violates the
   * interface.
   * `step` throws it likewise.
   */
  reset({ seed, options }: VectorResetOptions = {}): VectorResetResult {
    const observation = this.#observations();
    const info = this.#lanes.map((lane, i) =>
      lane.reset(
        {
          ...(seed === undefined ? {} : { seed: seed + i }),
          ...(options === undefined ? {} : { options }),
        },
        observation,
      ),
    );
    return { observation, info };
  }

  step(actions: ArrayLike<number>, wanted?: Uint8Array): VectorStepResult {
    const perLane = vectorActionValues(this.single_action_space, actions, this.num_envs, "actions");
    const observation = this.#observations();
    const rows = this.#rows();
    const info: Info[] = this.#lanes.map(() => ({}));
    const final_info = [...info];
    for (const [i, lane] of this.#lanes.entries()) {
      if (wanted?.[i] === 0) continue;
      const step = lane.step(perLane[i] as readonly number[], rows);
      final_info[i] = step.final_info;
      if (step.ended) info[i] = lane.again(observation);
      else {
        const { width } = lane.lane;
        const [from, to] = [i * width, (i + 1) * width];
        observation.set(rows.final_observation.subarray(from, to), from);
        info[i] = step.info;
      }
    }
    return { observation, ...rows, info, final_info };
  }

  /**
   * Whether the lanes' episodes have to be repeated to go on, unless they still stand where they stood.
   * @internal
   */
  get repeats(): boolean {
    return this.#environments.some((environment) => typeof environment.save !== "function");
  }

  /**
   * As `LastingLanes`.
   * @internal
   */
  goOn(
    seed: number,
    places: readonly (EpisodePlace | null)[] | null,
    given: Float32Array | null,
  ): PlacedLanes {
    const observation = this.#observations();
    const rows = this.#rows();
    const before = { rows, observation: given };
    const infos = this.#lanes.map((lane, i) => lane.goOn(seed, places?.[i], before, observation));
    const gone = this.#lanes.flatMap(({ lane }) => [...lane.gone]);
    return {
      observation,
      info: infos.map((info) => info ?? {}),
      begun: Uint8Array.from(infos, (info) => Number(info !== null)),
      left: leftAfter({ terminated: Uint8Array.from(gone) }, new Uint8Array(this.num_envs)),
    };
  }

  /**
   * As `LastingLanes`.
   * @internal
   */
  places(): readonly (EpisodePlace | null)[] {
    return this.#lanes.map((lane) => lane.place());
  }

  /**
   * As `BranchingLanes`.
   * @internal
   */
  branch(places: readonly (EpisodePlace | null)[], actions: ArrayLike<number>, wanted: Uint8Array): Branch {
    this.#branches ??= new SyncVectorEnvironment(this.#factories);
    this.#branches.goOn(0, places, null);
    const step = this.#branches.step(actions, wanted);
    return { step, positions: this.#branches.places() };
  }

  /**
   * As `GoalLanes`.
   * @internal
   */
  computeGoals(goals: GoalBatch): GoalOutcome {
    const { size } = requireGoals(this.single_observation_space, this.name).achieved_goal;
    // There is at least one, and one of several agents has no goals.
    return goalOutcome(this.#environments[0] as HostEnvironment, goals, size, this.name);
  }

  close(): void {
    for (const environment of this.#environments) environment.close?.();
    this.#branches?.close();
  }

  /** An array for one observation per lane. */
  #observations(): Float32Array {
    const [first] = this.#lanes;
    return new Float32Array(this.num_envs * (first?.lane.width ?? 0));
  }

  #rows(): StepRows {
    const agents = this.num_envs * (this.#lanes[0]?.lane.agents ?? 1);
    return {
      final_observation: this.#observations(),
      reward: new Float32Array(agents),
      terminated: new Uint8Array(agents),
      truncated: new Uint8Array(this.num_envs),
    };
  }
}

/** Creates a lane's environment. @throws TypeError or RangeError when it is not a valid environment. */
function made(create: unknown, lane: number): HostEnvironment | ParallelEnvironment {
  const place = `environments[${lane}]`;
  if (typeof create !== "function" || isClass(create))
    throw new TypeError(
      `${place}: found ${describeValue(create)}, allowed a function that makes an environment: () => new ...`,
    );
  let environment: unknown;
  try {
    environment = create();
  } catch (error) {
    throw thrownBy(place, error);
  }
  requireEnvironment(environment, place);
  return environment;
}

function requireSameSpace(place: string, found: Space, expected: Space): void {
  const [a, b] = [JSON.stringify(spaceToJson(found)), JSON.stringify(spaceToJson(expected))];
  if (a !== b) throw new RangeError(`${place}: found ${a}, allowed the space of the first environment, ${b}`);
}

/**
 * Wraps a single-agent or multi-agent environment as a vector environment with one lane; returns vector
 * environments unchanged.
 * @throws TypeError or RangeError naming `place` and the field of the interface that is missing or invalid.
 */
export function vectorOf(
  environment: HostEnvironment | ParallelEnvironment | VectorEnvironment,
  place = "env",
): VectorEnvironment {
  if (typeof environment === "object" && environment !== null && isVectorEnvironment(environment)) {
    requireVectorEnvironment(environment, place);
    return environment;
  }
  requireEnvironment(environment, place);
  return new SyncVectorEnvironment([() => environment]);
}
