// @apart: it registers what the library does not have.
import { describe, expect, it } from "vitest";
import { CartPole, maskObservations, registerEnvironment, Taxi } from "../../../../src/agents/index.ts";
import { findEnvironment, make } from "../../../../src/rl/environments.ts";

/** The columns of the original observation that each masked environment shows. */
const masked: readonly [id: string, original: string, columns: readonly number[]][] = [
  ["rlkit/CartPole-masked-v1", "CartPole-v1", [0, 2]],
  ["rlkit/Acrobot-masked-v1", "Acrobot-v1", [0, 1, 2, 3]],
  ["rlkit/MountainCar-masked-v0", "MountainCar-v0", [0]],
  ["rlkit/Pendulum-masked-v1", "Pendulum-v1", [0, 1]],
];

describe.each(masked)("%s", (id, original, columns) => {
  it(`is ${original}, seen in part`, () => {
    const [part, whole] = [make(id), make(original)];
    const shown = (all: Float32Array): number[] => columns.map((c) => all[c] as number);
    expect([...part.reset({ seed: 4 }).observation]).toEqual(shown(whole.reset({ seed: 4 }).observation));
    for (let t = 0, ended = false; t < 60 && !ended; t++) {
      const action = whole.action_space.kind === "Discrete" ? t % whole.action_space.n : [1 - (t % 3)];
      const [seen, all] = [part.step(action), whole.step(action)];
      expect({ ...seen, observation: [...seen.observation] }).toEqual({
        ...all,
        observation: shown(all.observation),
      });
      expect(part.observation_space.contains(seen.observation)).toBe(true);
      expect(part.getState()).toEqual(whole.getState());
      ended = all.terminated;
    }
    expect({ ...part.spec, id: original }).toEqual(whole.spec);
  });

  it("has the bounds of what it shows, none of them a velocity's", () => {
    const [part, whole] = [
      findEnvironment(id).observation_space,
      findEnvironment(original).observation_space,
    ];
    if (part.kind !== "Box" || whole.kind !== "Box") throw new Error("both are boxes");
    expect([...part.high]).toEqual(columns.map((c) => whole.high[c]));
    expect([...part.low]).toEqual(columns.map((c) => whole.low[c]));
    expect(part.shape).toEqual([columns.length]);
  });
});

describe("maskObservations", () => {
  it("shows columns in the order they are named in", () => {
    registerEnvironment(maskObservations(CartPole, [3, 1], "test/MaskOrder-v0"));
    const env = make("test/MaskOrder-v0");
    env.setState([0, 1, 0, -1]);
    const { observation } = env.step(0);
    const [, x_dot, , theta_dot] = env.getState();
    expect([...observation]).toEqual([theta_dot, x_dot]);
  });

  it.each([[[]], [[4]], [[-1]], [[0.5]], [[1, 1]]])("refuses the columns %j", (columns) => {
    expect(() => maskObservations(CartPole, columns, "test/Mask-v0")).toThrow(
      /^test\/Mask-v0: columns: found \[.*\], allowed one or more of 0 to 3, each once$/,
    );
  });

  it("refuses observations that are no vector", () => {
    expect(() => maskObservations(Taxi, [0], "test/Mask-v0")).toThrow(
      "test/Mask-v0: found observations of Discrete [], allowed Box [k]",
    );
  });
});
