/** Host environments stepped one after another behind the vector face. */
import type { Space, SpaceValue } from "../spaces/index.ts";
import { elementSize, spaceToJson } from "../spaces/index.ts";
import { vectorActionValues } from "./action.ts";
import type { EnvironmentSpec, HostEnvironment, Info } from "./HostEnvironment.ts";
import { requireLanes } from "./requireLanes.ts";
import type {
  VectorEnvironment,
  VectorResetOptions,
  VectorResetResult,
  VectorStepResult,
} from "./VectorEnvironment.ts";

/** Owns its environments: closing it closes them. */
export class SyncVectorEnvironment implements VectorEnvironment {
  readonly num_envs: number;
  readonly single_observation_space: Space;
  readonly single_action_space: Space;
  readonly spec?: EnvironmentSpec;
  readonly #lanes: readonly HostEnvironment[];
  readonly #width: number;

  /**
   * @param factories Makers of the lanes' environments, one for each lane.
   * @throws RangeError when there is none, or when two lanes have different spaces.
   */
  constructor(factories: readonly (() => HostEnvironment)[]) {
    this.num_envs = requireLanes(factories.length);
    this.#lanes = factories.map((create) => create());
    const [first] = this.#lanes as readonly [HostEnvironment];
    this.single_observation_space = first.observation_space;
    this.single_action_space = first.action_space;
    if (first.spec) this.spec = first.spec;
    this.#width = elementSize(first.observation_space);
    for (const [lane, environment] of this.#lanes.entries()) {
      requireSameSpace(
        `environments[${lane}].observation_space`,
        environment.observation_space,
        first.observation_space,
      );
      requireSameSpace(`environments[${lane}].action_space`, environment.action_space, first.action_space);
    }
  }

  reset({ seed, options }: VectorResetOptions = {}): VectorResetResult {
    const observation = new Float32Array(this.num_envs * this.#width);
    const info = this.#lanes.map((environment, lane) => {
      const result = environment.reset({
        ...(seed === undefined ? {} : { seed: seed + lane }),
        ...(options === undefined ? {} : { options }),
      });
      this.#place(observation, lane, result.observation);
      return result.info;
    });
    return { observation, info };
  }

  step(actions: ArrayLike<number>, wanted?: Uint8Array): VectorStepResult {
    const perLane = vectorActionValues(this.single_action_space, actions, this.num_envs, "actions");
    const final_observation = new Float32Array(this.num_envs * this.#width);
    const observation = new Float32Array(this.num_envs * this.#width);
    const reward = new Float32Array(this.num_envs);
    const terminated = new Uint8Array(this.num_envs);
    const truncated = new Uint8Array(this.num_envs);
    const info: Info[] = this.#lanes.map(() => ({}));
    const final_info = [...info];
    for (const [lane, environment] of this.#lanes.entries()) {
      if (wanted?.[lane] === 0) continue;
      const values = perLane[lane] as readonly number[];
      const result = environment.step(
        this.single_action_space.kind === "Discrete" ? (values[0] as number) : values,
      );
      reward[lane] = result.reward;
      terminated[lane] = result.terminated ? 1 : 0;
      truncated[lane] = result.truncated ? 1 : 0;
      const next = result.terminated || result.truncated ? environment.reset() : result;
      this.#place(final_observation, lane, result.observation);
      this.#place(observation, lane, next.observation);
      final_info[lane] = result.info;
      info[lane] = next.info;
    }
    return { observation, reward, terminated, truncated, final_observation, info, final_info };
  }

  close(): void {
    for (const environment of this.#lanes) environment.close?.();
  }

  #place(batch: Float32Array, lane: number, observation: SpaceValue): void {
    const values = typeof observation === "number" ? [observation] : observation;
    if (values.length !== this.#width) {
      throw new RangeError(
        `environments[${lane}]: found an observation of ${values.length} numbers, allowed ${this.#width} (its observation_space)`,
      );
    }
    batch.set(values, lane * this.#width);
  }
}

function requireSameSpace(place: string, found: Space, expected: Space): void {
  const [a, b] = [JSON.stringify(spaceToJson(found)), JSON.stringify(spaceToJson(expected))];
  if (a !== b) throw new RangeError(`${place}: found ${a}, allowed the space of the first environment, ${b}`);
}
