/** The opponents of a member in games that the host steps. */
import { Random } from "../../evolution/random.ts";
import type { WasmDevice } from "../../kernels/devices.ts";
import { type AnyVectorEnvironment, infoMasks, sampleLegal } from "../../rl/faces.ts";
import { type LookAhead, OPPONENT_EPSILON } from "../../rl/programs.ts";
import { type AgentSpaces, choicesOf, elementSize } from "../../rl/spaces.ts";
import type { AgentState } from "../member/agentState.ts";
import { algorithmOf } from "../member/registry.ts";
import { PURPOSE, type Slice, type Turn } from "../runtime/turn.ts";
import type { Evaluation } from "../runtime/turnResult.ts";
import { AgentSession } from "../runtime/wasm/AgentSession.ts";
import { type Match, type Opponent, type Opponents, opponentId, partAt } from "../runtime/wasm/hostLanes.ts";
import { movesBySearch } from "./searchOnHost.ts";
import { type Rival, type RivalTurn, VersusLanes } from "./VersusLanes.ts";

/** What tells a turn's encounters apart: the purpose of the draws, and two numbers. */
type Encounter = readonly [purpose: number, place: number, pass: number];

export class HostOpponent implements Rival {
  readonly #device: WasmDevice;
  readonly #layout: AgentSpaces;
  readonly #versus = new WeakMap<AnyVectorEnvironment, VersusLanes>();
  #session: AgentSession | null = null;
  #random = new Random({ seed: 0, stream: "opponent" });
  /** Null for random moves. */
  #policy: AgentState | null = null;
  /** Whether it opens games with any legal move, which shows the agent all openings. */
  #opensAnyhow = false;
  /** How it searches; null if its policy moves alone. */
  #search: LookAhead | null = null;

  constructor(device: WasmDevice, layout: AgentSpaces) {
    this.#device = device;
    this.#layout = layout;
  }

  /** The lanes of a turn: in a game, those against this opponent. */
  lanes(env: AnyVectorEnvironment, { opponents }: Pick<Turn, "opponents">): AnyVectorEnvironment {
    if (!opponents) return env;
    const found = this.#versus.get(env) ?? new VersusLanes(env, this);
    this.#versus.set(env, found);
    return found;
  }

  /**
   * Takes the place of the opponent of a turn's part, where the part begins; in turns of rollouts, where each of these
   * begins, because the member has learnt.
   * @param step Of vector steps or rollouts, `length` in all.
   * @param own The member as it is now, which `self` plays as.
   */
  train(turn: Turn, step: number, length: number, own: () => AgentState): void {
    const training = turn.opponents?.training ?? [];
    const part = partAt(step, length, training.length);
    const opponent = training[part];
    if (!opponent) return;
    if (turn.off_policy && step > 0 && part === partAt(step - 1, length, training.length)) return;
    this.#opensAnyhow = true;
    this.#search = null;
    this.#meet(opponent, own, turn, [PURPOSE.turn, step, 0]);
  }

  /**
   * A member's evaluation: greedy episodes against each opponent.
   * @param pass Plays a pass of all lanes.
   */
  *matches(
    turn: Turn,
    { evaluation, search }: Opponents,
    pass: (number: number) => Generator<Slice, Evaluation>,
  ): Generator<Slice, Evaluation> {
    const { eval_loop, first_pass = 0 } = turn;
    const matches: Match[] = [];
    const lengths: number[] = [];
    this.#opensAnyhow = false;
    this.#search = search ?? null;
    for (const [place, opponent] of evaluation.entries()) {
      const returns: number[] = [];
      for (let number = first_pass; number < first_pass + eval_loop; number++) {
        this.#meet(opponent, null, turn, [PURPOSE.evaluate, place, number]);
        const { episodes } = yield* pass(number);
        returns.push(...episodes.returns);
        lengths.push(...episodes.lengths);
      }
      matches.push({ opponent: opponentId(opponent), returns });
    }
    const returns = matches.flatMap((match) => match.returns);
    const fitness = returns.reduce((sum, value) => sum + value, 0) / returns.length;
    return { fitness, episodes: { returns, lengths }, matches };
  }

  moves(turn: RivalTurn): ArrayLike<number> | Promise<ArrayLike<number>> {
    const { observation, info, opens, lanes } = turn;
    const { action_space } = this.#layout;
    const policy = this.#policy;
    const masks = infoMasks(action_space, info);
    const size = choicesOf(action_space);
    const any = (lane: number): number => {
      const own = masks?.subarray(lane * size, (lane + 1) * size) ?? null;
      const [move = 0] = sampleLegal(action_space, this.#random, own);
      return move;
    };
    if (!policy) return info.map((_info, lane) => any(lane));
    if (this.#search) return movesBySearch(this.#held, lanes, turn, this.#search);
    const best = this.#byPolicy(policy, observation, masks);
    const epsilon = algorithmOf(policy).kind === "on_policy" ? 0 : OPPONENT_EPSILON;
    // Every lane draws at each call, so that draws do not depend on the lanes that wait.
    return info.map((_info, lane) => {
      const [draw, move] = [this.#random.uniform(), any(lane)];
      const isAny = draw < epsilon || (this.#opensAnyhow && opens[lane] === 1);
      return isAny ? move : (best[lane] as number); // One for each lane.
    });
  }

  #meet(
    opponent: Opponent,
    own: (() => AgentState) | null,
    { seed, slot, generation }: Turn,
    [purpose, place, pass]: Encounter,
  ): void {
    const isRule = opponent.kind !== "random" && opponent.kind !== "agent" && opponent.kind !== "self";
    if (isRule || (opponent.kind === "self" && !own))
      throw new RangeError(`opponent: found ${opponent.kind}, allowed here: random, and agents`);
    const stream = `opponent/${purpose}/${place}/${pass}`;
    this.#random = new Random({ seed, stream, slot, generation });
    const agent = opponent.kind === "agent" ? opponent.agent : opponent.kind === "self" ? own?.() : null;
    this.#policy = agent ?? null;
    if (!this.#policy) return;
    this.#session ??= new AgentSession(this.#device, this.#layout, this.#policy, seed);
    this.#session.state = this.#policy;
    this.#session.setKey(seed, slot, generation, PURPOSE.opponent, purpose, place, pass);
  }

  get #held(): AgentSession {
    return this.#session as AgentSession; // Called where there is a policy, which is in it.
  }

  /** Moves of a policy: sampled if it is stochastic, otherwise the best. */
  #byPolicy(policy: AgentState, observation: Float32Array, masks: Float32Array | null): ArrayLike<number> {
    const samples = algorithmOf(policy).kind === "on_policy";
    const purpose = samples ? "act" : "greedy";
    const session = this.#held;
    const num_envs = observation.length / elementSize(this.#layout.observation_space);
    const { arena } = session.open([purpose], { num_envs });
    arena.write("act.obs", observation);
    if (masks) arena.write("act.mask", masks);
    session.run(purpose);
    return arena.read(samples ? "act.applied" : "act.greedy");
  }

  release(): void {
    this.#session?.release();
  }
}
