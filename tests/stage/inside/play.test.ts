/** Policies at play, step by step. */
// @apart: it registers what the library does not have.
import { describe, expect, it } from "vitest";
import { type NamedParallelEnvironment, registerEnvironment } from "../../../src/agents/index.ts";
import { environmentSeed, PURPOSE } from "../../../src/agents/members.ts";
import { sharedDevice } from "../../../src/kernels/devices.ts";
import {
  drawEnvironment,
  findEnvironment,
  type HostEnvironmentDefinition,
  make,
} from "../../../src/rl/environments.ts";
import { FRAME_STACK } from "../../../src/rl/faces.ts";
import { Agents } from "../../../src/rl/spaces.ts";
import { GreedyPolicy } from "../../../src/stage/GreedyPolicy.ts";
import { playedEnvironment, rehearse } from "../../../src/stage/PlayedEnvironment.ts";
import { Walk } from "../../rl/environments/parallelWalk.ts";
import { agentOf } from "../../rl/support/agents.ts";
import { device, episodeOf, playOf } from "./support/episodes.ts";

const cartPole = findEnvironment("CartPole-v1");
const compiled = (): string[] =>
  sharedDevice()
    .kernels()
    .map(({ name }) => name);
const dqn = (seed: number) => agentOf({ name: "DQN" }, { ...cartPole, seed });

describe("a rehearsal", () => {
  it("compiles what the environment's players run", async () => {
    await rehearse("Acrobot-v1");
    const before = compiled();
    expect(before).toEqual(expect.arrayContaining(["Acrobot-v1.reset", "Acrobot-v1.step"]));
    const env = playedEnvironment(findEnvironment("Acrobot-v1"));
    env.reset(1);
    env.step([0]);
    env.close();
    expect(compiled()).toEqual(before);
  });

  it("is of teams too, and fails for what nobody knows", async () => {
    await rehearse("simple_spread_v3");
    expect(compiled()).toContain("simple_spread_v3.step");
    await expect(rehearse("Teapot-v0")).rejects.toThrow("Teapot-v0");
  });
});

describe("an agent at play", () => {
  it("plays the episode of a seed, each time the same, and another one of another seed", async () => {
    const play = await playOf(dqn(1), cartPole, 3);
    const first = episodeOf(play);
    expect(first.totals.at(-1)).toBe(first.actions.length);
    expect([play.seed, play.steps, play.ended]).toEqual([3, first.actions.length, true]);
    const [x = 0, , angle = 0] = first.states.at(-1) ?? [];
    expect(Math.abs(x) > 2.4 || Math.abs(angle) > 0.2095 || play.steps === 500).toBe(true);
    play.restart(3);
    expect([play.steps, play.total, play.ended, play.action]).toEqual([0, 0, false, null]);
    expect(episodeOf(play)).toEqual(first);
    play.restart(4);
    expect(episodeOf(play).states[0]).not.toEqual(first.states[0]);
    play.close();
  });

  it("plays to the time limit where no task ends, with continuous actions", async () => {
    const env = findEnvironment("Pendulum-v1");
    const play = await playOf(agentOf({ name: "PPO" }, env), env);
    const { actions, totals } = episodeOf(play);
    play.close();
    expect(actions).toHaveLength(200);
    expect(actions.every(([torque = Number.NaN]) => Math.abs(torque) <= 2)).toBe(true);
    expect(totals.at(-1)).toBeLessThan(0);
  });

  it.each(["CartPole-v1", "LunarLander-v3"])(
    "observes stacks where it learnt from stacks: %s",
    async (id) => {
      const plain = findEnvironment(id);
      const stacked = findEnvironment(id, { [FRAME_STACK]: 3 });
      const play = await playOf(agentOf({ name: "DQN" }, { ...stacked, seed: 1 }), stacked, 3);
      const { states, actions } = episodeOf(play);
      play.close();
      // The environment itself is the same, and so are the numbers that its drawing reads.
      const env = make(id);
      env.reset({ seed: environmentSeed(3, PURPOSE.record) });
      for (const [action = 0] of actions) env.step(action);
      const state = [...env.getState()];
      env.close();
      expect(states.at(-1)?.slice(0, state.length)).toEqual(state);
      expect(drawEnvironment(id, stacked.options)).not.toBeNull();
      expect(() => new GreedyPolicy(device, plain, agentOf({ name: "DQN" }, stacked))).toThrow(
        "matmul: shapes",
      );
    },
  );

  it("stands still after the end", async () => {
    const play = await playOf(dqn(1), cartPole);
    const { states } = episodeOf(play);
    play.step();
    expect([...Array.from(play.state)]).toEqual(states.at(-1));
    play.close();
  });

  it("is one policy for a whole episode: another one takes over with the next", async () => {
    const alone = await playOf(dqn(2), cartPole);
    const expected = episodeOf(alone);
    alone.close();
    const play = await playOf(dqn(1), cartPole);
    const before = episodeOf(play);
    play.restart(1);
    play.step();
    play.follow(new GreedyPolicy(device, cartPole, dqn(2)));
    const rest = episodeOf(play);
    expect(rest.totals.at(-1)).toBe(before.totals.at(-1));
    play.restart(1);
    expect(episodeOf(play)).toEqual(expected);
    play.close();
  });

  it("chooses among all actions where JavaScript steps the environment", async () => {
    const env = findEnvironment("LunarLander-v3");
    const chosen = new Set<number>();
    for (let seed = 0; seed < 6; seed++) {
      const play = await playOf(agentOf({ name: "DQN" }, { ...env, seed }), env);
      for (const [action = -1] of episodeOf(play).actions) chosen.add(action);
      play.close();
    }
    // One policy may like a single action; six that were drawn apart do not all like the first.
    expect([...chosen].some((action) => action !== 0)).toBe(true);
  });

  it.each([
    ["MADDPG", "simple_tag_v3", {}],
    ["MATD3", "simple_spread_v3", { continuous_actions: true }],
    ["IPPO", "simple_speaker_listener_v4", {}],
  ] as const)(
    "of several agents is what the world makes of its actions: %s in %s",
    async (name, id, options) => {
      const env = findEnvironment(id, options);
      const { action_space, observation_space } = env;
      if (action_space.kind !== "Agents") throw new Error("one agent");
      const play = await playOf(agentOf({ name }, { action_space, observation_space }), env, 7);
      const { states, actions, totals } = episodeOf(play);
      play.close();
      expect(actions).toHaveLength(25);
      const world = make(id, options);
      world.reset({ seed: 1 });
      world.setState(states[0] ?? []);
      let total = 0;
      for (const [step, action] of actions.entries()) {
        const { rewards } = world.step(action_space.split(action));
        total += Object.values(rewards).reduce((sum, reward) => sum + reward, 0);
        expect(total).toBeCloseTo(totals[step + 1] ?? Number.NaN, 3);
      }
      world.close();
    },
  );

  it("is played by those who are there, in an environment that JavaScript steps", async () => {
    const made: Stated[] = [];
    class Stated extends Walk {
      readonly spec: NamedParallelEnvironment["spec"] = { id: "test/Played-v0", max_episode_steps: 9 };
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
      id: "test/Played-v0",
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
    const network = { latent_dim: 8, head_config: { hidden_size: [16] } };
    const play = await playOf(agentOf({ name: "IPPO" }, { ...definition, network }), definition);
    // The scout leaves after two steps, the carrier after four.
    const { states, totals } = episodeOf(play);
    expect(states).toEqual([
      [0, 2],
      [1, 2],
      [2, 1],
      [3, 1],
      [4, 0],
    ]);
    expect(totals).toEqual([0, 11, 22, 32, 42]);
    const acting = (made[0]?.seen ?? []).slice(1).map((actions) => Object.keys(actions as object));
    expect(acting).toEqual([
      ["scout_0", "carrier_0"],
      ["scout_0", "carrier_0"],
      ["carrier_0"],
      ["carrier_0"],
    ]);
    play.close();
    expect(made[0]?.closed).toBe(true);
  });
});
