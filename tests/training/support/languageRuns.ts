/** Manifests of language models, and their runs. */
import { type FileStore, memoryFileStore } from "../../../src/storage/index.ts";
import { Accelerator, LocalTrainer, type TrainingEvent } from "../../../src/training/index.ts";
// Brings in the pool of workers.
import "../../../src/workers/index.ts";

export const NO_OTHER_MUTATION = {
  no_mut: 0.2,
  arch_mut: 0,
  new_layer: 0,
  params_mut: 0,
  act_mut: 0,
  rl_hp_mut: 0.8,
};

const evolution = {
  mutation: { probabilities: NO_OTHER_MUTATION, rl_hp_selection: { lr: { min: 1e-4, max: 5e-3 } } },
  selection_strategy: { tournament_size: 2, elitism: true },
};

export const rollouts = (changes: object = {}, training: object = {}) => ({
  algorithm: {
    name: "GRPO",
    batch_size: 8,
    group_size: 4,
    beta: 0,
    lr: 0.002,
    temperature: 0.7,
    max_grad_norm: 1,
    max_output_tokens: 1,
    ...changes,
  },
  environment: { env_type: "rollout", entrypoint: "rlkit/ConstantTarget", max_turns: 1, max_reward: 1 },
  network: { pretrained_model_name_or_path: "rlkit/tiny-digits", max_context_length: 16 },
  training: { pop_size: 2, max_steps: 640, evo_steps: 4, evaluation_interval: 2, eval_loop: 16, ...training },
  ...evolution,
});

export const rows = (algorithm: object, dataset: string, objective: string, training: object = {}) => ({
  algorithm: { batch_size: 32, max_grad_norm: 1, ...algorithm },
  environment: { env_type: "dataset", dataset, objective },
  network: { pretrained_model_name_or_path: "rlkit/tiny-letters", max_context_length: 64 },
  training: {
    pop_size: 2,
    max_steps: 1280,
    evo_steps: 10,
    evaluation_interval: 10,
    eval_loop: 2,
    ...training,
  },
  ...evolution,
});

interface Options {
  readonly workers?: number;
  readonly store?: FileStore;
  readonly from?: string;
  /** `null` for that of the manifest. */
  readonly seed?: number | null;
}

export async function trained(
  manifest: object,
  { workers = 1, store = memoryFileStore(), from, seed = 3 }: Options = {},
) {
  const trainer = await LocalTrainer.fromManifest(manifest as never, {
    accelerator: new Accelerator({ workers }),
    store,
    ...(seed !== null && { seed }),
    ...(from === undefined ? {} : { resume_from_checkpoint: from }),
  });
  const events: TrainingEvent[] = [];
  const [population, fitnesses] = await trainer.train({
    verbose: false,
    observer: { on: (event) => events.push(event) },
    checkpoint_steps: 4,
    checkpoint_path: "llm",
  });
  const generations = events.filter((event) => event.event === "generation");
  return { population, fitnesses, generations, events, store, champion: trainer.champion };
}
