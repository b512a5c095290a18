/**
 * Offline training (interface 4.5): agents learn from a data set, and act in the environment only during
 * evaluation.
 */
import {
  ActingAgent,
  MultiStepReplayBuffer,
  PrioritizedReplayBuffer,
  ReplayBuffer,
  type SupportedAgent,
  type SupportedOfflineAgent,
} from "../../agents/classes.ts";
import { dataAloneOptions, loadEnvironment, makeVector } from "../../rl/environments.ts";
import { COUNT, FLAG, type OptionRules, TEXT } from "../../specs/checks.ts";
import { NO_ENVIRONMENT, TrainingSpec } from "../../specs/sections.ts";
import { observerOf } from "../../tracking/observer.ts";
import { type DatasetPlace, openGiven } from "../options/datasetOption.ts";
import { layoutOf } from "../options/environmentOption.ts";
import { OFFLINE } from "../plan/buildRun.ts";
import { fillFromData, readRunData, withDataStatistics } from "../rl/datasetReplay.ts";
import { checkLoop, type LoopOptions, runLoop, type SingleEnvironment } from "./loopOptions.ts";

interface OfflineFields extends Omit<DatasetPlace, "dataset_path"> {
  /** An empty replay buffer, which is filled with the data set, or with its newest rows if it is smaller. */
  readonly memory: ReplayBuffer;
  /**
   * What ranks agents: their mean return in `env`, or fitted Q evaluation with `pop[0]`'s gamma (default: fqe if `env` is
   * null, else environment).
   */
  readonly fitness?: TrainingSpec["fitness"];
  /** Of fitted Q evaluation: learning steps (default: 5,000), learning rate (0.001), share of held-out episodes (0.1). */
  readonly fqe_steps?: number;
  readonly fqe_lr?: number;
  readonly held_out?: number;
}

/** Options of {@link trainOffline}. `env` is null for data alone. */
export type OfflineOptions<Agent extends SupportedOfflineAgent = SupportedOfflineAgent> = LoopOptions<
  Agent,
  SingleEnvironment | null
> &
  OfflineFields;

const MEMORY = "an empty ReplayBuffer";

const RULES: OptionRules = {
  memory: {
    allowed: MEMORY,
    allows: (value) =>
      value instanceof ReplayBuffer &&
      !(value instanceof PrioritizedReplayBuffer) &&
      !(value instanceof MultiStepReplayBuffer) &&
      value.size === 0,
  },
  dataset: {
    allowed: "an open HDF5 file or group, or arrays by name",
    allows: (value) => typeof value === "object",
  },
  fitness: {
    allowed: '"environment" or "fqe"',
    allows: (value) => value === "environment" || value === "fqe",
  },
  fqe_steps: COUNT,
  fqe_lr: { allowed: "numbers above 0", allows: (value) => Number(value) > 0 },
  held_out: {
    allowed: "a number between 0 and 1",
    allows: (value) => Number(value) > 0 && Number(value) < 1,
  },
  hub_dataset_id: TEXT,
  remote: FLAG,
  hub: TEXT,
};

/** The settings of a manifest's section of these names, with its defaults. */
const fittingOf = ({ fitness, fqe_steps, fqe_lr, held_out }: Partial<OfflineFields>) =>
  TrainingSpec.parse({ fitness, fqe_steps, fqe_lr, held_out });

/** The options with a place that has the agents' spaces, where `env` is null. @throws RangeError for another fitness. */
function placed<Agent extends SupportedOfflineAgent>(
  options: OfflineOptions<Agent>,
): LoopOptions<Agent, SingleEnvironment> & OfflineFields {
  const { env, fitness = "fqe" } = options;
  const [first] = Array.isArray(options.pop) ? options.pop : [];
  // Options without agents are refused by the usual checks.
  if (env !== null || !(first instanceof ActingAgent))
    return options as LoopOptions<Agent, SingleEnvironment> & OfflineFields;
  if (fitness !== "fqe")
    throw new RangeError(`trainOffline: fitness: found "${fitness}", and env is null; allowed "fqe"`);
  return { ...options, fitness, env: makeVector(NO_ENVIRONMENT, 1, dataAloneOptions(first)) };
}

/**
 * `dataset`, or else `hub_dataset_id`, gives the data set. A step is a learning step, also in `max_steps`,
 * `evo_steps` and `checkpoint`. No transitions are added during training.
 * @returns the trained population and each agent's fitness in its last evaluation; `pop` and its agents are
 *   not changed.
 * @throws TypeError or RangeError naming the option that is wrong, or if no data set is given; DatasetError
 *   for one that cannot be read or is from another environment; DivergedError and OutputLostError as in
 *   {@link trainOffPolicy}.
 *
 * @example
 * ```ts
 * const env = makeVector("CartPole-v1", 16);
 * const { single_observation_space: observation_space, single_action_space: action_space } = env;
 * const pop = createPopulation({ algorithm: "CQN", observation_space, action_space, population_size: 4 });
 * const dataset = await openDataset("cartpole/random-v0/data/main_data.hdf5");
 * const memory = new ReplayBuffer({ max_size: dataset.total_steps });
 * const [population, fitnesses] = await trainOffline({ env, env_name: "CartPole-v1", algo: "CQN", pop, memory, dataset });
 * ```
 */
export async function trainOffline<Agent extends SupportedOfflineAgent>(
  given: OfflineOptions<Agent>,
  ...positional: never[]
): Promise<readonly [Agent[], number[]]> {
  await loadEnvironment(NO_ENVIRONMENT);
  const options = placed(given);
  const loop = checkLoop(options, { name: "trainOffline", positional, rules: RULES });
  const { memory, pop, hub_dataset_id, dataset } = options;
  if (!memory) throw new TypeError(`trainOffline: memory is missing; allowed ${MEMORY}`);
  if (!dataset && !hub_dataset_id)
    throw new TypeError(
      "trainOffline: dataset is missing; allowed an open HDF5 file or group, arrays by name, or hub_dataset_id in its place",
    );
  const layout = layoutOf(loop.vector);
  memory.configure(layout, pop.length);
  const most = memory.segment * pop.length;
  const { fitness, held_out: share, ...fitting } = fittingOf(options);
  const gamma = Number(pop[0]?.hyperparameters.gamma);
  const fqe = fitness === "fqe" ? { steps: fitting.fqe_steps, lr: fitting.fqe_lr, gamma } : undefined;
  const data = await readRunData(
    () => openGiven(options, { ...options, observer: observerOf(options.observer) }),
    layout,
    most,
    "memory.max_size",
    fqe ? { share, gamma } : null,
  );
  memory.configure(data.layout, pop.length);
  await fillFromData(memory, data);
  const { population, fitnesses } = await runLoop(options, {
    ...loop,
    epsilon: 0,
    off_policy: OFFLINE,
    memory,
    data,
    fqe,
    warnings: data.warnings,
    startOf: (member) => withDataStatistics(member, data),
  });
  // A run returns agents of the class that it was given.
  return [population as SupportedAgent[] as Agent[], fitnesses];
}
