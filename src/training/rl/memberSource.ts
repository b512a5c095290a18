/** The environment of members: creates their runners, and defines the layout of transitions. */

import {
  type AgentState,
  type DeviceReplay,
  type Evaluation,
  HostMemberRunner,
  type MemberLearner,
  MemberRunner,
  type Slice,
  type Turn,
  type TurnResult,
} from "../../agents/members.ts";
import type { WasmDevice } from "../../kernels/devices.ts";
import {
  BanditEnvironment,
  type BanditTable,
  findEnvironment,
  isCompiled,
  loadEnvironment,
  makeVector,
} from "../../rl/environments.ts";
import { type EnvironmentOptions, SyncVectorEnvironment, type VectorEnvironment } from "../../rl/faces.ts";
import { type AgentSpaces, hostLayout } from "../../rl/spaces.ts";

/** Trains one member at a time. */
export interface MemberTurns {
  turn(agent: AgentState, turn: Turn): Generator<Slice, TurnResult>;
  /** Mean returns of greedy episodes, without training. */
  evaluate(agent: AgentState, turn: Turn): Generator<Slice, Evaluation>;
  release(): void;
}

export interface MemberSource {
  readonly layout: AgentSpaces;
  runner(device: WasmDevice, replay: DeviceReplay | null): MemberTurns;
}

/** Members in a registered environment, compiled or host. @throws The errors of `findEnvironment`. */
export async function registeredMembers(
  id: string,
  options?: EnvironmentOptions | null,
): Promise<MemberSource> {
  const env = findEnvironment(id, options);
  if (isCompiled(env))
    return { layout: env, runner: (device, replay) => new MemberRunner(device, env, replay) };
  await loadEnvironment(id);
  return {
    layout: hostLayout(env),
    runner: (device, replay) => new NamedHostRunner({ id, options: options ?? {} }, device, replay),
  };
}

/** Members that choose in a bandit's table. */
export function tableMembers({ features, targets }: BanditTable): MemberSource {
  const env = new SyncVectorEnvironment([() => new BanditEnvironment(features, targets)]);
  const layout = hostLayout({
    observation_space: env.single_observation_space,
    action_space: env.single_action_space,
  });
  return { layout, runner: (device, replay) => new HostMemberRunner(device, env, replay) };
}

interface NamedPlace {
  readonly id: string;
  readonly options: EnvironmentOptions;
}

/** Most lanes that are kept for slots. */
const MOST_STANDING = 1024;

/** Trains in its own lanes of a host environment, which must be loaded; they are stepped in this thread. */
export class NamedHostRunner implements MemberTurns {
  readonly #place: NamedPlace;
  readonly #device: WasmDevice;
  readonly #replay: DeviceReplay | null;
  #lanes: { readonly env: VectorEnvironment; readonly runner: HostMemberRunner } | null = null;
  /** By slot: lanes in which its episodes stand, so that they need not be repeated. */
  readonly #standing = new Map<number, VectorEnvironment>();

  constructor(place: NamedPlace, device: WasmDevice, replay: DeviceReplay | null) {
    this.#place = place;
    this.#device = device;
    this.#replay = replay;
  }

  turn(agent: AgentState, turn: Turn, learner: MemberLearner | null = null): Generator<Slice, TurnResult> {
    return this.#runner(turn.num_envs).turn(agent, turn, learner);
  }

  evaluate(agent: AgentState, turn: Turn): Generator<Slice, Evaluation> {
    return this.#runner(turn.num_envs).evaluate(agent, turn);
  }

  /** All turns of a run have the same number of lanes, so the lanes are created once. */
  #runner(num_envs: number): HostMemberRunner {
    if (this.#lanes?.env.num_envs === num_envs) return this.#lanes.runner;
    this.release();
    const env = this.#made(num_envs);
    const lanes_of = (turn: Turn) => this.#standingOf(turn, env);
    const runner = new HostMemberRunner(this.#device, env, this.#replay, { lanes_of });
    this.#lanes = { env, runner };
    return runner;
  }

  #standingOf({ slot, lanes }: Turn, all: VectorEnvironment): VectorEnvironment {
    if (lanes === undefined || !(all instanceof SyncVectorEnvironment && all.repeats)) return all;
    const { num_envs } = all;
    const found = this.#standing.get(slot);
    if (found || (this.#standing.size + 1) * num_envs > MOST_STANDING) return found ?? all;
    const own = this.#made(num_envs);
    this.#standing.set(slot, own);
    return own;
  }

  #made(num_envs: number): VectorEnvironment {
    const { id, options } = this.#place;
    return makeVector(id, num_envs, options);
  }

  release(): void {
    this.#lanes?.runner.release();
    this.#lanes?.env.close();
    for (const env of this.#standing.values()) env.close();
    this.#standing.clear();
    this.#lanes = null;
  }
}
