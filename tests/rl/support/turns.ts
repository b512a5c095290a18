/** Runs turns of members to their end. */

import {
  type AgentState,
  DeviceReplay,
  HostMemberRunner,
  type HostMemberRunnerOptions,
  MemberRunner,
  type OffPolicyTurn,
  type ReplayRows,
  type Slice,
  type Turn,
  type TurnResult,
} from "../../../src/agents/members.ts";
import { sharedDevice, type WasmDevice } from "../../../src/kernels/devices.ts";
import { algorithmDefinition } from "../../../src/manifests/index.ts";
import type { CompiledEnvironment } from "../../../src/rl/environments.ts";
import type { VectorEnvironment } from "../../../src/rl/faces.ts";
import type { MemoryKind } from "../../../src/rl/programs.ts";
import { hostLayout } from "../../../src/rl/spaces.ts";

export const turnOf = (change: Partial<Turn> = {}): Turn => ({
  slot: 0,
  generation: 0,
  seed: 7,
  num_envs: 4,
  evo_steps: 256,
  eval_loop: 1,
  eval_steps: null,
  off_policy: null,
  ...change,
});

/** The off-policy settings of a single member. */
export const offPolicyOf = (change: Partial<OffPolicyTurn> = {}): OffPolicyTurn => ({
  epsilon: 1,
  eps_end: 0.05,
  eps_decay: 0.99,
  learning_delay: 0,
  ring: { position: 0, count: 0 },
  visible: [{ start: 0, length: 0 }],
  priorities: null,
  ...change,
});

/** Runs a turn to its end. @returns its slices and result. */
export function finish(work: Generator<Slice, TurnResult>): { slices: Slice[]; result: TurnResult } {
  const slices: Slice[] = [];
  for (;;) {
    const next = work.next();
    if (next.done) return { slices, result: next.value };
    slices.push(next.value);
  }
}

const SEGMENT = 1000;

const withMemory = (agent: AgentState, turn: Partial<Turn>): Turn =>
  turnOf({
    ...(algorithmDefinition(agent.algorithm).off_policy ? { off_policy: offPolicyOf() } : {}),
    ...turn,
  });

export interface HostTurnOptions extends HostMemberRunnerOptions {
  /** How transitions are sampled, and learning steps earned. */
  readonly kind?: MemoryKind;
}

/** Runs a turn in host environments, with a separate replay buffer for off-policy members. */
export function hostTurn(
  agent: AgentState,
  env: VectorEnvironment,
  change: Partial<Turn>,
  { kind, ...options }: HostTurnOptions = {},
  device: WasmDevice = sharedDevice(),
): TurnResult {
  const layout = hostLayout({
    observation_space: env.single_observation_space,
    action_space: env.single_action_space,
  });
  const turn = withMemory(agent, change);
  const replay = turn.off_policy
    ? new DeviceReplay(device, layout, turn.off_policy.visible.length, SEGMENT, kind)
    : null;
  const runner = new HostMemberRunner(device, env, replay, options);
  const { result } = finish(runner.turn(agent, turn));
  runner.release();
  replay?.release();
  return result;
}

export interface CompiledTurnOptions {
  readonly device?: WasmDevice;
  /** Capacity of the replay buffer in transitions. */
  readonly segment?: number;
  /** Initial transitions: as many as the turn's ring counts, from the first position on. */
  readonly held?: ReplayRows;
  /** How transitions are sampled, and learning steps earned. */
  readonly kind?: MemoryKind;
}

/** Runs a turn in a compiled environment, with a separate replay buffer for off-policy members. */
export function compiledTurn(
  agent: AgentState,
  env: CompiledEnvironment,
  change: Partial<Turn>,
  { device = sharedDevice(), segment = SEGMENT, held, kind }: CompiledTurnOptions = {},
): TurnResult {
  const turn = withMemory(agent, change);
  const population = turn.off_policy?.visible.length ?? 0;
  const replay = turn.off_policy ? new DeviceReplay(device, env, population, segment, kind) : null;
  if (held) replay?.write(turn.slot, 0, turn.off_policy?.ring.count ?? 0, held);
  const runner = new MemberRunner(device, env, replay);
  const { result } = finish(runner.turn(agent, turn));
  runner.release();
  replay?.release();
  return result;
}
