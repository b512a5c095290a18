/** Trains and evaluates one member at a time in a compiled environment, in slices of work. */

import type { WasmDevice } from "../../../kernels/devices.ts";
import type { Program } from "../../../kernels/index.ts";
import { type CompiledEnvironment, requireGoalRewards } from "../../../rl/environments.ts";
import { EVOLUTION, SUCCESSES } from "../../../rl/programs.ts";
import type { AgentState } from "../../member/agentState.ts";
import { algorithmOf } from "../../member/registry.ts";
import { lanesAfter, placeLanes } from "../laneState.ts";
import { bindOpponents, environmentAgainst, type Opponent, opponentContents, partAt } from "../opponents.ts";
import {
  bindAgent,
  evolutionContents,
  evolutionSizes,
  imitationContents,
  offPolicyContents,
  progressContents,
  rolloutCount,
  rolloutSizes,
  type Sizes,
} from "../programInputs.ts";
import { type CompiledPurpose, compiledProgram } from "../programSet.ts";
import { episodeSizes, ToldEpisodes, toldIterations } from "../ToldEpisodes.ts";
import {
  nextChunk,
  type OffPolicyTurn,
  PURPOSE,
  programSteps,
  type Slice,
  stepsTaken,
  type Turn,
  type TurnResult,
} from "../turn.ts";
import {
  type Evaluation,
  type EvaluationPass,
  evaluationOf,
  NO_EPISODES,
  requireFitness,
  requireReturns,
  scoreShare,
  trainedMember,
  turnResult,
} from "../turnResult.ts";
import { type DeviceReplay, learningSizes, writtenRows } from "./DeviceReplay.ts";
import { MatchRunner } from "./MatchRunner.ts";
import { Residence } from "./Residence.ts";

/** Where a part of a turn plays: the environment, and the opponent in a game. */
interface Place {
  readonly env: CompiledEnvironment;
  readonly opponent: Opponent | null;
}

type Places = readonly [Place, ...Place[]];

export class MemberRunner {
  readonly #env: CompiledEnvironment;
  readonly #residence: Residence;
  readonly #replay: DeviceReplay | null;
  readonly #matches: MatchRunner;
  #perSlice = 8;
  /** Episodes of the current turn; null if it does not tell them. */
  #told: ToldEpisodes | null = null;

  /** @throws EnvironmentError for hindsight with goals that do not give the rewards of the environment's steps. */
  constructor(device: WasmDevice, env: CompiledEnvironment, replay: DeviceReplay | null) {
    if (replay?.kind.her) requireGoalRewards(env);
    this.#env = env;
    this.#replay = replay;
    this.#residence = new Residence(device, replay?.arena);
    this.#matches = new MatchRunner(device, env);
  }

  /** Runs one turn of a member. Yields after each slice; returns the result. */
  *turn(agent: AgentState, turn: Turn): Generator<Slice, TurnResult> {
    const residence = this.#residence;
    const plays = !turn.off_policy?.offline;
    const isEvolution = algorithmOf(agent).kind === "evolution";
    // The lanes of an evolution strategy are whole episodes.
    const keepsLanes = plays && !isEvolution;
    const places = this.#places(agent, turn);
    const [first] = places;
    const reset = compiledProgram(agent, first.env, "reset");
    const playing = places.map(({ env }) => this.#program(agent, turn, "turn", env));
    const programs = plays ? [...new Set(playing), reset] : [this.#program(agent, turn, "lessons")];
    this.#prepare(agent, turn, programs);
    residence.load(agent);
    residence.setKey(turn.seed, turn.slot, turn.generation, PURPOSE.turn);
    residence.write(progressContents(turn));
    residence.write(imitationContents(turn));
    if (this.#replay) residence.write(this.#replay.demonstrationContents);
    this.#told =
      keepsLanes && turn.tells_episodes ? new ToldEpisodes(agent, turn, this.#env.observation_space) : null;
    if (this.#told) residence.write(this.#told.contents);
    this.#meet(first);
    if (keepsLanes && !placeLanes(residence.arena, programs, agent, turn)) residence.run(reset);
    const env_steps = isEvolution
      ? yield* this.#evolution(agent, turn)
      : turn.off_policy
        ? yield* this.#offPolicy(agent, turn, turn.off_policy, places)
        : yield* this.#onPolicy(agent, turn, places);

    const episodes = plays
      ? {
          finished: residence.number("episode.finished"),
          total: residence.number("episode.total") * scoreShare(this.#env.observation_space, turn),
        }
      : NO_EPISODES;
    const iterations =
      isEvolution && turn.tells_episodes
        ? toldIterations(agent.steps, residence.learned, this.#readCells)
        : undefined;
    const training = this.#told?.all(this.#readCells) ?? iterations;
    const metrics = residence.metrics();
    const learn_steps = residence.learned;
    const lanes = keepsLanes ? lanesAfter(this.#readCells, programs, agent, turn) : {};
    const trained = trainedMember(agent, residence.unload(), turn, env_steps);
    const evaluation = yield* this.#evaluate(agent, turn);
    const off_policy =
      plays && turn.off_policy
        ? writtenRows(residence, this.#replay, turn.slot, turn.off_policy, env_steps)
        : null;
    const { action_space } = this.#env;
    return turnResult(turn, {
      trained,
      action_space,
      episodes,
      evaluation,
      env_steps,
      learn_steps,
      metrics,
      off_policy,
      ...lanes,
      ...(training && { training }),
    });
  }

  #readCells = (name: string): ArrayLike<number> => this.#residence.arena.view(name);

  /** Mean greedy returns over `eval_loop` passes of all environments, without training. */
  *evaluate(agent: AgentState, turn: Turn): Generator<Slice, Evaluation> {
    if (!turn.opponents) {
      this.#prepare(agent, turn, []);
      this.#residence.load(agent);
    }
    const evaluation = yield* this.#evaluate(agent, turn);
    requireFitness(evaluation.fitness, turn.slot);
    return evaluation;
  }

  /** The parts of a turn's training, of equal length: one for each opponent in a game. */
  #places(agent: AgentState, { opponents }: Turn): Places {
    const [first, ...others] = (opponents?.training ?? []).map((opponent) => ({
      env: environmentAgainst(this.#env, opponent, agent, opponents?.games ?? {}),
      opponent,
    }));
    return first ? [first, ...others] : [{ env: this.#env, opponent: null }];
  }

  /** Puts a part's opponent in its place. */
  #meet({ opponent }: Place): void {
    if (opponent) this.#residence.write(opponentContents(opponent));
  }

  /** Prepares programs, and those of the evaluation. */
  #prepare(agent: AgentState, turn: Turn, programs: readonly Program[]): void {
    const evaluates = turn.opponents ? [] : [compiledProgram(agent, this.#env, "evaluate")];
    const binding = {
      ...bindAgent(agent, this.#sizes(agent, turn)),
      ...bindOpponents(turn.opponents?.training ?? []),
    };
    this.#residence.prepare(agent, [...programs, ...evaluates], binding, turn.slot);
  }

  #program(agent: AgentState, turn: Turn, purpose: CompiledPurpose, env = this.#env) {
    const reads = turn.off_policy !== null || turn.imitation !== undefined;
    return compiledProgram(agent, env, purpose, reads ? this.#replay?.kind : undefined, turn.tells_episodes);
  }

  #sizes(agent: AgentState, turn: Turn): Sizes {
    const { num_envs } = turn;
    if (algorithmOf(agent).kind === "evolution") return evolutionSizes(agent, num_envs);
    const sizes = learningSizes(agent, turn, this.#replay);
    return { ...sizes, ...episodeSizes(turn) };
  }

  *#offPolicy(agent: AgentState, turn: Turn, off: OffPolicyTurn, places: Places): Generator<Slice, number> {
    const residence = this.#residence;
    residence.write(offPolicyContents(turn, this.#replay?.segment ?? 0, off));
    const length = programSteps(turn);
    let left = length;
    const total = stepsTaken(turn);
    const each = total / left;
    let learned = 0;
    let met: Place | null = null;
    while (left > 0) {
      const taken = length - left;
      const place = places[partAt(taken, length, places.length)] ?? places[0];
      if (place !== met) this.#meet(place);
      met = place;
      const program = this.#program(agent, turn, off.offline ? "lessons" : "turn", place.env);
      const end = Math.ceil((length * (places.indexOf(place) + 1)) / places.length);
      const steps = Math.min(end - taken, this.#perSlice);
      const start = performance.now();
      residence.set("turn.steps", steps);
      residence.run(program);
      left -= steps;
      this.#perSlice = nextChunk(this.#perSlice, steps, performance.now() - start);
      const now = residence.learned;
      yield {
        env_steps: steps * each,
        learn_steps: now - learned,
        ...(off.offline ? {} : this.#played(turn)),
      };
      learned = now;
    }
    return total;
  }

  *#onPolicy(agent: AgentState, turn: Turn, places: Places): Generator<Slice, number> {
    const residence = this.#residence;
    const perRollout = rolloutSizes(agent, turn.num_envs).horizon * turn.num_envs;
    const rollouts = rolloutCount(agent, turn);
    let learned = 0;
    for (let i = 0; i < rollouts; i++) {
      const place = places[partAt(i, rollouts, places.length)] ?? places[0];
      this.#meet(place);
      residence.run(this.#program(agent, turn, "turn", place.env));
      const now = residence.learned;
      yield { env_steps: perRollout, learn_steps: now - learned, ...this.#played(turn) };
      learned = now;
    }
    return rollouts * perRollout;
  }

  *#evolution(agent: AgentState, turn: Turn): Generator<Slice, number> {
    const residence = this.#residence;
    residence.write(evolutionContents(turn, 1));
    const program = this.#program(agent, turn, "turn");
    let taken = 0;
    do {
      residence.run(program);
      requireReturns(this.#readCells(EVOLUTION.returns), turn.slot);
      const now = residence.number(EVOLUTION.steps);
      const told = turn.tells_episodes
        ? toldIterations(agent.steps, residence.learned, this.#readCells).slice(-1)
        : undefined;
      yield {
        env_steps: now - taken,
        learn_steps: 1,
        ...this.#played(turn),
        ...(told && { episodes: told }),
      };
      taken = now;
    } while (taken < turn.evo_steps);
    return taken;
  }

  /** The training episodes finished in this turn so far. */
  #played(turn: Turn): Pick<Slice, "score" | "episodes"> {
    const finished = this.#residence.number("episode.finished");
    const total = this.#residence.number("episode.total") * scoreShare(this.#env.observation_space, turn);
    const episodes = this.#told?.fresh(this.#readCells);
    return { score: finished > 0 ? total / finished : null, ...(episodes && { episodes }) };
  }

  *#evaluate(agent: AgentState, turn: Turn): Generator<Slice, Evaluation> {
    if (turn.opponents) return yield* this.#matches.play(agent, turn, turn.opponents);
    const residence = this.#residence;
    const program = compiledProgram(agent, this.#env, "evaluate");
    const limit = this.#env.max_episode_steps;
    const passes: EvaluationPass[] = [];
    const { first_pass = 0 } = turn;
    for (let pass = first_pass; pass < first_pass + turn.eval_loop; pass++) {
      residence.setKey(turn.seed, turn.slot, turn.generation, PURPOSE.evaluate, pass);
      residence.set("evaluate.steps", Math.min(turn.eval_steps ?? limit, limit));
      residence.run(program);
      const { arena } = residence;
      passes.push({
        returns: arena.read("evaluate.returns"),
        lengths: arena.read("evaluate.lengths"),
        ...(this.#env.goal && { successes: arena.read(SUCCESSES) }),
      });
      yield { env_steps: 0, learn_steps: 0 };
    }
    return evaluationOf(passes, this.#env.observation_space, turn);
  }

  release(): void {
    this.#residence.release();
    this.#matches.release();
  }
}
