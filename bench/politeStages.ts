/**
 * `npx tsx bench/politeStages.ts [--seeds 1,2,3,4,5] [--dry]`: the chain of SFT, DPO and GRPO of
 * examples/manifests/stages-polite.yaml. Prints and, unless --dry, records what the elites of the last two stages answer to the 256 requests
 * that are held out.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { Accelerator, trainStages } from "../src/index.ts";
import { builtInDataset } from "../src/llm/environments.ts";
import { expandStages, type StageRun } from "../src/manifests/index.ts";
import { memoryFileStore } from "../src/storage/index.ts";
import { openChat } from "../src/training/workloads.ts";
import { record } from "./harness/record.ts";
import { summarise } from "./harness/statistics.ts";

const { values: options } = parseArgs({
  options: { seeds: { type: "string", default: "1,2,3,4,5" }, dry: { type: "boolean", default: false } },
});
const FILE = "examples/manifests/stages-polite.yaml";
const LEAST = 0.95;

const text = readFileSync(FILE, "utf8");
const stages = expandStages(parse(text) as Readonly<Record<string, unknown>>);
const { train = [], test = [] } = builtInDataset("rlkit/polite") ?? {};
const polite = new Set([...train, ...test].map(({ chosen }) => chosen));
const greedy = {
  temperature: 0,
  top_k: 0,
  top_p: 1,
  min_p: 0,
  repetition_penalty: 1,
  max_output_tokens: 32,
  seed: 0,
};

/** Shares of the held-out requests that a stage's elite answers politely, and with the thing's name. */
async function sharesOf({ manifest }: StageRun, elite: Uint8Array) {
  const chat = await openChat(manifest, elite, memoryFileStore());
  const counts = { polite: 0, right: 0 };
  for (const { prompt, answer } of test) {
    const messages = [{ role: "user", content: String(prompt) }] as const;
    const answered = await chat.answer(messages, greedy, async () => true);
    counts.polite += Number(polite.has(answered.text));
    counts.right += Number(answered.text.includes(String(answer)));
  }
  chat.close();
  return { polite: counts.polite / test.length, right: counts.right / test.length };
}

const measured = [];
for (const seed of options.seeds.split(",").map(Number)) {
  const store = memoryFileStore();
  const accelerator = new Accelerator({ workers: 2 });
  const trained = await trainStages(text, { seed, store, out: "out", verbose: false, accelerator });
  const [, preferred, rewarded] = await Promise.all(
    stages.map(async (stage) =>
      sharesOf(stage, await store.read(`out/${stage.name.replace(" ", "-")}.safetensors`)),
    ),
  );
  if (!preferred || !rewarded) throw new Error(`${FILE}: found ${stages.length} stages, expected 3`);
  const seconds = trained.reduce((sum, stage) => sum + stage.seconds, 0);
  measured.push({ preferred, rewarded, seconds });
  console.log(seed, trained, { preferred, rewarded });
}
const rose = measured.filter(
  ({ preferred, rewarded }) =>
    preferred.polite >= LEAST && rewarded.polite >= LEAST && rewarded.right >= LEAST,
).length;
if (!options.dry)
  record({
    row: "stages-polite",
    title: "SFT, DPO and GRPO by one manifest: polite, then right, on 256 held-out requests",
    command: `npx tsx bench/politeStages.ts --seeds ${options.seeds}`,
    figures: [
      {
        name: "seeds polite after DPO, and polite and right after GRPO, in 95 %",
        unit: `of ${measured.length}`,
        target: { at_least: measured.length },
        digits: 0,
      },
      { name: "polite after DPO", unit: "", digits: 3 },
      { name: "polite after GRPO", unit: "", digits: 3 },
      { name: "right after DPO", unit: "", digits: 3 },
      { name: "right after GRPO", unit: "", digits: 3 },
      { name: "seconds of training", unit: "s", digits: 0 },
    ],
    summaries: [
      summarise([rose]),
      summarise(measured.map(({ preferred }) => preferred.polite)),
      summarise(measured.map(({ rewarded }) => rewarded.polite)),
      summarise(measured.map(({ preferred }) => preferred.right)),
      summarise(measured.map(({ rewarded }) => rewarded.right)),
      summarise(measured.map(({ seconds }) => seconds)),
    ],
  });
