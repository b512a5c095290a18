/** An environment, an algorithm, a kind of network and a workload of a user's own, written with the package alone. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { packed } from "./support/packed-project.ts";

/** rlkit's own files that the docs give as examples, and the page of each. */
const EXAMPLES = {
  "SAC.ts": ["src/rl/algorithms/SAC.ts", "algorithm"],
  "fourier.ts": ["tests/rl/inside/extending/fourier.ts", "network"],
  "Balloon.ts": ["examples/Balloon.ts", "environment"],
  "hillClimbing.ts": ["tests/training/inside/support/hillClimbing.ts", "workload"],
} as const;

const PLUGIN = `
  import { registerArchitecture, registerModule } from "rlkit/extending/network";
  import { registerAlgorithm } from "rlkit/extending/algorithm";
  import { registerEnvironment } from "rlkit/extending/environment";
  import { Balloon } from "./Balloon.js";
  import { fourier, fourierArchitecture } from "./fourier.js";
  import { SAC } from "./SAC.js";
  registerEnvironment(Balloon);
  registerArchitecture(fourierArchitecture);
  registerModule(fourier);
  registerAlgorithm(SAC);`;

const RUN = `
  import { Accelerator, LocalTrainer } from "rlkit";
  const modules = ["plugin", "hillClimbing"].map((name) => new URL(name + ".js", import.meta.url));
  for (const url of modules) await import(url.href);
  const runs = {
    balloon: {
      algorithm: { name: "DQN", learn_step: 8 },
      environment: { name: "rlkit/Balloon-v0", num_envs: 2 },
      network: { latent_dim: 16, encoder_config: { arch: "fourier", num_features: 8 }, head_config: { hidden_size: [8] } },
    },
    pendulum: {
      algorithm: { name: "OwnSAC", learn_step: 8, batch_size: 8 },
      environment: { name: "Pendulum-v1", num_envs: 2 },
      network: { latent_dim: 16, encoder_config: { hidden_size: [8] }, head_config: { hidden_size: [8] } },
    },
    hill: { algorithm: { name: "HillClimbing" }, environment: { name: "CartPole-v1" } },
  };
  for (const [name, { algorithm, environment, network }] of Object.entries(runs)) {
    const accelerator = new Accelerator({ workers: 2, modules });
    const training = { max_steps: 200, evo_steps: 100, pop_size: 2, eval_steps: 20 };
    const manifest = { algorithm, environment, training, ...(network && { network }) };
    const [agents, fitness] = await LocalTrainer.fromManifest(manifest, { accelerator, seed: 1 }).then((run) =>
      run.train({ verbose: false }),
    );
    console.log(name, agents.length, fitness.flat().every(Number.isFinite));
  }`;

/** The example as its user would write it: everything of rlkit comes from the sub-path of its page. */
function asUsersOwn(file: string, page: string): string {
  const text = readFileSync(path.join(root, file), "utf8").replaceAll('"SAC"', '"OwnSAC"');
  return text.replaceAll(/from "(\.[^"]+)"/g, (_, target: string) => {
    const own = /\/(kernels|evolution)\/index\.ts$/.exec(target);
    return `from "rlkit/${own ? own[1] : `extending/${page}`}"`;
  });
}

test.extend(...packed)("are trained in two workers", ({ packed: { directory } }) => {
  for (const [name, [file, page]] of Object.entries(EXAMPLES))
    writeFileSync(path.join(directory, name), asUsersOwn(file, page));
  writeFileSync(path.join(directory, "plugin.ts"), PLUGIN);
  writeFileSync(path.join(directory, "run.js"), RUN);
  const compilerOptions = {
    target: "es2023",
    module: "nodenext",
    lib: ["ES2023"],
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    // package.e2e.test.ts checks all declarations.
    skipLibCheck: true,
  };
  const files = ["plugin.ts", "hillClimbing.ts"];
  writeFileSync(path.join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const run = (...args: string[]) => {
    try {
      return execFileSync(process.execPath, args, { cwd: directory, encoding: "utf8" });
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  };
  expect(run(path.join(root, "node_modules/typescript/bin/tsc"), "-p", directory)).toBe("");
  expect(run("run.js")).toBe("balloon 2 true\npendulum 2 true\nhill 2 true\n");
});
