/** Calls to environments that the host steps. All results are checked. */

import {
  type AnyVectorEnvironment,
  SyncVectorEnvironment,
  type VectorEnvironment,
  type VectorResetOptions,
  type VectorResetResult,
  type VectorStepResult,
} from "../../../rl/faces.ts";
import { CheckedLanes } from "./CheckedLanes.ts";

const known = new WeakMap<AnyVectorEnvironment, CheckedLanes>();

/**
 * The object that checks the results. A SyncVectorEnvironment does so itself, before it joins those of its
 * environments.
 */
function checked(env: AnyVectorEnvironment): Pick<CheckedLanes, "reset" | "step"> {
  if (env instanceof SyncVectorEnvironment) return env;
  const lanes = known.get(env) ?? new CheckedLanes(env);
  known.set(env, lanes);
  return lanes;
}

/**
 * Starts an episode in every lane.
 * @throws EnvironmentError for an error or an invalid result of the environment.
 */
export function resetLanes(env: VectorEnvironment, options?: VectorResetOptions): VectorResetResult;
/** Like the overload above, for lanes that may be stepped on another thread. */
export function resetLanes(
  env: AnyVectorEnvironment,
  options?: VectorResetOptions,
): VectorResetResult | Promise<VectorResetResult>;
export function resetLanes(env: AnyVectorEnvironment, options: VectorResetOptions = {}) {
  return checked(env).reset(options);
}

/**
 * One step of every lane.
 * @param wanted As `wanted` of the environment; results of other lanes are not checked.
 * @throws EnvironmentError for an error or an invalid result of the environment.
 */
export function stepLanes(
  env: VectorEnvironment,
  actions: ArrayLike<number>,
  wanted?: Uint8Array,
): VectorStepResult;
/** Like the overload above, for lanes that may be stepped on another thread. */
export function stepLanes(
  env: AnyVectorEnvironment,
  actions: ArrayLike<number>,
  wanted?: Uint8Array,
): VectorStepResult | Promise<VectorStepResult>;
export function stepLanes(env: AnyVectorEnvironment, actions: ArrayLike<number>, wanted?: Uint8Array) {
  return checked(env).step(actions, wanted);
}
