import { parseManifest, type TrainingManifestInput } from "../../src/manifests/index.ts";
import { rowShapeOf } from "../../src/training/loop.ts";
import { reinforcementLearning } from "../../src/training/workloads.ts";
import type { Row } from "../harness/Row.ts";
import { median } from "../harness/statistics.ts";
import { held, shippedPpo } from "../subjects/manifests.ts";
import { stepsPerSecond } from "../subjects/populationRun.ts";
import { withTrackers } from "../subjects/trackedRun.ts";

const SPAN = { skip: 1, generations: 10 } as const;
const ROUNDS = 3;

function shapeOf(input: TrainingManifestInput, seed: number) {
  const manifest = parseManifest(input);
  const { runs } = reinforcementLearning;
  return rowShapeOf(runs.firstState(manifest, seed).members, runs.prepare(manifest, seed));
}

/**
 * Alternates runs without trackers, with them, and with their server gone, so that other load affects all.
 */
export const trackers: Row = {
  name: "trackers",
  title: "ppo-population with board, csv and wb; 2 workers",
  figures: [
    { name: "with all / without", unit: "x", target: { at_least: 0.99 }, digits: 3 },
    { name: "with all, the server gone / without", unit: "x", target: { at_least: 0.98 }, digits: 3 },
    { name: "without", unit: "env steps/s", digits: 0 },
  ],
  measure: async (seed) => {
    const manifest = held(shippedPpo(0));
    const shape = shapeOf(manifest, seed);
    const tracked = (server: "there" | "gone"): Promise<number> =>
      withTrackers(shape, server, (observer) => stepsPerSecond(manifest, seed, { ...SPAN, observer }));
    const rounds: { readonly alone: number; readonly all: number; readonly gone: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const first = await stepsPerSecond(manifest, seed, SPAN);
      const [all, gone] = [await tracked("there"), await tracked("gone")];
      const last = await stepsPerSecond(manifest, seed, SPAN);
      rounds.push({ alone: (first + last) / 2, all, gone });
    }
    return [
      median(rounds.map(({ all, alone }) => all / alone)),
      median(rounds.map(({ gone, alone }) => gone / alone)),
      median(rounds.map(({ alone }) => alone)),
    ];
  },
};
