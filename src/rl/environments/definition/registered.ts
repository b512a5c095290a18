import type { CompiledEnvironment } from "./compiledEnvironment.ts";
import type { HostEnvironmentDefinition } from "./hostEnvironmentDefinition.ts";

/**
 * Either kind of environment. Their common fields suffice to build agents and to decide when episodes end.
 */
export type RegisteredEnvironment = CompiledEnvironment | HostEnvironmentDefinition;

/** Whether the environment is compiled, so that members can train in it without leaving their device. */
export const isCompiled = (environment: RegisteredEnvironment): environment is CompiledEnvironment =>
  !("load" in environment);
