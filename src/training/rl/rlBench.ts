import type { RunSetup } from "./kinds.ts";
import { MemberBench } from "./MemberBench.ts";
import { registeredMembers, tableMembers } from "./memberSource.ts";
import { sandboxedMembers } from "./sandboxedMembers.ts";

/**
 * Runs members' turns in a registered environment or a bandit's table in this thread, or in a user's
 * environment in a sandbox.
 * @throws The errors of `findEnvironment`.
 */
export async function rlBench(setup: RunSetup): Promise<MemberBench> {
  return MemberBench.open(setup, await sourceOf(setup));
}

async function sourceOf({ environment, env_config, user_module, table }: RunSetup) {
  if (user_module) return sandboxedMembers(user_module);
  return table ? tableMembers(table) : registeredMembers(environment, env_config);
}
