import { beforeAll, describe, expect, it } from "vitest";
import { agentFromState } from "../../src/agents/classes.ts";
import { findEnvironment, make } from "../../src/rl/environments.ts";
import { Box, Discrete } from "../../src/rl/spaces.ts";
import type { FileStore } from "../../src/storage/index.ts";
import { decodeAgent, encodeAgent } from "../../src/training/files.ts";
import { agentOf } from "../rl/support/agents.ts";
import { NIM } from "../sandbox/support/modules.ts";
import { runCli, storeWithManifest, tinyManifest, writeText } from "./support.ts";

interface Evaluation {
  readonly mean: number;
  readonly std: number;
  readonly min: number;
  readonly max: number;
  readonly episodes: number;
  readonly seed: number;
  readonly environment: string;
  readonly returns: readonly number[];
}

let store: FileStore;

async function evaluation(...args: string[]): Promise<Evaluation> {
  const { code, stdout, stderr } = await runCli(["evaluate", ...args, "--json"], { store });
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Evaluation;
}

beforeAll(async () => {
  store = await storeWithManifest();
  const { code } = await runCli(["train", "m.json", "--workers", "1", "--out", "out"], { store });
  expect(code).toBe(0);
});

describe("rlkit evaluate of an agent whose environment had options", () => {
  it("plays with those, as its file or its checkpoint says, and without them where another is named", async () => {
    const other = await storeWithManifest(
      tinyManifest(
        { pop_size: 1, hpo: false, eval_steps: 20 },
        {
          environment: {
            name: "FrozenLake-v1",
            num_envs: 2,
            env_config: { desc: ["SG"], is_slippery: false },
          },
        },
      ),
    );
    const run = (...args: string[]) => runCli(args, { store: other });
    expect((await run("train", "m.json", "--workers", "1", "--out", "out")).stderr).toBe("");
    for (const path of ["out/elite.safetensors", "out/checkpoint_600"]) {
      const { code, stdout } = await run("evaluate", path, "--episodes", "2", "--json");
      expect([code, JSON.parse(stdout)]).toMatchObject([
        0,
        { environment: "FrozenLake-v1", returns: [1, 1] },
      ]);
    }
    const plain = await run("evaluate", "out/elite.safetensors", "--environment", "FrozenLake-v1");
    expect(plain.stderr).toMatch(
      /of another environment than FrozenLake-v1: .*found an integer from 0 to 15 \(Discrete\), but the stored agent reads 2 numbers/,
    );
    expect((await run("export", "out/checkpoint_600", "--onnx", "p.onnx")).code).toBe(0);
    const record = new TextDecoder().decode(await other.read("out/checkpoint_600/run.json"));
    await writeText(other, "out/checkpoint_600/run.json", record.replace('"SG"', '"SF"'));
    const damaged = await run("evaluate", "out/checkpoint_600");
    expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining("run.json is corrupt")]);
  });
});

describe("rlkit evaluate", () => {
  it("plays 20 episodes and sums them up", async () => {
    const { mean, std, min, max, episodes, environment, returns } = await evaluation("out/elite.safetensors");
    expect([episodes, returns.length, environment]).toEqual([20, 20, "CartPole-v1"]);
    expect([min, max]).toEqual([Math.min(...returns), Math.max(...returns)]);
    const sum = returns.reduce((a, b) => a + b, 0);
    expect(mean).toBeCloseTo(sum / 20, 10);
    const squares = returns.reduce((a, b) => a + (b - mean) ** 2, 0);
    expect(std).toBeCloseTo(Math.sqrt(squares / 20), 10);
  });

  it("plays the episodes that the seeded environment plays one by one", async () => {
    const { returns } = await evaluation("out/elite.safetensors", "--episodes", "3", "--seed", "11");
    const env = make("CartPole-v1");
    const { agent: state } = decodeAgent(await store.read("out/elite.safetensors"), "elite");
    const agent = agentFromState(state, {
      observation_space: env.observation_space,
      action_space: env.action_space,
    });
    const expected = [11, 12, 13].map((seed) => {
      let { observation } = env.reset({ seed });
      for (let total = 0; ; ) {
        const step = env.step(agent.getAction(observation, { training: false }) as number);
        total += step.reward;
        if (step.terminated || step.truncated) return total;
        observation = step.observation;
      }
    });
    expect(returns).toEqual(expected);
  });

  it("plays the same episodes whatever their number", async () => {
    const many = await evaluation("out/elite.safetensors", "--episodes", "70", "--seed", "1");
    const few = await evaluation("out/elite.safetensors", "--episodes", "5", "--seed", "66");
    expect(many.returns.slice(65)).toEqual(few.returns);
  });

  it("takes a checkpoint's elite, and a member's file with what its checkpoint says", async () => {
    const elite = await evaluation("out/elite.safetensors");
    expect((await evaluation("out/checkpoint_1200")).returns).toEqual(elite.returns);
    const members = await Promise.all(
      [0, 1].map((slot) => evaluation(`out/checkpoint_1200/member_${slot}.safetensors`)),
    );
    expect(members.map((m) => m.returns)).toContainEqual(elite.returns);
  });

  it("prints text for people", async () => {
    const { code, stdout } = await runCli(["evaluate", "out/elite.safetensors", "--episodes", "2"], {
      store,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^DQN agent \d+ in CartPole-v1: mean return [\d.]+, std .* over 2 episodes\n/);
  });

  it("needs an environment for a file that names none", async () => {
    const { agent } = decodeAgent(await store.read("out/elite.safetensors"), "elite");
    await store.write("bare.safetensors", encodeAgent(agent));
    const { code, stderr } = await runCli(["evaluate", "bare.safetensors"], { store });
    expect(code).toBe(2);
    expect(stderr).toContain("give --environment NAME");
    const named = await evaluation("bare.safetensors", "--environment", "CartPole-v1");
    expect(named.returns).toEqual((await evaluation("out/elite.safetensors")).returns);
  });

  it("takes agents of every algorithm", async () => {
    const spaces = findEnvironment("Pendulum-v1");
    for (const name of ["SAC", "TD3", "PPO"] as const) {
      const agent = agentOf({ name }, spaces);
      await store.write(`${name}.safetensors`, encodeAgent(agent, { ...spaces, environment: "Pendulum-v1" }));
      const { returns } = await evaluation(`${name}.safetensors`, "--episodes", "2");
      expect(returns).toHaveLength(2);
    }
  });

  it("plays games against a rule, and searches before each move", async () => {
    const environment = "rlkit/TicTacToe";
    const spaces = findEnvironment(environment);
    const agent = agentOf({ name: "PPO" }, spaces);
    await store.write("player.safetensors", encodeAgent(agent, { ...spaces, environment }));
    const plain = await evaluation("player.safetensors", "--opponent", "random", "--episodes", "70");
    expect(plain).toMatchObject({ opponent: "random", environment });
    const few = await evaluation("player.safetensors", "--opponent", "random", "--episodes", "3");
    expect(few.returns).toEqual(plain.returns.slice(0, 3));
    const searched = await evaluation("player.safetensors", "--search", "32", "--episodes", "70");
    expect(searched).toMatchObject({ opponent: "random", simulations: 32 });
    expect(searched.mean).toBeGreaterThan(plain.mean + 0.3);
  });

  it("plays games in code, and searches in those with save and load", async () => {
    const observation_space = new Box({ low: 0, high: 1, shape: [13] });
    const spaces = { observation_space, action_space: new Discrete(3) };
    await store.write("nim.safetensors", encodeAgent(agentOf({ name: "PPO" }, spaces), spaces));
    await writeText(store, "nim.js", NIM);
    const options = ["nim.safetensors", "--environment", "nim.js", "--episodes", "64"];
    const plain = await evaluation(...options, "--opponent", "random");
    const searched = await evaluation(...options, "--search", "16");
    expect(searched).toMatchObject({ opponent: "random", simulations: 16, environment: "nim.js" });
    expect(searched.mean).toBeGreaterThan(plain.mean + 0.1);
    const refused = async (...more: string[]) => {
      const { code, stderr } = await runCli(["evaluate", ...options, ...more], { store });
      return [code, stderr];
    };
    expect(await refused("--opponent", "rule:one_step")).toEqual([
      2,
      expect.stringContaining('--opponent: found "rule:one_step", allowed in nim.js: random'),
    ]);
    await writeText(
      store,
      "nim.js",
      NIM.replace("  save() {", "  kept() {").replace("  load([", "  placed(["),
    );
    expect(await refused("--search", "8")).toEqual([
      2,
      expect.stringContaining("--search: found nim.js without save() and load(state)"),
    ]);
  });

  it.each([
    [
      "a search where there is no game",
      ["out/elite.safetensors", "--search", "8"],
      2,
      /--search: found CartPole-v1, allowed names of rlkit's games/,
    ],
    [
      "another environment",
      ["out/elite.safetensors", "--environment", "Acrobot-v1"],
      1,
      /of another environment than Acrobot-v1: .*found 6 finite numbers .*, but the stored agent reads 4 numbers/,
    ],
    ["no such file", ["none.safetensors"], 2, /none\.safetensors: no such file/],
    ["no such directory", ["none"], 2, /none: no checkpoint is there/],
    ["the directory of a run", ["out"], 2, /out: is a run's directory; give out\/elite\.safetensors/],
  ])("refuses %s", async (_, args, expected, message) => {
    const { code, stdout, stderr } = await runCli(["evaluate", ...args, "--json"], { store });
    expect(code).toBe(expected);
    expect(stderr).toMatch(message);
    expect(JSON.parse(stdout)).toMatchObject({
      event: "error",
      message: expect.stringMatching(message) as string,
    });
  });

  it("refuses a file that is cut short", async () => {
    const bytes = await store.read("out/elite.safetensors");
    await store.write("short.safetensors", bytes.slice(0, bytes.length - 100));
    const { code, stderr } = await runCli(["evaluate", "short.safetensors"], { store });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^rlkit: short\.safetensors: .*\n$/);
  });
});
