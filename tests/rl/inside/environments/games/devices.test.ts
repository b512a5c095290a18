import { describe, expect, it } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import { builtInEnvironments } from "../../../../../src/rl/environments/builtIn.ts";
import { stepDrawBuffer } from "../../../../../src/rl/environments/compiled/hostPrograms.ts";
import { CHANCE, type GameRules, type GameState } from "../../../../../src/rl/environments/face/GameRules.ts";
import {
  BUFFERS,
  isCompiled,
  stepProgram,
  variableBuffer,
  variableShape,
} from "../../../../../src/rl/environments.ts";
import { comparedOn } from "../../../../kernels/support/comparedShaders.ts";
import { devices, type TestDevice } from "../../../../kernels/support/devices.ts";
import { runOnDevice, runOnReference } from "../../../../kernels/support/run.ts";

const LANES = 3;
const assertOn = comparedOn(import.meta.url);

const games = builtInEnvironments.flatMap((env) => (isCompiled(env) && env.game ? [env] : []));

/** A state at a player's turn, after random moves. */
function midGame(rules: GameRules, random: Random): GameState {
  let [state, found] = [rules.start, rules.start];
  for (let moves = random.integer(rules.max_moves); rules.returns(state) === null; moves--) {
    const isChance = rules.player(state) === CHANCE;
    if (!isChance) found = state;
    if (!isChance && moves <= 0) break;
    const choices = isChance ? (rules.chance?.(state) ?? []).map(([outcome]) => outcome) : rules.legal(state);
    state = rules.next(state, random.choice(choices));
  }
  return found;
}

describe.each(games)("a step of $id", (env) => {
  const program = stepProgram(env);

  const compare = async ({ create }: TestDevice) => {
    const device = await create();
    const random = new Random({ seed: 1, stream: env.id });
    const rules = env.game?.rules as GameRules;
    for (let round = 0; round < 4; round++) {
      const states = Array.from({ length: LANES }, () => midGame(rules, random));
      const given: Record<string, number[]> = {
        [BUFFERS.action]: states.map((state) => random.choice(rules.legal(state))),
      };
      let at = 0;
      for (const name of env.variables) {
        const size = variableShape(env, name).reduce((a, b) => a * b, 1);
        const from = at;
        given[variableBuffer(name)] = states.flatMap((state) => state.slice(from, from + size));
        at += size;
      }
      for (let i = 0; i < env.stepDraws; i++)
        given[stepDrawBuffer(i)] = states.map(() => random.integer(1 << 24) / (1 << 24));
      const found = await runOnDevice(device, program, { num_envs: LANES }, given);
      expect(found).toEqual(runOnReference(program, { num_envs: LANES }, given));
    }
    device.close();
  };

  it.each(devices)("is the reference's on $name", (device) =>
    assertOn(device, env.id, [program], () => compare(device)),
  );
});
