/** Where a member of a host environment acts and learns in its turn. */

import {
  type AnyVectorEnvironment,
  EnvironmentError,
  type GoalLanes,
  type GoalOutcome,
  goalLanes,
  nameOf,
} from "../../rl/faces.ts";
import { HOST_GOALS, LEARNING } from "../../rl/programs.ts";
import type { FlatRollout, StoredRollout } from "../buffers/RolloutBuffer.ts";
import { type RolloutTarget, writeRollout } from "../buffers/RolloutCheck.ts";
import { newestRows } from "../buffers/replayRows.ts";
import { type AgentState, hiddenSizes } from "../member/agentState.ts";
import {
  imitationContents,
  offPolicyContents,
  progressContents,
  type Sizes,
} from "../runtime/programInputs.ts";
import { PURPOSE, type Turn, type TurnResult } from "../runtime/turn.ts";
import type { TurnEnd } from "../runtime/turnResult.ts";
import type { AgentSession } from "../runtime/wasm/AgentSession.ts";
import { type DeviceReplay, learningSizes, writtenRows } from "../runtime/wasm/DeviceReplay.ts";
import { beginningIn, lanesAfter, placeLanes } from "../runtime/wasm/hostLanes.ts";

/** What a member's turn has learnt, and what it did off-policy. */
export interface LearnedTurn extends Pick<TurnEnd, "learn_steps" | "metrics" | "episodes" | "lanes"> {
  readonly agent: AgentState;
  readonly off_policy: TurnResult["off_policy"];
}

/**
 * The programs of a member's turn on a device. Off-policy members act and learn there, on-policy members only learn.
 * Promises are settled when the device has done the work.
 */
export interface MemberLearner {
  /** Buffers of the programs. */
  readonly arena: RolloutTarget;
  /** Writes what belongs to the turn's lanes. @returns whether they go on, as `placeLanes`. */
  place(turn: Turn): boolean;
  /** Begins new episodes in lanes that were placed. @param begun 1 for those, [num_envs]. */
  begin(begun: Uint8Array): void;
  /** Off-policy: actions for the observations in `act.obs`, as the environment takes them. */
  act(): ArrayLike<number> | Promise<ArrayLike<number>>;
  /** Off-policy: stores the step in `step.*`, and learns as much as it earns. */
  store(): void | Promise<void>;
  /** Members that only learn: takes learning steps. @returns those taken. */
  lessons(most: number): number | Promise<number>;
  /**
   * On-policy: learns from a rollout.
   * @param acted Vector steps of the turn so far.
   * @returns the agent after it, if it is not in the session that acts.
   */
  learn(rollout: FlatRollout | StoredRollout, acted: number): AgentState | null | Promise<AgentState>;
  /** Learning steps of the turn that are known so far. */
  readonly learned: number;
  /** Ends the turn, with what belongs to its lanes. @param env_steps Environment steps that it took. */
  end(env_steps: number): LearnedTurn | Promise<LearnedTurn>;
}

function purposesOf({ off_policy }: Turn, isHindsight: boolean): Parameters<AgentSession["open"]>[0] {
  if (!off_policy) return ["act", "learn", "greedy"];
  if (off_policy.offline) return ["lessons", "greedy"];
  return ["act", "store", "greedy", ...(isHindsight ? (["hindsight"] as const) : [])];
}

/** A member that acts and learns in a session. */
export class SessionLearner implements MemberLearner {
  readonly #session: AgentSession;
  readonly #turn: Turn;
  /** The turn as its lanes were placed; null if they were not. */
  #placed: Turn | null = null;
  readonly #replay: DeviceReplay | null;
  /** Computes rewards for the goals of hindsight. */
  readonly #goals: GoalLanes | null;
  /** As in `writtenRows`. */
  #again = 0;
  readonly #sizes: Sizes;
  readonly #residence: ReturnType<AgentSession["open"]>;

  constructor(session: AgentSession, turn: Turn, replay: DeviceReplay | null, env: AnyVectorEnvironment) {
    const isHindsight = replay?.kind.her !== undefined;
    this.#goals = isHindsight ? goalLanes(env) : null;
    if (isHindsight && !this.#goals)
      throw new EnvironmentError(
        `${nameOf(env)}: found no compute_reward, allowed for hindsight: an environment with goals`,
      );
    this.#session = session;
    this.#turn = turn;
    this.#replay = replay;
    const { off_policy, imitation } = turn;
    this.#sizes = learningSizes(session.state, turn, replay);
    session.share(off_policy || imitation ? replay : null);
    this.#residence = session.open(purposesOf(turn, isHindsight), this.#sizes);
    session.setKey(turn.seed, turn.slot, turn.generation, PURPOSE.turn);
    if (!off_policy) return;
    this.#residence.write(offPolicyContents(turn, replay?.segment ?? 0, off_policy));
    if (replay) this.#residence.write(replay.demonstrationContents);
    this.#residence.write(progressContents(turn));
    if (off_policy.offline) return;
    for (const name of ["episode.running", "episode.total", "episode.finished"])
      this.arena.view(name).fill(0);
  }

  place(turn: Turn): boolean {
    const session = this.#session;
    this.#placed = turn;
    return placeLanes(this.arena, session.programs, session.state, turn);
  }

  begin(begun: Uint8Array): void {
    const { state, programs } = this.#session;
    const { lanes, slot, off_policy } = this.#turn;
    placeLanes(this.arena, programs, state, { lanes: lanes && beginningIn(lanes, begun, state) });
    if (!off_policy || !this.#replay) return;
    const rows = newestRows(off_policy.ring, this.#replay.segment, begun);
    this.#replay.end(slot, rows);
    if (rows.length > 0) this.#again = begun.length;
  }

  get arena() {
    return this.#residence.arena;
  }

  get learned(): number {
    return this.#session.learned;
  }

  act(): ArrayLike<number> {
    this.#session.run("act");
    return this.arena.read("act.applied");
  }

  store(): void | Promise<void> {
    this.#session.run("store");
    return this.#goals ? this.#hindsight(this.#goals) : undefined;
  }

  /** Takes the learning steps that are due, each once the rewards of its goals are known. */
  #hindsight(goals: GoalLanes): void | Promise<void> {
    while (this.#residence.number(LEARNING.due) > 0) {
      const read = (name: "achieved" | "desired") => Float32Array.from(this.arena.read(HOST_GOALS[name]));
      const outcome = goals.computeGoals({ achieved: read("achieved"), desired: read("desired") });
      if (outcome instanceof Promise)
        return outcome.then((given) => {
          this.#learnGoals(given);
          return this.#hindsight(goals);
        });
      this.#learnGoals(outcome);
    }
  }

  #learnGoals({ reward, terminated }: GoalOutcome): void {
    this.arena.write(HOST_GOALS.reward, reward);
    if (terminated) this.arena.write(HOST_GOALS.terminated, terminated);
    this.#session.run("hindsight");
  }

  lessons(most: number): number {
    this.#residence.set("turn.steps", most);
    this.#session.run("lessons");
    return most;
  }

  learn(rollout: FlatRollout | StoredRollout): null {
    // A collector may have resized the session by acting on another number of observations.
    const residence = this.#session.open(["learn"], this.#sizes);
    residence.write(progressContents(this.#turn));
    residence.write(imitationContents(this.#turn));
    if (this.#replay) residence.write(this.#replay.demonstrationContents);
    const { observation_space } = this.#session.layout;
    writeRollout(residence.arena, rollout, {
      observation_space,
      hidden: Object.keys(hiddenSizes(this.#session.state)),
    });
    this.#session.run("learn");
    return null;
  }

  end(env_steps: number): LearnedTurn {
    const session = this.#session;
    const { slot, off_policy } = this.#turn;
    const plays = off_policy !== null && !off_policy.offline;
    const residence = session.open([]);
    const { arena } = residence;
    const read = (name: string) => (arena.has(name) ? arena.read(name) : undefined);
    const lanes = this.#placed ? lanesAfter(read, session.programs, session.state, this.#placed) : {};
    return {
      ...lanes,
      metrics: session.metrics(),
      learn_steps: session.learned,
      off_policy: plays
        ? writtenRows(residence, this.#replay, slot, off_policy, env_steps, this.#again)
        : null,
      episodes: plays
        ? { finished: residence.number("episode.finished"), total: residence.number("episode.total") }
        : { finished: 0, total: 0 },
      agent: session.state,
    };
  }
}
