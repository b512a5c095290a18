/** Members in the caller's environments, which stay in the caller's thread. */

import { HostMemberRunner, type HostMemberRunnerOptions } from "../../agents/members.ts";
import type { VectorEnvironment } from "../../rl/faces.ts";
import { hostLayout } from "../../rl/spaces.ts";
import { InThreadExecutor } from "../executors/InThreadExecutor.ts";
import type { RlKinds } from "./kinds.ts";
import { MemberBench } from "./MemberBench.ts";
import type { MemberSource } from "./memberSource.ts";

export function hostMembers(env: VectorEnvironment, options: HostMemberRunnerOptions = {}): MemberSource {
  const layout = hostLayout({
    observation_space: env.single_observation_space,
    action_space: env.single_action_space,
  });
  return { layout, runner: (device, replay) => new HostMemberRunner(device, env, replay, options) };
}

/** Trains members of a source in the calling thread. */
export const hostExecutor = (source: MemberSource): InThreadExecutor<RlKinds> =>
  new InThreadExecutor<RlKinds>((setup) => MemberBench.open(setup, source));
