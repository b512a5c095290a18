/** Members in a user's environment, whose lanes run in a sandbox. */
import type { WasmDevice } from "../../kernels/wasm/device.ts";
import { EnvironmentError } from "../../rl/environments/index.ts";
import { HostMemberRunner } from "../../rl/host/HostMemberRunner.ts";
import type { AgentState } from "../../rl/member/agentState.ts";
import type { Evaluation } from "../../rl/runtime/evaluation.ts";
import { settled } from "../../rl/runtime/settled.ts";
import type { Slice, Turn, TurnResult } from "../../rl/runtime/turn.ts";
import type { DeviceReplay } from "../../rl/runtime/wasm/DeviceReplay.ts";
import { hostLayout } from "../../rl/spaces/AgentSpaces.ts";
import { spaceFromJson, spaceToJson } from "../../rl/spaces/index.ts";
import { openSandbox } from "../../sandbox/openSandbox.ts";
import { SandboxedEnvironment } from "../../sandbox/SandboxedEnvironment.ts";
import type { OpenSandbox } from "../../sandbox/SandboxPort.ts";
import type { MemberSource, TurnRunner } from "./memberSource.ts";
import type { UserModuleSetup } from "./UserModuleSetup.ts";

/** @param open Opens sandboxes (default: this platform's). */
export function sandboxedMembers(setup: UserModuleSetup, open: OpenSandbox = openSandbox): MemberSource {
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
class SandboxedRunner implements TurnRunner {
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
