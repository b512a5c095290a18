/** What a newcomer does with the pages alone: files and commands as pages show them, with fewer steps. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { type FileStore, memoryFileStore } from "../../src/storage/index.ts";
import { runCli, writeText } from "../cli/support.ts";
import { ExampleProject } from "./checkExamples.ts";

/** The blocks of a page in one language. */
const blocksOf = (page: string, language: string): string[] =>
  [
    ...readFileSync(path.join(root, "docs", page), "utf8").matchAll(
      new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm"),
    ),
  ].map(([, text = ""]) => text);

/** A page's file whose first line is its name, with `changes` to its numbers. */
function fileOf(page: string, language: string, name: string, changes: Readonly<Record<string, string>>) {
  const found = blocksOf(page, language).find((text) => /^(?:#|\/\/) (\S+)/.exec(text)?.[1] === name);
  return Object.entries(changes).reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, found ?? "");
}

async function command(store: FileStore, line: string) {
  const [, args = ""] = /^(?:npx )?rlkit (.*?)(?: #.*)?$/.exec(line) ?? [];
  // A GPU in software would be measured first.
  const device = args.startsWith("train ") ? ["--device", "wasm"] : [];
  const result = await runCli([...args.split(" "), ...device], { store });
  expect([line, result.code, result.code === 0 ? "" : result.stderr]).toEqual([line, 0, ""]);
  return result;
}

const commandsOf = (block = ""): string[] =>
  block.split("\n").filter((line) => /^(?:npx )?rlkit /.test(line));

describe("an environment of one's own", () => {
  const page = "environments/your-own.md";

  it("is the example, and is validated, trained, evaluated and recorded", async () => {
    const [module = ""] = blocksOf(page, "js");
    expect(readFileSync(path.join(root, "examples/environment/cartpole.js"), "utf8")).toContain(module);
    const store = memoryFileStore();
    await writeText(store, "cartpole.js", module);
    const fewer = { "100_000": "640", "10_000": "320", "hpo: true": "hpo: true, final_episodes: 0" };
    await writeText(store, "ppo-own-cartpole.yaml", fileOf(page, "yaml", "ppo-own-cartpole.yaml", fewer));
    const [lines] = blocksOf(page, "sh");
    const commands = commandsOf(lines);
    expect(commands).toHaveLength(4);
    for (const line of commands) await command(store, line.replace("10_000", "200"));
  });

  it("is said to be one's own where an agent's file does not contain it", async () => {
    const store = memoryFileStore();
    await writeText(store, "cartpole.js", blocksOf(page, "js")[0] ?? "");
    const fewer = { "100_000": "320", "10_000": "320", "hpo: true": "hpo: false" };
    await writeText(store, "own.yaml", fileOf(page, "yaml", "ppo-own-cartpole.yaml", fewer));
    await command(store, "rlkit train own.yaml --out run");
    const elite = await runCli(["evaluate", "run/elite.safetensors"], { store });
    expect(elite.stderr).toContain("if it is a module of yours, give --environment FILE");
    const whole = await runCli(["evaluate", "run"], { store });
    expect([whole.code, whole.stderr]).toEqual([
      2,
      "rlkit: run: is a run's directory; give run/elite.safetensors, or one of its checkpoints\n",
    ]);
  });
});

it("offline data are recorded, and trained on", async () => {
  const store = memoryFileStore();
  await writeText(
    store,
    "cqn.yaml",
    fileOf("datasets.md", "yaml", "cqn.yaml", {
      "max_steps: 50_000, evo_steps: 5_000": "max_steps: 20, evo_steps: 10",
    }),
  );
  const commands = commandsOf(blocksOf("datasets.md", "sh")[0]);
  expect(commands).toHaveLength(2);
  for (const line of commands) await command(store, line.replace("50_000", "500"));
});

describe("a kind of network of one's own", () => {
  const project = new ExampleProject();
  afterAll(() => project.remove());

  it("compiles and trains as the page has it", async () => {
    const blocks = blocksOf("extending/network.md", "ts");
    const [section = ""] = blocksOf("extending/network.md", "yaml");
    project.write("fourier.ts", blocks.filter((text) => text.startsWith("// fourier.ts")).join(""));
    project.write("plugin.ts", blocks.find((text) => text.startsWith("// plugin.ts")) ?? "");
    const manifest = `
algorithm: { name: DQN, learn_step: 8 }
environment: { name: CartPole-v1, num_envs: 2 }
training: { max_steps: 200, evo_steps: 100, pop_size: 2, eval_steps: 20 }
${section}`;
    const run = `
      import { LocalTrainer } from "rlkit";
      import "./plugin.ts";
      const trainer = await LocalTrainer.fromManifest(${JSON.stringify(manifest)});
      const [population] = await trainer.train({ verbose: false });
      console.log(JSON.stringify(trainer.manifest.network), population.length);`;
    project.write("train.ts", run);
    expect(await project.complaints()).toBe("");
    const [printed = ""] = project.run("train.ts");
    expect(printed).toMatch(/"arch":"fourier","num_features":128.* 2\n$/);
  });
});
