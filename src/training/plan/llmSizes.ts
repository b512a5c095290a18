/** Finds settings of language-model runs that require more resources than any machine has. */
import { findLlmAlgorithm } from "../../llm/algorithms.ts";
import {
  adapterWeightsOf,
  builtInModel,
  isBuiltInModel,
  type LoraSettings,
  type ModelConfig,
  weightsOf,
} from "../../llm/models.ts";
import {
  evolutionSections,
  SpecError,
  type SpecIssue,
  type TrainingManifest,
} from "../../manifests/index.ts";
import { llmPlanOf, tooLargeWhole } from "../llm/llmPlan.ts";
import { numbersOf, OPERATIONS_PER_SECOND, tournamentSize } from "./estimateRun.ts";
import { excessIssues, inArray, inMemory, inThread, inTime, type Limit, type Path } from "./limits.ts";
import { inDraws } from "./runIssues.ts";

/** The smallest model that a folder is assumed to have before it is read. */
const SMALLEST: ModelConfig = {
  family: "llama",
  vocab_size: 64,
  hidden_size: 64,
  num_layers: 1,
  num_heads: 1,
  num_key_value_heads: 1,
  head_dim: 64,
  intermediate_size: 64,
  max_position_embeddings: 64,
  norm_epsilon: 1e-5,
  rope_theta: 10_000,
  activation: "silu",
  qkv_bias: false,
  output_bias: false,
  mlp_bias: false,
  tie_word_embeddings: true,
};

/** Settings of the adapter that a folder's model gets if the manifest has none (see `DEFAULT_LORA`). */
const DEFAULT_RANK: LoraSettings = { lora_r: 16, lora_alpha: 32, target_modules: "all-linear" };

const WORD = 4;
/** Copies of a row's activations during learning, including gradients and temporaries. */
const COPIES = 3;
/** Activations of a layer for a token, in widths of the model. */
const LAYER_WIDTHS = 8;
/** Bytes of a trajectory in host memory: its environment, texts and ids. */
const TRAJECTORY_BYTES = 1_000;
/** Episodes or batches that JavaScript handles in a second at most, so that times are lower bounds. */
const CALLS_PER_SECOND = 1e5;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const product = (shape: readonly number[]): number => shape.reduce((all, size) => all * size, 1);

/** Fields that only some algorithms have. */
interface SomeFields {
  readonly group_size?: number;
  readonly perturbations?: number;
  readonly micro_batch_size_per_gpu?: number | null;
  readonly update_epochs?: number;
  readonly max_output_tokens?: number | null;
}

/** The shapes of the weights that a member trains. */
function ownShapes(
  config: ModelConfig,
  lora: LoraSettings | null,
  whole: boolean,
): readonly (readonly number[])[] {
  if (whole) return weightsOf(config).map(({ shape }) => shape);
  try {
    return adapterWeightsOf(config, lora ?? DEFAULT_RANK).map(({ shape }) => shape);
  } catch {
    // Names of layers are checked when the model is known.
    return [];
  }
}

/** Numbers that a manifest's members have of a base model. */
function membersOf(manifest: TrainingManifest, given?: ModelConfig) {
  const { spec, model, lora } = llmPlanOf(manifest);
  const builtIn = model !== null && isBuiltInModel(model) ? builtInModel(model).config : undefined;
  const known = given ?? builtIn;
  const config = known ?? SMALLEST;
  const whole = spec.full_finetuning || (lora === null && builtIn !== undefined);
  const shapes = ownShapes(config, lora, whole);
  const own = sum(shapes.map(product));
  const algorithm = findLlmAlgorithm(spec.name);
  const labelled = algorithm?.kind === "dataset" ? algorithm : null;
  const critic = algorithm?.kind === "rollout" && algorithm.critic ? 1 : 0;
  const evolves = algorithm?.kind === "evolution";
  const reference = evolves || (labelled && !labelled.reference(spec)) ? 0 : 1;
  /** With a gradient. */
  const trained = own * (1 + critic);
  /** Of one member: its roles, and the moments of its optimisers. */
  const member = own * (1 + reference + critic) + 2 * trained;
  const perSample = labelled?.rows_per_sample ?? 1;
  return { spec, known, config, whole, shapes, trained, member, perSample, evolves };
}

/**
 * What a run needs at least. Sequences may be as short as two tokens, except in caches of completions, which
 * are allocated for the longest.
 * @param given The base model's sizes; by default those of a built-in model, or the smallest assumed.
 */
function limitsOf(manifest: TrainingManifest, given?: ModelConfig): readonly Limit[] {
  const { spec, known, config, whole, shapes, trained, member, perSample, evolves } = membersOf(
    manifest,
    given,
  );
  const { training, environment } = manifest;
  const {
    batch_size,
    group_size = 1,
    perturbations = 1,
    max_output_tokens = null,
    micro_batch_size_per_gpu,
    update_epochs = 0,
  }: typeof spec & SomeFields = spec;
  const { vocab_size, hidden_size, num_layers, num_key_value_heads, head_dim } = config;
  const all = sum(weightsOf(config).map(({ shape }) => product(shape)));

  const generates = environment.env_type === "rollout";
  const samples = batch_size * group_size;
  const rows = samples * perSample;
  const positions = Math.min(config.max_position_embeddings, spec.max_model_len);
  const cached = generates ? rows * (positions + 1) * num_key_value_heads * head_dim : 0;
  const turns = environment.env_type === "rollout" ? rows * (environment.max_turns ?? 1) : 0;
  const learned = evolves ? 0 : Math.min(micro_batch_size_per_gpu ?? batch_size, samples) * (rows / samples);
  const activations = COPIES * (vocab_size + LAYER_WIDTHS * num_layers * hidden_size);
  const logits = generates ? rows * vocab_size : 0;
  // A model that is trained whole has no base beside its members.
  const thread =
    WORD * ((whole ? 0 : all) + member + trained + 2 * num_layers * cached + logits + learned * activations);
  const host = training.pop_size * WORD * member + rows * perturbations * TRAJECTORY_BYTES + 2 * WORD * turns;

  // Learning takes about three times as many operations as a forward pass.
  const forward = 2 * (all - vocab_size * hidden_size);
  // A final evaluation counts rows of labelled data, which come in batches.
  const final = evolutionSections(manifest).final_episodes;
  const passes = Math.max(training.eval_loop, generates ? final : Math.ceil(final / batch_size));
  const evaluated = passes * forward * (generates ? 1 : batch_size);
  const evaluation = evaluated / OPERATIONS_PER_SECOND + passes / CALLS_PER_SECOND;
  const operations = rows * perturbations * forward * ((generates ? 1 : 0) + 3 * update_epochs);
  const longest = known === undefined ? spec.max_model_len : positions;
  return [
    ...(max_output_tokens === null || max_output_tokens === 1
      ? []
      : [
          {
            needs: max_output_tokens + 1,
            most: longest,
            words: `needs ${max_output_tokens + 1} tokens with the shortest prompt, a sequence has at most ${longest}`,
          },
        ]),
    inThread(thread),
    inArray(WORD * Math.max(cached, logits, turns, ...shapes.map(product))),
    inMemory(thread + host),
    inTime(operations / OPERATIONS_PER_SECOND, "for one iteration of a member"),
    inTime(evaluation, "for one evaluation of a member"),
    inDraws(training.pop_size * tournamentSize(manifest)),
  ];
}

/** Paths and values of the numbers that determine sizes. */
function sizesOf(manifest: TrainingManifest): [Path, number][] {
  const { algorithm, environment, training, network } = manifest;
  const { max_turns = null } = environment as { readonly max_turns?: number | null };
  const { pop_size, eval_loop, final_episodes } = training;
  return numbersOf({
    algorithm,
    network,
    environment: { max_turns },
    training: { pop_size, eval_loop, final_episodes },
    selection_strategy: { tournament_size: tournamentSize(manifest) },
  });
}

/** Issues for the settings that exceed a limit, worst first. @param config Sizes of the base model, if known. */
export function llmSizeIssues(manifest: TrainingManifest, config?: ModelConfig): SpecIssue[] {
  const { spec, trained, member } = membersOf(manifest, config);
  const needs = WORD * (member + trained);
  const limits = [inThread(needs), inMemory(needs + WORD * manifest.training.pop_size * member)];
  const exceeded = spec.full_finetuning && limits.find((limit) => limit.needs > limit.most);
  if (exceeded) return [tooLargeWhole(exceeded.words)];
  return excessIssues(manifest, { limitsOf: (each) => limitsOf(each, config), sizesOf });
}

/** @throws SpecError listing the issues that {@link llmSizeIssues} finds. */
export function requireLlmSizes(manifest: TrainingManifest, config: ModelConfig): void {
  const issues = llmSizeIssues(manifest, config);
  if (issues.length > 0) throw new SpecError(issues, "manifest");
}
