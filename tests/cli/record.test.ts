/** `rlkit record` and `rlkit data`: data sets that other tools can read. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import h5wasm, { type Dataset, type Group } from "h5wasm";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { openDataset } from "../../src/datasets/index.ts";
import type { AlgoSpecInput } from "../../src/manifests/index.ts";
import { findCompiledEnvironment } from "../../src/rl/environments.ts";
import type { FileStore } from "../../src/storage/index.ts";
import { encodeAgent } from "../../src/training/files.ts";
import { hdf5Bytes, table } from "../datasets/support/hdf5Files.ts";
import { agentOf } from "../rl/support/agents.ts";
import { runCli, storeWithManifest } from "./support.ts";

let store: FileStore;
beforeAll(async () => {
  store = await storeWithManifest();
  const { code } = await runCli(["train", "m.json", "--workers", "1", "--out", "out"], { store });
  expect(code).toBe(0);
});

const run = (...args: string[]) => runCli(args, { store });
const random = (out: string, ...more: string[]) =>
  run("record", "random", "--environment", "CartPole-v1", "--steps", "70", "--out", out, ...more);

/** A hub that serves the previous test's data set for any ID, without a Content-Length. */
async function serveHub() {
  const files = new Map<string, Uint8Array>();
  for (const name of ["metadata.json", "main_data.hdf5"])
    files.set(name, await store.read(`rec/data/${name}`));
  const server = createServer((request, response) => {
    response.write(files.get(request.url?.split("/").at(-1) ?? ""));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    hub: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Reads a file as Minari does, from the format's description and without this library's code. */
async function readLikeMinari(bytes: Uint8Array) {
  const { FS } = await h5wasm.ready;
  FS.writeFile("/minari.hdf5", bytes);
  const file = new h5wasm.File("/minari.hdf5", "r");
  const episodes = [];
  for (let i = 0; file.get(`episode_${i}`); i++) {
    const group = file.get(`episode_${i}`) as Group;
    const table = (name: string) => group.get(name) as Dataset;
    episodes.push({
      id: group.attrs.id?.value,
      total_steps: group.attrs.total_steps?.value,
      seed: group.attrs.seed?.value,
      types: Object.fromEntries(
        ["observations", "actions", "rewards", "terminations", "truncations"].map((name) => [
          name,
          [table(name).dtype, table(name).shape],
        ]),
      ),
      terminations: [...(table("terminations").value as Uint8Array)],
      truncations: [...(table("truncations").value as Uint8Array)],
      infos: (group.get("infos") as Group).keys(),
    });
  }
  file.close();
  FS.unlink("/minari.hdf5");
  return episodes;
}

describe("rlkit record", () => {
  it("writes what Minari's reader takes", async () => {
    const { code, stdout } = await random("rec", "--seed", "3", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ path: "rec", environment: "CartPole-v1", steps: 70, seed: 3 });
    expect((await store.list("rec/data")).map(({ name }) => name)).toEqual([
      "main_data.hdf5",
      "metadata.json",
    ]);
    const episodes = await readLikeMinari(await store.read("rec/data/main_data.hdf5"));
    expect(episodes.length).toBeGreaterThan(1);
    let steps = 0;
    for (const [i, episode] of episodes.entries()) {
      const length = Number(episode.total_steps);
      steps += length;
      expect(episode).toMatchObject({
        id: BigInt(i),
        types: {
          observations: ["<f", [length + 1, 4]],
          actions: ["<q", [length]],
          rewards: ["<d", [length]],
          terminations: ["<B", [length]],
          truncations: ["<B", [length]],
        },
        infos: [],
      });
      expect(typeof episode.seed).toBe("bigint");
      // The episode ends at its last step, and nowhere else.
      const ends = episode.terminations.map((is, t) => is + (episode.truncations[t] ?? 0));
      expect(ends).toEqual([...Array<number>(length - 1).fill(0), 1]);
    }
    expect(steps).toBe(70);
    expect(episodes.at(-1)?.truncations.at(-1)).toBe(1);
    const metadata = JSON.parse(new TextDecoder().decode(await store.read("rec/data/metadata.json")));
    expect(metadata).toMatchObject({
      dataset_id: "rlkit/recorded-v0",
      total_episodes: episodes.length,
      total_steps: 70,
      data_format: "hdf5",
      jpeg_encoding: false,
      algorithm_name: "random",
    });
    expect(JSON.parse(metadata.action_space)).toEqual({ type: "Discrete", dtype: "int64", start: 0, n: 2 });
    expect(JSON.parse(metadata.observation_space.replaceAll("Infinity", "1e999"))).toMatchObject({
      type: "Box",
      shape: [4],
    });
    expect(JSON.parse(metadata.env_spec)).toMatchObject({ id: "CartPole-v1", max_episode_steps: 500 });
  });

  it("records the same with the same seed, and is read back whole", async () => {
    await random("one", "--seed", "3");
    await random("two", "--seed", "4");
    const [a, b, c] = await Promise.all(
      ["rec", "one", "two"].map((dir) => store.read(`${dir}/data/main_data.hdf5`)),
    );
    const rows = async (bytes: Uint8Array | undefined) => {
      const dataset = await openDataset(bytes as Uint8Array);
      const found = await dataset.transitions(findCompiledEnvironment("CartPole-v1"));
      dataset.close();
      return found;
    };
    expect((await rows(a)).count).toBe(70);
    expect(await rows(b)).toEqual(await rows(a));
    expect(await rows(c)).not.toEqual(await rows(a));
  });

  it("records a trained agent in its own environment", async () => {
    const { code, stdout, stderr } = await run(
      "record",
      "out/elite.safetensors",
      "--steps",
      "30",
      "--epsilon",
      "0.5",
      "--out",
      "agent",
      "--id",
      "cartpole/mine-v2",
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("agent: ");
    const { stdout: inspected } = await run("data", "inspect", "agent", "--json");
    expect(JSON.parse(inspected)).toMatchObject({ format: "minari", steps: 30, environment: "CartPole-v1" });
  });

  it("records games as text, from which data sets are read", async () => {
    const games = ["--environment", "rlkit/Pig", "--steps", "50", "--out", "pig.games"];
    const { code, stdout } = await run("record", "random", ...games);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^pig\.games: \d+ games?, 50 moves of random in rlkit\/Pig\n$/);
    const text = new TextDecoder().decode(await store.read("pig.games"));
    expect(text).toMatch(/^game rlkit\/Pig \{"target":100\}\n(?:roll \*|hold )/);
    const { stdout: inspected } = await run("data", "inspect", "pig.games", "--json");
    const { format, steps } = JSON.parse(inspected);
    expect(format).toBe("flat");
    expect(steps).toBeGreaterThanOrEqual(48);
  });

  it("records an agent's games against a rule and against another agent", async () => {
    const { observation_space, action_space } = findCompiledEnvironment("rlkit/TicTacToe");
    const written = (name: string, spec: AlgoSpecInput, seed: number) =>
      store.write(name, encodeAgent(agentOf(spec, { observation_space, action_space, seed })));
    await written("player.safetensors", { name: "DQN" }, 1);
    await written("past_3.safetensors", { name: "PPO" }, 2);
    const environment = ["--environment", "rlkit/TicTacToe"];
    const record = async (opponent: string, out: string) => {
      const options = ["--opponent", opponent, "--games", "4", "--out", out];
      const { code, stdout, stderr } = await run("record", "player.safetensors", ...environment, ...options);
      expect([code, stderr, stdout]).toEqual([
        0,
        "",
        `${out}: 4 games of DQN against ${opponent} in rlkit/TicTacToe\n`,
      ]);
      return new TextDecoder()
        .decode(await store.read(out))
        .trim()
        .split("\n");
    };
    const [head, note, ...games] = await record("past_3.safetensors", "past.games");
    expect([head, note]).toEqual([
      "game rlkit/TicTacToe",
      "# DQN has the first move in the 1st, 3rd, ... game, and past_3.safetensors in the others.",
    ]);
    // Both play their best moves: the same two games, one for each that begins.
    expect(games).toEqual([games[0], games[1], games[0], games[1]]);
    expect(games[0]).not.toBe(games[1]);
    const ended = (await record("rule:one_step", "rule.games")).slice(2);
    expect(ended).toHaveLength(4);
    expect((await record("random", "random.games")).slice(2)).not.toEqual(ended);
  });

  it.each<[string, string[], string]>([
    [
      "a rule that the game does not have",
      [
        "record",
        "random",
        "--environment",
        "rlkit/TicTacToe",
        "--opponent",
        "rule:follow",
        "--out",
        "y.games",
      ],
      '--opponent: found "rule:follow", allowed in rlkit/TicTacToe: random, rule:one_step',
    ],
    [
      "an opponent in a data set",
      ["record", "random", "--environment", "rlkit/TicTacToe", "--opponent", "random", "--out", "y"],
      "--opponent: needs an --out whose name ends in .games",
    ],
    [
      "games beside steps",
      ["record", "random", "--environment", "rlkit/Pig", "--games", "2", "--steps", "9", "--out", "y.games"],
      "--games: found --steps beside it",
    ],
    [
      "a file of games of what is no game",
      ["record", "random", "--environment", "CartPole-v1", "--out", "x.games"],
      "allowed for rlkit's games",
    ],
    [
      "a file of games that is there",
      ["record", "random", "--environment", "rlkit/Pig", "--out", "pig.games"],
      "pig.games already exists",
    ],
    ["no folder", ["record", "random", "--environment", "CartPole-v1"], "--out is missing"],
    [
      "a folder that is there",
      ["record", "random", "--environment", "CartPole-v1", "--out", "rec"],
      "rec/data already exists",
    ],
    ["no environment", ["record", "random", "--out", "x"], "--environment is missing"],
    [
      "a chance above 1",
      ["record", "random", "--epsilon", "2", "--out", "x"],
      '--epsilon: found "2", allowed 0 to 1',
    ],
    [
      "several agents",
      ["record", "random", "--environment", "simple_spread_v3", "--out", "x"],
      "a multi-agent environment; allowed are single-agent environments",
    ],
    ["what is no id", ["record", "random", "--id", "mine", "--out", "x"], 'found "mine"'],
    ["another action", ["data", "look", "rec"], 'data: found "look", allowed inspect, fetch'],
    ["what is not there", ["data", "inspect", "nowhere"], "nowhere: no such file or folder"],
  ])("refuses %s", async (_name, args, message) => {
    const { code, stderr } = await run(...args);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(message);
    expect(await store.exists("x")).toBe(false);
  });
});

describe("rlkit data", () => {
  it("shows episodes, returns and spaces", async () => {
    const { code, stdout } = await run("data", "inspect", "rec");
    expect(code).toBe(0);
    expect(stdout).toMatch(/rec: minari, \d+ episodes \(\d+ terminated\), 70 steps/);
    expect(stdout).toContain("actions: an integer from 0 to 1 (Discrete)");
    expect(stdout).toMatch(/SHA-256 [0-9a-f]{64}/);
  });

  it("names tables of a flat file that may mark the ends of episodes", async () => {
    const one = (data: Float32Array) => ({ data, shape: [data.length] });
    const bytes = await hdf5Bytes((root) => {
      table(root, "observations", { data: new Float32Array(16), shape: [4, 4] });
      for (const name of ["actions", "rewards", "terminals"]) table(root, name, one(new Float32Array(4)));
      table(root, "episode_terminals", one(Float32Array.of(0, 1, 0, 1)));
      table(root, "my_cuts", one(Float32Array.of(0, 1, 0, 1)));
    });
    await store.write("flat.h5", bytes);
    const { stdout } = await run("data", "inspect", "flat.h5");
    expect(stdout).toContain("flat.h5: flat, 2 episodes (0 terminated), 4 steps");
    expect(stdout).toContain("notice: flat.h5: not read: my_cuts;");
    const { stdout: json } = await run("data", "inspect", "flat.h5", "--json");
    expect(JSON.parse(json).notices).toEqual([expect.stringContaining("my_cuts")]);
  });

  it("fetches from the hub that is named, into Minari's folder", async () => {
    vi.stubEnv("MINARI_DATASETS_PATH", "minari");
    const { hub, files, close } = await serveHub();
    const { code, stdout } = await run("data", "fetch", "cartpole/fetched-v0", "--hub", hub, "--json");
    close();
    expect(code).toBe(0);
    const events = stdout
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text));
    const path = "minari/cartpole/fetched-v0/data";
    expect(events.at(-1)).toEqual({ event: "end", path });
    expect(events.at(-2)).toMatchObject({ event: "download", received: files.get("main_data.hdf5")?.length });
    expect(await store.read(`${path}/main_data.hdf5`)).toEqual(files.get("main_data.hdf5"));
  });

  it("is fetched by the run that learns from it, which says how far it is", async () => {
    const { hub, files, close } = await serveHub();
    vi.stubEnv("RLKIT_HUB", hub);
    const manifest = {
      algorithm: { name: "CQN", batch_size: 8 },
      environment: {
        env_type: "offline",
        name: "CartPole-v1",
        num_envs: 2,
        hub_dataset_id: "cartpole/first-v0",
        remote: true,
      },
      training: { max_steps: 20, evo_steps: 20, eval_steps: 10 },
    };
    await store.write("fetching.json", new TextEncoder().encode(JSON.stringify(manifest)));
    const { code, stdout } = await run("train", "fetching.json", "--workers", "1", "--out", "fetching");
    close();
    expect(code).toBe(0);
    const size = String(files.get("main_data.hdf5")?.length).replace(/\B(?=(\d{3})+$)/g, "_");
    expect(stdout).toContain(`Fetched ${size} of ${size} bytes\n`);
    expect(stdout.indexOf("Fetched")).toBeLessThan(stdout.indexOf("Output: fetching"));
  });

  it("is what rlkit train learns from", async () => {
    const manifest = {
      algorithm: { name: "CQN", batch_size: 8 },
      environment: { env_type: "offline", name: "CartPole-v1", num_envs: 2, dataset_path: "rec" },
      training: { max_steps: 40, evo_steps: 20, eval_steps: 10 },
    };
    await store.write("offline.json", new TextEncoder().encode(JSON.stringify(manifest)));
    expect((await run("validate", "offline.json")).code).toBe(0);
    const { code, stderr } = await run("train", "offline.json", "--workers", "1", "--out", "off");
    expect([code, stderr]).toEqual([0, ""]);
    const { environment: _, ...rest } = manifest;
    const none = { ...rest, environment: { env_type: "offline", name: "CartPole-v1" } };
    await store.write("none.json", new TextEncoder().encode(JSON.stringify(none)));
    const { code: failed, stderr: why } = await run("validate", "none.json");
    expect(failed).toBe(1);
    expect(why).toContain("environment.dataset_path: is missing");
  });
});
