/**
 * `npx tsx scripts/theatre/recordClips.ts [TEMPLATE ...]`: trains champions for the pictures of the galleries and records an
 * episode of each, and a state of every environment that has a drawing. Without names it trains all, which takes an hour;
 * with names it trains those and keeps the others. The same commit writes the same files.
 */
import type { RecordedChampion } from "../../src/stage/recording.ts";
import { knownChampions, recordedChampion, writePictures } from "./pictureModules.ts";
import { templateOf, trainChampion } from "./trainChampion.ts";

/** Mean returns from which on a template's champion is shown: those of bench/results, or the task's own. */
const LEAST: Readonly<Record<string, number>> = {
  "dqn-cartpole": 475,
  "ppo-acrobot": -100,
  "dqn-mountaincar": -120,
  "td3-mountaincar": 90,
  "ppo-pendulum": -200,
  "ppo-cartpole-masked": 400,
  "ppo-inverted-pendulum": 950,
  "ppo-halfcheetah": 2000,
  "dqn-lunarlander": 200,
  "ppo-breakout": 8,
  "ppo-hopper": 2000,
};

const wanted = process.argv.slice(2);
const champions: Record<string, RecordedChampion> = wanted.length === 0 ? {} : { ...knownChampions() };
for (const [template, least] of Object.entries(LEAST)) {
  if (wanted.length > 0 && !wanted.includes(template)) continue;
  const episode = await trainChampion(template, least, (generation, best, mean) =>
    console.error(
      `${template}, generation ${generation}: best ${best}${mean === null ? "" : `, mean ${mean}`}`,
    ),
  );
  if (episode === null)
    throw new Error(`${template}: no champion reached ${least}; the pictures stay as they are.`);
  champions[templateOf(template).environment.name] = recordedChampion(template, episode);
}
await writePictures(champions);
