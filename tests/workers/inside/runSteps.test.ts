/** Steps that a run is expected to take. */
import { expect, it } from "vitest";
import { parseManifest } from "../../../src/manifests/index.ts";
import { stepsExpected } from "../../../src/workers/runs/runSteps.ts";

const manifest = (training: object) =>
  parseManifest({
    algorithm: { name: "DQN" },
    environment: { name: "CartPole-v1", num_envs: 4 },
    training: { max_steps: 9600, evo_steps: 400, ...training },
  });

it("counts members that rest only until they do", () => {
  expect(stepsExpected(manifest({ pop_size: 8 }), 1, 0)).toBe(8 * 9600);
  // All eight take half of the steps, and four of them the other half.
  expect(stepsExpected(manifest({ hpo: "search" }), 1, 0)).toBe(8 * 4800 + 4 * 4800);
});
