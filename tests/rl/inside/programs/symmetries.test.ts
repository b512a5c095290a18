import { describe, expect, test } from "vitest";
import { state, trace } from "../../../../src/kernels/index.ts";
import { builtInEnvironments } from "../../../../src/rl/environments/builtIn.ts";
import { isCompiled } from "../../../../src/rl/environments.ts";
import { symmetricForms } from "../../../../src/rl/programs/symmetries.ts";
import { devices } from "../../../kernels/support/devices.ts";
import { runOnDevice } from "../../../kernels/support/run.ts";

const games = builtInEnvironments.flatMap((env) =>
  isCompiled(env) && env.game?.rules.symmetries ? [env.game.rules] : [],
);

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Values of places, `width` of each, where a permutation sends them. */
const sent = (values: readonly number[], map: readonly number[], width = 1): number[] => {
  const after = values.map(() => Number.NaN);
  for (const [from, to] of map.entries())
    for (let i = 0; i < width; i++) after[to * width + i] = values[from * width + i] as number;
  return after;
};

describe.each(games)("$id", (rules) => {
  const { symmetries = [], observation_space, action_space } = rules;
  const [rows = 1, cols = 1, planes = 1] = observation_space.shape;
  const all = [...symmetries, { cells: range(rows * cols), actions: range(action_space.n) }];
  const n = all.length;
  const numbers = rows * cols * planes;

  test.each(devices)("moves positions as its rules say, on $name", async ({ create }) => {
    const program = trace("forms", () => {
      const read = (name: string, width: number) => state(name, [n, width]);
      const forms = symmetricForms(rules, state("uniform", [n]).read());
      const [obs, values] = [read("obs", numbers), read("values", action_space.n)];
      const action = state("action", [n], { dtype: "i32" });
      obs.write(forms.observation(obs.read()));
      values.write(forms.actions(values.read()));
      action.write(forms.action(action.read()));
    });
    const chosen = all.map((_, i) => (i * 5 + action_space.n - 1) % action_space.n);
    const [obs, values] = [range(n * numbers), range(n * action_space.n)];
    const device = await create();
    const uniform = all.map((_, i) => (i + 0.5) / n);
    const found = await runOnDevice(device, program, {}, { uniform, obs, values, action: chosen });
    device.close();
    const of = (from: readonly number[], row: number, width: number) =>
      from.slice(row * width, (row + 1) * width);
    for (const [i, { cells, actions }] of all.entries()) {
      expect(of(found.obs ?? [], i, numbers)).toEqual(sent(of(obs, i, numbers), cells, planes));
      expect(of(found.values ?? [], i, action_space.n)).toEqual(sent(of(values, i, action_space.n), actions));
      expect(found.action?.[i]).toBe(actions[chosen[i] as number]);
    }
  });
});
