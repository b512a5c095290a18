/** Calls of environments that the host steps; nobody reads their results unchecked. */

import type { AnyVectorEnvironment } from "../../environments/face/AsyncVectorEnvironment.ts";
import type {
  VectorEnvironment,
  VectorResetOptions,
  VectorResetResult,
  VectorStepResult,
} from "../../environments/face/VectorEnvironment.ts";
import { SyncVectorEnvironment } from "../../environments/vector/SyncVectorEnvironment.ts";
import { CheckedLanes } from "./CheckedLanes.ts";

const known = new WeakMap<AnyVectorEnvironment, CheckedLanes>();

/** What checks the results; an environment made of single ones does so itself, before they are put together. */
function checked(env: AnyVectorEnvironment): Pick<CheckedLanes, "reset" | "step"> {
  if (env instanceof SyncVectorEnvironment) return env;
  const lanes = known.get(env) ?? new CheckedLanes(env);
  known.set(env, lanes);
  return lanes;
}

/** Starts an episode in every lane. @throws EnvironmentError naming what the environment gave or threw. */
export function resetLanes(env: VectorEnvironment, options?: VectorResetOptions): VectorResetResult;
/** The same of lanes that may be stepped elsewhere. */
export function resetLanes(
  env: AnyVectorEnvironment,
  options?: VectorResetOptions,
): VectorResetResult | Promise<VectorResetResult>;
export function resetLanes(env: AnyVectorEnvironment, options: VectorResetOptions = {}) {
  return checked(env).reset(options);
}

/**
 * One step of every lane.
 * @param wanted As the environment's own; the numbers of other lanes are not looked at.
 * @throws EnvironmentError naming what the environment gave or threw.
 */
export function stepLanes(
  env: VectorEnvironment,
  actions: ArrayLike<number>,
  wanted?: Uint8Array,
): VectorStepResult;
/** The same of lanes that may be stepped elsewhere. */
export function stepLanes(
  env: AnyVectorEnvironment,
  actions: ArrayLike<number>,
  wanted?: Uint8Array,
): VectorStepResult | Promise<VectorStepResult>;
export function stepLanes(env: AnyVectorEnvironment, actions: ArrayLike<number>, wanted?: Uint8Array) {
  return checked(env).step(actions, wanted);
}
