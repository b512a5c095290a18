import { isCompiled, type RegisteredEnvironment } from "../../rl/environments/index.ts";
import { hostLayout } from "../../rl/spaces/AgentSpaces.ts";
import type { AgentSpaces } from "../../rl/spaces/index.ts";

/** Layout of replay buffer rows for members that train in a registered environment. */
export const memoryLayout = (environment: RegisteredEnvironment): AgentSpaces =>
  isCompiled(environment) ? environment : hostLayout(environment);
