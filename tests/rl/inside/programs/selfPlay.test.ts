import { expect, test } from "vitest";
import { sharedDevice } from "../../../../src/kernels/devices.ts";
import { state, trace } from "../../../../src/kernels/index.ts";
import { lanes } from "../../../../src/rl/programs/lanes.ts";
import { horizon } from "../../../../src/rl/programs/rollout.ts";
import { outcomes } from "../../../../src/rl/programs/selfPlay.ts";
import { runOnDevice } from "../../../kernels/support/run.ts";

test("a game's end is told to both players in all of its positions, and nothing of games that go on", async () => {
  const program = trace("outcomes", () => {
    const read = (name: string) => state(name, [horizon, lanes]).read();
    const { returns, known } = outcomes({ reward: read("reward"), sign: read("sign"), done: read("done") });
    state("returns", [horizon, lanes]).write(returns);
    state("known", [horizon, lanes]).write(known);
  });
  // Two lanes. In the first, the first player wins by its second move, and a new game goes on. In the second, a game that
  // began before ends by a win of the second player, then there is a draw.
  const lane = (first: readonly number[], second: readonly number[]) =>
    first.flatMap((x, t) => [x, second[t] as number]);
  const found = await runOnDevice(
    sharedDevice(),
    program,
    { horizon: 5, num_envs: 2 },
    {
      reward: lane([0, 0, 1, 0, 0], [0, -1, 0, 0, 0]),
      sign: lane([1, -1, 1, 1, -1], [1, -1, 1, -1, 1]),
      done: lane([0, 0, 1, 0, 0], [0, 1, 0, 0, 1]),
    },
  );
  expect(found.known).toEqual(lane([1, 1, 1, 0, 0], [1, 1, 1, 1, 1]));
  expect(found.returns?.map((x) => x + 0)).toEqual(lane([1, -1, 1, 0, 0], [-1, 1, 0, 0, 0]));
});
