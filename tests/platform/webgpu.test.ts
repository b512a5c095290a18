/** Runs on a worker's GPU. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { softwareAdapter } from "../kernels/support/softwareAdapter.ts";
import { cartPole } from "./support/cartPole.ts";
import { reasoning } from "./support/reasoning.ts";
import { claims, TrainedRuns } from "./support/TrainedRuns.ts";

const [GENERATIONS, STEPS] = [2, 40];
const small = { hidden_size: [8], layer_norm: false };
const manifest = {
  ...cartPole,
  training: {
    ...cartPole.training,
    max_steps: GENERATIONS * STEPS,
    evo_steps: STEPS,
    eval_steps: 20,
    learning_delay: 10,
  },
  network: { latent_dim: 8, encoder_config: small, head_config: small },
  mutation: {
    ...cartPole.mutation,
    probabilities: { no_mut: 0.5, params_mut: 0.5, arch_mut: 0, act_mut: 0 },
  },
};

let runs: TrainedRuns;

beforeAll(async () => {
  // Workers inherit the environment, and so find the same driver.
  await softwareAdapter();
  runs = await TrainedRuns.start({}, { manifest, generations: GENERATIONS, device: "webgpu" });
});

afterAll(async () => {
  await runs?.platform.close();
});

it("wait for a worker that has one, and end with the bits of a local one", async () => {
  const { platform, client } = runs;
  platform.worker();
  const run = await runs.submit({ resource_id: "webgpu" });
  platform.worker(undefined, { resource: "webgpu" });
  const events = await runs.watched(run);
  await runs.assertWhole(run, events);
  expect(claims(events)).toBe(1);
  expect(await client.getExperiment(run)).toMatchObject({ resource_id: "webgpu" });
  expect(await client.listResources()).toMatchObject([
    { resource_id: "cpu", workers: 1 },
    { resource_id: "webgpu", workers: 1 },
  ]);
});

it.each([
  ["several machines", manifest, { num_nodes: 2 }, "num_nodes: found 2, allowed 1: GPUs differ"],
  ["a language model", reasoning, {}, 'resource_id: found "webgpu"'],
])("are refused with %s", async (_, other, options, reason) => {
  await expect(
    runs.client.submitExperiment({ manifest: other, resource_id: "webgpu", ...options }),
  ).rejects.toThrow(reason);
});
