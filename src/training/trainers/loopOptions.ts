/** Common options of the training functions (interface 4.4), and their checks. */

import {
  type ActingAgent,
  agentsFromStates,
  type ReplayBuffer,
  RLAlgorithm,
  type SupportedAgent,
} from "../../agents/classes.ts";
import type { AgentState, FittedQSettings, HostMemberRunnerOptions } from "../../agents/members.ts";
import type { Mutations, SelectionStrategy } from "../../evolution/index.ts";
import { startWarnings } from "../../evolution/members.ts";
import { requireSeed } from "../../evolution/random.ts";
import {
  type AlgorithmDefinition,
  type AlgorithmName,
  algorithmDefinition,
  listAlgorithms,
} from "../../manifests/index.ts";
import { findEnvironment, vectorOf } from "../../rl/environments.ts";
import {
  type HostEnvironment,
  lastingLanes,
  type ParallelEnvironment,
  type VectorEnvironment,
} from "../../rl/faces.ts";
import { describeSpace } from "../../rl/spaces.ts";
import { missingEnd } from "../../specs/algorithms.ts";
import { COUNT, checkOptions, FLAG, OBJECT, type OptionRules, SCORE, TEXT } from "../../specs/checks.ts";
import { NO_ENVIRONMENT } from "../../specs/sections.ts";
import type { FileStore } from "../../storage/index.ts";
import { type ObserverOption, observerOf } from "../../tracking/observer.ts";
import { type Accelerator, oneThreadWarning } from "../executors/Accelerator.ts";
import { alwaysWasm, deviceIn, FITTED_ON_WASM, resolveDevice } from "../executors/device.ts";
import { makeExecutor } from "../executors/makeExecutor.ts";
import type { TrainingRun } from "../loop/TrainingRun.ts";
import { firstState } from "../loop/Workload.ts";
import { registeredPlace, requireNoGame, spacesOf } from "../options/environmentOption.ts";
import { memoryState, settleMemory } from "../options/memoryState.ts";
import { RUN_RULES } from "../options/runRules.ts";
import { givenSelection, type SelectionOption } from "../options/selectionOption.ts";
import { type TrackerOptions, trackersOf } from "../options/trackerOptions.ts";
import { type BanditRhythm, shortGeneration } from "../plan/buildRun.ts";
import { requireReplayFits } from "../plan/fitReplay.ts";
import { fromData, type RunData } from "../rl/datasetReplay.ts";
import type { RlKinds, RunPlan } from "../rl/kinds.ts";
import { overshootWarning, RlWorkload } from "../rl/RlWorkload.ts";
import { hostExecutor, hostMembers } from "../rl/rlTurnRunner.ts";
import type { RunState } from "../rl/runState.ts";
import { trainSession } from "../session/trainSession.ts";
import { reinforcementLearning } from "../workloads/reinforcementLearning.ts";
import { OutputLostError } from "./Trainer.ts";

/** Environments that single agents and teams train in. */
export type SingleEnvironment = HostEnvironment | VectorEnvironment;
export type TeamEnvironment = ParallelEnvironment | VectorEnvironment;
type AnyEnvironment = SingleEnvironment | TeamEnvironment;

/** Options of all training functions, except the selection strategy. */
interface LoopFields<Agent extends ActingAgent = ActingAgent, Env = AnyEnvironment> extends TrackerOptions {
  /**
   * Environment, vectorised or single. If `makeVector` created it, each agent steps its own lanes of the same
   * environment and options, on its device and in workers. Other environments are stepped directly, in this
   * thread.
   */
  readonly env: Env;
  readonly env_name: string;
  /** Algorithm name; names of registered algorithms are not in the types. */
  readonly algo: AlgorithmName | (string & {});
  /**
   * Agents, which must mutate the same hyperparameters; the ranges are those of the first agent's
   * `hp_config`.
   */
  readonly pop: readonly Agent[];
  /** Stored in checkpoints for reference. */
  readonly init_hp?: Readonly<Record<string, unknown>> | null;
  readonly mut_p?: Readonly<Record<string, unknown>> | null;
  /**
   * Training ends at the first generation boundary where an agent has taken this many environment steps,
   * including earlier ones (default: 1,000,000; for teams 50,000). trainMultiAgentOnPolicy counts the steps
   * of all members instead. Only whole generations run, so agents may take more steps.
   */
  readonly max_steps?: number;
  /** Steps between evolutions (default: 10,000; for teams 25). */
  readonly evo_steps?: number;
  /** Whether every generation begins new episodes, as AgileRL's do (default: false, they go on). */
  readonly reset_each_generation?: boolean;
  /**
   * Limit of steps per evaluation episode; `null` means only the environment's `max_episode_steps` applies.
   */
  readonly eval_steps?: number | null;
  readonly eval_loop?: number;
  readonly target?: number | null;
  readonly mutation?: Mutations | null;
  /** Steps of each agent between checkpoints. */
  readonly checkpoint?: number | null;
  readonly checkpoint_path?: string | null;
  readonly overwrite_checkpoints?: boolean;
  readonly save_elite?: boolean;
  readonly elite_path?: string | null;
  readonly verbose?: boolean;
  readonly accelerator?: Accelerator | null;
  /** Seed of all random draws (default: that of the mutation object, else 42). */
  readonly seed?: number;
  /** Receives the run's events (docs/events.md): a function, or an object with a function `on`. */
  readonly observer?: ObserverOption;
  readonly store?: FileStore;
  /** Called with the run before it starts, to pause or stop it. */
  readonly onRun?: (run: TrainingRun<RlKinds>) => void;
}

/** Options of all training functions (interface 4.4). */
export type LoopOptions<Agent extends ActingAgent = ActingAgent, Env = AnyEnvironment> = LoopFields<
  Agent,
  Env
> &
  SelectionOption<SelectionStrategy>;

/** Rules for the options in LoopOptions. */
const LOOP_OPTIONS: OptionRules = {
  // vectorOf reports what is wrong with an object or a class.
  env: {
    allowed: "an environment",
    allows: (value) => typeof value === "object" || typeof value === "function",
  },
  env_name: TEXT,
  algo: TEXT,
  ...RUN_RULES,
  mut_p: OBJECT,
  max_steps: COUNT,
  reset_each_generation: FLAG,
  eval_steps: COUNT,
  eval_loop: COUNT,
  target: SCORE,
  checkpoint: COUNT,
  overwrite_checkpoints: FLAG,
};

/** Training functions: the kind of learning, and whether they train teams. */
const FUNCTIONS = {
  trainOffPolicy: { learns: "off_policy", multi_agent: false },
  trainOffline: { learns: "offline", multi_agent: false },
  trainBandits: { learns: "bandit", multi_agent: false },
  trainOnPolicy: { learns: "on_policy", multi_agent: false },
  trainMultiAgentOffPolicy: { learns: "off_policy", multi_agent: true },
  trainMultiAgentOnPolicy: { learns: "on_policy", multi_agent: true },
} as const;

/** The parts of the check that depend on the training function. */
interface LoopKind {
  readonly name: keyof typeof FUNCTIONS;
  /** Arguments after the options object, which are not allowed. */
  readonly positional: readonly unknown[];
  readonly rules: OptionRules;
}

type LearningKind = (typeof FUNCTIONS)[keyof typeof FUNCTIONS];

/** Whether a training function of that kind trains the algorithm. */
const suits = (definition: AlgorithmDefinition, { learns, multi_agent }: LearningKind): boolean =>
  definition[learns] && definition.multi_agent === multi_agent;

/** The name of the training function that matches. */
const otherFunction = (matches: (kind: LearningKind) => boolean): string =>
  Object.entries(FUNCTIONS).find(([, kind]) => matches(kind))?.[0] ?? "no training function of this build";

/** Values derived from checked options. */
export interface CheckedLoop {
  readonly vector: VectorEnvironment;
  readonly seed: number;
}

/**
 * Checks the options of a training function.
 * @throws TypeError or RangeError naming the option that is wrong; SpecError for an unknown algorithm.
 */
export function checkLoop(options: LoopOptions, { name, positional, rules }: LoopKind): CheckedLoop {
  const own = FUNCTIONS[name];
  const world = own.multi_agent ? "simple_spread_v3" : "CartPole-v1";
  const memory = own.learns === "on_policy" ? "" : ", memory";
  const algorithm = listAlgorithms().find((known) => suits(known, own))?.name;
  const example = `{ env, env_name: "${world}", algo: "${algorithm}", pop${memory} }`;
  checkOptions(name, options, { ...LOOP_OPTIONS, ...rules }, { example, positional });
  for (const required of ["env", "env_name", "algo", "pop"] as const) {
    if (options[required] === undefined || options[required] === null)
      throw new TypeError(`${name}: ${required} is missing; allowed ${LOOP_OPTIONS[required]?.allowed}`);
  }
  const { algo } = options;
  const definition = algorithmDefinition(algo);
  if (!suits(definition, own)) {
    const other = otherFunction((kind) => suits(definition, kind));
    throw new TypeError(`${name}: algo: found ${algo}, which ${other} trains`);
  }
  const vector = vectorOf(options.env);
  requireNoGame(vector, `${name}: env`);
  const seen = vector.single_observation_space;
  if ((seen.kind === "Agents") !== own.multi_agent) {
    const found = seen.kind === "Agents" ? `of several agents (${seen.ids.join(", ")})` : "of one agent";
    const other = otherFunction((kind) => kind.learns === own.learns && kind.multi_agent !== own.multi_agent);
    throw new TypeError(
      `${name}: env: found an environment ${found}, and ${algo} plays ${own.multi_agent ? "several" : "one"}; ${other} trains there`,
    );
  }
  requirePopulation(options, definition.name, vector);
  requireEnd(options);
  deviceOf(options);
  return { vector, seed: requireSeed(options.seed ?? options.mutation?.rand_seed ?? 42) };
}

const deviceOf = ({ accelerator }: LoopOptions) => resolveDevice(accelerator?.device ?? "cpu");

const mutable = (agent: ActingAgent): string =>
  [...(agent.hp_config?.names ?? [])].sort().join(", ") || "none";

function requirePopulation({ pop }: LoopOptions, algorithm: string, vector: VectorEnvironment): void {
  if (pop.length === 0) throw new RangeError("pop: found an empty population, allowed at least one agent");
  const spaces = spacesOf(vector);
  for (const [i, agent] of pop.entries()) {
    const kind = agent instanceof RLAlgorithm ? `a ${agent.algo} agent` : typeof agent;
    if (kind !== `a ${algorithm} agent`)
      throw new TypeError(`pop[${i}]: found ${kind}, allowed a ${algorithm} agent`);
    for (const space of ["observation_space", "action_space"] as const) {
      const [own, needed] = [describeSpace(agent[space]), describeSpace(spaces[space])];
      if (own !== needed)
        throw new RangeError(`pop[${i}].${space}: found ${own}, and the environment has ${needed}`);
    }
    // The run has a single config, because selection may put a clone of any agent into any slot.
    const [own, others] = [agent, pop[0] as ActingAgent].map(mutable);
    if (own !== others)
      throw new RangeError(
        `pop[${i}].hp_config: found ${own}, and pop[0].hp_config has ${others}; a run mutates the same hyperparameters of all agents: give all the same hp_config`,
      );
  }
}

/** @throws RangeError for agents with a schedule, if the length of the run is not given. */
function requireEnd({ pop, max_steps }: LoopOptions): void {
  if (max_steps !== undefined) return;
  for (const { hyperparameters } of pop) {
    const message = missingEnd(hyperparameters);
    if (message !== null) throw new RangeError(`max_steps: ${message}`);
  }
}

/** Defaults for single agents. */
const DEFAULTS = { max_steps: 1_000_000, evo_steps: 10_000 };

/** The parameters of a loop in addition to the caller's options. */
interface LoopParts extends CheckedLoop {
  readonly epsilon: number;
  readonly off_policy: RunPlan["off_policy"];
  readonly memory: ReplayBuffer | null;
  /** What the replay buffer holds of a data set, if members only learn. */
  readonly data?: RunData;
  /** How fitness is fitted to it (default: measured in the environment). */
  readonly fqe?: FittedQSettings | undefined;
  readonly host?: HostMemberRunnerOptions;
  /** Default limits (default: those for single agents). */
  readonly defaults?: { readonly max_steps: number; readonly evo_steps: number };
  /** Settings for teams. */
  readonly team?: Pick<RunPlan, "sum_scores" | "max_steps_of">;
  /** Settings for bandits, whose steps are choices. */
  readonly bandit?: BanditRhythm;
  /** Emitted before training starts. */
  readonly warnings?: readonly string[];
  /** What a member starts with (default: the agent's own state). */
  readonly startOf?: (member: AgentState) => AgentState;
}

/**
 * Runs a training function's loop.
 * @throws DivergedError when agents' numbers are no longer finite and the run cannot replace them;
 *   OutputLostError at the end when the elite or checkpoints were requested and none could be written.
 * @internal
 */
export async function runLoop(
  options: LoopOptions,
  {
    vector,
    seed,
    epsilon,
    off_policy,
    memory,
    data,
    fqe,
    host,
    warnings = [],
    startOf = (member) => member,
    defaults = DEFAULTS,
    team = {},
    bandit,
  }: LoopParts,
): Promise<{ population: SupportedAgent[]; fitnesses: number[] }> {
  const { pop, algo, env_name } = options;
  const evo_steps = options.evo_steps ?? defaults.evo_steps;
  const [first] = pop as readonly [ActingAgent];
  const place = registeredPlace(vector);
  // A caller's collector steps the caller's own lanes.
  const asked = deviceOf(options);
  const registered = () => (place ? deviceIn(findEnvironment(place.name), asked) : null);
  const choice = place === null || host ? null : fqe ? alwaysWasm(asked, FITTED_ON_WASM) : registered();
  const ignored = choice ? null : threadOnly(options);
  const { num_envs } = vector;
  const selection = givenSelection<SelectionStrategy>(options);
  // A generation has at least one rollout.
  const generation = off_policy
    ? evo_steps
    : Math.max(evo_steps, ...pop.map(({ hyperparameters }) => Number(hyperparameters.learn_step)));
  const goesOn = !options.reset_each_generation && (choice !== null || lastingLanes(vector) !== null);
  const short =
    off_policy?.offline || bandit || goesOn
      ? null
      : shortGeneration(generation, num_envs, vector.spec?.max_episode_steps ?? null);
  const plan: RunPlan = {
    environment: place?.name ?? env_name,
    env_config: place?.env_config ?? null,
    num_envs,
    seed,
    max_steps: options.max_steps ?? defaults.max_steps,
    // Without an environment, the data alone rank members.
    eval_loop: place?.name === NO_ENVIRONMENT ? 0 : (options.eval_loop ?? 1),
    target: options.target ?? null,
    ...team,
    ...(bandit ?? { evo_steps, eval_steps: options.eval_steps ?? null }),
    ...(fqe && { fqe }),
    off_policy,
  };
  const spaces = spacesOf(vector);
  const { hp_config } = first;
  const start: RunState = {
    ...firstState(pop.map((agent) => startOf(agent.state))),
    epsilon,
    replay: memory && { ...memoryState(memory), ...(data && fromData(data)) },
    gpu_workgroups: null,
    ...(!options.reset_each_generation && !bandit && !off_policy?.offline && { lanes: pop.map(() => null) }),
  };
  requireReplayFits(start, plan);
  const over = overshootWarning(plan, start.members);
  const { accelerator = null } = options;
  const trackers = trackersOf(options, {
    algorithm: algo,
    environment: env_name,
    multi_agent: algorithmDefinition(algo).multi_agent,
    config: { ...options.init_hp, ...options.mut_p },
  });
  const { state, end, lost } = await trainSession<RlKinds>({
    ...options,
    state: start,
    plan,
    workload: new RlWorkload({ plan, hp_config, observation_space: spaces.observation_space }),
    files: reinforcementLearning.files,
    seed,
    environment: env_name,
    algorithm: algo,
    facts: { ...spaces, environment: plan.environment, env_config: plan.env_config, num_envs },
    makeExecutor: (onNotice) =>
      choice
        ? makeExecutor({ definition: reinforcementLearning, device: choice.device, accelerator, onNotice })
        : hostExecutor(hostMembers(vector, host)),
    selection,
    warnings: [
      ...(choice?.notice ? [choice.notice] : []),
      ...loopWarnings(options, selection),
      ...startWarnings(pop),
      ...(short === null ? [] : [short]),
      ...(ignored === null ? [] : [ignored]),
      ...warnings,
      ...(over === null ? [] : [over]),
    ],
    mutation: options.mutation ?? null,
    ...(hp_config ? { hyperparameters: hp_config.names } : {}),
    // Also keeps transitions that a failed run stored before the error.
    onEnd: ({ replay }) => memory && settleMemory(memory, replay),
    manifest: { init_hp: options.init_hp ?? null, mut_p: options.mut_p ?? null },
    checkpoint_steps: options.checkpoint,
    observer: observerOf(options.observer),
    trackers,
    ...(spaces.observation_space.kind === "Agents" && { agents: spaces.observation_space.ids }),
  });
  const population = agentsFromStates(state.members, { ...spaces, hp_config, seed });
  const fitnesses = [...end.fitnesses];
  if (lost) throw new OutputLostError(lost.message, { population, fitnesses, cause: lost.cause });
  return { population, fitnesses };
}

/**
 * Warning about accelerator settings that lanes stepped in the caller's thread cannot use; else null.
 * @throws RangeError for a device other than wasm.
 */
function threadOnly({ accelerator }: LoopOptions): string | null {
  const device = resolveDevice(accelerator?.device ?? "cpu");
  if (device !== "wasm") {
    throw new RangeError(
      `accelerator.device: found "${device}", and an environment that is stepped in this process trains on "wasm"`,
    );
  }
  return oneThreadWarning(accelerator);
}

function loopWarnings(options: LoopOptions, selection: SelectionStrategy | null): string[] {
  const { selection_strategy, tournament, mutation } = options;
  const warnings: string[] = [];
  if (options.elite_path && !options.save_elite)
    warnings.push("elite_path is given without save_elite: the elite is not saved");
  if (options.checkpoint_path && !options.checkpoint)
    warnings.push("checkpoint_path is given without checkpoint: no checkpoints are written");
  if (tournament && selection_strategy && tournament !== selection_strategy)
    warnings.push("tournament and selection_strategy are both given: tournament is ignored");
  if (Boolean(selection) !== Boolean(mutation)) {
    const absent = selection ? "mutation" : "selection_strategy";
    warnings.push(`${absent} is absent: agents evolve only with both mutation and selection_strategy`);
  }
  return warnings;
}
