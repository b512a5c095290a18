/**
 * Kills processes that train, at random times between their checkpoints, until each run has ended:
 * `tsx scripts/soak/killedRuns.ts [how many kills at least, 50 unless given] [seed, 0]`. Every run must end with the bytes
 * of one that nobody killed. Needs `npm run build -- lib`.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { COMMIT_FILE } from "../../src/storage/checkpoints.ts";
import { randomFrom } from "../../tests/support/randomFrom.ts";
import { root } from "../lib/environment.mjs";

const network = { latent_dim: 8, encoder_config: { hidden_size: [8] }, head_config: { hidden_size: [8] } };
const training = { pop_size: 3, evo_steps: 240, max_steps: 4800, checkpoint_steps: 240, eval_steps: 20 };
const place = (name: string, more: object = {}) => ({ name, num_envs: 4, ...more });
const off = (name: string, more: object = {}) => ({ name, batch_size: 16, learn_step: 4, ...more });
const on = (name: string, more: object = {}) => ({ name, batch_size: 32, learn_step: 120, ...more });
const memory = { replay_buffer: { max_size: 1200 } };
const steps = { ...memory.replay_buffer, n_step_buffer: true, per_buffer: true };

/** Kinds of lanes: of compiled environments, of the host's that save or are repeated, and of teams. */
const RUNS: Readonly<Record<string, object>> = {
  "PPO, compiled": {
    algorithm: on("PPO"),
    environment: place("Pendulum-v1", { normalize: { rewards: true } }),
  },
  "DQN, compiled": { algorithm: off("DQN"), environment: place("MountainCar-v0"), ...memory },
  "Rainbow, compiled": {
    algorithm: off("RainbowDQN", { num_atoms: 7, v_max: 20 }),
    environment: place("CartPole-v1"),
    replay_buffer: steps,
  },
  "SAC, compiled": { algorithm: off("SAC"), environment: place("MountainCarContinuous-v0"), ...memory },
  "DQN, repeated on the host": { algorithm: off("DQN"), environment: place("LunarLander-v3"), ...memory },
  "TD3, saved on the host": {
    algorithm: off("TD3", { O_U_noise: true }),
    environment: place("HalfCheetah-v5"),
    ...memory,
  },
  "PPO, saved on the host": { algorithm: on("PPO"), environment: place("Hopper-v5") },
  "DQN, a module": { algorithm: off("DQN"), environment: { ...place("Own"), path: "own.js" }, ...memory },
  "IPPO, a team": {
    algorithm: on("IPPO"),
    environment: place("simple_speaker_listener_v4"),
    training: { ...training, max_steps: 14_400 },
  },
  "MADDPG, a team": {
    algorithm: off("MADDPG"),
    environment: place("simple_spread_v3", { env_config: { N: 2 } }),
    ...memory,
  },
};

const OWN = `export default class Own {
  observation_space = { kind: "Box", low: -Infinity, high: Infinity, shape: [2] };
  action_space = { kind: "Discrete", n: 3 };
  #word = 1; #at = 0; #steps = 0;
  #seen() { return { observation: [this.#at, this.#steps / 100], info: {} }; }
  reset({ seed } = {}) {
    if (seed !== undefined) this.#word = seed;
    this.#at = this.#steps = 0;
    return this.#seen();
  }
  step(action) {
    this.#word = (Math.imul(this.#word, 1664525) + 1013904223) >>> 0;
    this.#at += action - 1 + this.#word / 2 ** 32;
    return { ...this.#seen(), reward: 1 - Math.abs(this.#at), terminated: false, truncated: ++this.#steps >= 150 };
  }
  save() { return { word: this.#word, at: this.#at, steps: this.#steps }; }
  load({ word, at, steps }) { this.#word = word; this.#at = at; this.#steps = steps; }
}`;

const [least = 50, seed = 0] = process.argv.slice(2).map(Number);
const random = randomFrom(seed + 1);

/** Milliseconds that a process may live on after the generation that it is killed in: checkpoints are written then. */
const LONGEST_MS = 500;
/** Most generations of a process before it is killed, and most kills of a run. */
const [GENERATIONS, MOST] = [4, 5];

/** Trains to the end, or until a process has told some generations. @returns whether it came to the end. */
function train(dir: string, out: string, resumes: boolean, generations: number | null): Promise<boolean> {
  const args = ["train", "m.json", "--device", "wasm", "--workers", "2", "--json", "--out", out];
  const child = spawn(
    process.execPath,
    [path.join(root, "dist/lib/cli/rlkit.js"), ...args, ...(resumes ? ["--resume", out] : [])],
    { cwd: dir, stdio: ["ignore", "pipe", "pipe"] },
  );
  let [problem, told] = ["", 0];
  let timer: NodeJS.Timeout | undefined;
  child.stderr.on("data", (text: Buffer) => {
    problem += text.toString();
  });
  child.stdout.on("data", (text: Buffer) => {
    told += text.toString().split('"event":"generation"').length - 1;
    if (generations !== null && told >= generations)
      timer ??= setTimeout(() => child.kill("SIGKILL"), random() * LONGEST_MS);
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (signal === "SIGKILL") resolve(false);
      else if (code === 0) resolve(true);
      else reject(new Error(`exit code ${code}: ${problem}`));
    });
  });
}

/** The bytes of a run's last checkpoint, by file; its commit has the time. */
async function endOf(out: string): Promise<ReadonlyMap<string, string>> {
  const steps = (name: string) => Number(/^checkpoint_(\d+)/.exec(name)?.[1] ?? -1);
  const [last] = (await readdir(out)).sort((a, b) => steps(b) - steps(a));
  const dir = path.join(out, last ?? "");
  const names = (await readdir(dir)).filter((name) => name.includes("safetensors") || name === "run.json");
  return new Map(
    await Promise.all(
      names
        .sort()
        .map(
          async (name) =>
            [`${last}/${name}`, (await readFile(path.join(dir, name))).toString("base64")] as const,
        ),
    ),
  );
}

const hasCheckpoint = async (out: string): Promise<boolean> =>
  (await readdir(out, { recursive: true }).catch(() => [])).some(
    (name) => path.basename(name) === COMMIT_FILE,
  );

let [kills, passed, failed] = [0, 0, 0];
for (let round = 0; kills < least; round++)
  for (const [name, sections] of Object.entries(RUNS)) {
    const dir = await mkdtemp(path.join(tmpdir(), "rlkit-kills-"));
    await writeFile(path.join(dir, "own.js"), OWN);
    const own = { training: { ...training, seed: seed + round, hpo: true }, network, ...sections };
    await writeFile(path.join(dir, "m.json"), JSON.stringify(own));
    await train(dir, "whole", false, null);
    let times = 0;
    for (let ended = false; !ended; ) {
      const resumes = await hasCheckpoint(path.join(dir, "killed"));
      if (!resumes) await rm(path.join(dir, "killed"), { recursive: true, force: true });
      // A run that is killed more often than it saves would never end.
      const generations = times < MOST ? Math.floor(random() * (GENERATIONS + 1)) : null;
      ended = await train(dir, "killed", resumes, generations);
      if (!ended) times++;
    }
    kills += times;
    const [expected, found] = [await endOf(path.join(dir, "whole")), await endOf(path.join(dir, "killed"))];
    const different = [...new Set([...expected.keys(), ...found.keys()])].filter(
      (file) => expected.get(file) !== found.get(file),
    );
    if (different.length === 0) passed++;
    else failed++;
    console.log(
      `${name}: ${times} kills, ${different.length === 0 ? "the same bytes" : `other bytes in ${different.join(", ")}`} (${expected.size} files)`,
    );
    if (different.length === 0) await rm(dir, { recursive: true, force: true });
    else console.log(`The run that was killed, and the whole one: ${dir}`);
  }
console.log(`${kills} kills: ${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
