/** A member of a host environment that learns on a GPU, together with the others of its population. */
import {
  type AgentState,
  agentContents,
  agentFrom,
  beginningIn,
  hiddenSizes,
  type LearnedTurn,
  laneBuffersIn,
  lanesAfter,
  learnedIn,
  type MemberLearner,
  metricsIn,
  newestRows,
  placeLanes,
  programSteps,
  type ReadBuffer,
  type RolloutTarget,
  type Turn,
  writeRollout,
} from "../../agents/members.ts";
import type { Program } from "../../kernels/index.ts";
import type { WebGpuArena } from "../../kernels/webgpu.ts";
import { STEP_WAITS } from "../../rl/programs.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import type { MemberTurn, ReplaySetup } from "../rl/kinds.ts";
import { offPolicyResult } from "./gpuOutcome.ts";
import type { Meeting } from "./Meeting.ts";
import { EarnedSteps } from "./turnSteps.ts";

/** Work that a member waits for. */
export interface Ask {
  /** What follows the learning steps that are due: actions; epochs over a rollout; lessons; nothing. */
  readonly kind: "act" | "learn" | "lessons" | "end";
  /** Whether a step waits to be stored first, and the most batches that it needs gradients of. */
  readonly stored: boolean;
  readonly batches: number;
  /** What is written between the learning steps and what follows. */
  readonly writes: ReadonlyMap<string, ArrayLike<number>>;
  /** Names of the buffers to read afterwards. */
  readonly reads: readonly string[] | "all";
}

/** What a member reads back. */
export interface Answer {
  readonly own: ReadBuffer;
  /** The replay buffer, at the end of an off-policy turn. */
  readonly shared: ReadBuffer | null;
}

interface LearnerPlace {
  /** Buffers of the member, with its agent loaded. */
  readonly arena: WebGpuArena;
  readonly layout: AgentSpaces;
  /** Layout of the replay buffer; null on-policy. */
  readonly memory: ReplaySetup | null;
  readonly meeting: Meeting<Ask, Answer>;
  /** The programs of the turn. */
  readonly programs: readonly Program[];
}

export class GpuLearner implements MemberLearner {
  readonly #member: MemberTurn;
  readonly #place: LearnerPlace;
  readonly #earned: EarnedSteps;
  /** Buffers that hold the agent, its counters and its metrics. */
  readonly #names: string[];
  /** The turn as its lanes were placed; null if they were not. */
  #placed: Turn | null = null;
  #due = { stored: false, batches: 0 };
  /** What was written since a step was stored: its program, which runs later, needs the buffers as they were. */
  #later = new Map<string, ArrayLike<number>>();
  /** As in `offPolicyResult`. */
  #again = 0;
  /** What was read after the last rollout. */
  #read: ReadBuffer | null = null;

  constructor(member: MemberTurn, place: LearnerPlace) {
    this.#member = member;
    this.#place = place;
    this.#earned = new EarnedSteps(member, place.memory?.segment ?? 0);
    this.#names = [...agentContents(member.agent).keys()];
  }

  readonly arena: RolloutTarget = {
    has: (name) => this.#place.arena.has(name),
    lengthOf: (name) => this.#place.arena.lengthOf(name),
    write: (name, values) => {
      if (this.#due.stored) this.#later.set(name, values);
      else this.#place.arena.write(name, values);
    },
  };

  place(turn: Turn): boolean {
    const { arena, programs } = this.#place;
    this.#placed = turn;
    if (turn.lanes !== undefined)
      this.#names.push(...laneBuffersIn(programs).filter((name) => arena.has(name)));
    return placeLanes(arena, programs, this.#member.agent, turn);
  }

  begin(begun: Uint8Array): void {
    const { arena, programs, memory } = this.#place;
    const { agent, turn } = this.#member;
    const { lanes, slot, off_policy } = turn;
    placeLanes(arena, programs, agent, { lanes: lanes && beginningIn(lanes, begun, agent) });
    if (!off_policy || !memory) return;
    const rows = newestRows(off_policy.ring, memory.segment, begun);
    for (const row of rows) arena.write("replay.ended", [1], slot * memory.segment + row);
    if (rows.length > 0) this.#again = begun.length;
  }

  get learned(): number {
    return this.#read ? learnedIn(this.#read) : 0;
  }

  async act(): Promise<ArrayLike<number>> {
    const { own } = await this.#ask("act", ["act.applied"]);
    return own("act.applied") as ArrayLike<number>;
  }

  store(): void {
    this.arena.write(STEP_WAITS, [1]);
    this.#due = { stored: true, batches: this.#earned.next() };
  }

  async lessons(): Promise<number> {
    await this.#ask("lessons", []);
    return programSteps(this.#member.turn);
  }

  async learn(rollout: Parameters<MemberLearner["learn"]>[0], acted: number): Promise<AgentState> {
    const { agent } = this.#member;
    const { observation_space } = this.#place.layout;
    if (this.arena.has("counter.vector_step")) this.arena.write("counter.vector_step", [acted]);
    writeRollout(this.arena, rollout, { observation_space, hidden: Object.keys(hiddenSizes(agent)) });
    const { own } = await this.#ask("learn", this.#names);
    this.#read = own;
    return agentFrom(agent, own);
  }

  async end(): Promise<LearnedTurn> {
    const { agent, turn } = this.#member;
    const { memory, meeting, programs } = this.#place;
    const { own, shared } = this.#read
      ? { own: this.#read, shared: null }
      : await this.#ask("end", turn.off_policy ? "all" : this.#names);
    meeting.leave(turn.slot);
    return {
      ...(this.#placed ? lanesAfter(own, programs, agent, this.#placed) : {}),
      agent: agentFrom(agent, own),
      learn_steps: learnedIn(own),
      metrics: metricsIn(agent, own),
      episodes: { finished: own("episode.finished")?.[0] ?? 0, total: own("episode.total")?.[0] ?? 0 },
      off_policy: memory && shared ? offPolicyResult(this.#member, memory, own, shared, this.#again) : null,
    };
  }

  #ask(kind: Ask["kind"], reads: Ask["reads"]): Promise<Answer> {
    const ask = { kind, reads, writes: this.#later, ...this.#due };
    this.#later = new Map();
    this.#due = { stored: false, batches: 0 };
    return this.#place.meeting.ask(this.#member.turn.slot, ask);
  }
}
