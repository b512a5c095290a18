/** Trains and evaluates one member at a time in a compiled environment, in slices of work. */

import type { WasmDevice } from "../../../kernels/wasm/device.ts";
import type { CompiledEnvironment } from "../../environments/definition/compiledEnvironment.ts";
import type { AgentState } from "../../member/agentState.ts";
import { requireFitness } from "../divergence.ts";
import { type Evaluation, evaluationOf, scoreShare } from "../evaluation.ts";
import { offPolicyContents, offPolicySizes } from "../offPolicyTurn.ts";
import { compiledProgram } from "../programSet.ts";
import { rolloutCount, rolloutSizes } from "../rolloutSizes.ts";
import { bindAgent, type Sizes } from "../sizes.ts";
import {
  type OffPolicyTurn,
  PURPOSE,
  SLICE_MS,
  type Slice,
  type Turn,
  type TurnResult,
  vectorSteps,
} from "../turn.ts";
import { trainedMember, turnResult } from "../turnResult.ts";
import type { DeviceReplay } from "./DeviceReplay.ts";
import { Residence } from "./Residence.ts";
import { writtenRows } from "./writtenRows.ts";

export class MemberRunner {
  readonly #env: CompiledEnvironment;
  readonly #residence: Residence;
  readonly #replay: DeviceReplay | null;
  #perSlice = 8;

  constructor(device: WasmDevice, env: CompiledEnvironment, replay: DeviceReplay | null) {
    this.#env = env;
    this.#replay = replay;
    this.#residence = new Residence(device, replay?.arena);
  }

  /** One generation of one member. Yields after each slice; returns the result. */
  *turn(agent: AgentState, turn: Turn): Generator<Slice, TurnResult> {
    const residence = this.#residence;
    this.#prepare(agent, turn, ["turn", "reset", "evaluate"]);
    residence.load(agent);
    residence.setKey(turn.seed, turn.slot, turn.generation, PURPOSE.turn);
    residence.run(compiledProgram(agent, this.#env, "reset"));
    const env_steps = turn.off_policy
      ? yield* this.#offPolicy(agent, turn, turn.off_policy)
      : yield* this.#onPolicy(agent, turn);

    const episodes = {
      finished: residence.number("episode.finished"),
      total: residence.number("episode.total") * scoreShare(this.#env.observation_space, turn),
    };
    const metrics = residence.metrics();
    const learn_steps = residence.learned;
    const trained = trainedMember(agent, residence.unload(), turn, env_steps);
    const evaluation = yield* this.#evaluate(agent, turn);
    const off_policy = turn.off_policy
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
    });
  }

  /** Mean returns over `eval_loop` passes of all environments, greedy, without training. */
  *evaluate(agent: AgentState, turn: Turn): Generator<Slice, Evaluation> {
    this.#prepare(agent, turn, ["evaluate"]);
    this.#residence.load(agent);
    const evaluation = yield* this.#evaluate(agent, turn);
    requireFitness(evaluation.fitness, turn.slot);
    return evaluation;
  }

  #prepare(agent: AgentState, turn: Turn, purposes: readonly ("turn" | "reset" | "evaluate")[]): void {
    const programs = purposes.map((purpose) =>
      compiledProgram(agent, this.#env, purpose, this.#replay?.kind),
    );
    this.#residence.prepare(agent, programs, bindAgent(agent, this.#sizes(agent, turn)), turn.slot);
  }

  #sizes(agent: AgentState, turn: Turn): Sizes {
    const { num_envs, off_policy } = turn;
    return off_policy
      ? offPolicySizes(agent, num_envs, off_policy, this.#replay?.segment ?? 0)
      : rolloutSizes(agent, num_envs);
  }

  *#offPolicy(agent: AgentState, turn: Turn, off: OffPolicyTurn): Generator<Slice, number> {
    const residence = this.#residence;
    const { num_envs } = turn;
    residence.write(offPolicyContents(turn, this.#replay?.segment ?? 0, off));
    const program = compiledProgram(agent, this.#env, "turn", this.#replay?.kind);
    let left = vectorSteps(turn.evo_steps, num_envs);
    const total = left * num_envs;
    let learned = 0;
    while (left > 0) {
      const steps = Math.min(left, this.#perSlice);
      const start = performance.now();
      residence.set("turn.steps", steps);
      residence.run(program);
      left -= steps;
      this.#pace(steps, performance.now() - start);
      const now = residence.learned;
      yield { env_steps: steps * num_envs, learn_steps: now - learned };
      learned = now;
    }
    return total;
  }

  *#onPolicy(agent: AgentState, turn: Turn): Generator<Slice, number> {
    const residence = this.#residence;
    const perRollout = rolloutSizes(agent, turn.num_envs).horizon * turn.num_envs;
    const rollouts = rolloutCount(agent, turn);
    const program = compiledProgram(agent, this.#env, "turn", this.#replay?.kind);
    let learned = 0;
    for (let i = 0; i < rollouts; i++) {
      residence.run(program);
      const now = residence.learned;
      yield { env_steps: perRollout, learn_steps: now - learned };
      learned = now;
    }
    return rollouts * perRollout;
  }

  *#evaluate(agent: AgentState, turn: Turn): Generator<Slice, Evaluation> {
    const residence = this.#residence;
    const program = compiledProgram(agent, this.#env, "evaluate");
    const limit = this.#env.max_episode_steps;
    const passes: ArrayLike<number>[] = [];
    for (let pass = 0; pass < turn.eval_loop; pass++) {
      residence.setKey(turn.seed, turn.slot, turn.generation, PURPOSE.evaluate, pass);
      residence.set("evaluate.steps", Math.min(turn.eval_steps ?? limit, limit));
      residence.run(program);
      passes.push(residence.arena.read("evaluate.returns"));
      yield { env_steps: 0, learn_steps: 0 };
    }
    return evaluationOf(passes, this.#env.observation_space, turn);
  }

  /** Adapts the work of a slice to the time it took; results do not depend on it. */
  #pace(steps: number, ms: number): void {
    const wanted = Math.max(1, Math.round((steps * SLICE_MS) / Math.max(ms, 0.1)));
    this.#perSlice = Math.min(wanted, 4 * this.#perSlice, 4096);
  }

  release(): void {
    this.#residence.release();
  }
}
