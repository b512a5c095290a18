import { z } from "zod";
import { type Prepared, withAliases } from "./aliases.ts";
import { atLeast, count, field, fraction, integer } from "./field.ts";
import { CARTPOLE_RULE, PENDULUM_RULE } from "./manifestNames.ts";
import { OpponentsField, SearchField } from "./opponents.ts";
import { isMapping } from "./plain.ts";

/** Population size of `hpo: true` when `pop_size` is not given. */
export const HPO_POP_SIZE = 4;
/** Population size of `hpo: search` when `pop_size` is not given. */
export const SEARCH_POP_SIZE = 8;

const steps = { unit: "steps" };
const advanced = { advanced: true };
const own = { advanced: true, rlkit_only: true };
const remote = { advanced: true, effect: false };

const fields = z
  .strictObject({
    name: field(z.string().nullable().default(null), "A label for the run, without effect."),
    max_steps: field(
      integer(1).default(1_000_000),
      "Environment steps of one agent (for IPPO, of all together) after which training ends. Generations and rollouts run to their end, so there may be more.",
      steps,
    ),
    evo_steps: field(
      count(1).nullable().default(null),
      "Environment steps of each agent in a generation, which ends with evaluation and evolution. If unset, the algorithm's usual number (10,000 for DQN and PPO), at most max_steps.",
      steps,
    ),
    reset_each_generation: field(
      z.boolean().default(false),
      "Begins new episodes in every generation, as AgileRL does. Otherwise episodes go on from one generation to the next.",
      { rlkit_only: true, ...advanced },
    ),
    pop_size: field(
      integer(1).default(1),
      `Agents trained side by side. If unset, 1; with hpo ${HPO_POP_SIZE}, with hpo search ${SEARCH_POP_SIZE}.`,
      { unit: "agents" },
    ),
    seed: field(
      integer(0).nullable().default(null),
      "Seed of all random draws, unless training is started with another. If unset, mutation.rand_seed, else 42.",
      { rlkit_only: true },
    ),
    eval_steps: field(
      integer(1).nullable().default(null),
      "Steps after which an evaluation episode is cut. If unset, it runs to its end.",
      { ...steps, ...advanced },
    ),
    eval_loop: field(
      integer(1).default(1),
      "Evaluation passes per generation, each with one episode in every parallel environment. More of them make fitness less noisy.",
    ),
    hpo: field(
      z.union([z.boolean(), z.literal("search")]).default(false),
      "Evolves hyperparameters where the manifest has no sections for mutation and selection: true by tournaments and random mutation, search by the recipe of docs/evolution.md.",
      { rlkit_only: ["search"] },
    ),
    final_episodes: field(
      integer(0).nullable().default(null),
      "Episodes that the best agent ever seen and the final agents play at the end, to choose the champion. If unset, 30 with hpo, else none.",
      { unit: "episodes", ...own },
    ),
    fitness_window: field(integer(1).default(1), "Latest evaluations whose mean ranks an agent.", {
      unit: "evaluations",
      ...own,
    }),
    tie_episodes: field(
      integer(0).default(0),
      "Further evaluation episodes for agents whose difference is below its standard error where truncation or halving must choose between them. Fitness is then the mean of all episodes.",
      { unit: "episodes", ...own },
    ),
    fitness: field(
      z.enum(["environment", "fqe"]).default("environment"),
      "What ranks agents that learn from a data set: their mean return in the environment, or their value by fitted Q evaluation on episodes that none of them learns from.",
      own,
    ),
    fqe_steps: field(
      integer(1).default(5_000),
      "With fitness fqe: learning steps of each agent's evaluation.",
      { ...steps, ...own },
    ),
    fqe_lr: field(z.number().positive().default(1e-3), "With fitness fqe: learning rate of the evaluation.", {
      step: "log",
      ...own,
    }),
    held_out: field(
      fraction().gt(0).lt(1).default(0.1),
      "With fitness fqe: share of the episodes that agents do not learn from.",
      own,
    ),
    load_weights_from: field(
      z.string().nullable().default(null),
      "Begins with the networks of a saved agent: its file, a checkpoint, or a run's directory, of which it is the best; in the workbench runs/ID. TD3, SAC, PPO and DQN also go on from agents that learned from data.",
      { ...own, outside: [] },
    ),
    demonstrations: field(
      z.string().nullable().default(null),
      "A data set of episodes to learn from beside the environment: a Minari folder, or an HDF5, CSV or games file. DQN, Rainbow DQN, DDPG, TD3 and SAC draw a part of each batch from it; PPO imitates it at first.",
      { ...own, outside: [CARTPOLE_RULE, PENDULUM_RULE] },
    ),
    demonstration_share: field(
      fraction().gt(0).lt(1).nullable().default(null),
      "With demonstrations and a replay buffer: part of each batch that is drawn from them. If unset, 0.5.",
      own,
    ),
    demonstration_coef: field(
      atLeast(0).nullable().default(null),
      "With demonstrations and PPO: weight of the loss of imitation at the start. If unset, 0.1.",
      own,
    ),
    demonstration_steps: field(
      count(1).nullable().default(null),
      "With demonstrations and PPO: environment steps of an agent in which that weight falls to 0, linearly. If unset, half of max_steps.",
      { ...steps, ...own },
    ),
    opponents: field(
      OpponentsField.nullable().default(null),
      "Games: whom agents play while they train. One of self, past, league, random, rule:one_step, rule:follow and rule:hold_at_20, or how often each is drawn; or a list of such stages, each with the rating that ends it. If unset, mixed: mostly self and league.",
      own,
    ),
    opponent_pool: field(integer(1).default(12), "Games: most past agents that are kept as opponents.", {
      unit: "agents",
      ...own,
    }),
    opponent_interval: field(
      integer(1).default(2),
      "Games: generations after which the best agent joins the past ones.",
      { unit: "generations", ...own },
    ),
    opening_moves: field(
      count(0).default(0),
      "Games: most random moves that a training game begins with. Each number up to it is as likely, and both players make them.",
      { unit: "moves", ...own },
    ),
    symmetries: field(
      z.boolean().default(false),
      "Games: learns each position in a random one of its symmetric forms, such as a mirrored board.",
      own,
    ),
    search: field(
      SearchField.nullable().default(null),
      "Games: how agents search before they move in evaluations. If unset, their policies move alone.",
      own,
    ),
    target_score: field(
      z.number().nullable().default(null),
      "Training stops once every agent's mean over its last 10 evaluations exceeds this score.",
    ),
    early_stopping_patience: field(
      count(1).nullable().default(null),
      "Training stops after so many evaluations of the population in a row without a better best fitness. If unset, never.",
      { unit: "evaluations", ...own },
    ),
    early_stopping_threshold: field(
      atLeast(0).default(0),
      "With early_stopping_patience: by how much the best fitness must rise to count as better.",
      own,
    ),
    learning_delay: field(
      count(0).default(0),
      "Transitions an off-policy agent collects before it learns. Policies of continuous actions act at random until then.",
      steps,
    ),
    learn_from: field(
      z.enum(["own", "population"]).nullable().default(null),
      "Transitions that earn an off-policy agent a learning step per learn_step: its own, or those of the whole population since its last turn. The replay buffer is shared either way. If unset, own; population with hpo search, and with hpo where the manifest has neither mutation nor selection.",
      own,
    ),
    max_replay_ratio: field(
      atLeast(0).gt(0).default(8),
      "With learn_from population: most learning steps per transition of the agent's own.",
      own,
    ),
    eps_start: field(
      fraction().nullable().default(null),
      "Epsilon-greedy algorithms: chance of a random action at the start. If unset, 1.",
    ),
    eps_end: field(fraction().nullable().default(null), "Lowest chance of a random action. If unset, 0.01."),
    eps_decay: field(
      fraction().nullable().default(null),
      "Factor on that chance after each vector step. If unset, 0.999.",
      { step: 0.001 },
    ),
    checkpoint_steps: field(
      integer(1).nullable().default(null),
      "Environment steps between checkpoints. If unset, none are written.",
      { ...steps, ...advanced },
    ),
    checkpoint_path: field(
      z.string().nullable().default(null),
      "Path of checkpoints, to which the number of steps is appended.",
      { ...advanced, outside: [] },
    ),
    overwrite_checkpoints: field(z.boolean().default(false), "Keeps only the latest checkpoint.", advanced),
    evaluation_interval: field(
      integer(1).default(10),
      "Language models: iterations between evaluations.",
      advanced,
    ),
    num_epochs: field(
      integer(1).nullable().default(null),
      "SFT, DPO and KTO: passes over the data set.",
      advanced,
    ),
    evo_epochs: field(
      integer(1).nullable().default(null),
      "Passes over the data set between rounds of evolution, in place of evo_steps. Needs num_epochs.",
      advanced,
    ),
    max_wall_seconds: field(
      z.number().positive().nullable().default(null),
      "Time after which training ends, at the next generation boundary. Not for SFT, DPO and KTO.",
      { unit: "s", advanced: true },
    ),
    episode_steps: field(integer(1).default(500), "Bandits: steps of an episode.", {
      ...steps,
      ...advanced,
    }),
    sum_scores: field(
      z.boolean().default(true),
      "Teams: adds the agents' scores up, instead of keeping one for each.",
      advanced,
    ),
    reporting_interval: field(
      integer(1).default(1024),
      "Steps between metric reports of the remote platform.",
      remote,
    ),
    experience_sharing: field(
      z.boolean().default(false),
      "Shares experience between members on the remote platform.",
      remote,
    ),
    env_resource_ratio: field(
      z.number().positive().max(1).nullable().default(null),
      "Share of a remote machine's resources given to environments.",
      remote,
    ),
    rollout_mode: field(
      z.enum(["colocated", "async"]).default("colocated"),
      "Where a cluster generates language-model rollouts: beside the learner, or in separate engines.",
      remote,
    ),
    rollout_batch_size: field(
      integer(1).nullable().default(null),
      "Rollout groups per learning batch in async mode.",
      remote,
    ),
    rollout_engines_per_agent: field(
      z.union([integer(0), z.literal("auto")]).default(0),
      "Generation engines for each agent in async mode.",
      remote,
    ),
    training_gpus_per_agent: field(
      integer(1).default(1),
      "Learner GPUs for each agent on a cluster.",
      remote,
    ),
    weight_sync_backend: field(
      z.enum(["filesystem", "nccl"]).nullable().default(null),
      "How a cluster carries new weights to its generation engines.",
      remote,
    ),
    weight_sync_interval: field(
      integer(1).nullable().default(null),
      "Learning steps between weight transfers in async mode.",
      remote,
    ),
    rollout_version_stamp: field(
      z.enum(["publish", "oldest_turn"]).default("oldest_turn"),
      "Weight version to which a rollout is attributed in async mode.",
      remote,
    ),
  })
  .superRefine((spec, context) => {
    const fail = (key: keyof typeof spec, message: string): void =>
      context.addIssue({ code: "custom", path: [key], message });
    if (spec.evo_steps !== null && spec.evo_steps > spec.max_steps) {
      fail("evo_steps", `found ${spec.evo_steps}; must be at most max_steps (${spec.max_steps})`);
    }
    if (spec.evo_epochs !== null && spec.num_epochs === null)
      fail("evo_epochs", "needs num_epochs to be set");
    if (spec.eps_start !== null && spec.eps_end !== null && spec.eps_start < spec.eps_end) {
      fail("eps_end", `found ${spec.eps_end}; must be at most eps_start (${spec.eps_start})`);
    }
    for (const key of ["demonstration_share", "demonstration_coef", "demonstration_steps"] as const)
      if (spec[key] !== null && spec.demonstrations === null)
        fail(key, `found ${spec[key]}; needs demonstrations to be set`);
    if (spec.rollout_mode !== "async") return;
    if (spec.rollout_engines_per_agent === 0) {
      fail("rollout_engines_per_agent", 'found 0; rollout_mode async needs at least 1, or "auto"');
    }
    if ((spec.rollout_batch_size ?? 1) % spec.training_gpus_per_agent !== 0) {
      fail(
        "rollout_batch_size",
        `must be a multiple of training_gpus_per_agent (${spec.training_gpus_per_agent})`,
      );
    }
    if (spec.experience_sharing) fail("experience_sharing", "must be false when rollout_mode is async");
  })
  .overwrite((spec) =>
    spec.rollout_mode === "async"
      ? {
          ...spec,
          weight_sync_backend: spec.weight_sync_backend ?? "nccl",
          rollout_batch_size: spec.rollout_batch_size ?? 1,
          weight_sync_interval: spec.weight_sync_interval ?? 1,
        }
      : spec,
  );

/** Sets the population size for hpo if it is not given. */
function withHpoPopulation(raw: unknown): unknown {
  if (!isMapping(raw) || raw.pop_size !== undefined) return raw;
  if (raw.hpo === "search") return { ...raw, pop_size: SEARCH_POP_SIZE };
  return raw.hpo === true ? { ...raw, pop_size: HPO_POP_SIZE } : raw;
}

// Annotated, so that declarations do not repeat the fields.
const madeTrainingSpec: Prepared<typeof fields> = withAliases(
  fields,
  { population_size: "pop_size", metrics_interval: "evo_steps" },
  withHpoPopulation,
);
type TrainingSpecMade = typeof madeTrainingSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface TrainingSpecSchema extends TrainingSpecMade {}

/**
 * The training loop's parameters. `TrainingSpec.parse({})` is 1,000,000 steps, one agent, no evolution.
 *
 * @example
 * ```ts
 * console.log(TrainingSpec.parse({}).max_steps); // 1000000
 * ```
 */
export const TrainingSpec: TrainingSpecSchema = madeTrainingSpec;
export type TrainingSpec = z.output<typeof TrainingSpec>;
export type TrainingSpecInput = z.input<typeof fields>;
