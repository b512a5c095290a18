/** Runs in environments of users' modules, which a sandbox steps. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stackFrames } from "../../src/rl/environments.ts";
import { SyncVectorEnvironment } from "../../src/rl/faces.ts";
import { exportOf, makeEnvironment } from "../../src/sandbox/environments.ts";
import { type OpenSandbox, provideSandboxes } from "../../src/sandbox/sandboxes.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import {
  Accelerator,
  LocalTrainer,
  type ManifestOptions,
  type TrainerOptions,
} from "../../src/training/index.ts";
import { fromText, inProcess } from "../sandbox/inside/support/inProcess.ts";
import { CART_POLE, FORK, MEETING, REACH, walk } from "../sandbox/support/modules.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import {
  type Changes,
  dqn,
  EVOLUTION,
  hindsight,
  ippo,
  ppo,
  statesOf,
  type Trained,
  trained,
} from "./support/tiny.ts";

keepThreads();
// Brings in the pool of workers.

const FILE = "own.js";
const LANES = 4;

const withModule = async (text: string, file = FILE) => {
  const store = memoryFileStore();
  await store.write(file, new TextEncoder().encode(text));
  return store;
};

/** Fast lanes: the host's program in this thread. Tests of sandboxes themselves start processes. */
beforeAll(() => provideSandboxes(inProcess));
afterAll(() => provideSandboxes(null));

const inSandbox = async (
  { environment: _environment, ...sections }: TrainerOptions,
  options: ManifestOptions & { readonly environment?: object } = {},
) => {
  const { environment, ...rest } = options;
  const manifest = { ...sections, environment: { name: "Own", path: FILE, num_envs: LANES, ...environment } };
  return LocalTrainer.fromManifest(manifest, rest);
};

const inThread = async (options: TrainerOptions, text: string) => {
  const create = exportOf(await fromText(text), null, "Own");
  const make = () => makeEnvironment(create, {}, { name: "Own", max_episode_steps: null });
  const environment = new SyncVectorEnvironment(Array.from({ length: LANES }, () => make));
  return new LocalTrainer({ ...options, environment } as TrainerOptions);
};

const end = ({ population, fitnesses, state }: Trained) => ({
  members: statesOf(population),
  fitnesses,
  replay: state.replay,
});

const RUNS: [string, string, (changes?: Changes) => TrainerOptions][] = [
  ["DQN", CART_POLE, dqn],
  ["DQN with masks", FORK, dqn],
  ["DQN in hindsight", REACH(), hindsight],
  ["PPO", CART_POLE, ppo],
  ["IPPO", MEETING, ippo],
];

describe("hindsight in a user's environment", () => {
  it("reports success, and says which step's reward its goals do not give", async () => {
    const { recorder } = await trained(await inThread(hindsight(), REACH()));
    for (const { members } of recorder.generations)
      for (const { metrics } of members) expect(metrics.success_rate).toBeGreaterThanOrEqual(0);
    await expect(inThread(hindsight(), REACH(2)).then((trainer) => trained(trainer))).rejects.toThrow(
      /Own: env\.step\(\) of lane 0, step 1: reward: found 2, allowed 0, which compute_reward gives; achieved_goal \[1\], desired_goal \[1\]/,
    );
  });

  it("needs observations with goals, and compute_reward", async () => {
    await expect(inThread(hindsight(), CART_POLE).then((trainer) => trained(trainer))).rejects.toThrow(
      /replay_buffer\.her: .*an environment with goals needs a Dict/,
    );
    const without = REACH().replaceAll("compute_reward", "reward_of");
    await expect(inThread(hindsight(), without).then((trainer) => trained(trainer))).rejects.toThrow(
      "env.compute_reward(): found nothing, allowed a function, for hindsight",
    );
  });
});

describe.each(RUNS)("%s in a user's environment", (_name, text, algorithm) => {
  it("ends with the bits that it has in the thread, and goes on from a checkpoint without its file", async () => {
    const expected = end(await trained(await inThread(algorithm(), text)));
    const store = await withModule(text);
    const whole = await trained(await inSandbox(algorithm(), { store }));
    expect(end(whole)).toEqual(expected);
    expect(whole.state.user_module).toMatchObject({ name: FILE, source: text });
    const training = algorithm().training as { max_steps: number };
    const half = await trained(
      await inSandbox(algorithm({ training: { max_steps: training.max_steps / 2 } }), {
        store,
      }),
      { checkpoint_steps: 1 },
    );
    await store.remove(FILE);
    const resume_from_checkpoint = half.recorder.checkpoints.at(-1) as string;
    const resumed = await inSandbox(algorithm(), { store, resume_from_checkpoint });
    expect(end(await trained(resumed))).toEqual(expected);
  });
});

describe.each([
  ["DQN", CART_POLE, dqn],
  ["IPPO", MEETING, ippo],
] as const)("%s on stacks of a user's environment", (_name, text, algorithm) => {
  it("ends with the bits that it has in the thread, and goes on from a checkpoint without its file", async () => {
    const environment = { frame_stack: 3 };
    const create = exportOf(await fromText(text), null, "Own");
    const make = () => stackFrames(makeEnvironment(create, {}, { name: "Own", max_episode_steps: null }), 3);
    const lanes = new SyncVectorEnvironment(Array.from({ length: LANES }, () => make));
    const inThread = new LocalTrainer({ ...algorithm(), environment: lanes } as TrainerOptions);
    const expected = end(await trained(inThread));
    const store = await withModule(text);
    const whole = await trained(await inSandbox(algorithm(), { store, environment }), {
      checkpoint_steps: 1,
    });
    expect(end(whole)).toEqual(expected);
    await store.remove(FILE);
    const [resume_from_checkpoint] = whole.recorder.checkpoints as [string];
    const resumed = await inSandbox(algorithm(), { store, resume_from_checkpoint, environment });
    expect(end(await trained(resumed))).toEqual(expected);
  });
});

it("tells a module nothing of a stack, and refuses one of single choices", async () => {
  const choices = `export default class {
    observation_space = { kind: "Discrete", n: 4 };
    action_space = { kind: "Discrete", n: 2 };
    constructor(options) { if (Object.keys(options).join() !== "frame_stack") throw new Error("options"); }
    reset() { return { observation: 0, info: {} }; }
    step() { return { observation: 1, reward: 0, terminated: true, truncated: false, info: {} }; }
  }`;
  const store = await withModule(choices);
  const environment = { env_config: { frame_stack: 9 } };
  expect((await inSandbox(dqn(), { store, environment })).manifest.environment).toMatchObject(environment);
  await expect(inSandbox(dqn(), { store, environment: { ...environment, frame_stack: 2 } })).rejects.toThrow(
    /frame_stack: found observations that are single choices \(an integer from 0 to 3/,
  );
});

describe("masks of a user's environment", () => {
  it("are stored; a checkpoint from before they were counts every choice as legal", async () => {
    const store = await withModule(FORK);
    const options = dqn({ training: { max_steps: 320 } });
    const { state } = await trained(await inSandbox(options, { store }));
    expect(state.replay?.masked).toBe(true);
    // Two numbers, and after them the mask that the first one says.
    const [{ obs } = { obs: [] }] = state.replay?.segments ?? [];
    for (let row = 0; row < 20; row++)
      expect([...obs.slice(row * 5 + 1, row * 5 + 5)]).toEqual(
        obs[row * 5] === 0 ? [1, 1, 1, 1] : [1, 1, (obs[row * 5] as number) % 2, 0],
      );

    // As in versions before, which stored none.
    const unmasked = await inThread({ ...options, store }, FORK.replace("this.#at === 0", "true"));
    const before = await trained(unmasked, { checkpoint_steps: 1, checkpoint_path: "before" });
    const resume_from_checkpoint = before.recorder.checkpoints.at(-1) as string;
    const later = dqn({ training: { max_steps: 480 }, store, resume_from_checkpoint });
    const { replay } = (await trained(await inThread(later, FORK))).state;
    const { position } = replay?.rings[0] ?? { position: 0 };
    const masks = Array.from({ length: replay?.segment ?? 0 }, (_, row) => [
      ...(replay?.segments[0]?.obs.slice(row * 5 + 2, row * 5 + 5) ?? []),
    ]);
    const old = masks.slice(position, before.state.replay?.rings[0]?.position);
    expect(old).toHaveLength(40);
    expect(old).toEqual(old.map(() => [1, 1, 1]));
    expect(masks.slice(0, position)).toContainEqual([1, 0, 0]);
  });
});

describe("a run in several workers", () => {
  it.each([
    ["", CART_POLE],
    [" where there are masks", FORK],
  ])("ends with the same bits%s, each with a child process of its own", async (_where, text) => {
    const options = dqn({ training: { max_steps: 320 } });
    const store = await withModule(text);
    const expected = end(await trained(await inSandbox(options, { store })));
    const accelerator = new Accelerator({ workers: 2 });
    expect(end(await trained(await inSandbox(options, { store, accelerator })))).toEqual(expected);
  });
});

/** Sandboxes of which some are lost at their fifth step: the first one made is number 0. */
const losing = (doomed: readonly number[]): OpenSandbox => {
  let made = 0;
  return async () => {
    const isDoomed = doomed.includes(made++);
    const port = await inProcess();
    let tell: (reason: string) => void = () => undefined;
    let steps = 0;
    return {
      ...port,
      listen: (onMessage, onEnd) => {
        tell = onEnd;
        port.listen(onMessage, onEnd);
      },
      post: (message, transfer) => {
        const isStep = (message as { readonly call: string }).call === "step";
        if (isDoomed && isStep && ++steps === 5) tell("its process ended with SIGKILL");
        else port.post(message, transfer);
      },
    };
  };
};

describe("a sandbox that is lost in training", () => {
  const options = dqn({ ...EVOLUTION, training: { max_steps: 160 } });
  const run = async (doomed: readonly number[]) => {
    // Others of this file have opened the module.
    provideSandboxes(losing(doomed));
    try {
      return await trained(await inSandbox(options, { store: await withModule(CART_POLE) }));
    } finally {
      provideSandboxes(inProcess);
    }
  };

  it("has a successor, in which the member's generation runs again to the same bits", async () => {
    const [whole, again] = [await run([]), await run([0])];
    expect(end(again)).toEqual(end(whole));
    expect(again.recorder.warnings).toEqual(whole.recorder.warnings);
  });

  it("costs the member its place when it happens twice, and says what was called", async () => {
    const { recorder, fitnesses } = await run([0, 1]);
    expect(recorder.warnings).toContainEqual(
      expect.stringMatching(
        /^member 0 could not be trained: Own: step: the sandbox ended: its process ended with SIGKILL \(tried twice, in a fresh sandbox each time\)\. It does not take part in this generation's selection/,
      ),
    );
    expect(fitnesses).toEqual([Number.NaN, expect.any(Number)]);
  });
});

describe("a manifest's module", () => {
  const TYPED = CART_POLE.replace("reset({ seed } = {})", "reset({ seed }: { seed?: number } = {}): object");

  it("may be TypeScript, and any of its exports", async () => {
    const environment = { path: "own.ts", entrypoint: "own:Balance" };
    const text = `${TYPED.replace("export default class CartPole", "class CartPole")}
      export const Balance = (options: { force?: number }): object => new CartPole(options);`;
    const trainer = await inSandbox(ppo(), { store: await withModule(text, "own.ts"), environment });
    expect(trainer.facts).toMatchObject({
      environment: "Own",
      observation_space: { kind: "Box", shape: [4] },
      action_space: { kind: "Discrete", n: 2 },
    });
  });

  it.each([
    ["is not there", null, /environment\.path: .*own\.js/],
    [
      "does not parse",
      "export default class {\n  a = = 3\n}",
      /environment\.path: Own: line 2, column \d+: found unexpected token/,
    ],
    [
      "imports",
      'import fs from "node:fs";\nexport default () => fs;',
      /environment\.path: Own: found import of "node:fs" in line 1, allowed a module that imports nothing/,
    ],
    [
      "imports amid its code",
      walk({ before: 'const net = () => import("node:net");' }),
      /found import of "node:net" in line 2/,
    ],
    [
      "imports by an export",
      'export { a as default } from "./a.js";',
      /found export of "\.\/a\.js" in line 1/,
    ],
    ["exports nothing", "class A {}", /Own: found no export, allowed export default; export a class/],
    ["exports under another name", "export class A {}", /Own: found exports A, allowed export default/],
    [
      "throws in a step",
      walk({ step: "throw new Error('trip');" }),
      /Own: validation: .*step 1: threw Error: trip/,
    ],
    [
      "gives other numbers from the same seed",
      walk({ given: "reward: Math.random()" }),
      /Own: validation: step 1 returned different numbers when repeated with the same seed/,
    ],
  ])("that %s is refused before training", async (_fault, text, message) => {
    const store = text === null ? memoryFileStore() : await withModule(text);
    await expect(inSandbox(dqn(), { store })).rejects.toThrow(message);
  });

  it("whose episodes never end is warned of", async () => {
    const store = await withModule(walk({ given: "terminated: false" }));
    const { recorder } = await trained(
      await inSandbox(dqn({ training: { max_steps: 160, eval_steps: 10 } }), { store }),
    );
    expect(recorder.warnings).toContainEqual(
      expect.stringMatching(/^Own: no episode ended in 20000 random steps; return terminated or truncated/),
    );
  });

  it("must be the one whose hash the manifest has as its version", async () => {
    const store = await withModule(CART_POLE);
    const { environment } = (await inSandbox(dqn(), { store })).manifest;
    const { version } = environment as { readonly version: string };
    expect(version).toMatch(/^[0-9a-f]{64}$/);
    await store.write(FILE, new TextEncoder().encode(`${CART_POLE}// changed`));
    await expect(inSandbox(dqn(), { store, environment: { version } })).rejects.toThrow(
      /environment\.path: Own: version: found [0-9a-f]{12}\.\.\., but own\.js is [0-9a-f]{12}/,
    );
  });

  it("is opened by fromManifest alone", () => {
    const environment = { name: "Other", path: "other.js" };
    expect(() => new LocalTrainer({ ...dqn(), environment } as TrainerOptions)).toThrow(
      /environment\.path: found "other\.js", which has not been opened; LocalTrainer\.fromManifest/,
    );
  });
});
