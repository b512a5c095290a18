/** Mutations of runs that a GPU trained (SwiftShader), tested there. */
// @apart: its programs and devices fill much memory.
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import { manifestToObject, parseManifest } from "../../../src/manifests/index.ts";
import { commitCheckpoint, memoryFileStore } from "../../../src/storage/index.ts";
import type { GenerationReport } from "../../../src/tracking/observer.ts";
import { GpuExecutor } from "../../../src/training/executors.ts";
import { encodeRun } from "../../../src/training/loop.ts";
import { explainWith, reinforcementLearning } from "../../../src/training/workloads.ts";
import { softwareAdapter } from "../../kernels/support/softwareAdapter.ts";
import { buildRun, SEED } from "../../workers/support/trainWith.ts";
import { type Changes, dqn, NO_MUTATION, ppo } from "../support/tiny.ts";

let kept: WebGpuDevice;
beforeAll(async () => {
  kept = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
});
afterAll(() => kept.close());

/** Rates only: another structure would only take SwiftShader longer. */
const evolution = {
  mutation: { probabilities: { ...NO_MUTATION, rl_hp_mut: 1 } },
  selection_strategy: { tournament_size: 2, elitism: true },
};
const training = { pop_size: 4, max_steps: 480, evo_steps: 160, eval_steps: 200 };
/** So many that the last bits of sums show in fitness. */
const rollouts = (changes: Changes) =>
  ppo({ ...changes, algorithm: { ...changes.algorithm, lr: 0.01, update_epochs: 20 } });

it.each([
  ["DQN, whose batches are slices for one member and not for four", dqn, 4],
  ["PPO, whose minibatches are more slices for one member than for four", rollouts, 2],
] as const)("repeats the run to the bit: %s", async (_name, run, busy) => {
  const manifest = run({ ...evolution, algorithm: { batch_size: 128, learn_step: 160 }, training });
  const executor = () => new GpuExecutor({ open: async () => kept, keepsDevice: true, busy });
  const reports: GenerationReport[] = [];
  const trained = buildRun(
    manifest,
    executor(),
    (event) => event.event === "generation" && reports.push(event),
  );
  await trained.train();
  const store = memoryFileStore();
  const { state } = trained;
  const saved = { state, seed: SEED, manifest: manifestToObject(parseManifest({ ...manifest })) };
  const { generation } = state;
  const facts = { generation, global_step: 0, spec_hash: "", fitness: null };
  await commitCheckpoint(store, "run/c", encodeRun(reinforcementLearning.files, saved), facts);
  const [report, member] = reports
    .slice(1)
    .flatMap((each) => each.members.map((one) => [each, one] as const))
    .find(([, { mutation_detail }]) => mutation_detail) ?? [null, null];
  if (!report) throw new Error("nobody mutated");
  const id = `${report.generation}/${member.slot}`;
  const found = await explainWith("run/c", { store, mutation: id, seeds: 1 }, executor);
  expect(found.own_seed.with_mutation).toBe(report.fitnesses[member.slot]);
});
