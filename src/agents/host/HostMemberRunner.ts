/**
 * Trains and evaluates one member at a time in environments that the host steps. A turn makes the same draws
 * as a turn of MemberRunner. Only the initial states differ: here they come from the environments' own
 * generators, seeded by (seed, slot, generation). With equal initial states, the results are equal too.
 */

import { DivergedError } from "../../evolution/members.ts";
import type { WasmDevice } from "../../kernels/devices.ts";
import {
  type AnyVectorEnvironment,
  EnvironmentError,
  endedLanes,
  hasMask,
  type Info,
  infoMasks,
  isAsync,
  lastingLanes,
  leftAfter,
  overAfter,
  UnstablePhysics,
} from "../../rl/faces.ts";
import { HAD_LEFT } from "../../rl/programs.ts";
import { type AgentSpaces, choicesOf, hostLayout } from "../../rl/spaces.ts";
import { agentFromState } from "../classes/agentClasses.ts";
import type { AgentContext } from "../classes/agentOptions.ts";
import { OnPolicyAgent, OnPolicyTeam } from "../classes/OnPolicyAgent.ts";
import { type AgentState, hiddenSizes } from "../member/agentState.ts";
import { algorithmOf } from "../member/registry.ts";
import { rolloutCount, rolloutSizes } from "../runtime/programInputs.ts";
import {
  nextChunk,
  PURPOSE,
  programSteps,
  SLICE_MS,
  type Slice,
  settled,
  type Turn,
  type TurnResult,
  vectorSteps,
} from "../runtime/turn.ts";
import {
  type Evaluation,
  NO_EVALUATION,
  requireFitness,
  scoreShare,
  type TurnEnd,
  trainedMember,
  turnResult,
} from "../runtime/turnResult.ts";
import { AgentSession } from "../runtime/wasm/AgentSession.ts";
import type { DeviceReplay } from "../runtime/wasm/DeviceReplay.ts";
import {
  type Chooses,
  environmentSeed,
  evaluateOnHost,
  HostEpisodes,
  stepLanes,
} from "../runtime/wasm/hostLanes.ts";
import { HostOpponent } from "./HostOpponent.ts";
import { evolveOnHost } from "./hostEvolution.ts";
import { type CollectRollouts, type RolloutOptions, requireCollected, rolloutSteps } from "./hostRollout.ts";
import { carriedLanes, type LaneStand, type LaneStart, startLanes } from "./lastingLanes.ts";
import { type MemberLearner, SessionLearner } from "./MemberLearner.ts";
import { movesBySearch } from "./searchOnHost.ts";

export interface HostMemberRunnerOptions {
  /**
   * Replaces the default collector of rollouts (on-policy only, for environments stepped on this thread).
   */
  readonly collect_rollouts_fn?: CollectRollouts | null;
  /** Lanes of a slot's own, in which its episodes stand between its turns (default: those that all share). */
  readonly lanes_of?: (turn: Turn) => AnyVectorEnvironment;
}

/** Results of a training phase, apart from what the learner has. */
interface Trained {
  readonly env_steps: number;
  /** The finished episodes; null if the learner has counted them. */
  readonly scores: TurnEnd["episodes"] | null;
  /** The lanes after the last step; null if there were none. */
  readonly stand: LaneStand | null;
}

type RolloutAgent = RolloutOptions["agent"];

/** Thrown where an environment gives a mask, and the replay buffer stores none: the turn has to start again. */
export class MasksFound extends Error {
  /** Takes back the work that the turn's slices have told. */
  readonly takenBack: Slice;

  constructor({ env_steps, learn_steps }: Slice) {
    super("found info.action_mask, and the replay buffer stores no masks; give it a masked layout");
    this.takenBack = { env_steps: -env_steps, learn_steps: -learn_steps };
  }
}

/** The steps of a member's turn. Physics that became unstable is the member's fault, not the environment's. */
function* ofMember<Result>(slot: number, steps: Generator<Slice, Result>): Generator<Slice, Result> {
  try {
    return yield* steps;
  } catch (error) {
    if (error instanceof EnvironmentError && error.cause instanceof UnstablePhysics)
      throw new DivergedError(slot, `member ${slot}: ${error.message}`);
    throw error;
  }
}

/** @throws TypeError for an agent that does not learn from rollouts. */
function onPolicyAgent(state: AgentState, context: AgentContext): RolloutAgent {
  const agent = agentFromState(state, context);
  if (agent instanceof OnPolicyAgent || agent instanceof OnPolicyTeam) return agent;
  throw new TypeError(
    `turn.off_policy: found null, but ${state.algorithm} learns from a replay buffer; give off_policy`,
  );
}

export class HostMemberRunner {
  readonly #device: WasmDevice;
  readonly #env: AnyVectorEnvironment;
  readonly #layout: AgentSpaces;
  readonly #replay: DeviceReplay | null;
  readonly #collect: CollectRollouts | null;
  readonly #lanesOf: (turn: Turn) => AnyVectorEnvironment;
  /** The other seat of a game. */
  readonly #opponent: HostOpponent;
  #session: AgentSession | null = null;
  #collector: RolloutAgent | null = null;

  /**
   * @param env Owned and closed by the caller. Runners may share it if their turns do not overlap.
   * @param replay Replay buffer of off-policy members.
   */
  constructor(
    device: WasmDevice,
    env: AnyVectorEnvironment,
    replay: DeviceReplay | null,
    { collect_rollouts_fn = null, lanes_of = () => env }: HostMemberRunnerOptions = {},
  ) {
    this.#device = device;
    this.#env = env;
    this.#layout = hostLayout({
      observation_space: env.single_observation_space,
      action_space: env.single_action_space,
    });
    this.#replay = replay;
    this.#collect = collect_rollouts_fn;
    this.#opponent = new HostOpponent(device, this.#layout);
    this.#lanesOf = (turn) => this.#opponent.lanes(lanes_of(turn), turn);
  }

  /**
   * Runs one turn of a member. Yields after each slice; returns the result.
   * @param learner Where the member learns (default: on the runner's device).
   * @throws DivergedError when weights or fitness are no longer finite; RangeError when the turn's number of
   *   environments differs from the runner's; EnvironmentError for an error or an invalid result of an
   *   environment.
   */
  turn(agent: AgentState, turn: Turn, learner: MemberLearner | null = null): Generator<Slice, TurnResult> {
    return ofMember(turn.slot, this.#turn(agent, turn, learner));
  }

  *#turn(agent: AgentState, turned: Turn, given: MemberLearner | null): Generator<Slice, TurnResult> {
    if (algorithmOf(agent).kind === "evolution") return yield* this.#evolutionTurn(agent, turned);
    const { lanes: before, ...alone } = turned;
    const turn: Turn = before === undefined || !lastingLanes(this.#env) ? alone : turned;
    const session = this.#adopt(agent, turn);
    const learner = given ?? new SessionLearner(session, turn, this.#replay, this.#lanesOf(turn));
    if (given) session.setKey(turn.seed, turn.slot, turn.generation, PURPOSE.turn);
    const told =
      turn.tells_episodes && !turn.off_policy?.offline
        ? new HostEpisodes(agent, turn, this.#layout.observation_space)
        : null;
    const { env_steps, scores, stand } = yield* this.#trained(session, turn, learner, told);
    const host = turn.lanes !== undefined && stand ? yield* carriedLanes(this.#lanesOf(turn), stand) : null;
    const known = learner.learned;
    const { agent: after, ...done } = yield* settled(learner.end(env_steps));
    if (done.learn_steps > known) yield { env_steps: 0, learn_steps: done.learn_steps - known };
    const trained = trainedMember(agent, after, turn, env_steps);
    if (given) session.state = after;
    const evaluation = yield* this.#evaluate(session, turn);
    const { action_space } = this.#layout;
    const { finished, total } = scores ?? done.episodes;
    const share = turn.mean_rewards ? 1 : scoreShare(this.#layout.observation_space, turn);
    const episodes = { finished, total: total * share };
    const training = told && { training: told.all() };
    return turnResult(turn, {
      ...done,
      ...(done.lanes && host && { lanes: { ...done.lanes, host } }),
      ...training,
      trained,
      action_space,
      episodes,
      evaluation,
      env_steps,
    });
  }

  /** A turn of whole episodes, whose lanes stand nowhere after it. */
  *#evolutionTurn(agent: AgentState, turn: Turn): Generator<Slice, TurnResult> {
    this.#requireLanes(turn);
    const session = this.#hold(agent, turn);
    session.slot = turn.slot;
    const { env_steps, episodes, told } = yield* evolveOnHost(session, this.#env, turn);
    const training = turn.tells_episodes && { training: told };
    const done = { env_steps, episodes, learn_steps: session.learned, metrics: session.metrics() };
    const trained = trainedMember(agent, session.state, turn, env_steps);
    const evaluation = yield* this.#evaluate(session, turn);
    const { action_space } = this.#layout;
    return turnResult(turn, { ...done, ...training, trained, action_space, evaluation, off_policy: null });
  }

  /** Mean greedy returns over `eval_loop` passes of all environments, without training. */
  *evaluate(agent: AgentState, turn: Turn): Generator<Slice, Evaluation> {
    this.#requireLanes(turn);
    const evaluation = yield* ofMember(turn.slot, this.#evaluate(this.#hold(agent, turn), turn));
    requireFitness(evaluation.fitness, turn.slot);
    return evaluation;
  }

  #trained(
    session: AgentSession,
    turn: Turn,
    learner: MemberLearner,
    told: HostEpisodes | null,
  ): Generator<Slice, Trained> {
    if (!turn.off_policy) return this.#onPolicy(session, turn, learner, told);
    if (turn.off_policy.offline) return this.#offline(turn, learner);
    return this.#offPolicy(session, turn, learner, told);
  }

  /** The session of the member, on this runner's device. */
  #adopt(agent: AgentState, turn: Turn): AgentSession {
    this.#requireLanes(turn);
    const session = turn.off_policy ? this.#hold(agent, turn) : this.#agent(agent, turn).session;
    session.slot = turn.slot;
    return session;
  }

  #requireLanes({ num_envs }: Turn): void {
    if (num_envs === this.#env.num_envs) return;
    throw new RangeError(
      `turn.num_envs: found ${num_envs}, allowed ${this.#env.num_envs} (the environment's)`,
    );
  }

  /** The session of a member that needs no agent object. */
  #hold(agent: AgentState, { seed }: Turn): AgentSession {
    this.#session ??= new AgentSession(this.#device, this.#layout, agent, seed, this.#replay);
    this.#session.state = agent;
    return this.#session;
  }

  /** On-policy members are agent objects, because the caller's collector receives one. */
  #agent(state: AgentState, { seed, num_envs }: Turn): RolloutAgent {
    const { observation_space, action_space } = this.#layout;
    const context = { observation_space, action_space, hp_config: null, device: this.#device, seed };
    if (this.#collector) this.#collector.state = state;
    this.#collector ??= onPolicyAgent(state, context);
    const { horizon } = rolloutSizes(state, num_envs);
    const { capacity, num_envs: lanes, hidden_sizes } = this.#collector.rollout_buffer;
    const isOther = JSON.stringify(hidden_sizes) !== JSON.stringify(hiddenSizes(state));
    if (capacity !== horizon || lanes !== num_envs || isOther)
      this.#collector.rollout_buffer = this.#collector.makeBuffer(num_envs);
    return this.#collector;
  }

  *#offline(turn: Turn, learner: MemberLearner): Generator<Slice, Trained> {
    const steps = programSteps(turn);
    for (let left = steps, chunk = 8; left > 0; ) {
      const start = performance.now();
      const now = yield* settled(learner.lessons(Math.min(left, chunk)));
      left -= now;
      chunk = nextChunk(chunk, now, performance.now() - start);
      yield { env_steps: now, learn_steps: now };
    }
    return { env_steps: steps, scores: null, stand: null };
  }

  /** The lanes at the start of a turn. */
  *#start(learner: MemberLearner, agent: AgentState, turn: Turn): Generator<Slice, LaneStart> {
    const goesOn = learner.place(turn);
    const seed = this.#resetSeed(turn);
    const start = yield* startLanes(this.#lanesOf(turn), agent, turn, { seed, goesOn });
    if (start.begun.includes(1)) learner.begin(start.begun);
    return start;
  }

  *#offPolicy(
    session: AgentSession,
    turn: Turn,
    learner: MemberLearner,
    told: HostEpisodes | null,
  ): Generator<Slice, Trained> {
    const env = this.#lanesOf(turn);
    const { num_envs } = turn;
    const { arena } = learner;
    const steps = vectorSteps(turn.evo_steps, num_envs);
    this.#opponent.train(turn, 0, steps, () => session.state);
    const start = yield* this.#start(learner, session.state, turn);
    let { observation, info, left } = start;
    told?.goOn(start.returns);
    let rewards = 0;
    let { done } = start;
    let slice = { env_steps: 0, learned: 0, since: performance.now() };
    const storesMasks = arena.has("step.next_mask");
    const requireRoom = (infos: readonly Info[], step: number): void => {
      if (storesMasks || choicesOf(this.#layout.action_space) === 0 || !infos.some(hasMask)) return;
      throw new MasksFound({ env_steps: step * num_envs - slice.env_steps, learn_steps: slice.learned });
    };
    requireRoom(info, 0);
    for (let step = 0; step < steps; step++) {
      if (step > 0) this.#opponent.train(turn, step, steps, () => session.state);
      arena.write("act.obs", observation);
      const mask = infoMasks(this.#layout.action_space, info, left);
      if (mask) arena.write("act.mask", mask);
      const applied = yield* settled(learner.act());
      const next = yield* settled(stepLanes(env, applied));
      requireRoom(next.final_info, step);
      arena.write("step.reward", next.reward);
      if (turn.mean_rewards) for (const reward of next.reward) rewards += reward;
      arena.write("step.next_obs", next.final_observation);
      const ended = endedLanes(next);
      told?.step(next.reward, ended);
      arena.write(
        "step.terminated",
        left ? next.terminated.map((gone, i) => gone + (left?.[i] ?? 0) * (HAD_LEFT - 1)) : next.terminated,
      );
      arena.write("step.done", ended);
      if (storesMasks) {
        const next_mask = infoMasks(this.#layout.action_space, next.final_info, overAfter(next, ended));
        if (next_mask) arena.write("step.next_mask", next_mask);
      }
      left = leftAfter(next, ended);
      done = ended;
      yield* settled(learner.store());
      ({ observation, info } = next);
      slice.env_steps += num_envs;
      if (step < steps - 1 && performance.now() - slice.since < SLICE_MS) continue;
      const now = learner.learned;
      yield {
        env_steps: slice.env_steps,
        learn_steps: now - slice.learned,
        ...(told && { episodes: told.fresh() }),
      };
      slice = { env_steps: 0, learned: now, since: performance.now() };
    }
    const env_steps = steps * num_envs;
    const scores = turn.mean_rewards ? { finished: 1, total: rewards / env_steps } : null;
    return { env_steps, scores, stand: { observation, info, left, done, returns: null, hidden: null } };
  }

  *#onPolicy(
    session: AgentSession,
    turn: Turn,
    learner: MemberLearner,
    told: HostEpisodes | null,
  ): Generator<Slice, Trained> {
    const env = this.#lanesOf(turn);
    const agent = this.#collector;
    if (!agent) throw new Error("host runner: no agent was adopted");
    const { num_envs } = turn;
    const state = session.state;
    const sizes = rolloutSizes(state, num_envs);
    const rollouts = rolloutCount(state, turn);
    this.#opponent.train(turn, 0, rollouts, () => state);
    const start = yield* this.#start(learner, state, turn);
    agent.recall(start.hidden);
    told?.goOn(start.returns);
    let last: Required<Omit<RolloutOptions, "agent" | "env" | "n_steps" | "episodes">> = {
      last_obs: start.observation,
      last_done: start.done,
      last_scores: start.returns,
      last_info: start.info,
      last_left: start.left,
    };
    const scores: number[] = [];
    let env_steps = 0;
    let learned = 0;
    for (let i = 0; i < rollouts; i++) {
      if (i > 0) this.#opponent.train(turn, i, rollouts, () => session.state);
      const buffer = agent.rollout_buffer;
      buffer.clear();
      const options = { env, n_steps: sizes.horizon, ...last };
      const given =
        this.#collect && agent instanceof OnPolicyAgent && !isAsync(env)
          ? requireCollected(this.#collect({ agent, ...options, env }))
          : null;
      if (given) told?.skip(sizes.horizon, given[0]);
      const [finished, last_obs, last_done, last_scores, last_info, last_left = null] =
        given ?? (yield* this.#inSlices(rolloutSteps({ agent, ...options, episodes: told })));
      if (!buffer.isFull) {
        throw new RangeError(
          `collect_rollouts_fn: filled ${buffer.size} steps of agent.rollout_buffer, allowed n_steps (${sizes.horizon})`,
        );
      }
      last = { last_obs, last_done, last_scores, last_info, last_left };
      scores.push(...finished);
      env_steps += sizes.horizon * num_envs;
      const after = yield* settled(learner.learn(buffer.stored(), (i + 1) * sizes.horizon));
      if (after) session.state = after;
      const now = learner.learned;
      yield {
        env_steps: sizes.horizon * num_envs,
        learn_steps: now - learned,
        ...(told && { episodes: told.fresh() }),
      };
      learned = now;
    }
    return {
      env_steps,
      scores: { finished: scores.length, total: scores.reduce((a, b) => a + b, 0) },
      stand: {
        observation: last.last_obs,
        info: last.last_info,
        left: last.last_left,
        done: last.last_done,
        returns: last.last_scores,
        hidden: agent.hiddenState(num_envs),
      },
    };
  }

  /**
   * Yields during a rollout, so that events are handled. The rollout's steps are counted when it is
   * complete.
   */
  *#inSlices<T>(work: Generator<Slice, T>): Generator<Slice, T> {
    let since = performance.now();
    for (;;) {
      const next = work.next();
      if (next.done) return next.value;
      const mayGoOn = !next.value.awaiting && performance.now() - since < SLICE_MS;
      if (mayGoOn) continue;
      yield next.value;
      if (!next.value.awaiting) since = performance.now();
    }
  }

  *#evaluate(session: AgentSession, turn: Turn): Generator<Slice, Evaluation> {
    const { seed, slot, generation, eval_loop, first_pass = 0, eval_steps, sum_scores } = turn;
    const seedOf = (pass: number) =>
      environmentSeed(seed, slot, generation, PURPOSE.evaluate, first_pass + pass);
    const { opponents } = turn;
    if (eval_loop === 0) return NO_EVALUATION;
    if (opponents) {
      const { search } = opponents;
      const choose: Chooses | null = search
        ? (observation, info, wanted) =>
            movesBySearch(session, this.#env, { observation, info, wanted }, search)
        : null;
      return yield* this.#opponent.matches(turn, opponents, (pass) =>
        evaluateOnHost(session, this.#opponent.lanes(this.#env, turn), {
          eval_loop: 1,
          eval_steps,
          seedOf: () => environmentSeed(seed, slot, generation, PURPOSE.evaluate, pass),
          ...(choose && { choose }),
        }),
      );
    }
    const evaluation = yield* evaluateOnHost(session, this.#env, {
      eval_loop,
      eval_steps,
      seedOf,
      sum_scores,
    });
    if (!turn.mean_rewards || eval_steps === null) return evaluation;
    return { ...evaluation, fitness: evaluation.fitness / eval_steps };
  }

  #resetSeed = ({ seed, slot, generation }: Turn): number =>
    environmentSeed(seed, slot, generation, PURPOSE.turn);

  release(): void {
    this.#session?.release();
    this.#collector?.release();
    this.#opponent.release();
  }
}
