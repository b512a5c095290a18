/** Host environments stepped one after another behind the vector face. */
import { describeValue, isClass } from "../../spaces/describeValue.ts";
import type { Space } from "../../spaces/index.ts";
import { spaceToJson } from "../../spaces/index.ts";
import { vectorActionValues } from "../face/action.ts";
import type { EnvironmentSpec, HostEnvironment, Info } from "../face/HostEnvironment.ts";
import { nameOf, thrownBy } from "../face/namingEnvironment.ts";
import { requireEnvironment } from "../face/requireEnvironment.ts";
import { requireLanes } from "../face/requireLanes.ts";
import type {
  VectorEnvironment,
  VectorResetOptions,
  VectorResetResult,
  VectorStepResult,
} from "../face/VectorEnvironment.ts";
import { Lane } from "./Lane.ts";

/**
 * Owns its environments: closing it closes them.
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
  readonly #lanes: readonly Lane[];

  /**
   * @param factories Makers of the lanes' environments, one for each lane.
   * @throws RangeError when there is none, when two lanes have different spaces, or are the same object; TypeError for
   *   a value that is not an environment.
   */
  constructor(factories: readonly (() => HostEnvironment)[]) {
    if (!Array.isArray(factories))
      throw new TypeError(
        `SyncVectorEnvironment: found ${describeValue(factories)}, allowed a list of functions, each of which makes an environment`,
      );
    this.num_envs = requireLanes(factories.length);
    const environments = factories.map(made);
    const [first] = environments as readonly HostEnvironment[] as readonly [HostEnvironment];
    this.single_observation_space = first.observation_space;
    this.single_action_space = first.action_space;
    if (first.spec) this.spec = first.spec;
    for (const [lane, environment] of environments.entries()) {
      requireSameSpace(
        `environments[${lane}].observation_space`,
        environment.observation_space,
        first.observation_space,
      );
      requireSameSpace(`environments[${lane}].action_space`, environment.action_space, first.action_space);
      const other = environments.indexOf(environment);
      if (other < lane)
        throw new RangeError(
          `environments[${lane}]: found the same object as environments[${other}], allowed one of its own for each lane; make a new one in each function`,
        );
    }
    this.#lanes = environments.map((environment, lane) => new Lane(environment, lane));
  }

  /** What messages call its environments. */
  get name(): string {
    const [first] = this.#lanes;
    return first ? nameOf(first.environment) : "";
  }

  /** @throws EnvironmentError naming the lane whose reset threw or gave what the face does not allow; likewise `step`. */
  reset({ seed, options }: VectorResetOptions = {}): VectorResetResult {
    const observation = this.#observations();
    const info = this.#lanes.map(
      (environment, lane) =>
        environment.reset(
          {
            ...(seed === undefined ? {} : { seed: seed + lane }),
            ...(options === undefined ? {} : { options }),
          },
          observation,
        ).info,
    );
    return { observation, info };
  }

  step(actions: ArrayLike<number>, wanted?: Uint8Array): VectorStepResult {
    const perLane = vectorActionValues(this.single_action_space, actions, this.num_envs, "actions");
    const final_observation = this.#observations();
    const observation = this.#observations();
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
        final_observation,
      );
      reward[lane] = result.reward;
      terminated[lane] = result.terminated ? 1 : 0;
      truncated[lane] = result.truncated ? 1 : 0;
      final_info[lane] = result.info;
      if (result.terminated || result.truncated) info[lane] = environment.reset(undefined, observation).info;
      else {
        const [from, to] = [lane * environment.width, (lane + 1) * environment.width];
        observation.set(final_observation.subarray(from, to), from);
        info[lane] = result.info;
      }
    }
    return { observation, reward, terminated, truncated, final_observation, info, final_info };
  }

  close(): void {
    for (const { environment } of this.#lanes) environment.close?.();
  }

  /** Room for an observation of each lane. */
  #observations(): Float32Array {
    const [first] = this.#lanes;
    return new Float32Array(this.num_envs * (first?.width ?? 0));
  }
}

/** What a function makes for its lane. @throws TypeError or RangeError unless it is an environment. */
function made(create: unknown, lane: number): HostEnvironment {
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
