import type { CompiledEnvironment } from "./compiledEnvironment.ts";
import type { HostEnvironmentDefinition } from "./hostEnvironmentDefinition.ts";

/** Either kind; what both have is enough to build agents and to say when episodes end. */
export type RegisteredEnvironment = CompiledEnvironment | HostEnvironmentDefinition;

/** Whether members can train in it without leaving their device. */
export const isCompiled = (environment: RegisteredEnvironment): environment is CompiledEnvironment =>
  !("load" in environment);
