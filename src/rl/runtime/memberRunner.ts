/** Trains and evaluates one member at a time in a compiled environment, in slices of work. */
import type { WasmDevice } from "../../kernels/wasm/device.ts";
import type { AgentState } from "../agents/agentState.ts";
import { findAlgorithm } from "../algorithms/registry.ts";
import type { CompiledEnvironment } from "../environments/compiledEnvironment.ts";
import { compiledProgram } from "./programSet.ts";
import { advance, type DeviceReplay, type ReplayRows, type Segment, type Visible } from "./replayMemory.ts";
import { bindAgent, Residence, type Sizes } from "./residence.ts";

/** What a draw is for: parts of the random key beside seed, slot and generation. */
const PURPOSE = { turn: 1, evaluate: 2, record: 3 } as const;

/** What one member does in one generation. */
export interface Turn {
  readonly slot: number;
  readonly generation: number;
  readonly seed: number;
  readonly num_envs: number;
  /** Environment steps to take (whole vector steps or roll-outs). */
  readonly evo_steps: number;
  /** Passes of evaluation; in each every environment runs one episode. */
  readonly eval_loop: number;
  /** Cuts evaluation episodes; null lets them run to their end. */
  readonly eval_steps: number | null;
  /** Only off-policy. */
  readonly off_policy: OffPolicyTurn | null;
}

export interface OffPolicyTurn {
  readonly epsilon: number;
  readonly eps_end: number;
  readonly eps_decay: number;
  readonly learning_delay: number;
  /** The member's own ring as it stands. */
  readonly ring: Segment;
  /** What it sees of every segment, its own entry unused. */
  readonly visible: readonly Visible[];
}

export interface TurnResult {
  readonly slot: number;
  readonly agent: AgentState;
  /** Mean return of the evaluation. */
  readonly fitness: number;
  /** Mean return of the training episodes that ended; null when none did. */
  readonly score: number | null;
  readonly env_steps: number;
  readonly learn_steps: number;
  readonly metrics: Readonly<Record<string, number>>;
  /** Off-policy: epsilon after the turn, and the transitions it added. */
  readonly off_policy: {
    readonly epsilon: number;
    readonly ring: Segment;
    readonly written: { start: number; count: number; rows: ReplayRows };
  } | null;
}

/** Work done since the slice before. */
export interface Slice {
  readonly env_steps: number;
  readonly learn_steps: number;
}

/** Vector steps of a turn: at least one. */
export const vectorSteps = (evo_steps: number, num_envs: number): number =>
  Math.max(1, Math.floor(evo_steps / num_envs));

/** Time that a slice aims at, so that messages are answered and pauses felt at once. */
const SLICE_MS = 25;

/** A member whose numbers stopped being numbers. */
export class DivergedError extends Error {
  readonly slot: number;

  constructor(slot: number, what: string) {
    super(
      `member ${slot}: ${what} is not a finite number any more; the learning rate is probably too high for this environment`,
    );
    this.name = "DivergedError";
    this.slot = slot;
  }
}

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
    this.#prepare(agent, turn);
    residence.load(agent);
    residence.setKey(turn.seed, turn.slot, turn.generation, PURPOSE.turn);
    residence.run(compiledProgram(agent, this.#env, "reset"));
    const env_steps = turn.off_policy
      ? yield* this.#offPolicy(agent, turn, turn.off_policy)
      : yield* this.#onPolicy(agent, turn);

    const finished = residence.number("episode.finished");
    const score = finished > 0 ? residence.number("episode.total") / finished : null;
    const metrics = residence.metrics();
    const learn_steps = residence.learned;
    const trained = { ...residence.unload(), steps: agent.steps + env_steps };
    requireFinite(trained, turn.slot);
    const fitness = yield* this.#evaluate(agent, turn);
    const off_policy = turn.off_policy ? this.#written(turn, turn.off_policy, env_steps) : null;
    return {
      slot: turn.slot,
      agent: { ...trained, fitness: [...agent.fitness, fitness].slice(-100) },
      fitness,
      score,
      env_steps,
      learn_steps,
      metrics,
      off_policy,
    };
  }

  /** Mean return over `eval_loop` passes of all environments, greedy, without training. */
  *evaluate(agent: AgentState, turn: Turn): Generator<Slice, number> {
    this.#prepare(agent, turn);
    this.#residence.load(agent);
    return yield* this.#evaluate(agent, turn);
  }

  #prepare(agent: AgentState, turn: Turn): void {
    const programs = (["turn", "reset", "evaluate"] as const).map((purpose) =>
      compiledProgram(agent, this.#env, purpose),
    );
    this.#residence.prepare(agent, programs, bindAgent(agent, this.#sizes(agent, turn)));
  }

  #sizes(agent: AgentState, turn: Turn): Sizes {
    const { num_envs } = turn;
    const batch_size = Number(agent.hyperparameters.batch_size);
    if (turn.off_policy) {
      const population = turn.off_policy.visible.length;
      return { num_envs, batch: batch_size, population, capacity: population * (this.#replay?.segment ?? 0) };
    }
    const horizon = Math.ceil(Number(agent.hyperparameters.learn_step) / num_envs);
    const batch = Math.min(batch_size, horizon * num_envs);
    return { num_envs, batch, horizon, minibatches: Math.ceil((horizon * num_envs) / batch) };
  }

  *#offPolicy(agent: AgentState, turn: Turn, off: OffPolicyTurn): Generator<Slice, number> {
    const residence = this.#residence;
    const { num_envs, slot } = turn;
    residence.set("epsilon", off.epsilon);
    residence.set("eps_end", off.eps_end);
    residence.set("eps_decay", off.eps_decay);
    residence.set("learning_delay", off.learning_delay);
    residence.set("ring.slot", slot);
    residence.set("ring.segment", this.#replay?.segment ?? 0);
    residence.set("ring.position", off.ring.position);
    residence.set("ring.count", off.ring.count);
    residence.set("visible.start", ...off.visible.map((v) => v.start));
    residence.set("visible.length", ...off.visible.map((v) => v.length));
    const program = compiledProgram(agent, this.#env, "turn");
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
    const learn_step = Number(agent.hyperparameters.learn_step);
    const perRollout = Math.ceil(learn_step / turn.num_envs) * turn.num_envs;
    const rollouts = Math.max(1, Math.ceil(turn.evo_steps / learn_step));
    const program = compiledProgram(agent, this.#env, "turn");
    let learned = 0;
    for (let i = 0; i < rollouts; i++) {
      residence.run(program);
      const now = residence.learned;
      yield { env_steps: perRollout, learn_steps: now - learned };
      learned = now;
    }
    return rollouts * perRollout;
  }

  *#evaluate(agent: AgentState, turn: Turn): Generator<Slice, number> {
    const residence = this.#residence;
    const program = compiledProgram(agent, this.#env, "evaluate");
    const limit = this.#env.max_episode_steps;
    let total = 0;
    for (let pass = 0; pass < turn.eval_loop; pass++) {
      residence.setKey(turn.seed, turn.slot, turn.generation, PURPOSE.evaluate, pass);
      residence.set("evaluate.steps", Math.min(turn.eval_steps ?? limit, limit));
      residence.run(program);
      const returns = residence.arena.read("evaluate.returns") as Float32Array;
      total += returns.reduce((a, b) => a + b, 0) / returns.length;
      yield { env_steps: 0, learn_steps: 0 };
    }
    const fitness = total / turn.eval_loop;
    if (!Number.isFinite(fitness)) throw new DivergedError(turn.slot, "the return of its evaluation");
    return fitness;
  }

  #written({ slot }: Turn, { ring, visible }: OffPolicyTurn, env_steps: number) {
    const replay = this.#replay;
    if (!replay) throw new Error("an off-policy turn needs a replay memory");
    const after = advance(ring, replay.segment, env_steps);
    const count = Math.min(env_steps, replay.segment);
    const start = (after.position - count + replay.segment) % replay.segment;
    const written = { start, count, rows: replay.read(slot, visible.length, start, count) };
    return { epsilon: this.#residence.number("epsilon"), ring: after, written };
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

/** @throws DivergedError naming the network whose weights are not finite. */
function requireFinite(agent: AgentState, slot: number): void {
  for (const [network, { tensors }] of Object.entries(agent.networks)) {
    if (network in findAlgorithm(agent.algorithm).targets) continue;
    for (const values of Object.values(tensors)) {
      if (!values.every((value) => Number.isFinite(value)))
        throw new DivergedError(slot, `a weight of network ${network}`);
    }
  }
}
