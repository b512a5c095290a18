import { expect, test } from "vitest";
import { state, sym, trace } from "../../../../src/kernels/index.ts";
import { TicTacToe } from "../../../../src/rl/environments/games/stones/TicTacToe.ts";
import { lanes } from "../../../../src/rl/programs/lanes.ts";
import { judgePositions, keepPositions, samplePositions } from "../../../../src/rl/programs/positions.ts";
import { devices } from "../../../kernels/support/devices.ts";
import { runOnDevice } from "../../../kernels/support/run.ts";

/** Vector steps of two lanes. */
const lane = (first: readonly number[], second: readonly number[]) =>
  first.flatMap((x, t) => [x, second[t] as number]);

test.each(devices)(
  "A game's end is told in all of its positions, across the ring's end, on $name",
  async (on) => {
    const program = trace("positions", () => {
      const given = (name: string, ...width: number[]) => state(name, [lanes, ...width]).read();
      keepPositions(TicTacToe, {
        obs: given("obs", 18),
        policy: given("actions", 9),
        mask: given("actions", 9),
        value: given("value"),
        reward: given("reward"),
        sign: given("sign"),
        done: given("done"),
      });
      judgePositions(TicTacToe);
      const found = samplePositions(TicTacToe, state("uniform", [sym("rows")]).read());
      for (const name of ["returns", "known", "value"] as const)
        state(`found.${name}`, [sym("rows")]).write(found[name]);
    });
    // The third step is the oldest one, and the next one takes its place. In the first lane, the first player wins in the
    // last step, and a new game goes on. In the second, a game that began before ends by a win of the second player, then
    // there is a draw.
    const device = await on.create();
    const found = await runOnDevice(
      device,
      program,
      { num_envs: 2, capacity: 5, rows: 10 },
      {
        "positions.next": [2],
        "positions.filled": [5],
        "positions.value": lane([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]),
        "positions.reward": lane([1, 0, 9, 0, 0], [0, 0, 9, 0, -1]),
        "positions.sign": lane([1, 1, 1, 1, -1], [1, -1, 1, 1, -1]),
        "positions.done": lane([1, 0, 1, 0, 0], [0, 0, 1, 0, 1]),
        value: [11, 12],
        reward: [0, 0],
        sign: [-1, 1],
        done: [0, 1],
        uniform: Array.from({ length: 10 }, (_, i) => (i + 0.5) / 10),
      },
    );
    device.close();
    expect(found["found.value"]).toEqual(lane([1, 2, 11, 4, 5], [6, 7, 12, 9, 10]));
    expect(found["found.known"]).toEqual(lane([1, 0, 0, 1, 1], [1, 1, 1, 1, 1]));
    expect(found["found.returns"]?.map((x) => x + 0)).toEqual(lane([1, 0, 0, 1, -1], [0, 0, 0, -1, 1]));
    expect(found["positions.next"]).toEqual([3]);
  },
);
