import { isCompiled, type RegisteredEnvironment } from "../../rl/environments/index.ts";
import { hostLayout } from "../../rl/spaces/AgentSpaces.ts";
import type { AgentSpaces } from "../../rl/spaces/index.ts";

/** What rows of a memory are like where members train in a registered environment. */
export const memoryLayout = (environment: RegisteredEnvironment): AgentSpaces =>
  isCompiled(environment) ? environment : hostLayout(environment);
