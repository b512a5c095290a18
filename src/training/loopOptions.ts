/** Parameters that the training functions share (interface 4.4), and their checks. */
import type { Mutations, SelectionStrategy } from "../evolution/index.ts";
import type { SingleAgentAlgorithm } from "../rl/agents/index.ts";
import { agentsFromStates } from "../rl/agents/index.ts";
import type { HostEnvironment, VectorEnvironment } from "../rl/environments/index.ts";
import type { HostMemberRunnerOptions } from "../rl/runtime/hostMemberRunner.ts";
import { algorithmDefinition } from "../specs/index.ts";
import type { FileStore } from "../storage/index.ts";
import type { Accelerator } from "./Accelerator.ts";
import type { Executor } from "./executor.ts";
import { hostMembers, vectorOf } from "./hostMembers.ts";
import { InThreadExecutor } from "./inThreadExecutor.ts";
import { refuseLoggers, runsCompiled, selectionOf } from "./LocalTrainer.ts";
import { makeExecutor } from "./makeExecutor.ts";
import type { TrainingObserver } from "./observer.ts";
import { runSession } from "./run/runSession.ts";
import type { ReplayState, RunState } from "./run/runState.ts";
import type { RunPlan, TrainingRun } from "./run/trainingRun.ts";
import { warn } from "./warn.ts";

export interface LoopOptions<Agent extends SingleAgentAlgorithm = SingleAgentAlgorithm> {
  /** Environment, vectorised or single. */
  readonly env: HostEnvironment | VectorEnvironment;
  readonly env_name: string;
  /** Algorithm name. */
  readonly algo: string;
  readonly pop: readonly Agent[];
  /** Kept in checkpoints for the record. */
  readonly init_hp?: Readonly<Record<string, unknown>> | null;
  readonly mut_p?: Readonly<Record<string, unknown>> | null;
  /** Each agent's own environment steps; 1,000,000 unless given. */
  readonly max_steps?: number;
  /** Steps between evolutions; 10,000 unless given. */
  readonly evo_steps?: number;
  /** Cuts evaluation episodes; null lets them run to their end. */
  readonly eval_steps?: number | null;
  readonly eval_loop?: number;
  readonly target?: number | null;
  readonly selection_strategy?: SelectionStrategy | null;
  /** Deprecated: `selection_strategy`, which wins when both are given. */
  readonly tournament?: SelectionStrategy | null;
  readonly mutation?: Mutations | null;
  /** Each agent's environment steps between checkpoints. */
  readonly checkpoint?: number | null;
  readonly checkpoint_path?: string | null;
  readonly overwrite_checkpoints?: boolean;
  readonly save_elite?: boolean;
  readonly elite_path?: string | null;
  readonly wb?: boolean;
  readonly board?: boolean;
  readonly board_log_dir?: string | null;
  readonly verbose?: boolean;
  readonly accelerator?: Accelerator | null;
  readonly tracker_api_key?: string | null;
  readonly tracker_kwargs?: Readonly<Record<string, unknown>> | null;
  /** Seed of every draw; the mutation object's unless given, else 42. */
  readonly seed?: number;
  readonly observer?: TrainingObserver;
  readonly store?: FileStore;
  /** Called with the run before it starts, to pause or stop it. */
  readonly onRun?: (run: TrainingRun) => void;
}

/** Names of the options of LoopOptions. */
export const LOOP_OPTIONS = [
  "env",
  "env_name",
  "algo",
  "pop",
  "init_hp",
  "mut_p",
  "max_steps",
  "evo_steps",
  "eval_steps",
  "eval_loop",
  "target",
  "selection_strategy",
  "tournament",
  "mutation",
  "checkpoint",
  "checkpoint_path",
  "overwrite_checkpoints",
  "save_elite",
  "elite_path",
  "wb",
  "board",
  "board_log_dir",
  "verbose",
  "accelerator",
  "tracker_api_key",
  "tracker_kwargs",
  "seed",
  "observer",
  "store",
  "onRun",
] as const;

interface LoopKind {
  readonly epsilon: number;
  readonly off_policy: RunPlan["off_policy"];
  readonly replay: ReplayState | null;
  readonly host?: HostMemberRunnerOptions;
}

const positive = (name: string, value: number): number => {
  if (Number.isInteger(value) && value >= 1) return value;
  throw new RangeError(`${name}: found ${value}, allowed integers from 1`);
};

/** Runs a training function's loop. @throws RangeError or TypeError naming the option that is wrong. */
export async function runLoop<Agent extends SingleAgentAlgorithm>(
  options: LoopOptions<Agent>,
  kind: LoopKind,
): Promise<{ population: Agent[]; fitnesses: number[]; state: RunState }> {
  refuseLoggers(options);
  const { pop, algo, env_name } = options;
  const [first] = pop;
  if (!first) throw new RangeError("pop: found an empty population, allowed at least one agent");
  for (const [i, agent] of pop.entries()) {
    if (agent.state.algorithm !== algorithmDefinition(algo).name) {
      throw new TypeError(`pop[${i}]: found a ${agent.state.algorithm} agent, allowed ${algo}`);
    }
  }
  if (options.elite_path && !options.save_elite)
    warn("elite_path is given without save_elite: the elite is not saved");
  if (options.checkpoint_path && !options.checkpoint)
    warn("checkpoint_path is given without checkpoint: no checkpoints are written");
  const vector = vectorOf(options.env);
  const compiled = runsCompiled(vector);
  const max_steps = positive("max_steps", options.max_steps ?? 1_000_000);
  const plan: RunPlan = {
    environment: compiled ? vector.spec.id : env_name,
    num_envs: vector.num_envs,
    seed: options.seed ?? options.mutation?.rand_seed ?? 42,
    max_steps,
    evo_steps: positive("evo_steps", options.evo_steps ?? 10_000),
    eval_loop: positive("eval_loop", options.eval_loop ?? 1),
    eval_steps: options.eval_steps == null ? null : positive("eval_steps", options.eval_steps),
    target: options.target ?? null,
    off_policy: kind.off_policy,
  };
  const executor: Executor =
    compiled && !kind.host
      ? makeExecutor(options.accelerator ?? null)
      : new InThreadExecutor(hostMembers(vector, kind.host));
  const state: RunState = {
    generation: 0,
    members: pop.map((agent) => agent.state),
    elite: null,
    epsilon: kind.epsilon,
    replay: kind.replay,
    evolution_due: false,
    started: false,
  };
  const result = await runSession({
    state,
    plan,
    algorithm: algo,
    facts: {
      observation_space: vector.single_observation_space,
      action_space: vector.single_action_space,
      environment: plan.environment,
      num_envs: vector.num_envs,
    },
    executor,
    selection: selectionStrategy(options),
    mutation: options.mutation ?? null,
    hp_config: first.hp_config,
    manifest: { init_hp: options.init_hp ?? null, mut_p: options.mut_p ?? null },
    verbose: options.verbose ?? true,
    save_elite: options.save_elite ?? false,
    elite_path: options.elite_path ?? null,
    checkpoint_steps: options.checkpoint ?? null,
    checkpoint_path: options.checkpoint_path ?? null,
    overwrite_checkpoints: options.overwrite_checkpoints ?? false,
    observer: options.observer,
    store: options.store,
    onRun: options.onRun,
  });
  const population = agentsFromStates(result.state.members, {
    observation_space: vector.single_observation_space,
    action_space: vector.single_action_space,
    hp_config: first.hp_config,
  });
  return {
    // Agents of the same algorithm as those of `pop`.
    population: population as unknown as Agent[],
    fitnesses: [...result.end.fitnesses],
    state: result.state,
  };
}

function selectionStrategy(options: LoopOptions): SelectionStrategy | null {
  const { selection_strategy = null, tournament = null } = options;
  if (tournament && selection_strategy && tournament !== selection_strategy) {
    warn("tournament and selection_strategy are both given: tournament is ignored");
    return selection_strategy;
  }
  return selectionOf({ selection_strategy, tournament }) as SelectionStrategy | null;
}
