/**
 * The common part of the language-model training functions (interface 4.6, 4.7): options, checks, the run.
 */

import { HyperparameterConfig, type Mutations, type SelectionStrategy } from "../../evolution/index.ts";
import { startWarnings } from "../../evolution/members.ts";
import { requireSeed } from "../../evolution/random.ts";
import { LLM_DEFINITIONS, llmMetricsOf } from "../../llm/algorithms.ts";
import type {
  LLMAlgorithm,
  LLMDatasetAlgorithm,
  LLMRolloutAlgorithm,
  LlmMember,
  MemberRunner,
} from "../../llm/members.ts";
import { CompletionLoggingConfig } from "../../manifests/index.ts";
import { COUNT, OBJECT, type OptionRules, parseSpec, TEXT } from "../../specs/checks.ts";
import { defaultStore } from "../../storage/files.ts";
import type { FileStore } from "../../storage/index.ts";
import { type ObserverOption, observerOf } from "../../tracking/observer.ts";
import { type Accelerator, oneThreadWarning } from "../executors/Accelerator.ts";
import { resolveDevice } from "../executors/device.ts";
import { InThreadExecutor } from "../executors/SerialExecutor.ts";
import { turnRunnerOn } from "../llm/LlmTurnRunner.ts";
import { type LlmKinds, LlmWorkload } from "../llm/LlmWorkload.ts";
import type { TrainingRun } from "../loop/TrainingRun.ts";
import { firstState } from "../loop/Workload.ts";
import { RUN_RULES } from "../options/runRules.ts";
import { givenSelection, type SelectionOption } from "../options/selectionOption.ts";
import { type TrackerOptions, trackersOf } from "../options/trackerOptions.ts";
import { trainSession } from "../session/trainSession.ts";
import { languageModels } from "../workloads/languageModels.ts";

/** Options of both language-model training functions. */
interface LlmLoopFields<Agent extends LLMAlgorithm = LLMAlgorithm> extends TrackerOptions {
  /** Agents of one class over one model; they are not changed. */
  readonly pop: readonly Agent[];
  /** Stored in checkpoints; `BATCH_SIZE` or `batch_size` sets each agent's batch size. */
  readonly init_hp?: Readonly<Record<string, unknown>> | null;
  /** Outer iterations between evolutions; requires a selection strategy and mutation. */
  readonly evo_steps?: number | null;
  readonly mutation?: Mutations | null;
  /** Outer iterations between checkpoints, only without evolution; the final state is saved too. */
  readonly checkpoint_steps?: number | null;
  /** Base path of checkpoints (default: `elite_path`). */
  readonly checkpoint_path?: string | null;
  /** Whether to save the agent with the best last fitness, at each evolution and at the end. */
  readonly save_elite?: boolean | null;
  /** Directory in which the best agent is saved. */
  readonly elite_path?: string | null;
  /** Outer iterations between evaluations. */
  readonly evaluation_interval?: number;
  readonly verbose?: boolean;
  /** Must be the device on which the agents' model was loaded (default: that device). */
  readonly device?: string;
  /** Agents train in the caller's thread, so workers only cause a warning. Its device overrides `device`. */
  readonly accelerator?: Accelerator | null;
  /** Seed of all random draws (default: 42). */
  readonly seed?: number;
  /** Receives the run's events (docs/events.md): a function, or an object with a function `on`. */
  readonly observer?: ObserverOption;
  readonly store?: FileStore;
  /** Called with the run before it starts, to pause or stop it. */
  readonly onRun?: (run: TrainingRun<LlmKinds>) => void;
}

export type LlmLoopOptions<Agent extends LLMAlgorithm = LLMAlgorithm> = LlmLoopFields<Agent> &
  SelectionOption<SelectionStrategy>;

export const LLM_LOOP_OPTIONS: OptionRules = {
  ...RUN_RULES,
  checkpoint_steps: COUNT,
  evaluation_interval: COUNT,
  completion_logging: OBJECT,
  device: TEXT,
};

/**
 * @param name Name of the training function.
 * @throws RangeError for an empty population, or one with several classes; TypeError for a value that is not
 *   such an agent.
 */
export function requireAgents(
  name: string,
  pop: readonly unknown[],
  Agent: typeof LLMRolloutAlgorithm | typeof LLMDatasetAlgorithm,
  env_type: string,
): void {
  if (pop.length === 0) throw new RangeError("pop: found an empty population, allowed at least one agent");
  for (const [i, agent] of pop.entries()) {
    if (agent instanceof Agent) continue;
    const kind =
      typeof agent === "object" && agent !== null && "algo" in agent
        ? `a ${String(agent.algo)} agent`
        : typeof agent;
    const names = LLM_DEFINITIONS.filter(({ env_types }) => env_types.includes(env_type)).map(
      (each) => each.name,
    );
    throw new TypeError(`${name}: pop[${i}]: found ${kind}, allowed agents of ${names.join(", ")}`);
  }
  const classes = [...new Set((pop as readonly LLMAlgorithm[]).map(({ algo }) => algo))]; // checked above
  if (classes.length > 1)
    throw new RangeError(`pop: found agents of ${classes.join(" and ")}, allowed one class`);
}

/** The parameters of a loop in addition to the caller's options. */
interface LlmLoop<Agent extends LLMAlgorithm> {
  /** The function's name, for messages. */
  readonly name: string;
  /** Created on the buffers that the first agent shares with its clones. */
  readonly runner: MemberRunner;
  /** Step budget of the whole population. */
  readonly max_steps: number;
  readonly evaluation_interval: number;
  readonly max_wall_seconds: number | null;
  /** Name of the environment, for file names. */
  readonly environment: string;
  /** Metrics in addition to the algorithm's. */
  readonly metrics: readonly string[];
  readonly warnings: readonly string[];
  readonly options: LlmLoopOptions<Agent>;
}

/** Members with the batch size from `init_hp`, if given. */
function membersOf({ pop, init_hp }: LlmLoopOptions): readonly LlmMember[] {
  const size = init_hp?.BATCH_SIZE ?? init_hp?.batch_size;
  return pop.map(({ member }) => {
    if (size === undefined) return member;
    if (!(Number.isSafeInteger(size) && Number(size) >= 1))
      throw new RangeError(`init_hp.BATCH_SIZE: found ${JSON.stringify(size)}, allowed integers from 1`);
    return { ...member, hyperparameters: { ...member.hyperparameters, batch_size: Number(size) } };
  });
}

/**
 * Warnings about workers, which agents in the caller's thread cannot use.
 * @throws RangeError for a device other than the agents'.
 */
function placeWarnings({ device, accelerator, pop: [first] }: LlmLoopOptions): readonly string[] {
  const asked = accelerator?.device ?? device ?? "auto";
  const named = resolveDevice(asked);
  const own = first?.actor_network.onDevice().device.kind === "wasm" ? "wasm" : "webgpu";
  if (named !== "auto" && named !== own)
    throw new RangeError(
      `device: found "${asked}", and the agents' model is on "${own}"; load it by LanguageModel.load(path, { device: "${named}" })`,
    );
  const warning = oneThreadWarning(accelerator);
  return warning === null ? [] : [warning];
}

/** Probabilities of mutations that language models do not support, with their names in messages. */
const OTHER_MUTATIONS = [
  ["architecture", "architecture"],
  ["new_layer_prob", "new layer"],
  ["parameters", "parameters"],
  ["activation", "activation"],
] as const;

/**
 * Evolution settings; null without evolution.
 * @throws Error for settings that language models do not support.
 */
function evolutionOf({ options, name }: Pick<LlmLoop<LLMAlgorithm>, "options" | "name">, warnings: string[]) {
  const selection = givenSelection<SelectionStrategy>(options);
  const { mutation = null, evo_steps = null } = options;
  if (mutation)
    for (const [key, called] of OTHER_MUTATIONS)
      if (mutation[key] > 0) {
        const found = `Probability of ${called} mutation must be 0 for language models, found ${mutation[key]}`;
        throw new RangeError(`mutation: ${found}`);
      }
  if (selection && "elitism" in selection && selection.elitism === false)
    throw new RangeError("selection_strategy: found one without elitism, allowed elitism: true");
  if (selection && mutation && evo_steps === null)
    throw new TypeError(`${name}: evo_steps is missing; selection_strategy and mutation need it`);
  if (evo_steps !== null && !(selection && mutation))
    warnings.push("evo_steps is given without both selection_strategy and mutation: agents do not evolve");
  return selection && mutation && evo_steps !== null ? { selection, mutation, evo_steps } : null;
}

/**
 * Runs a training function's loop.
 * @returns the trained agents and the last recorded fitness of each, NaN for an agent that was never
 *   evaluated.
 */
export async function runLlmLoop<Agent extends LLMAlgorithm>(
  loop: LlmLoop<Agent>,
): Promise<readonly [Agent[], number[]]> {
  const { options, runner, name, environment } = loop;
  const { pop, init_hp = null, checkpoint_steps = null, elite_path = null, store } = options;
  const [first] = pop as readonly [Agent, ...Agent[]];
  const warnings = [...loop.warnings, ...placeWarnings(options as LlmLoopOptions), ...startWarnings(pop)];
  const evolution = evolutionOf({ options: options as LlmLoopOptions, name }, warnings);
  if (evolution && checkpoint_steps !== null)
    warnings.push(
      "checkpoint_steps is given with evolution: no checkpoints are written; save_elite keeps the best",
    );
  if (elite_path !== null && !options.save_elite)
    warnings.push("elite_path is given without save_elite: the elite is not saved");
  const completion_logging = options.completion_logging
    ? parseSpec(CompletionLoggingConfig, options.completion_logging, "completion_logging")
    : null;
  const seed = requireSeed(options.seed ?? 42);
  const hp_config = first.hp_config ?? new HyperparameterConfig();
  const { spec } = first;
  const workload = new LlmWorkload({
    manifest: null,
    seed,
    hp_config,
    evaluation_interval: loop.evaluation_interval,
    max_steps: loop.max_steps,
    completion_logging,
    metrics: [...(llmMetricsOf(spec.name) ?? []), ...loop.metrics],
    description: first.actor_network.id,
  });
  const turnRunner = turnRunnerOn({ runner, agent: first.onDevice }, { seed, completion_logging }, () =>
    runner.close(),
  );
  const elites = {
    to: elite_path ?? `${environment}-elite_${spec.name}`,
    every: evolution?.evo_steps ?? null,
  };
  const agentOf = (member: LlmMember): Agent => {
    const agent = first.clone(member.index) as Agent; // a clone has its own class
    agent.member = member;
    return agent;
  };
  const saveElite = async (member: LlmMember): Promise<void> => {
    const agent = agentOf(member);
    try {
      await agent.saveCheckpoint(elites.to, { store: store ?? (await defaultStore()) });
    } finally {
      agent.close();
    }
  };
  const { state, end } = await trainSession<LlmKinds>({
    ...options,
    state: { ...firstState(membersOf(options as LlmLoopOptions)), started: true },
    plan: {
      max_steps: loop.max_steps,
      max_steps_of: "population",
      target: null,
      max_wall_seconds: loop.max_wall_seconds,
      evolve_every: evolution?.evo_steps ?? 1,
      checkpoints_by: "generations",
    },
    workload,
    files: languageModels.files,
    seed,
    environment,
    algorithm: spec.name,
    facts: { manifest: null, algorithm: spec.name },
    makeExecutor: () => new InThreadExecutor<LlmKinds>(async () => turnRunner),
    selection: evolution?.selection ?? null,
    mutation: evolution?.mutation ?? null,
    hyperparameters: hp_config.names,
    warnings,
    manifest: { init_hp },
    saveElite: async (elite, generation) => {
      if (generation === null || (elites.every !== null && generation % elites.every === 0))
        await saveElite(elite);
    },
    checkpoint_steps: evolution ? null : checkpoint_steps,
    checkpoint_at_end:
      !evolution && (checkpoint_steps !== null || (options.checkpoint_path ?? null) !== null),
    checkpoint_path: options.checkpoint_path ?? elite_path,
    observer: observerOf(options.observer),
    trackers: trackersOf(options, {
      algorithm: spec.name,
      environment,
      multi_agent: false,
      config: { ...spec, ...init_hp },
    }),
  });
  return [state.members.map(agentOf), [...end.fitnesses]];
}
