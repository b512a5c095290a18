import type {
  VectorEnvironment,
  VectorResetOptions,
  VectorResetResult,
  VectorStepResult,
} from "./VectorEnvironment.ts";

/**
 * Lanes that are stepped elsewhere, in a sandbox for instance: as `VectorEnvironment`, with results that come later. Its
 * errors name lane and step themselves.
 */
export interface AsyncVectorEnvironment extends Omit<VectorEnvironment, "reset" | "step"> {
  readonly asynchronous: true;
  reset(options?: VectorResetOptions): Promise<VectorResetResult>;
  /** One call at a time. */
  step(actions: ArrayLike<number>, wanted?: Uint8Array): Promise<VectorStepResult>;
}

/** Lanes that are stepped here or elsewhere. */
export type AnyVectorEnvironment = VectorEnvironment | AsyncVectorEnvironment;

/** Whether the results of lanes come later. */
export const isAsync = (env: AnyVectorEnvironment): env is AsyncVectorEnvironment => "asynchronous" in env;
