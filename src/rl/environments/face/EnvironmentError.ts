import { machineMemory, memoryNeed } from "../../../kernels/machineMemory.ts";
import { type AgentSpaces, describeSpace, describeValue } from "../../spaces.ts";
import type { EnvironmentSpec } from "./HostEnvironment.ts";

/** The environment's id, otherwise the name of its class. */
export function nameOf(environment: { readonly spec?: EnvironmentSpec }): string {
  const name = environment.spec?.id ?? environment.constructor.name;
  return name === "Object" ? "environment" : name;
}

/** Wraps a thrown value in an error that names the call; the thrown value is its `cause`. */
export function thrownBy(place: string, error: unknown): EnvironmentError {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : describeValue(error);
  return new EnvironmentError(`${place}: threw ${what}`, { cause: error });
}

/**
 * A user-defined environment threw (the error is the `cause`), or returned values that its interface does not
 * allow.
 *
 * @example
 * ```ts
 * const env = make("CartPole-v1");
 * try {
 *   env.step(0);
 * } catch (error) {
 *   if (error instanceof EnvironmentError) console.error(error.message, error.cause);
 *   else throw error;
 * }
 * ```
 */
export class EnvironmentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EnvironmentError";
  }
}

/** A step of a physics engine gave numbers that are not finite, or too large. A member that causes it has diverged. */
export class UnstablePhysics extends Error {
  constructor() {
    super("the physics became unstable: positions, velocities or accelerations are not finite, or too large");
    this.name = "UnstablePhysics";
  }
}

/** Lower bound of a lane's memory: its counters, the numbers of one step, and the objects that hold them. */
const LANE_BYTES = 1_000;

/** @throws RangeError unless `num_envs` is a positive integer and the machine has memory for the lanes. */
export function requireLanes(num_envs: number): number {
  if (!Number.isInteger(num_envs) || num_envs < 1)
    throw new RangeError(`num_envs: found ${num_envs}, allowed positive integers`);
  const most = Math.floor(machineMemory().bytes / LANE_BYTES);
  if (num_envs > most)
    throw new RangeError(
      `num_envs: found ${num_envs}; ${memoryNeed(num_envs * LANE_BYTES)}; allowed: at most ${most}`,
    );
  return num_envs;
}

/**
 * @param place Name of the owner of the spaces, for messages.
 * @throws RangeError unless both spaces are of kind `Agents`, with the same ids in the same order, or neither is.
 */
export function requireSameAgents({ observation_space, action_space }: AgentSpaces, place: string): void {
  const idsOf = (space: AgentSpaces["action_space"]): string | null =>
    space.kind === "Agents" ? space.ids.join(", ") : null;
  const [seeing, acting] = [idsOf(observation_space), idsOf(action_space)];
  if (seeing === acting) return;
  const found = acting ?? describeSpace(action_space);
  throw new RangeError(
    `${place}: found actions of ${found}, allowed ${seeing === null ? "a single-agent action space, like the observation space" : `the agents of the observation space: ${seeing}`}`,
  );
}
