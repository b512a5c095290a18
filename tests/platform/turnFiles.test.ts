/** Turns as artifacts between machines: they round-trip bit for bit, and anything else is rejected. */
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { stillHeld } from "../../platform/src/nodes/files/history.ts";
import { TurnFiles } from "../../platform/src/nodes/files/TurnFiles.ts";
import type { TurnJob } from "../../platform/src/nodes/turnJob.ts";
import { UsedArtifacts } from "../../platform/src/nodes/UsedArtifacts.ts";
import { Gate, runTurn } from "../../src/training/loop.ts";
import { reinforcementLearning } from "../../src/training/workloads.ts";
import { inThread } from "../training/support/rlRuns.ts";
import { tinyDqn, tinyLander, tinyPpo } from "../workers/support/manifests.ts";
import { buildRun, trainWith } from "../workers/support/trainWith.ts";
import { FileMachines, memoryArtifacts } from "./support/FileMachines.ts";

const MAX_STEPS = 640;

const prioritised = () => {
  const { replay_buffer, algorithm, network, ...rest } = tinyDqn({ max_steps: MAX_STEPS });
  const { latent_dim, encoder_config } = network;
  return {
    ...rest,
    algorithm: { ...algorithm, name: "RainbowDQN" },
    network: { latent_dim, encoder_config },
    replay_buffer: { ...replay_buffer, per_buffer: true, n_step_buffer: true },
  };
};

const sharing = () => {
  const { training, ...rest } = tinyDqn({ max_steps: MAX_STEPS });
  return { ...rest, training: { ...training, learn_from: "population", max_replay_ratio: 0.6 } };
};

const scheduled = () => {
  const { algorithm, ...rest } = tinyPpo();
  return { ...rest, algorithm: { ...algorithm, lr_schedule: "cosine", lr_final: 0.1 } };
};

/** Members that race, with evaluations of near ties within generations, and one at the end. */
const racing = () => {
  const { training, ...rest } = tinyDqn({ pop_size: 4, max_steps: MAX_STEPS });
  return {
    ...rest,
    training: { ...training, tie_episodes: 8, final_episodes: 8 },
    selection_strategy: {
      strategy: "halving",
      smallest: 2,
      rung: 1,
      followed_by: "truncation",
      quantile: 0.5,
    },
  };
};

it.each([
  ["DQN with a full memory", tinyDqn({ max_steps: MAX_STEPS })],
  ["a memory that samples by priority", prioritised()],
  ["members that learn by the transitions of all", sharing()],
  ["PPO with a schedule", scheduled()],
  ["members that are evaluated alone", racing()],
  ["an environment that JavaScript steps", tinyLander()],
])("machines that pass each other files end with the bits of one: %s", async (_, manifest) => {
  const expected = await trainWith(inThread(), manifest);
  expect(await trainWith(new FileMachines(2), manifest)).toEqual(expected);
});

/** A run on two machines with full replay buffers, and the turns of its last generation. */
async function afterRun(): Promise<{ machines: FileMachines; jobs: readonly TurnJob[] }> {
  const machines = new FileMachines(2);
  await buildRun(tinyDqn({ max_steps: MAX_STEPS }), machines).train();
  return { machines, jobs: machines.jobs.at(-1) ?? [] };
}

it("answers a turn whose acknowledgement was lost with what came of it: again on its turn runner it would end otherwise", async () => {
  const { machines, jobs } = await afterRun();
  const machine = await machines.join();
  const [job] = jobs;
  if (!job) throw new Error("the run took no turns");
  const first = await machine.trainer.train(job, () => undefined);
  expect(await machine.trainer.train(job, () => undefined)).toEqual(first);

  const turn = await machine.files.turn(job.turn);
  const again = await runTurn(machine.turnRunner, turn, new Gate(), () => undefined);
  expect(await machine.files.putOutcome(again)).not.toBe(first.outcome);
  // Another machine, which has not trained the turn, gets the same outcome as the first.
  const other = await machines.join();
  expect((await other.trainer.train(job, () => undefined)).outcome).toBe(first.outcome);
  await machines.close();
});

it("refuses a turn of a generation that is over", async () => {
  const { machines, jobs } = await afterRun();
  const machine = await machines.join();
  const [job] = jobs;
  const [earlier] = machines.jobs.at(-2) ?? [];
  if (!job || !earlier) throw new Error("the run took no turns");
  await machine.trainer.train(job, () => undefined);
  await expect(machine.trainer.train(earlier, () => undefined)).rejects.toThrow("is over");
  await machines.close();
});

it("tries a turn again that could not be read", async () => {
  const { machines, jobs } = await afterRun();
  const machine = await machines.join();
  const [job] = jobs;
  if (!job) throw new Error("the run took no turns");
  const { kept } = machines.store;
  const bytes = kept.get(job.turn) ?? new Uint8Array();
  kept.delete(job.turn);
  await expect(machine.trainer.train(job, () => undefined)).rejects.toThrow("not among the artifacts");
  kept.set(job.turn, bytes);
  expect(await machine.trainer.train(job, () => undefined)).toHaveProperty("outcome");
  await machines.close();
});

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

it("names what it does not take in", async () => {
  const store = memoryArtifacts();
  const files = new TurnFiles({ store, agents: reinforcementLearning.files });
  const put = (bytes: Uint8Array) => store.put(bytes);
  const part = async (bytes: Uint8Array) => ({
    ...{ generation: 1, slot: 0, start: 0, count: 2 },
    rows: await put(bytes),
  });
  const noTensors = gzipSync(text("not safetensors at all"));
  await expect(files.written(await part(text("plain")))).rejects.toThrow(/transitions [0-9a-f]{64}.*gzipped/);
  await expect(files.written(await part(noTensors.subarray(0, 12)))).rejects.toThrow(
    /transitions.*truncated/,
  );
  await expect(files.written(await part(noTensors))).rejects.toThrow(/transitions [0-9a-f]{64}/);
  await expect(files.turn(await put(text("{")))).rejects.toThrow(/turn [0-9a-f]{64}.*not valid JSON/);
  await expect(files.turn(await put(text('{"agent": 1}')))).rejects.toThrow(/turn [0-9a-f]{64}.*agent/);
  await expect(files.setup(await put(text('{"workload": "llm"}')))).rejects.toThrow(/setup [0-9a-f]{64}/);
  await expect(files.outcome(await put(text('{"ok": 1}')))).rejects.toThrow(/outcome [0-9a-f]{64}/);
  await expect(files.history(await put(text('{"parts": [{"slot": -1}]}')))).rejects.toThrow(
    /history.*parts\.0/,
  );
});

it("refuses transitions of another number than was said, and an agent that is none", async () => {
  const { machines, jobs } = await afterRun();
  const { store, files } = machines;
  const [job] = jobs;
  if (!job) throw new Error("the run took no turns");
  const [part] = await files.history(job.history);
  if (!part) throw new Error("the memory is empty");
  await expect(files.written({ ...part, count: part.count - 1 })).rejects.toThrow(/field obs, allowed/);
  const record = JSON.parse(new TextDecoder().decode(await store.get(job.turn)));
  const forged = { ...record, agent: await store.put(gunzipSync(await store.get(part.rows))) };
  await expect(files.turn(await store.put(text(JSON.stringify(forged))))).rejects.toThrow(
    /agent [0-9a-f]{64}/,
  );
  await machines.close();
});

it("forgets transitions once later ones have overwritten them", () => {
  const part = (generation: number, slot: number, count: number) => ({
    ...{ generation, slot, start: 0, count },
    rows: "0".repeat(64),
  });
  const parts = [part(0, 0, 10), part(1, 0, 4), part(1, 1, 10), part(2, 0, 4), part(3, 0, 4)];
  const held = stillHeld(parts, 10).map(({ generation, slot }) => [generation, slot]);
  expect(held).toEqual([
    [1, 0],
    [1, 1],
    [2, 0],
    [3, 0],
  ]);
});

it("keeps artifacts for a generation after their last use, and those that are named", () => {
  const used = new UsedArtifacts();
  expect(used.begin(5, new Set())).toEqual([]);
  for (const sha256 of ["turn", "rows"]) used.use(sha256);
  expect(used.begin(6, new Set(["rows"]))).toEqual([]);
  used.use("later");
  expect(used.begin(7, new Set(["rows"]))).toEqual(["turn"]);
  expect(used.begin(8, new Set())).toEqual(["rows", "later"]);
});
