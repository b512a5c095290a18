import type { Row } from "../harness/Row.ts";
import { stepsPerSecond } from "../subjects/populationRun.ts";
import { ippoSpread } from "../subjects/teams.ts";

export const ippoPopulation: Row = {
  name: "ippo-population",
  title: "IPPO x4, simple_spread_v3, agents that share networks of 64, without evolution; 2 workers",
  figures: [{ name: "generations 2 to 4", unit: "env steps/s", target: { at_least: 50_000 }, digits: 0 }],
  measure: async (seed) => [await stepsPerSecond(ippoSpread(4), seed, { skip: 1, generations: 3 })],
};
