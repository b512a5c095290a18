/** AgileRL's tutorials, ported: every manifest and every script trains, for a few steps. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { root } from "../../scripts/lib/environment.mjs";
import { LocalTrainer, loadEnvironment } from "../../src/index.ts";
import { ExampleProject } from "./checkExamples.ts";

const folder = path.join(root, "examples/tutorials");
const files = readdirSync(folder);
const manifests = files.filter((file) => file.endsWith(".yaml"));
const own = mkdtempSync(path.join(tmpdir(), "rlkit-tutorials-"));
afterAll(() => rmSync(own, { recursive: true, force: true }));

type Section = Record<string, unknown>;
type Manifest = Record<"algorithm" | "environment" | "network" | "training", Section>;

const written = (name: string, lines: readonly string[]): string => {
  const file = path.join(own, name);
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
};

/** Ten digits as a pen's 16 coordinates, which differ by their first. */
const digits = () => {
  const rows = Array.from({ length: 60 }, (_, i) => i);
  return {
    features: written(
      "features.csv",
      rows.map((i) => [i % 10, ...Array.from({ length: 15 }, (_, j) => (i * j) % 7)].join()),
    ),
    targets: written(
      "targets.csv",
      rows.map((i) => String(i % 10)),
    ),
  };
};

const chats = () => {
  const row = { prompt: "How are you?", chosen: "Well, thanks! And you?", rejected: "I am a program." };
  return { hf_dataset_id: null, dataset_path: written("chats.jsonl", Array(20).fill(JSON.stringify(row))) };
};

/** What a manifest needs of this machine instead of the hub, and to be short. */
const CHANGES: Readonly<Record<string, (manifest: Manifest) => Partial<Manifest>>> = {
  "ddpg-simba-halfcheetah.yaml": () => ({ algorithm: { learn_step: 16 } }),
  "dqn-connect-four.yaml": () => ({ algorithm: { learn_step: 80 } }),
  "ppo-mfpbt-lunarlander.yaml": () => ({ algorithm: { learn_step: 256 } }),
  "recurrent-ppo-pendulum.yaml": () => ({ algorithm: { learn_step: 512 } }),
  "neural-ts-pendigits.yaml": () => ({ environment: digits() }),
  "sft-human-like.yaml": () => ({ environment: chats() }),
  "dpo-human-like.yaml": () => ({ environment: chats() }),
};

const TINY = { pretrained_model_name_or_path: "rlkit/tiny-letters", max_context_length: 250 };

function shortened(file: string): Manifest {
  const manifest = parse(readFileSync(path.join(folder, file), "utf8"), { version: "1.1" }) as Manifest;
  const { algorithm, environment, network, training } = manifest;
  const changes = CHANGES[file]?.(manifest) ?? {};
  const isLanguage = network.pretrained_model_name_or_path !== undefined;
  const inFolder = Object.fromEntries(
    ["path", "dataset_path", "rubric_file_path", "entrypoint"]
      .filter((key) => environment[key] !== undefined)
      .map((key) => [key, path.join(folder, String(environment[key]))]),
  );
  const steps = isLanguage
    ? { max_steps: 8, evo_steps: null, evaluation_interval: 1, num_epochs: null, eval_loop: 1 }
    : { max_steps: 320, evo_steps: 320, eval_loop: 1, eval_steps: 40, learning_delay: 0, episode_steps: 160 };
  const tiny = { max_model_len: 250, max_output_tokens: 4, batch_size: 2, micro_batch_size_per_gpu: 2 };
  const sizes = Object.fromEntries(Object.entries(tiny).filter(([name]) => algorithm[name] !== undefined));
  return {
    ...manifest,
    algorithm: { ...algorithm, ...(isLanguage ? sizes : {}), ...changes.algorithm },
    environment: { ...environment, ...inFolder, ...changes.environment },
    network: isLanguage ? { ...network, ...TINY } : network,
    training: { ...training, ...steps, ...(training.pop_size === 4 ? { pop_size: 2 } : {}) },
  };
}

describe.each(manifests)("%s", (file) => {
  it("trains", async () => {
    const manifest = shortened(file);
    await loadEnvironment(String(manifest.environment.name)).catch(() => {});
    const trainer = await LocalTrainer.fromManifest(manifest as never, { seed: 1 });
    const [population, fitnesses] = await trainer.train({ verbose: false, observer: () => {} });
    expect(population).toHaveLength(Number(manifest.training.pop_size ?? 1));
    expect(fitnesses.every(Number.isFinite)).toBe(true);
  });
});

it("the reward of Countdown is for the value, the numbers and the format", async () => {
  const module: unknown = await import(pathToFileURL(path.join(folder, "countdown.js")).href);
  const { reward } = module as { reward: (...given: unknown[]) => unknown };
  const row = { numbers: "3, 5, 8" };
  const given = (equation: string) => reward(`<think>hm</think> <answer>${equation}</answer>`, "64", row);
  expect(given("(3 + 5) * 8")).toEqual({ equation: 1, format: 1 });
  expect(given("3 + 5 * 8")).toEqual({ equation: 0, format: 1 });
  expect(given("8 * 8")).toEqual({ equation: 0, format: 1 });
  expect(reward("<answer>8 * (5 + 3)</answer>", "64", row)).toEqual({ equation: 1, format: 0 });
  expect(reward("64", "64", row)).toEqual({ equation: 0, format: 0 });
});

describe("the scripts", () => {
  const project = new ExampleProject();
  afterAll(() => project.remove());

  it("train", () => {
    for (const file of files.filter((name) => /\.m?js$/.test(name)))
      project.write(file, readFileSync(path.join(folder, file), "utf8"));
    vi.stubEnv("LESSONS", "2").stubEnv("STEPS", "512");
    const [games = "", skills = ""] = project.run("connect-four-self-play.mjs", "lander-skills.mjs");
    expect(games.match(/lesson \d: mean reward -?[\d.]+/g)).toHaveLength(2);
    expect(skills.match(/^\w+(?=: -?[\d.]+$)/gm)).toEqual(["stabilize", "center", "landing", "selector"]);
  });
});
