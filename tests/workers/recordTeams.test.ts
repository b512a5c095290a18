/** Episodes of several agents, recorded for the eye. */
import { describe, expect, it } from "vitest";
import {
  findEnvironment,
  type HostEnvironmentDefinition,
  make,
  type NamedParallelEnvironment,
  registerEnvironment,
} from "../../src/rl/environments/index.ts";
import { Agents } from "../../src/rl/spaces/index.ts";
import { EpisodeRecorder } from "../../src/workers/recordEpisode.ts";
import { Walk } from "../rl/environments/parallelWalk.ts";
import { agentOf } from "../rl/support/agents.ts";

describe("a recorded episode of several agents", () => {
  it.each([
    ["MADDPG", "simple_tag_v3", {}],
    ["MATD3", "simple_spread_v3", { continuous_actions: true }],
    ["IPPO", "simple_speaker_listener_v4", {}],
  ] as const)(
    "is the one that the world plays with the same actions: %s in %s",
    async (name, id, options) => {
      const env = findEnvironment(id, options);
      const { action_space, observation_space } = env;
      if (action_space.kind !== "Agents") throw new Error("one agent");
      const agent = agentOf({ name }, { observation_space, action_space });
      const tape = await new EpisodeRecorder().record(agent, env, 3, 7);
      expect([tape.length, tape.rewards.length, tape.environment]).toEqual([26, 25, id]);
      const numbers = tape.actions.length / 25;
      const { width } = tape;
      const world = make(id, options);
      world.reset({ seed: 1 });
      world.setState(tape.states.subarray(0, width));
      for (let step = 0; step < 25; step++) {
        const actions = action_space.split(tape.actions.subarray(step * numbers, (step + 1) * numbers));
        const { rewards } = world.step(actions);
        const together = Object.values(rewards).reduce((sum, reward) => sum + reward, 0);
        expect(together).toBeCloseTo(tape.rewards[step] ?? Number.NaN, 4);
        const state = tape.states.subarray((step + 1) * width, (step + 2) * width);
        world.getState().forEach((value, i) => expect(value).toBeCloseTo(state[i] ?? Number.NaN, 4));
        world.setState(state);
      }
      expect(tape.total).toBeCloseTo(
        [...tape.rewards].reduce((sum, reward) => sum + reward, 0),
        3,
      );
      world.close();
    },
  );

  it("is played by those who are there, in an environment that JavaScript steps", async () => {
    const made: Stated[] = [];
    class Stated extends Walk {
      readonly spec: NamedParallelEnvironment["spec"] = { id: "test/Recorded-v0", max_episode_steps: 9 };
      #steps = 0;
      override step(actions: unknown): unknown {
        this.#steps++;
        return super.step(actions);
      }
      getState(): Float32Array {
        return Float32Array.of(this.#steps, this.agents.length);
      }
    }
    const { observation_spaces, action_spaces } = new Walk();
    const definition: HostEnvironmentDefinition = {
      id: "test/Recorded-v0",
      observation_space: new Agents(observation_spaces),
      action_space: new Agents(action_spaces),
      max_episode_steps: 9,
      reward_threshold: null,
      load: async () => () => {
        const env = new Stated();
        made.push(env);
        return env as object as NamedParallelEnvironment;
      },
    };
    registerEnvironment(definition);
    const agent = agentOf(
      { name: "IPPO" },
      { ...definition, network: { latent_dim: 8, head_config: { hidden_size: [16] } } },
    );
    const tape = await new EpisodeRecorder().record(agent, definition, 1, 5);
    // The scout leaves after two steps, the carrier after four.
    expect([...tape.states]).toEqual([0, 2, 1, 2, 2, 1, 3, 1, 4, 0]);
    expect([...tape.rewards]).toEqual([11, 11, 10, 10]);
    const acting = (made[0]?.seen ?? []).slice(1).map((actions) => Object.keys(actions as object));
    expect(acting).toEqual([
      ["scout_0", "carrier_0"],
      ["scout_0", "carrier_0"],
      ["carrier_0"],
      ["carrier_0"],
    ]);
    expect(made[0]?.closed).toBe(true);
  });
});
