/** Normalisation as an agent's own state: in runs, checkpoints, files, and beside manifests that say otherwise. */
// @apart: its programs and devices fill much memory.
import { describe, expect, it } from "vitest";
import { type AgentState, cloneAgent } from "../../src/agents/members.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { Accelerator, decodeAgent, encodeAgent } from "../../src/training/index.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { refusal } from "./support/refusal.ts";
import {
  type Changes,
  EVOLUTION,
  endOf,
  ippo,
  ppo,
  rainbow,
  recurrentPpo,
  statesOf,
  td3,
  trained,
  within,
} from "./support/tiny.ts";

keepThreads();

const BOTH = { normalize: { observations: true, rewards: true } };

const RUNS = { RainbowDQN: rainbow, PPO: ppo, "recurrent PPO": recurrentPpo, IPPO: ippo };

describe.each(Object.entries(RUNS))("a normalised run of %s", (_name, run) => {
  it("has the same bits in four workers, and after it was killed and resumed", async () => {
    const store = memoryFileStore();
    const options = (changes: Changes = {}) => within(run, { ...EVOLUTION, store, ...changes }, BOTH);
    const whole = await trained(options());
    const observed = statesOf(whole.population)[0]?.normalization?.observations as { count: Float32Array };
    expect(observed.count[0]).toBe(whole.state.members[0]?.steps);
    const accelerator = new Accelerator({ workers: 4 });
    expect(endOf(await trained(options({ accelerator })))).toEqual(endOf(whole));
    const killed = await trained(options(), {
      checkpoint_steps: 1,
      checkpoint_path: "c",
      watch: (event, running) => {
        if (event.event === "generation" && event.generation === 2) setImmediate(() => running.stop());
      },
    });
    const path = killed.recorder.checkpoints.at(-1) as string;
    const resumed = await trained(options({ resume_from_checkpoint: path }));
    expect(resumed.recorder.generations[0]?.generation).toBeGreaterThan(1);
    expect(resumed.recorder.warnings.join()).not.toContain("normalize");
    expect(endOf(resumed)).toEqual(endOf(whole));
  });
});

describe("an agent that normalises", () => {
  const PATH = "agent.safetensors";
  async function saved(
    fields: object,
  ): Promise<{ store: ReturnType<typeof memoryFileStore>; agent: AgentState }> {
    const store = memoryFileStore();
    await trained(within(td3, { store }, fields), { save_elite: true, elite_path: PATH });
    return { store, agent: decodeAgent(await store.read(PATH), PATH).agent };
  }

  it("keeps its statistics in files and in clones, which learn alone", async () => {
    const { agent } = await saved(BOTH);
    expect(agent.normalization?.observations?.mean).toHaveLength(3);
    expect(agent.normalization?.rewards?.count[0]).toBe(agent.steps);
    expect(decodeAgent(encodeAgent(agent), PATH).agent).toEqual(agent);
    const clone = cloneAgent(agent, 5);
    expect(clone.normalization).toEqual(agent.normalization);
    clone.normalization?.observations?.mean.fill(9);
    expect(agent.normalization?.observations?.mean).not.toContain(9);
  });

  it("is ranked by true rewards", async () => {
    const scaled = { reward_scale: 1e-3, reward_clip: 1e-4, ...BOTH };
    const { fitnesses, recorder } = await trained(within(td3, {}, scaled));
    // Forty steps of Pendulum-v1, each of at most 16.3.
    for (const fitness of fitnesses) {
      expect(fitness).toBeLessThan(-10);
      expect(fitness).toBeGreaterThan(-652);
    }
    expect(recorder.generations.length).toBeGreaterThan(1);
  });

  it("keeps its normalisation where the manifest has none, and the reverse, and says so", async () => {
    const { store, agent } = await saved(BOTH);
    const plain = await trained(within(td3, { store, resume_from_checkpoint: PATH }, {}));
    expect(statesOf(plain.population)[0]?.normalization).toEqual(agent.normalization);
    expect(plain.recorder.warnings.join()).toMatch(
      /environment\.normalize: found none, but agents of agent\.safetensors have observations and rewards/,
    );
    const warm = await trained(
      within(td3, { store, load_weights_from: PATH, training: { max_steps: 160 } }, {}),
    );
    expect(statesOf(warm.population)[0]?.normalization?.settings).toEqual(agent.normalization?.settings);

    const other = await saved({});
    const asked = { store: other.store, load_weights_from: PATH, training: { max_steps: 160 } };
    const without = await trained(within(td3, asked, BOTH));
    expect(statesOf(without.population)[0]?.normalization).toBeUndefined();
    expect(without.recorder.warnings.join()).toMatch(
      /found observations and rewards .* have none; theirs is used/,
    );
  });

  it("is refused with statistics of another observation space", async () => {
    const { store, agent } = await saved(BOTH);
    const one = new Float32Array(1);
    const observations = { count: one, mean: one, variance: one };
    const changed = { ...agent, normalization: { ...agent.normalization, observations } } as AgentState;
    await store.write(PATH, encodeAgent(changed));
    await expect(trained(within(td3, { store, resume_from_checkpoint: PATH }, {}))).rejects.toThrow(
      /agent\.safetensors: does not fit the environment: .* statistics of 1/,
    );
    const text = JSON.stringify(agent.normalization?.settings).replace('"epsilon":', '"epsilonn":');
    const settings = JSON.parse(text) as never;
    const broken = encodeAgent({ ...agent, normalization: { ...agent.normalization, settings } });
    expect(() => decodeAgent(broken, PATH)).toThrow(/normalization/);
  });
});

describe("wrappers", () => {
  it("cut episodes off, as the field does", async () => {
    const lengths = async (fields: object) => {
      const limited = within(ppo, { training: { max_steps: 128 } }, fields);
      return (await trained(limited)).fitnesses;
    };
    const found = await lengths({ env_wrappers: [["TimeLimit", { max_episode_steps: 5 }]] });
    expect(await lengths({ max_episode_steps: 5 })).toEqual(found);
    // Five steps of Pendulum-v1, each of at most 16.3.
    for (const fitness of found) expect(fitness).toBeGreaterThan(-82);
  });

  it("stand for the fields of the environment", async () => {
    const env_wrappers = [
      ["RSNorm", { epsilon: 0.01 }],
      ["TransformReward", { scale: 0.1 }],
      ["ClipReward", { max_reward: 1 }],
    ];
    const { population } = await trained(within(td3, { training: { max_steps: 160 } }, { env_wrappers }));
    expect(statesOf(population)[0]?.normalization?.settings).toMatchObject({
      observations: true,
      rewards: false,
      epsilon: 0.01,
      reward_scale: 0.1,
      reward_clip: [expect.any(Number), 1],
    });
  });

  it.each<[string, object, RegExp]>([
    [
      "a wrapper of another name",
      { env_wrappers: ["Flatten"] },
      /environment\.env_wrappers: .*found "Flatten"; allowed: RSNorm/,
    ],
    [
      "an argument that no field stands for",
      { env_wrappers: [["RSNorm", { norm_obs_keys: ["a"] }]] },
      /found "RSNorm"/,
    ],
    [
      "a value out of range",
      { env_wrappers: [["TimeLimit", { max_episode_steps: 0 }]] },
      /env_wrappers: .*max_episode_steps/,
    ],
    [
      "a field beside its wrapper",
      { ...BOTH, env_wrappers: ["RSNorm"] },
      /environment\.normalize: is also set by the wrapper RSNorm/,
    ],
    [
      "two limits of time",
      { max_episode_steps: 9, env_config: { max_episode_steps: 8 } },
      /environment\.max_episode_steps: found 9, but env_config has 8/,
    ],
    ["a range that is empty", { reward_clip: [1, 1] }, /environment\.reward_clip/],
    ["a range that is empty in f32", { reward_clip: [1, 1 + 1e-12] }, /environment\.reward_clip/],
    ["rewards that become 0", { reward_scale: 0 }, /environment\.reward_scale: found 0; must not be 0/],
    [
      "rewards that become 0 in f32",
      { reward_scale: 1e-50 },
      /environment\.reward_scale: found 1e-50; must not/,
    ],
    ["a limit that is 0 in f32", { reward_clip: 1e-50 }, /environment\.reward_clip: found 1e-50; must not/],
    ["a limit of nothing", { normalize: { clip_rewards: 0 } }, /environment\.normalize\.clip_rewards/],
  ])("are refused: %s", (_what, fields, message) => {
    expect(refusal(within(td3, {}, fields))).toThrow(message);
  });
});
