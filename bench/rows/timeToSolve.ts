import { builtInTemplate } from "../../src/manifests/templates.ts";
import type { Row } from "../harness/Row.ts";
import { Judge } from "../subjects/judge.ts";
import { runPopulation } from "../subjects/populationRun.ts";

const THRESHOLD = 475;

export const timeToSolve: Row = {
  name: "time-to-475",
  title: "wall time until template ppo-cartpole reaches 475 twice in succession, 2 workers",
  figures: [
    { name: "time at the first of the two", unit: "s", digits: 2 },
    { name: "time at the second of the two", unit: "s", target: { at_most: 3 }, digits: 2 },
    { name: "env steps of each agent at the second", unit: "steps", digits: 0 },
  ],
  processes: 5,
  measure: async (seed) => {
    const judge = await Judge.in("CartPole-v1");
    const result = [Infinity, Infinity, Infinity];
    let before: number | null = null;
    await runPopulation(builtInTemplate("ppo-cartpole").manifest, {
      seed,
      workers: 2,
      atBoundary: ({ state, seconds }) => {
        if (!state.elite || judge.score(state.elite) < THRESHOLD) before = null;
        else if (before === null) before = seconds;
        else {
          result.splice(0, 3, before, seconds, state.elite.steps);
          return true;
        }
        return false;
      },
    });
    return result;
  },
};
