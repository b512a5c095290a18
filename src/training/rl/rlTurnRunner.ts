import {
  type AgentState,
  type DeviceReplay,
  type Evaluation,
  HostMemberRunner,
  type HostMemberRunnerOptions,
  type Slice,
  settled,
  type Turn,
  type TurnResult,
} from "../../agents/members.ts";
import type { WasmDevice } from "../../kernels/devices.ts";
import { EnvironmentError, type VectorEnvironment } from "../../rl/faces.ts";
import { hostLayout, spaceFromJson, spaceToJson } from "../../rl/spaces.ts";
import { isRobot, robotId, SandboxedEnvironment } from "../../sandbox/environments.ts";
import { type OpenSandbox, openSandbox } from "../../sandbox/sandboxes.ts";
import { InThreadExecutor } from "../executors/SerialExecutor.ts";
import type { RlKinds, RunSetup, UserModuleSetup } from "./kinds.ts";
import { MemberTurnRunner } from "./MemberTurnRunner.ts";
import { type MemberSource, type MemberTurns, registeredMembers, tableMembers } from "./memberSource.ts";

export { NamedHostRunner } from "./memberSource.ts";

/** Members in the caller's environments, which stay in the caller's thread. */
export function hostMembers(env: VectorEnvironment, options: HostMemberRunnerOptions = {}): MemberSource {
  const layout = hostLayout({
    observation_space: env.single_observation_space,
    action_space: env.single_action_space,
  });
  return { layout, runner: (device, replay) => new HostMemberRunner(device, env, replay, options) };
}

/** Trains members of a source in the calling thread. */
export const hostExecutor = (source: MemberSource): InThreadExecutor<RlKinds> =>
  new InThreadExecutor<RlKinds>((setup) => MemberTurnRunner.open(setup, source));

/** @param open Opens sandboxes (default: this platform's). */
function sandboxedMembers(setup: UserModuleSetup, open: OpenSandbox = openSandbox): MemberSource {
  const { observation, action } = setup.spaces;
  const layout = hostLayout({
    observation_space: spaceFromJson(observation),
    action_space: spaceFromJson(action),
  });
  return { layout, runner: (device, replay) => new SandboxedRunner(setup, { open, device, replay }) };
}

interface Parts {
  readonly open: OpenSandbox;
  readonly device: WasmDevice;
  readonly replay: DeviceReplay | null;
}

/** Trains in lanes of a sandbox that is opened at the first turn, and reopened if it ended. */
class SandboxedRunner implements MemberTurns {
  readonly #setup: UserModuleSetup;
  readonly #parts: Parts;
  #lanes: { readonly env: SandboxedEnvironment; readonly runner: HostMemberRunner } | null = null;

  constructor(setup: UserModuleSetup, parts: Parts) {
    this.#setup = setup;
    this.#parts = parts;
  }

  *turn(agent: AgentState, turn: Turn): Generator<Slice, TurnResult> {
    const runner = yield* this.#runner(turn.num_envs);
    return yield* runner.turn(agent, turn);
  }

  *evaluate(agent: AgentState, turn: Turn): Generator<Slice, Evaluation> {
    const runner = yield* this.#runner(turn.num_envs);
    return yield* runner.evaluate(agent, turn);
  }

  *#runner(num_envs: number): Generator<Slice, HostMemberRunner> {
    if (this.#lanes?.env.num_envs === num_envs && !this.#lanes.env.isEnded) return this.#lanes.runner;
    this.release();
    const { spaces, sha256: _sha256, ...module } = this.#setup;
    const { open, device, replay } = this.#parts;
    const env = yield* settled(SandboxedEnvironment.open(open, { ...module, num_envs }));
    const found = { observation: env.single_observation_space, action: env.single_action_space };
    for (const kind of ["observation", "action"] as const) {
      const [is, was] = [JSON.stringify(spaceToJson(found[kind])), JSON.stringify(spaces[kind])];
      if (is === was) continue;
      env.close();
      throw new EnvironmentError(
        `${module.name}: open: ${kind} space: found ${is}, allowed ${was}, as before`,
      );
    }
    const runner = new HostMemberRunner(device, env, replay);
    this.#lanes = { env, runner };
    return runner;
  }

  release(): void {
    this.#lanes?.runner.release();
    this.#lanes?.env.close();
    this.#lanes = null;
  }
}

/**
 * Runs members' turns in a registered environment or a bandit's table in this thread, or in a user's
 * environment in a sandbox.
 * @throws The errors of `findEnvironment`.
 */
export async function rlTurnRunner(setup: RunSetup): Promise<MemberTurnRunner> {
  return MemberTurnRunner.open(setup, await sourceOf(setup));
}

async function sourceOf({ environment, env_config, user_module, table }: RunSetup) {
  if (user_module && isRobot(user_module.script))
    return registeredMembers(await robotId(user_module.name, user_module), user_module.options);
  if (user_module) return sandboxedMembers(user_module);
  return table ? tableMembers(table) : registeredMembers(environment, env_config);
}
