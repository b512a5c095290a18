import type {
  VectorEnvironment,
  VectorResetOptions,
  VectorResetResult,
  VectorStepResult,
} from "./VectorEnvironment.ts";

/**
 * Like `VectorEnvironment`, but its lanes are stepped elsewhere, for example in a sandbox, so results are
 * promises. Its errors already name lane and step.
 */
export interface AsyncVectorEnvironment extends Omit<VectorEnvironment, "reset" | "step"> {
  readonly asynchronous: true;
  reset(options?: VectorResetOptions): Promise<VectorResetResult>;
  /** Allows only one call at a time. */
  step(actions: ArrayLike<number>, wanted?: Uint8Array): Promise<VectorStepResult>;
}

/** A synchronous or asynchronous vector environment. */
export type AnyVectorEnvironment = VectorEnvironment | AsyncVectorEnvironment;

/** Whether the environment is asynchronous. */
export const isAsync = (env: AnyVectorEnvironment): env is AsyncVectorEnvironment => "asynchronous" in env;
