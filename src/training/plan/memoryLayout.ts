import { isCompiled, type RegisteredEnvironment } from "../../rl/environments.ts";
import { type AgentSpaces, hostLayout } from "../../rl/spaces.ts";

/** Layout of replay buffer rows for members that train in a registered environment. */
export const memoryLayout = (environment: RegisteredEnvironment): AgentSpaces =>
  isCompiled(environment) ? environment : hostLayout(environment);
