/**
 * `npx tsx bench/curves.ts [--row NAME]... [--seeds N]`: trains rows of bench/learning/rows.ts and draws each into
 * docs/images/curves/NAME.svg. Finished seeds are kept under .cache/, shared with `npm run results`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildLibIfStale } from "../scripts/lib/build.mjs";
import { parseManifest, templates } from "../src/manifests/index.ts";
import { curveSvg } from "./curves/curveSvg.ts";
import { spreadOf } from "./curves/spread.ts";
import { formatNumber } from "./harness/table.ts";
import { ResultCache } from "./learning/cache.ts";
import { pointsOf } from "./learning/pointsOf.ts";
import { findLearningRow, type LearningRow, learningRows, SEEDS } from "./learning/rows.ts";
import { manifestOf, type Point } from "./learning/trainOnce.ts";
import { EPISODES } from "./subjects/judge.ts";

const FOLDER = fileURLToPath(new URL("../docs/images/curves", import.meta.url));

const { values: options } = parseArgs({
  options: {
    row: { type: "string", multiple: true, default: [] },
    seeds: { type: "string", default: String(SEEDS.length) },
  },
});

const count = Number(options.seeds);
if (!Number.isInteger(count) || count < 1 || count > SEEDS.length)
  throw new RangeError(`--seeds: found ${options.seeds}, allowed integers from 1 to ${SEEDS.length}`);

/** One-line description of the picture. */
function subtitleOf(row: LearningRow, seeds: number): string {
  const { pop_size } = parseManifest(manifestOf(row)).training;
  const who = pop_size === 1 ? "one agent" : `best of ${pop_size} agents`;
  return `${who}; median and range over ${seeds} seeds; dashed: ${formatNumber(row.threshold, 0)}`;
}

async function draw(row: LearningRow): Promise<void> {
  const cache = new ResultCache(row);
  const seeds: (readonly Point[])[] = [];
  for (const seed of SEEDS.slice(0, count)) seeds.push(await pointsOf(row, seed, cache));
  const { algorithm, environment } = manifestOf(row);
  const svg = curveSvg({
    title: `${algorithm.name} in ${environment.name}`,
    subtitle: subtitleOf(row, seeds.length),
    spread: spreadOf(seeds),
    threshold: row.threshold,
    episodes: row.episodes ?? EPISODES,
  });
  mkdirSync(FOLDER, { recursive: true });
  const file = path.join(FOLDER, `${row.name}.svg`);
  writeFileSync(file, svg);
  console.log(
    path.relative(process.cwd(), file),
    templates.find(({ id }) => id === row.template)?.title ?? "",
  );
}

if (!(await buildLibIfStale())) process.exitCode = 1;
else
  for (const row of options.row.length > 0 ? options.row.map(findLearningRow) : learningRows) await draw(row);
