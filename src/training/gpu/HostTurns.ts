/**
 * Turns beside environments that the host steps: members learn on the device. Off-policy members also act there;
 * on-policy members act, and all members are evaluated, on wasm.
 */

import {
  agentContents,
  bindAgent,
  evaluatedResult,
  type HostPurpose,
  hostProgram,
  keyContents,
  MasksFound,
  offPolicyContents,
  offPolicySizes,
  PURPOSE,
  progressContents,
  rolloutSizes,
  type Sizes,
  SLICED_HOST_TURN,
  type Slice,
  sliceBindings,
  slicesOf,
} from "../../agents/members.ts";
import { WasmDevice } from "../../kernels/devices.ts";
import { findEnvironment, loadEnvironment } from "../../rl/environments.ts";
import type { EnvironmentOptions } from "../../rl/faces.ts";
import { keptLayout, PLAIN_MEMORY, STEP_WAITS } from "../../rl/programs.ts";
import { type AgentSpaces, hostLayout } from "../../rl/spaces.ts";
import { namingMember, runTurn } from "../loop/executor.ts";
import type { MemberTurn, ReplaySetup, RlKinds, RunSetup, TurnOutcome, TurnRunner } from "../rl/kinds.ts";
import { NamedHostRunner } from "../rl/rlTurnRunner.ts";
import { Pace } from "./drive.ts";
import { type Answer, type Ask, GpuLearner } from "./GpuLearner.ts";
import type { GpuPlace, GpuTurns } from "./GpuTurns.ts";
import { HostWork } from "./HostWork.ts";
import { Meeting } from "./Meeting.ts";
import { learningKind } from "./turnWork.ts";

/** Loads the environment of a run. @throws The errors of `findEnvironment` and `loadEnvironment`. */
export async function hostTurns({ environment, env_config, replay }: RunSetup): Promise<HostTurns> {
  const { id, ...spaces } = findEnvironment(environment, env_config);
  if (replay?.kind.her)
    throw new RangeError(
      `device: found webgpu, and ${id} is stepped in JavaScript; allowed for hindsight there: device wasm`,
    );
  await loadEnvironment(id);
  return new HostTurns({ id, options: env_config ?? {} }, hostLayout(spaces), replay);
}

export class HostTurns implements GpuTurns {
  readonly #layout: AgentSpaces;
  readonly #environment: { readonly id: string; readonly options: EnvironmentOptions };
  #memory: ReplaySetup | null;
  readonly #wasm = new WasmDevice();
  /** Each slot has its own lanes, because members step at the same time. */
  readonly #runners = new Map<number, NamedHostRunner>();
  readonly #pace = new Pace();
  #generation = 0;

  constructor(
    environment: { readonly id: string; readonly options: EnvironmentOptions },
    layout: AgentSpaces,
    memory: ReplaySetup | null,
  ) {
    this.#environment = environment;
    this.#layout = layout;
    this.#memory = memory;
  }

  get layout(): AgentSpaces {
    return keptLayout(this.#layout, this.#memory?.kind ?? PLAIN_MEMORY);
  }

  keepMasks(): void {
    const memory = this.#memory;
    this.#memory = memory && { ...memory, kind: { ...memory.kind, masked: true } };
  }

  async run(
    turns: readonly MemberTurn[],
    place: GpuPlace,
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome[]> {
    const { device, members, gate } = place;
    const generation = turns[0]?.turn.generation ?? this.#generation;
    if (generation !== this.#generation) this.#wasm.age();
    this.#generation = generation;
    const learning = turns.filter(({ turn }) => !turn.evaluates);
    await this.#prepare(learning, place);
    const bySlot = new Map(learning.map((turn) => [turn.turn.slot, turn]));
    const work = new HostWork(place, this.#pace, (turn, purpose) => this.#program(turn, purpose));
    const meeting = new Meeting<Ask, Answer>(bySlot.keys(), (asks) => work.of(bySlot, asks));
    try {
      const ends = await Promise.allSettled(
        turns.map(async (member) => {
          const { slot } = member.turn;
          try {
            const turnRunner = this.#turnRunner(member, place, meeting);
            const outcome = await runTurn<RlKinds>(turnRunner, member, gate, onSlice);
            if (!outcome.ok && outcome.cause instanceof MasksFound) throw outcome.cause;
            // Without its time, because members train together.
            return outcome.ok
              ? { ok: true as const, result: outcome.result }
              : namingMember<RlKinds>(outcome);
          } catch (error) {
            meeting.fail(error);
            throw error;
          } finally {
            meeting.leave(slot);
          }
        }),
      );
      if (device.fault) throw device.fault;
      return ends.map((end) => {
        if (end.status === "rejected") throw end.reason;
        return end.value;
      });
    } finally {
      members.forget();
    }
  }

  left(): void {}

  close(): void {
    for (const runner of this.#runners.values()) runner.release();
    this.#runners.clear();
    this.#wasm.close();
  }

  #turnRunner(member: MemberTurn, place: GpuPlace, meeting: Meeting<Ask, Answer>): Pick<TurnRunner, "turn"> {
    const { slot } = member.turn;
    const runner = this.#runners.get(slot) ?? new NamedHostRunner(this.#environment, this.#wasm, null);
    this.#runners.set(slot, runner);
    const { layout } = this;
    const memory = this.#memory;
    const programs = member.turn.evaluates
      ? []
      : this.#programs(member, SLICED_HOST_TURN[learningKind([member])]);
    return {
      *turn(agent, turn) {
        if (turn.evaluates) return evaluatedResult(agent, turn, yield* runner.evaluate(agent, turn));
        const arena = place.members.arena(slot);
        const learner = new GpuLearner(member, { arena, layout, memory, meeting, programs });
        return yield* runner.turn(agent, turn, learner);
      },
    };
  }

  #program({ agent }: MemberTurn, purpose: HostPurpose) {
    return hostProgram(agent, this.layout, purpose, this.#memory?.kind);
  }

  #programs(member: MemberTurn, purposes: readonly HostPurpose[]) {
    return purposes.map((purpose) => this.#program(member, purpose));
  }

  /** Compiles the programs, and loads the members. */
  async #prepare(turns: readonly MemberTurn[], { device, members, busy }: GpuPlace): Promise<void> {
    if (turns.length === 0) return;
    const purposes: readonly HostPurpose[] = SLICED_HOST_TURN[learningKind(turns)];
    const programsOf = (turn: MemberTurn) => this.#programs(turn, purposes);
    await Promise.all(turns.flatMap(programsOf).map((program) => device.compile(program)));
    for (const member of turns) {
      const { agent, turn } = member;
      const { slot, off_policy } = turn;
      const sizes = this.#sizes(member, turn.together ?? turns.length, busy);
      const parts = new Map([[this.#program(member, "gradients"), sliceBindings(sizes)]]);
      await members.prepare(slot, programsOf(member), bindAgent(agent, sizes), parts);
      members.write(slot, agentContents(agent));
      members.write(slot, keyContents(turn.seed, slot, turn.generation, PURPOSE.turn));
      members.write(slot, progressContents(turn));
      if (!off_policy) continue;
      members.write(slot, offPolicyContents(turn, this.#memory?.segment ?? 0, off_policy));
      for (const name of ["episode.running", "episode.total", "episode.finished", STEP_WAITS]) {
        const arena = members.arena(slot);
        if (arena.has(name)) arena.write(name, new Float32Array(arena.lengthOf(name)));
      }
    }
  }

  #sizes({ agent, turn }: MemberTurn, population: number, busy: number): Sizes {
    const { num_envs, off_policy } = turn;
    const sizes: Sizes = off_policy
      ? offPolicySizes(agent, num_envs, off_policy, this.#memory?.segment ?? 0)
      : rolloutSizes(agent, num_envs);
    return { ...sizes, slices: slicesOf(sizes, population, busy) };
  }
}
