import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { variableShape } from "../../../../../src/agents/index.ts";
import { vectorProgram } from "../../../../../src/rl/environments/compiled/hostPrograms.ts";
import { findCompiledEnvironment, stepProgram } from "../../../../../src/rl/environments.ts";
import { comparedOn } from "../../../../kernels/support/comparedShaders.ts";
import { devices } from "../../../../kernels/support/devices.ts";
import { runOnDevice, runOnReference } from "../../../../kernels/support/run.ts";
import { publishedGames } from "../../../environments/minatar/publishedGames.ts";

const LANES = 3;
const assertOn = comparedOn(import.meta.url);

/** Inputs of one vector step: a state, an action and random draws per lane. */
function inputs(id: string, seed: number): Record<string, number[]> {
  const env = findCompiledEnvironment(id);
  const { rules, states } = publishedGames[id] as (typeof publishedGames)[string];
  const lanes = fc.sample(states, { numRuns: LANES, seed }).map((state, lane) => [...state, lane]);
  const draws = fc.sample(fc.nat(2 ** 24 - 1), { numRuns: LANES * (env.stepDraws + env.resetDraws), seed });
  const values: Record<string, number[]> = {
    action: lanes.map((_, lane) => (lane + seed) % rules.keys.length),
    "env.elapsed": [9_998, 9_999, 5],
  };
  let at = 0;
  for (const name of env.variables) {
    const size = variableShape(env, name).reduce((a, b) => a * b, 1);
    values[`env.${name}`] = lanes.flatMap((state) => state.slice(at, at + size));
    at += size;
  }
  const next = (): number[] => draws.splice(0, LANES).map((draw) => draw / 2 ** 24);
  for (let i = 0; i < env.stepDraws; i++) values[`step_draw.${i}`] = next();
  for (let i = 0; i < env.resetDraws; i++) values[`draw.${i}`] = next();
  return values;
}

/** Only one game is stepped with resets and both pictures: SwiftShader compiles larger ones too slowly. */
const programOf = (id: string) =>
  (id === "MinAtar/Breakout-v1" ? vectorProgram : stepProgram)(findCompiledEnvironment(id));

describe.each(Object.keys(publishedGames))("a step of %s", (id) => {
  const program = programOf(id);

  it.each(devices)("is the reference's on $name", (on) =>
    assertOn(on, id, [program], async () => {
      const device = await on.create();
      for (let seed = 1; seed <= 4; seed++) {
        const given = inputs(id, seed);
        const found = await runOnDevice(device, program, { num_envs: LANES }, given);
        expect(found).toEqual(runOnReference(program, { num_envs: LANES }, given));
      }
      device.close();
    }),
  );
});
