/**
 * `npx tsx bench/ownEnvironment.ts [--runs N] [--only node|chromium]`: runs the example's CartPole in
 * sandboxes of Node and of the built app (npm run build) in headless Chromium. Measures environment steps per
 * second of 64 lanes without learning, and in Node also of PPO in the sandbox and of PPO in the thread.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/lib/environment.mjs";
import { SyncVectorEnvironment } from "../src/rl/faces.ts";
import { exportOf, makeEnvironment } from "../src/sandbox/environments.ts";
import { nodeSandbox } from "../src/sandbox/node/nodeSandbox.ts";
import { nodeFileStore } from "../src/storage/node/index.ts";
import { LocalTrainer } from "../src/training/index.ts";
import { machineNote } from "./harness/machine.ts";
import { reportSamples } from "./harness/record.ts";
import { playInChromium } from "./ownEnvironment/playInChromium.ts";
import { LANES, MESSAGES, playLanes } from "./ownEnvironment/playLanes.ts";

const { values: options } = parseArgs({
  options: { runs: { type: "string", default: "3" }, only: { type: "string" } },
});

const FILE = path.join(root, "examples/environment/cartpole.js");
const SECTIONS = {
  algorithm: { name: "PPO", learn_step: 1_024, batch_size: 256 },
  training: { pop_size: 1, max_steps: 100_000, evo_steps: 20_000, eval_steps: 100 },
  mutation: null,
  selection_strategy: null,
} as const;

const script = readFileSync(FILE, "utf8");

/** Environment steps per second of lanes that only play. */
async function playing(): Promise<number> {
  let [begins, ends] = [0, 0];
  await playLanes(nodeSandbox, script, (moment) => {
    if ("begins" in moment) begins = moment.begins;
    else ends = moment.ends;
  });
  return (1000 * MESSAGES * LANES) / (ends - begins);
}

/** Environment steps per second of a run, from the end of its first generation to the end of its last. */
async function training(trainer: LocalTrainer): Promise<number> {
  const ends: [seconds: number, steps: number][] = [];
  await trainer.train({
    verbose: false,
    observer: {
      on: (event) => {
        if (event.event === "generation") ends.push([performance.now() / 1000, event.global_step]);
      },
    },
  });
  const [first, last] = [ends[0], ends.at(-1)];
  if (!first || !last) throw new Error("the run had no generation");
  return (last[1] - first[1]) / (last[0] - first[0]);
}

async function live(): Promise<LocalTrainer> {
  const module = await import(`data:text/javascript;base64,${Buffer.from(script).toString("base64")}`);
  const create = exportOf(module, null, "CartPole");
  const make = () => makeEnvironment(create, {}, { name: "CartPole", max_episode_steps: null });
  const environment = new SyncVectorEnvironment(Array.from({ length: LANES }, () => make));
  return new LocalTrainer({ ...SECTIONS, environment });
}

const sandboxed = (): Promise<LocalTrainer> =>
  LocalTrainer.fromManifest(
    { ...SECTIONS, environment: { name: "CartPole", path: FILE, num_envs: LANES } },
    { store: nodeFileStore() },
  );

const whole = (rate: number): string => Math.round(rate).toLocaleString("en");

console.log(machineNote());
const samples = { node: [] as number[][], chromium: [] as number[][] };
for (let run = 1; run <= Number(options.runs); run++) {
  if (options.only !== "chromium") {
    const alone = await playing();
    const [inThread, inSandbox] = [await training(await live()), await training(await sandboxed())];
    samples.node.push([alone, inThread, inSandbox, inSandbox / inThread]);
    console.log(
      `run ${run}: playing ${whole(alone)} steps/s; PPO ${whole(inThread)} in the thread, ${whole(inSandbox)} in the sandbox (${(inSandbox / inThread).toFixed(2)}x)`,
    );
  }
  if (options.only !== "node") {
    const { steps_per_second, us } = await playInChromium(script);
    samples.chromium.push([steps_per_second, us]);
    console.log(
      `run ${run}: in Chromium playing ${whole(steps_per_second)} steps/s, ${us.toFixed(0)} us of processor time for a message of ${LANES} lanes`,
    );
  }
}
const command = "npx tsx bench/ownEnvironment.ts";
if (samples.node.length > 0)
  reportSamples({
    row: "own-environment",
    title: `own environment, Node's sandbox, ${LANES} lanes`,
    command: `${command} --only node`,
    figures: [
      { name: "steps without learning", unit: "/s", target: { at_least: 100_000 }, digits: 0 },
      { name: "PPO in the thread", unit: "steps/s", digits: 0 },
      { name: "PPO in the sandbox", unit: "steps/s", digits: 0 },
      { name: "the sandbox against the thread", unit: "x", target: { at_least: 0.6 }, digits: 2 },
    ],
    samples: samples.node,
  });
if (samples.chromium.length > 0)
  reportSamples({
    row: "own-environment-chromium",
    title: `the same in Chromium`,
    command: `${command} --only chromium`,
    figures: [
      { name: "steps without learning", unit: "/s", target: { at_least: 100_000 }, digits: 0 },
      { name: "processor time of a message", unit: "us", digits: 0 },
    ],
    samples: samples.chromium,
  });
