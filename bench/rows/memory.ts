import type { TrainingManifestInput } from "../../src/manifests/index.ts";
import type { Row } from "../harness/Row.ts";
import { smallDqn } from "../subjects/manifests.ts";
import { runPopulation } from "../subjects/populationRun.ts";
import { memoryInUse, watchWasmMemory } from "../subjects/wasmMemory.ts";

const [EARLY, LATE] = [20, 200];
const MIB = 2 ** 20;

const BOUNDS = { min_mlp_nodes: 32, max_mlp_nodes: 96 };
const MODULE = { hidden_size: [64], ...BOUNDS, max_hidden_layers: 2 };

/**
 * Short generations, so that many mutations happen in little time. Widths and batch sizes are bounded.
 * Otherwise they drift upwards over 200 generations, and the members themselves take more memory.
 */
const manifest = (): TrainingManifestInput => {
  const small = smallDqn(0.2);
  return {
    ...small,
    training: { ...small.training, evo_steps: 400 },
    network: {
      latent_dim: 64,
      min_latent_dim: 32,
      max_latent_dim: 96,
      encoder_config: MODULE,
      head_config: MODULE,
    },
    mutation: {
      ...small.mutation,
      rl_hp_selection: { lr: { min: 0.0001, max: 0.01 }, batch_size: { min: 32, max: 96 } },
    },
  };
};

export const memory: Row = {
  name: "memory",
  title: "wasm pages and heap after collection, DQN x4 with evolution",
  figures: [
    { name: `generation ${LATE} / generation ${EARLY}`, unit: "x", target: { at_most: 1.05 }, digits: 3 },
    { name: `wasm pages at ${EARLY}`, unit: "MiB" },
    { name: `wasm pages at ${LATE}`, unit: "MiB" },
    { name: `heap at ${EARLY}`, unit: "MiB" },
    { name: `heap at ${LATE}`, unit: "MiB" },
  ],
  measure: async (seed) => {
    watchWasmMemory();
    const at = new Map<number, ReturnType<typeof memoryInUse>>();
    await runPopulation(manifest(), {
      seed,
      workers: 0,
      atBoundary: ({ report: { generation } }) => {
        if (generation === EARLY || generation === LATE) at.set(generation, memoryInUse());
        return generation >= LATE;
      },
    });
    const [early, late] = [at.get(EARLY), at.get(LATE)];
    if (!early || !late) throw new Error("the run ended early");
    const ratio = (late.pages + late.heap) / (early.pages + early.heap);
    return [ratio, ...[early.pages, late.pages, early.heap, late.heap].map((bytes) => bytes / MIB)];
  },
};
