/** Numbers far from all others in what an environment returns to agents that normalise. */
// @apart: it registers what the library does not have.
import { describe, expect, it } from "vitest";
import { Box, registerEnvironment } from "../../src/agents/index.ts";
import { type AgentState, requireFinite } from "../../src/agents/members.ts";
import { add, column, equal, mul, ones, select, stackColumns, zeros } from "../../src/kernels/index.ts";
import { compiledEnvironment } from "../../src/rl/environments.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { decodeAgent } from "../../src/training/index.ts";
import { agentOf, NORMALIZED as NORMALIZATION } from "../rl/support/agents.ts";
import { ppo, statesOf, td3, trained, within } from "./support/tiny.ts";

const spaces = {
  observation_space: new Box({ low: -Infinity, high: Infinity, shape: [2] }),
  action_space: new Box({ low: -2, high: 2, shape: [1] }),
};
const facts = { ...spaces, max_episode_steps: 40, reward_threshold: null, frame_rate: 20 };
const glyph = [{ path: "M10 4h52", style: "guide" as const }];
/** The step of an episode in which a sensor fails, and another in which the reward does. */
const [SENSOR, REWARD] = [20, 30];

registerEnvironment(
  compiledEnvironment({
    ...facts,
    glyph,
    draw: () => undefined,
    id: "outliers/Compiled-v0",
    resetRanges: { place: [-1, 1], time: [0, 0] },
    observe: ({ place, time }) => stackColumns([place, select(equal(time, SENSOR), 1e20, place)]),
    step: ({ place, time }, action) => ({
      state: { place: add(mul(place, 0.9), mul(column(action, 0), 0.1)), time: add(time, 1) },
      reward: select(equal(time, REWARD), -1e30, ones(place.shape)),
      terminated: zeros(place.shape, "bool"),
    }),
  }),
);

/** The same on the host. */
class Failing {
  readonly id = "outliers/Host-v0";
  readonly observation_space = spaces.observation_space;
  readonly action_space = spaces.action_space;
  #time = 0;
  #place = 0;
  #result() {
    return { observation: [this.#place, this.#time === SENSOR ? 1e20 : this.#place], info: {} };
  }
  reset({ seed = 0 } = {}) {
    [this.#time, this.#place] = [0, (seed % 7) / 7];
    return this.#result();
  }
  step([action = 0]: readonly number[]) {
    const reward = this.#time === REWARD ? -1e30 : 1;
    this.#place = 0.9 * this.#place + 0.1 * action;
    this.#time++;
    return { ...this.#result(), reward, terminated: false, truncated: this.#time === 40 };
  }
}
registerEnvironment({ ...facts, id: "outliers/Host-v0", load: async () => () => new Failing() as never });

const NORMALIZED = { normalize: { observations: true, rewards: true } };

describe.each(["Compiled", "Host"])("outliers of an environment: %s", (name) => {
  it.each([
    ["on-policy", ppo],
    ["off-policy", td3],
  ] as const)("are left out, counted and named: %s", async (_kind, run) => {
    const store = memoryFileStore();
    const environment = { ...NORMALIZED, name: `outliers/${name}-v0` };
    const saving = { save_elite: true, elite_path: "elite.safetensors" };
    const asked = within(run, { store, training: { max_steps: 640 } }, environment);
    const { population, recorder } = await trained(asked, saving);
    const [agent] = statesOf(population) as [AgentState];
    const { observations, rewards } = agent.normalization ?? {};
    expect(observations?.outliers?.[0]).toBe(0);
    const [sensor, reward] = [observations?.outliers?.[1] ?? 0, rewards?.outliers?.[0] ?? 0];
    expect(sensor).toBeGreaterThan(0);
    expect(reward).toBeGreaterThan(0);
    for (const of of [observations, rewards])
      for (const variance of of?.variance ?? []) expect(variance).toBeLessThan(500);
    expect(recorder.generations.at(-1)?.members[0]?.metrics.outliers).toBe(sensor + reward);
    expect(recorder.warnings.join("\n")).toMatch(/observation\[1\] of agent 0: found \d+ outliers/);
    expect(recorder.warnings.join("\n")).toMatch(/return of agent \d: found \d+ outliers/);
    const kept = decodeAgent(await store.read("elite.safetensors"), "elite").agent;
    expect(kept.normalization?.observations?.outliers?.[1]).toBeGreaterThan(0);
  });
});

it("are not what is not finite, which ends training and is not blamed on the learning rate", () => {
  const agent = agentOf({ name: "PPO" }, { ...spaces, normalization: NORMALIZATION });
  const { observations, ...others } = agent.normalization as NonNullable<AgentState["normalization"]>;
  const mean = Float32Array.of(0, Number.NaN);
  const broken = {
    ...agent,
    normalization: { ...others, observations: { ...observations, mean } },
  } as AgentState;
  expect(() => requireFinite(broken, 2)).toThrow(
    "member 2: running statistic 1 of observations is no longer a finite number; the environment gave observations that are not",
  );
});
