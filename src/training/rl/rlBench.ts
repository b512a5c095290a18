import type { RunSetup } from "./kinds.ts";
import { MemberBench } from "./MemberBench.ts";
import { registeredMembers } from "./memberSource.ts";

/** Runs members' turns in a registered environment, in this thread. @throws As `findEnvironment`. */
export const rlBench = async (setup: RunSetup): Promise<MemberBench> =>
  new MemberBench(setup, await registeredMembers(setup.environment, setup.env_config));
