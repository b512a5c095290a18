/** Trains the run that the first page plays, and keeps every generation's policies. */
import { runPopulation } from "../../bench/subjects/populationRun.ts";
import { type TrainingManifestInput, templates } from "../../src/manifests/index.ts";
import { type PackedPolicy, packPolicy, unpackPolicy } from "../../src/stage/packedPolicy.ts";
import type { GenerationReport } from "../../src/tracking/observer.ts";

export const SEED = 1;
/** By the last one, most members run. */
const GENERATIONS = 9;
const TEMPLATE = "ppo-halfcheetah";

/** The task of the template with more members, whose networks are small enough for the file. */
export function recordedManifest(): TrainingManifestInput & { environment: { name: string } } {
  const template = templates.find(({ id }) => id === TEMPLATE);
  if (!template) throw new Error(`There is no template ${TEMPLATE}.`);
  const { manifest } = template;
  return {
    ...manifest,
    training: { ...manifest.training, pop_size: 32, target_score: null },
    network: {
      latent_dim: 12,
      encoder_config: { hidden_size: [16], activation: "Tanh", layer_norm: false },
      head_config: { hidden_size: [12], activation: "Tanh", layer_norm: false },
    },
  };
}

/** A generation of the run: its report, and each member's acting networks in their evaluated state. */
export interface TrainedGeneration {
  readonly report: GenerationReport;
  readonly agents: readonly PackedPolicy["agent"][];
}

export async function trainRecorded(each: (generation: TrainedGeneration) => void): Promise<void> {
  const manifest = recordedManifest();
  await runPopulation(manifest, {
    seed: SEED,
    workers: 0,
    atBoundary: ({ state, report }) => {
      const agents = state.members.map((agent) => {
        const place = { environment: manifest.environment.name, env_config: null };
        // Training continues in the memory of the state; a packed policy has what acting needs.
        return unpackPolicy(packPolicy({ agent, ...place, generation: report.generation, fitness: null }))
          .agent;
      });
      each({ report, agents });
      return report.generation >= GENERATIONS;
    },
  });
}
