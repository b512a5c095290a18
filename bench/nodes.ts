/**
 * `npx tsx bench/nodes.ts [--rounds N] [--steps N]`: compares a run over two machines of one core each with
 * the same run on one machine with two threads, alternately, on a temporary platform. A turn of 16,000 steps
 * takes some seconds. Progress is printed to stderr.
 */
import { parseArgs } from "node:util";
import { z } from "zod";
import { RemoteClient } from "../src/remote/index.ts";
import { TestPlatform } from "../tests/platform/support/platform.ts";
import { machineNote } from "./harness/machine.ts";
import { reportSamples } from "./harness/record.ts";

/** Long enough for a busy machine not to lose its lock. */
const LOCK_MS = 30_000;

const GENERATIONS = 6;

/** Number of first generations in which machines may still be starting. */
const EARLY = 2;

/** @param evo_steps Environment steps per turn. */
const manifest = (evo_steps: number) => ({
  algorithm: { name: "DQN", batch_size: 64, learn_step: 1 },
  environment: { name: "CartPole-v1", num_envs: 8 },
  training: { pop_size: 4, max_steps: GENERATIONS * evo_steps, evo_steps, learning_delay: 100 },
  network: { encoder_config: { hidden_size: [64, 64] }, head_config: { hidden_size: [64] } },
  replay_buffer: { max_size: 40_000 },
  mutation: {
    probabilities: { no_mut: 1, arch_mut: 0, new_layer: 0, params_mut: 0, act_mut: 0, rl_hp_mut: 0 },
  },
  selection_strategy: { tournament_size: 2, elitism: true },
});

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "3" }, steps: { type: "string", default: "16000" } },
});

const note = (text: string): void => console.error(`${new Date().toLocaleTimeString("en-GB")}  ${text}`);

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const generationSchema = z.object({
  seconds: z.number(),
  members: z.array(z.object({ milliseconds: z.number().nullable() })),
});

/** Median duration of a generation in seconds, without the early ones, and of a turn. */
async function measure(
  platform: TestPlatform,
  key: string,
  machines: number,
): Promise<readonly [number, number]> {
  for (let i = 0; i < machines; i++) platform.worker(undefined, { threads: 2 / machines, lock_ms: LOCK_MS });
  const client = new RemoteClient({ base_url: platform.url, api_key: key });
  const { experiment_id } = await client.submitExperiment({
    manifest: manifest(Number(values.steps)),
    num_nodes: machines,
  });
  const reports: z.infer<typeof generationSchema>[] = [];
  for await (const { event, data } of client.watchExperiment(z.string().parse(experiment_id)))
    if (event === "generation") reports.push(generationSchema.parse(data));
  await platform.killWorkers();
  const later = reports.slice(EARLY);
  const turns = later.flatMap(({ members }) => members.map(({ milliseconds }) => (milliseconds ?? 0) / 1000));
  return [median(later.map(({ seconds }) => seconds)), median(turns)];
}

const platform = await TestPlatform.start();
try {
  const key = await platform.key("admin");
  const samples: number[][] = [];
  for (let round = 1; round <= Number(values.rounds); round++) {
    note(`round ${round} of ${values.rounds}: one machine with two threads`);
    const [one] = await measure(platform, key, 1);
    note(`round ${round} of ${values.rounds}: two machines of one core`);
    const [two, turn] = await measure(platform, key, 2);
    note(`${one.toFixed(2)} s and ${two.toFixed(2)} s a generation, turns of ${turn.toFixed(2)} s`);
    samples.push([turn, one, two, two / one]);
  }
  reportSamples({
    row: "platform-nodes",
    title: "two machines of one core against one of two",
    command: "npx tsx bench/nodes.ts",
    figures: [
      { name: "a turn", unit: "s", digits: 2 },
      { name: "a generation of 4, one machine with two threads", unit: "s", digits: 2 },
      { name: "the same, two machines of one core", unit: "s", digits: 2 },
      { name: "two machines against one", unit: "x", target: { at_most: 1.15 }, digits: 2 },
    ],
    samples,
  });
  console.log(machineNote());
} finally {
  await platform.close();
}
