/** Episodes of environments that JavaScript steps, over generations. */
// @apart: its programs and devices fill much memory.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { provideSandboxes } from "../../src/sandbox/sandboxes.ts";
import { inspectCheckpoints } from "../../src/storage/checkpoints.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { Accelerator, LocalTrainer, type TrainerOptions } from "../../src/training/index.ts";
import { inProcess } from "../sandbox/inside/support/inProcess.ts";
import { randomFrom } from "../support/randomFrom.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { mortalFiles } from "../workers/support/mortalFiles.ts";
import { rollouts } from "./support/languageRuns.ts";
import {
  type Changes,
  dqn,
  endOf,
  es,
  ippo,
  maddpg,
  ppo,
  rainbow,
  recurrentPpo,
  sac,
  td3,
  trained,
} from "./support/tiny.ts";

keepThreads();
beforeAll(() => provideSandboxes(inProcess));
afterAll(() => provideSandboxes(null));

/** A generation is 40 steps of each lane, an episode 100: it ends in the third generation. */
const LONG = { evo_steps: 160, max_steps: 800, eval_steps: 10, eval_loop: 1 };
const ROLLOUTS = { learn_step: 80 };

const LLMES = { name: "LLMES", perturbations: 4, batch_size: 4, max_output_tokens: 1 };

const named =
  (run: (changes?: Changes) => TrainerOptions, name: string, algorithm: object = {}) =>
  (more: object = {}): TrainerOptions => ({
    ...run({ ...more, training: LONG, algorithm }),
    environment: { env_type: "gym", name, num_envs: 4, env_config: { max_episode_steps: 100 } },
  });

/** A walk of 100 steps, each worth 1, with noise that its seed determines. */
const DRIFT = (more: string) => `export default class Drift {
  observation_space = { kind: "Box", low: -Infinity, high: Infinity, shape: [2] };
  action_space = { kind: "Discrete", n: 3 };
  #word = 1;
  #at = 0;
  #steps = 0;
  #seen() {
    const action_mask = this.#steps % 2 ? [1, 1, 0] : [0, 1, 1];
    return { observation: [this.#at, this.#steps / 100], info: { action_mask } };
  }
  reset({ seed } = {}) {
    if (seed !== undefined) this.#word = seed;
    this.#at = 0;
    this.#steps = 0;
    return this.#seen();
  }
  step(action) {
    this.#word = (Math.imul(this.#word, 1664525) + 1013904223) >>> 0;
    this.#at += action - 1 + this.#word / 2 ** 32;
    return { ...this.#seen(), reward: 1, terminated: false, truncated: ++this.#steps >= 100 };
  }
  ${more}
}`;
const SAVED = `
  save() { return { word: this.#word, at: this.#at, steps: this.#steps }; }
  load({ word, at, steps }) { this.#word = word; this.#at = at; this.#steps = steps; }`;

/** A team whose right agent leaves after 50 steps of 100. */
const TEAM = `export default class Team {
  possible_agents = ["left", "right"];
  agents = [];
  observation_spaces = { left: { kind: "Discrete", n: 101 }, right: { kind: "Box", low: -1e6, high: 1e6, shape: [1] } };
  action_spaces = { left: { kind: "Discrete", n: 2 }, right: { kind: "Discrete", n: 3 } };
  #steps = 0;
  #sum = 0;
  #of(value) { return Object.fromEntries(this.agents.map((id) => [id, value(id)])); }
  #seen() {
    return { observations: this.#of((id) => (id === "left" ? this.#steps : [this.#sum])), infos: this.#of(() => ({})) };
  }
  reset() {
    this.agents = ["left", "right"];
    this.#steps = 0;
    this.#sum = 0;
    return this.#seen();
  }
  step({ left, right = 0 }) {
    this.#sum += left - right;
    this.#steps++;
    const result = {
      ...this.#seen(),
      rewards: this.#of((id) => (id === "left" ? 1 : 2)),
      terminations: this.#of((id) => id === "right" && this.#steps === 50),
      truncations: this.#of((id) => id === "left" && this.#steps >= 100),
    };
    if (this.#steps === 50) this.agents = ["left"];
    return result;
  }
}`;

/** Runs in a module, which a sandbox steps. */
const inModule =
  (
    run: (changes?: Changes) => TrainerOptions,
    text: string,
    { algorithm = {}, ...place }: Changes & object = {},
  ) =>
  async ({ seed, store = memoryFileStore(), ...more }: TrainerMore = {}) => {
    await store.write("own.js", new TextEncoder().encode(text));
    const { environment: _, ...sections } = run({ training: LONG, algorithm });
    const environment = { name: "Own", path: "own.js", num_envs: 4, ...place };
    const training = { ...sections.training, ...(seed !== undefined && { seed }) };
    return LocalTrainer.fromManifest({ ...sections, training, environment } as never, { store, ...more });
  };

interface TrainerMore {
  readonly seed?: number;
  readonly store?: ReturnType<typeof memoryFileStore>;
  readonly accelerator?: Accelerator;
  readonly resume_from_checkpoint?: string;
}

const KINDS: Readonly<Record<string, (more?: TrainerMore) => TrainerOptions | Promise<LocalTrainer>>> = {
  "DQN in LunarLander": named(dqn, "LunarLander-v3"),
  "TD3 with correlated noise in a body": named(td3, "HalfCheetah-v5", { O_U_noise: true }),
  "PPO with memory in a body": named(recurrentPpo, "HalfCheetah-v5", ROLLOUTS),
  "Rainbow in a module": inModule(rainbow, DRIFT("")),
  "DQN in a module with save and load, on stacks": inModule(dqn, DRIFT(SAVED), { frame_stack: 3 } as Changes),
  "IPPO in a module": inModule(ippo, TEAM, { algorithm: ROLLOUTS }),
};

const scoresOf = ({ recorder }: Awaited<ReturnType<typeof trained>>) =>
  recorder.generations.map(({ members }) => members.map(({ score }) => score));

describe.each(Object.entries(KINDS))("episodes of %s", (name, options) => {
  it("go on over generations, after a stop and in workers, to the same bits", async () => {
    const whole = await trained(await options({ seed: 7 }));
    const ends = scoresOf(whole).map((scores) => scores.every((score) => score !== null));
    // Landers crash early.
    expect(name.includes("Lander") || ends).toEqual(
      name.includes("Lander") || [false, false, true, false, true].slice(0, ends.length),
    );
    const store = memoryFileStore();
    const { recorder } = await trained(await options({ seed: 7, store }), {
      checkpoint_steps: 1,
      checkpoint_path: "c",
      watch: (event, run) => {
        if (event.event === "generation" && event.generation === 2) setImmediate(() => run.stop());
      },
    });
    const resume_from_checkpoint = recorder.checkpoints.at(-1) as string;
    const resumed = await trained(await options({ store, resume_from_checkpoint }));
    expect(endOf(resumed)).toEqual(endOf(whole));
    const workers = await trained(await options({ seed: 7, accelerator: new Accelerator({ workers: 2 }) }));
    expect(endOf(workers)).toEqual(endOf(whole));
    expect(scoresOf(workers)).toEqual(scoresOf(whole));
  });
});

/** The same in compiled environments, and runs whose generations end with whole episodes. */
const OTHERS: typeof KINDS = {
  PPO: (more = {}) => ppo({ ...more, training: LONG, algorithm: ROLLOUTS }),
  "PPO with memory": (more = {}) => recurrentPpo({ ...more, training: LONG, algorithm: ROLLOUTS }),
  Rainbow: (more = {}) => rainbow({ ...more, training: LONG }),
  SAC: (more = {}) => sac({ ...more, training: LONG }),
  "TD3 with correlated noise": (more = {}) =>
    td3({ ...more, training: LONG, algorithm: { O_U_noise: true } }),
  "MADDPG, a team": (more = {}) => maddpg({ ...more, training: LONG }),
  "IPPO, a team": (more = {}) => ippo({ ...more, training: LONG, algorithm: ROLLOUTS }),
  ES: (more = {}) => es({ ...more, training: LONG }),
  "ES in LunarLander": named(es, "LunarLander-v3"),
  LLMES: ({ store = memoryFileStore(), ...more } = {}) =>
    LocalTrainer.fromManifest({ ...rollouts(), algorithm: LLMES } as never, { store, ...more }),
};

/** Kills of each run; `npm run soak` wants more. */
const KILLS = Number(process.env.RLKIT_LANE_KILLS ?? 1);
/** Most files that a run writes before it is killed; a checkpoint has about ten. */
const MOST_WRITES = 22;
const random = randomFrom(Number(process.env.RLKIT_PROPERTY_SEED ?? 1));

it.each(Object.entries({ ...KINDS, ...OTHERS }))(
  `a run that is killed while it writes goes on to the same bits: %s (${KILLS} times)`,
  async (_name, options) => {
    const whole = await trained(await options({ seed: 7 }));
    const disk = memoryFileStore();
    for (let kills = 0; ; kills++) {
      const { complete } = await inspectCheckpoints(disk, "");
      const newest = complete.toSorted((a, b) => a.commit.sequence - b.commit.sequence).at(-1);
      const files = mortalFiles(disk);
      let left = kills < KILLS ? 1 + Math.floor(random() * MOST_WRITES) : Number.POSITIVE_INFINITY;
      let die: () => void = () => undefined;
      const death = new Promise<null>((resolve) => {
        die = () => resolve(null);
      });
      const write = (path: string, bytes: Uint8Array) => {
        left -= 1;
        if (left > 0) return files.write(path, bytes);
        files.kill();
        die();
        return files.write(path, bytes);
      };
      const from = newest ? { resume_from_checkpoint: newest.dir } : { seed: 7 };
      const run = trained(await options({ store: { ...files, write }, ...from }), {
        checkpoint_steps: 1,
        checkpoint_path: "c",
      });
      const end = await Promise.race([run, death]);
      if (end === null) continue;
      expect(endOf(end)).toEqual(endOf(whole));
      // Agents of language models have no `state`.
      expect(end.state.members).toEqual(whole.state.members);
      return;
    }
  },
);

describe("a run in a module", () => {
  /** With a fault that shows after more steps than the check before a run takes. */
  const failing = ({ save = "", load = "" }) => {
    const methods = DRIFT(`
        #wide = false;
        save() {
          if (this.#steps > 60) { ${save} }
          return { word: this.#word, at: this.#at, steps: this.#steps };
        }
        load({ word, at, steps }) {
          if (steps > 60) { ${load} }
          this.#word = word;
          this.#at = at;
          this.#steps = steps;
        }`);
    const seen = "[this.#at, this.#steps / 100]";
    return inModule(dqn, methods.replace(seen, `this.#wide ? [1, 2, 3] : ${seen}`))({ seed: 7 });
  };

  it.each([
    ["throws", { save: 'throw new Error("locked");' }, /env\.save\(\) of lane 0, .*locked/],
    ["gives a function", { save: "return () => 1;" }, /the state: found a function, allowed plain data/],
    [
      "gives more than 4 MB",
      { save: "return new Float64Array(500001);" },
      /env\.save\(\) of lane 0, .*the state: found more than 4 MB/,
    ],
    [
      "gives what load() refuses",
      { load: 'throw new RangeError("old");' },
      /env\.load\(\) of lane 0.*RangeError: old; allowed: it takes every state that save\(\) gives/,
    ],
    [
      "is followed by another shape",
      { load: "this.#wide = true;" },
      /env\.step\(\) of lane 0, .*observation: found .*3 numbers/,
    ],
  ])("whose save() %s later on ends with a message that says so", async (_what, faults, message) => {
    const trainer = await failing(faults);
    await expect(trained(trainer)).rejects.toThrow(message);
  });
});
