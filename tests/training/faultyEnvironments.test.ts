/** Environments of callers' own that do not keep to the face: each is refused by name, wherever it is given. */
import { describe, expect, it } from "vitest";
import { createPopulation, DQN, ReplayBuffer } from "../../src/agents/classes.ts";
import { PPO } from "../../src/agents/index.ts";
import { type AlgoSpecInput, NetworkSection } from "../../src/manifests/index.ts";
import { type HostEnvironment, SyncVectorEnvironment } from "../../src/rl/faces.ts";
import { Box, Dict, Discrete, MultiBinary, MultiDiscrete, type Space } from "../../src/rl/spaces.ts";
import { trainOffPolicy, trainOnPolicy } from "../../src/training/index.ts";
import { consoleWarnings } from "./support/consoleWarnings.ts";
import { offPolicy, onPolicy } from "./support/functions.ts";
import { refusal } from "./support/refusal.ts";
import { NETWORK } from "./support/tiny.ts";

const BOX = new Box({ low: -1, high: 1, shape: [2] });

/** What an environment gives in place of what it should. */
interface Faults {
  readonly observation_space?: Space;
  /** An observation that fits. */
  readonly observation?: number | readonly number[];
  /** What a reset gives; `count` resets came before it. */
  readonly reset?: (given: object, count: number) => unknown;
  /** What a step gives; `count` steps came before it. */
  readonly step?: (given: object, count: number) => unknown;
  /** Steps of an episode. */
  readonly length?: number;
}

/** Far more steps than any test asks for: ends what would never end by itself. */
const MOST_STEPS = 250_000;

/** Episodes of a few steps in which everything is as it should be but for the faults. */
class Walk {
  readonly observation_space: Space;
  readonly action_space: Space = new Discrete(2);
  readonly #faults: Faults;
  #resets = 0;
  #steps = 0;
  #elapsed = 0;

  constructor(faults: Faults = {}) {
    this.#faults = faults;
    this.observation_space = faults.observation_space ?? BOX;
  }

  reset(): unknown {
    this.#elapsed = 0;
    const given = { observation: this.#faults.observation ?? [0, 0.5], info: {} };
    return (this.#faults.reset ?? ((same) => same))(given, this.#resets++);
  }

  step(): unknown {
    if (this.#steps >= MOST_STEPS) throw new Error("stepped without end");
    this.#elapsed++;
    const given = {
      observation: this.#faults.observation ?? [0.5, 0.5],
      reward: 1,
      terminated: this.#elapsed >= (this.#faults.length ?? 4),
      truncated: false,
      info: {},
    };
    return (this.#faults.step ?? ((same) => same))(given, this.#steps++);
  }
}

const resetGives = (reset: NonNullable<Faults["reset"]>, faults: Faults = {}) =>
  new Walk({ ...faults, reset });
const stepGives = (step: NonNullable<Faults["step"]>, faults: Faults = {}) => new Walk({ ...faults, step });
const stepWith = (field: string, value: unknown) => stepGives((given) => ({ ...given, [field]: value }));
const stepSees = (observation: unknown, faults: Faults = {}) =>
  stepGives((given) => ({ ...given, observation }), faults);
const withFields = (fields: object, faults?: Faults): object => Object.assign(new Walk(faults), fields);
/** Without one of the fields of what it gives. */
const without = (field: string) => (given: object) =>
  Object.fromEntries(Object.entries(given).filter(([key]) => key !== field));

const discrete: Faults = { observation_space: new Discrete(3), observation: 1 };
const bytes: Faults = {
  observation_space: new Box({ low: 0, high: 255, shape: [2], dtype: "uint8" }),
  observation: [7, 8],
};
const parts: Faults = {
  observation_space: new Dict({ at: BOX, room: new Discrete(4) }),
  observation: [0, 0.5, 2],
};

/** An environment that cannot be used at all, and what is said of it. */
const UNUSABLE: readonly [name: string, make: () => unknown, says: RegExp][] = [
  [
    "a plain object as observation space",
    () => withFields({ observation_space: { low: -1, high: 1, shape: [2] } }),
    /observation_space: found a plain object with low, high, shape, allowed .*new Box\(/,
  ],
  [
    "a plain object as action space",
    () => withFields({ action_space: { n: 2 } }),
    /action_space: found a plain object with n, allowed .*new Discrete\(2\)/,
  ],
  [
    "a number as action space",
    () => withFields({ action_space: 2 }),
    /action_space: found 2, allowed .*Discrete/,
  ],
  [
    "a class as action space",
    () => withFields({ action_space: Discrete }),
    /action_space: found the class Discrete, allowed .*new Discrete\(\.\.\.\)/,
  ],
  [
    "no observation space",
    () => withFields({ observation_space: undefined }),
    /observation_space: found nothing, allowed .*Box/,
  ],
  ["no action space", () => withFields({ action_space: undefined }), /action_space: found nothing, allowed/],
  ["no reset", () => withFields({ reset: undefined }), /reset: found nothing, allowed a function/],
  ["no step", () => withFields({ step: undefined }), /step: found nothing, allowed a function/],
  ["a reset that is no function", () => withFields({ reset: [0, 0] }), /reset: found .*, allowed a function/],
  ["a close that is no function", () => withFields({ close: true }), /close: found true, allowed a function/],
  ["a class, not an instance", () => Walk, /found the class Walk, allowed an environment.*new Walk\(/],
  ["a promise of an environment", async () => new Walk(), /found a promise, allowed an environment.*await/],
  [
    "a negative time limit",
    () => withFields({ spec: { id: "Walk-v0", max_episode_steps: -5 } }),
    /spec\.max_episode_steps: found -5, allowed .*null/,
  ],
  [
    "a time limit that nobody reaches",
    () => withFields({ spec: { id: "Walk-v0", max_episode_steps: 1e12 } }),
    /spec\.max_episode_steps: found 1000000000000, allowed .*null/,
  ],
  [
    "a time limit that is text",
    () => withFields({ spec: { id: "Walk-v0", max_episode_steps: "200" } }),
    /spec\.max_episode_steps: found "200", allowed/,
  ],
  [
    "an endless time limit",
    () => withFields({ spec: { id: "Walk-v0", max_episode_steps: Number.POSITIVE_INFINITY } }),
    /spec\.max_episode_steps: found Infinity, allowed .*null for no limit/,
  ],
  ["a spec that is a name", () => withFields({ spec: "Walk-v0" }), /spec: found "Walk-v0", allowed .*id/],
  [
    "a spec without a name",
    () => withFields({ spec: { max_episode_steps: 9 } }),
    /spec\.id: found nothing, allowed text/,
  ],
];

interface Faulty {
  readonly make: () => unknown;
  readonly says: RegExp;
  /** Where its agents see something else than a Box. */
  readonly good?: Faults;
}

const FACE = /allowed an object \{ observation, info \}/;
const STEP = /allowed an object \{ observation, reward, terminated, truncated, info \}/;
const all = (...says: readonly RegExp[]): RegExp => new RegExp(says.map(({ source }) => source).join("[^]*"));

/** What resets give. */
const RESETS: readonly [name: string, faulty: Faulty][] = [
  [
    "a tuple",
    { make: () => resetGives(() => [[0, 0], {}]), says: all(/found a list of 2 \(a tuple\?\)/, FACE) },
  ],
  [
    "a promise",
    { make: () => resetGives(async (given) => given), says: all(/found a promise/, FACE, /async/) },
  ],
  [
    "an observation alone",
    { make: () => resetGives(() => Float32Array.of(0, 0)), says: all(/found a Float32Array of 2/, FACE) },
  ],
  ["nothing", { make: () => resetGives(() => undefined), says: all(/found nothing/, FACE) }],
  ["null", { make: () => resetGives(() => null), says: all(/found null/, FACE) }],
  ["no info", { make: () => resetGives(without("info")), says: /info: found nothing, allowed an object/ }],
  [
    "no observation",
    {
      make: () => resetGives(() => ({ obs: [0, 0], info: {} })),
      says: /observation: found nothing \(it gave obs, info\), allowed 2 finite numbers/,
    },
  ],
  [
    "an observation that is too long",
    {
      make: () => resetGives(() => ({ observation: [0, 0, 0], info: {} })),
      says: /observation: found 3 numbers, allowed 2 finite numbers/,
    },
  ],
  [
    "an observation with NaN",
    {
      make: () => resetGives(() => ({ observation: [0, Number.NaN], info: {} })),
      says: /observation\[1\]: found NaN, allowed/,
    },
  ],
  [
    "rows in place of numbers",
    {
      make: () => resetGives(() => ({ observation: [[0], [0]], info: {} })),
      says: /observation\[0\]: found a list of 1, allowed .*row-major/,
    },
  ],
  [
    "text in place of numbers",
    {
      make: () => resetGives(() => ({ observation: ["0", "1"], info: {} })),
      says: /observation\[0\]: found "0", allowed/,
    },
  ],
  [
    "an observation that is text",
    {
      make: () => resetGives(() => ({ observation: "01", info: {} })),
      says: /observation: found "01", allowed/,
    },
  ],
  [
    "one number for two",
    {
      make: () => resetGives(() => ({ observation: 0, info: {} })),
      says: /observation: found 0, allowed 2 finite numbers/,
    },
  ],
  [
    "an error",
    {
      make: () =>
        resetGives(() => {
          throw new RangeError("no map");
        }),
      says: /threw RangeError: no map/,
    },
  ],
];

/** What steps give. */
const STEPS: readonly [name: string, faulty: Faulty][] = [
  [
    "a tuple",
    {
      make: () => stepGives(() => [[0, 0], 1, false, false, {}]),
      says: all(/found a list of 5 \(a tuple\?\)/, STEP),
    },
  ],
  [
    "an old tuple",
    {
      make: () => stepGives(() => [[0, 0], 1, false, {}]),
      says: all(/found a list of 4 \(a tuple\?\)/, STEP),
    },
  ],
  [
    "a promise",
    { make: () => stepGives(async (given) => given), says: all(/found a promise/, STEP, /async/) },
  ],
  ["nothing", { make: () => stepGives(() => undefined), says: all(/found nothing/, STEP) }],
  [
    "an observation alone",
    { make: () => stepGives(() => Float32Array.of(0, 0)), says: all(/found a Float32Array of 2/, STEP) },
  ],
  ["a reward alone", { make: () => stepGives(() => 1), says: all(/found 1,/, STEP) }],
  [
    "an old done",
    {
      make: () => stepGives(() => ({ observation: [0, 0], reward: 1, done: true, info: {} })),
      says: /found done, allowed terminated .* and truncated/,
    },
  ],
  [
    "an old done as a number of it",
    {
      make: () => stepGives((given) => ({ ...without("terminated")(given), done: 1 })),
      says: /found done, allowed terminated .* and truncated/,
    },
  ],
  [
    "no terminated",
    {
      make: () => stepGives(without("terminated")),
      says: /terminated: found nothing, allowed true or false/,
    },
  ],
  [
    "no truncated",
    { make: () => stepGives(without("truncated")), says: /truncated: found nothing, allowed true or false/ },
  ],
  [
    "no observation",
    {
      make: () => stepGives(without("observation")),
      says: /observation: found nothing \(it gave reward, terminated, truncated, info\)/,
    },
  ],
  ["no info", { make: () => stepGives(without("info")), says: /info: found nothing, allowed an object/ }],
  [
    "an info that is null",
    { make: () => stepWith("info", null), says: /info: found null, allowed an object/ },
  ],
  [
    "an observation that is too short",
    { make: () => stepSees([0]), says: /observation: found 1 number, allowed 2 finite numbers/ },
  ],
  [
    "NaN in the observation",
    { make: () => stepSees([Number.NaN, 0]), says: /observation\[0\]: found NaN, allowed 2 finite numbers/ },
  ],
  [
    "NaN in a typed observation",
    { make: () => stepSees(Float32Array.of(0, Number.NaN)), says: /observation\[1\]: found NaN/ },
  ],
  [
    "a number past 32 bits",
    { make: () => stepSees([0, 1e39]), says: /observation\[1\]: found 1e\+39, allowed/ },
  ],
  [
    "an observation that is a promise",
    { make: () => stepSees(Promise.resolve([0, 0])), says: /observation: found a promise/ },
  ],
  [
    "a hole in the observation",
    { make: () => stepSees([0, undefined]), says: /observation\[1\]: found nothing/ },
  ],
  [
    "big integers",
    { make: () => stepSees(BigInt64Array.of(1n, 2n)), says: /observation\[0\]: found 1n?, allowed/ },
  ],
  [
    "a reward of NaN",
    { make: () => stepWith("reward", Number.NaN), says: /reward: found NaN, allowed a finite 32-bit number/ },
  ],
  [
    "no reward",
    {
      make: () => stepGives(without("reward")),
      says: /reward: found nothing, allowed a finite 32-bit number/,
    },
  ],
  [
    "a reward that is text",
    { make: () => stepWith("reward", "1"), says: /reward: found "1", allowed a finite 32-bit number/ },
  ],
  [
    "a reward in a list",
    {
      make: () => stepWith("reward", [1]),
      says: /reward: found a list of 1, allowed a finite 32-bit number/,
    },
  ],
  [
    "a reward past 32 bits",
    { make: () => stepWith("reward", -1e39), says: /reward: found -1e\+39, allowed a finite 32-bit number/ },
  ],
  [
    "a flag that is text",
    { make: () => stepWith("terminated", "false"), says: /terminated: found "false", allowed true or false/ },
  ],
  [
    "a flag that is a number",
    { make: () => stepWith("truncated", 0), says: /truncated: found 0, allowed true or false/ },
  ],
  [
    "a flag in a list",
    {
      make: () => stepWith("terminated", [false]),
      says: /terminated: found a list of 1, allowed true or false/,
    },
  ],
  [
    "text that is thrown",
    {
      make: () =>
        stepGives(() => {
          // oxlint-disable-next-line typescript/only-throw-error -- what callers' code throws may be anything
          throw "lost";
        }),
      says: /threw "lost"/,
    },
  ],
  [
    "a choice out of range",
    {
      make: () => stepSees(3, discrete),
      good: discrete,
      says: /observation: found 3, allowed an integer from 0 to 2 \(Discrete\)/,
    },
  ],
  [
    "a choice that is not whole",
    {
      make: () => stepSees(0.5, discrete),
      good: discrete,
      says: /observation: found 0.5, allowed an integer/,
    },
  ],
  [
    "bytes past 255",
    {
      make: () => stepSees([0, 300], bytes),
      good: bytes,
      says: /observation\[1\]: found 300, allowed whole numbers 0 to 255/,
    },
  ],
  [
    "bytes with fractions",
    {
      make: () => stepSees([0.5, 0], bytes),
      good: bytes,
      says: /observation\[0\]: found 0.5, allowed whole numbers 0 to 255/,
    },
  ],
  [
    "a mapping with an unknown key",
    {
      make: () => stepSees({ at: [0, 0], rom: 1 }, parts),
      good: parts,
      says: /observation\.rom: found an unknown key, allowed at, room/,
    },
  ],
  [
    "a part out of range",
    {
      make: () => stepSees([0, 0, 4], parts),
      good: parts,
      says: /observation\.room: found 4, allowed an integer from 0 to 3/,
    },
  ],
  [
    "NaN in a part",
    { make: () => stepSees([0, Number.NaN, 1], parts), good: parts, says: /observation\.at\[1\]: found NaN/ },
  ],
  [
    "a bit that is 2",
    {
      make: () => stepSees([0, 2], { observation_space: new MultiBinary(2), observation: [0, 1] }),
      good: { observation_space: new MultiBinary(2), observation: [0, 1] },
      says: /observation\[1\]: found 2, allowed 2 zeros or ones/,
    },
  ],
  [
    "one of several choices out of range",
    {
      make: () => stepSees([1, 3], { observation_space: new MultiDiscrete([2, 3]), observation: [0, 1] }),
      good: { observation_space: new MultiDiscrete([2, 3]), observation: [0, 1] },
      says: /observation\[1\]: found 3, allowed 2 integers/,
    },
  ],
];

function stepThrough(make: () => unknown, steps = 12, actionAt = (t: number): number => t % 2): void {
  const env = new SyncVectorEnvironment([make as () => HostEnvironment]);
  env.reset({ seed: 1 });
  for (let t = 0; t < steps; t++) env.step([actionAt(t)]);
}

const TINY = { env_name: "Walk", max_steps: 64, evo_steps: 32, eval_steps: 8 };
/** Made once: environment and population are another in every run. */
const OFF_POLICY = { ...offPolicy(), ...TINY };
const ON_POLICY = { ...onPolicy(), ...TINY };
const net_config = NetworkSection.parse(NETWORK);

/** An agent for the spaces of an environment without faults. */
const populationFor = (algorithm: AlgoSpecInput, good: Faults = {}) => {
  const { observation_space, action_space } = new Walk(good);
  // Of several parts it has the encoder that it gets by default.
  const network = observation_space.kind === "Dict" ? {} : { net_config };
  return createPopulation({ algorithm, observation_space, action_space, population_size: 1, ...network });
};
const dqns = (good?: Faults) =>
  populationFor({ name: "DQN", batch_size: 8, learn_step: 4 }, good).filter((agent) => agent instanceof DQN);
const ppos = (good?: Faults) =>
  populationFor({ name: "PPO", batch_size: 8, learn_step: 16 }, good).filter((agent) => agent instanceof PPO);

function offPolicyRun(env: unknown, good?: Faults) {
  const memory = new ReplayBuffer({ max_size: 99 });
  return trainOffPolicy({ ...OFF_POLICY, env: env as HostEnvironment, pop: dqns(good), memory });
}

const onPolicyRun = (env: unknown, good?: Faults) =>
  trainOnPolicy({ ...ON_POLICY, env: env as HostEnvironment, pop: ppos(good) });

const tested = (env: unknown, good?: Faults) => dqns(good)[0]?.test(env as HostEnvironment);

describe("an environment that cannot be used", () => {
  it.each(UNUSABLE)("is refused where it is given: %s", async (_name, make, says) => {
    expect(() => stepThrough(make)).toThrow(says);
    expect(() => stepThrough(make)).toThrow(/^environments\[0\]/);
    const made = make();
    await expect(offPolicyRun(made)).rejects.toThrow(says);
    await expect(onPolicyRun(made)).rejects.toThrow(/^env/);
    expect(() => tested(made)).toThrow(says);
  });
});

const CALLS = [
  ["reset", RESETS, "Walk: env.reset() of lane 0: "],
  ["step", STEPS, "Walk: env.step() of lane 0, step 1: "],
] as const;

describe.each(CALLS)("an environment whose %s", (_call, kinds, place) => {
  it.each(kinds)("gives %s is refused by name", async (name, { make, says, good }) => {
    expect(() => stepThrough(make)).toThrow(says);
    expect(() => stepThrough(make)).toThrow(place);
    expect(() => tested(make(), good)).toThrow(says);
    expect(() => tested(make(), good)).toThrow(place);
    // Both functions play in the same way: every other kind is tried through each.
    const run = kinds.findIndex(([kind]) => kind === name) % 2 === 0 ? offPolicyRun : onPolicyRun;
    await expect(run(make(), good)).rejects.toThrow(says);
  });
});

const WRONG_LANES: readonly [name: string, factories: () => unknown, says: RegExp][] = [
  [
    "lanes of different observation spaces",
    () => [() => new Walk(), () => new Walk(discrete)],
    /environments\[1\]\.observation_space: found .*Discrete.*, allowed the space of the first environment/,
  ],
  [
    "lanes of different action spaces",
    () => [() => new Walk(), () => withFields({ action_space: new Discrete(3) })],
    /environments\[1\]\.action_space: found/,
  ],
  [
    "one object for two lanes",
    () => {
      const shared = new Walk();
      return [() => shared, () => shared];
    },
    /environments\[1\]: found the same object as environments\[0\], allowed a separate environment/,
  ],
  [
    "environments in place of functions",
    () => [new Walk()],
    /environments\[0\]: found an object of class Walk, allowed a function that makes an environment/,
  ],
  [
    "classes in place of functions",
    () => [Walk],
    /environments\[0\]: found the class Walk, allowed a function/,
  ],
  [
    "a function that throws",
    () => [
      () => {
        throw new Error("no licence");
      },
    ],
    /environments\[0\]: threw Error: no licence/,
  ],
  [
    "a function that makes nothing",
    () => [() => undefined],
    /environments\[0\]: found nothing, allowed an environment/,
  ],
  [
    "one function, not a list",
    () => () => new Walk(),
    /SyncVectorEnvironment: found a function, allowed a list of functions/,
  ],
];

type Factories = readonly (() => HostEnvironment)[];

describe("SyncVectorEnvironment", () => {
  it.each(WRONG_LANES)("refuses %s", (_name, factories, says) => {
    expect(() => new SyncVectorEnvironment(factories() as Factories)).toThrow(says);
  });

  it("names lane and step of what goes wrong late, and gives what was thrown as cause", () => {
    const lost = new RangeError("lost");
    const late = () =>
      stepGives((given, count) => {
        if (count === 6) throw lost;
        return given;
      });
    const env = new SyncVectorEnvironment([() => new Walk(), late] as Factories);
    env.reset();
    for (let t = 0; t < 6; t++) env.step([0, 0]);
    const failing = () => env.step([0, 0]);
    expect(failing).toThrow(
      expect.objectContaining({
        name: "EnvironmentError",
        message: "Walk: env.step() of lane 1, step 7: threw RangeError: lost",
        cause: lost,
      }),
    );
  });

  it("checks every step and every reset, and takes the environment's id for its name", () => {
    const spec = { id: "Walk-v3", max_episode_steps: 9 };
    const wrongIn = (faults: Faults) => () => {
      const walk = Object.assign(new Walk(faults), { spec });
      return () => stepThrough(() => walk);
    };
    const late = wrongIn({ step: (given, count) => (count === 5 ? { ...given, observation: [0] } : given) });
    expect(late()).toThrow("Walk-v3: env.step() of lane 0, step 6: observation: found 1 number");
    const again = wrongIn({ reset: (given, count) => (count === 2 ? [[0, 0], {}] : given) });
    expect(again()).toThrow("Walk-v3: env.reset() of lane 0, after step 8: found a list of 2");
  });

  it("takes what the face allows: typed arrays, numbers for choices, observations past float bounds", () => {
    expect(() => stepThrough(() => stepSees(Float32Array.of(1.5, -3)))).not.toThrow();
    expect(() => stepThrough(() => stepSees(Float64Array.of(1, 0.1)))).not.toThrow();
    expect(() => stepThrough(() => stepSees(Uint8Array.of(1, 2), bytes))).not.toThrow();
    expect(() => stepThrough(() => stepSees([2], discrete))).not.toThrow();
    expect(() => stepThrough(() => stepSees(Float32Array.of(0, 0, 3), parts))).not.toThrow();
  });
});

/** Without faults it has the face of environments. */
const sound = () => new Walk() as object as HostEnvironment;

/** A vector environment of two lanes that the caller wrote, with what its calls give changed. */
function vectorWalk(step: (given: object) => unknown, reset: (given: object) => unknown = (given) => given) {
  const lanes = new SyncVectorEnvironment([sound, sound]);
  const { num_envs, single_observation_space, single_action_space } = lanes;
  return {
    num_envs,
    single_observation_space,
    single_action_space,
    reset: (options?: object) => reset(lanes.reset(options)),
    step: (actions: ArrayLike<number>, wanted?: Uint8Array) => step(lanes.step(actions, wanted)),
    close: () => undefined,
  };
}

const vectorWith = (field: string, value: unknown) => () =>
  vectorWalk((given) => ({ ...given, [field]: value }));

const VECTORS: readonly [name: string, make: () => unknown, says: RegExp][] = [
  [
    "a tuple",
    () => vectorWalk((given) => Object.values(given)),
    /env\.step\(\) 1: found a list of 7, allowed an object/,
  ],
  [
    "a promise",
    () => vectorWalk(async (given) => given),
    /env\.step\(\) 1: found a promise, allowed an object .* at once/,
  ],
  ["nothing", () => vectorWalk(() => undefined), /env\.step\(\) 1: found nothing, allowed an object/],
  [
    "a reset of nothing",
    () =>
      vectorWalk(
        (same) => same,
        () => undefined,
      ),
    /env\.reset\(\): found nothing/,
  ],
  [
    "no infos from a reset",
    () => vectorWalk((same) => same, without("info")),
    /env\.reset\(\): info: found nothing, allowed 2 values/,
  ],
  [
    "one reward for two lanes",
    vectorWith("reward", Float32Array.of(1)),
    /reward: found a Float32Array of 1, allowed 2 values/,
  ],
  ["NaN as a reward", vectorWith("reward", [0, Number.NaN]), /reward of lane 1: found NaN, allowed finite/],
  ["a number as rewards", vectorWith("reward", 1), /reward: found 1, allowed 2 values/],
  [
    "flags that are text",
    vectorWith("terminated", ["no", "no"]),
    /terminated of lane 0: found "no", allowed 0 and 1/,
  ],
  ["flags that are 2", vectorWith("truncated", [0, 2]), /truncated of lane 1: found 2, allowed 0 and 1/],
  [
    "no final_observation",
    () => vectorWalk(without("final_observation")),
    /final_observation: found nothing, allowed 4/,
  ],
  [
    "NaN in an observation",
    vectorWith("observation", Float32Array.of(0, 0, 0, Number.NaN)),
    /observation\[1\] of lane 1: found NaN, allowed 2 finite/,
  ],
  ["infos that are nothing", vectorWith("info", [{}, null]), /info of lane 1: found null, allowed an object/],
  [
    "an error",
    () =>
      vectorWalk(() => {
        throw new Error("full");
      }),
    /env\.step\(\) 1: threw Error: full/,
  ],
  [
    "no lanes",
    () => ({ ...vectorWalk((same) => same), num_envs: 0 }),
    /num_envs: found 0, allowed positive integers/,
  ],
  [
    "a plain object as space",
    () => ({ ...vectorWalk((same) => same), single_action_space: { n: 2 } }),
    /single_action_space: found a plain object with n, allowed .*new Discrete\(2\)/,
  ],
];

describe("a vector environment of the caller's that gives", () => {
  it.each(VECTORS)("%s is refused by name", async (name, make, says) => {
    expect(() => tested(make())).toThrow(says);
    const run = VECTORS.findIndex(([kind]) => kind === name) % 2 === 0 ? offPolicyRun : onPolicyRun;
    await expect(run(make())).rejects.toThrow(says);
  });

  it("what it should is taken", async () => {
    const [[agent]] = await offPolicyRun(vectorWalk((same) => same));
    expect(agent?.fitness).toEqual([4, 4]);
  });
});

describe("an environment whose episodes do not end", () => {
  const warnings = consoleWarnings();
  const limited = (max_episode_steps: number): HostEnvironment =>
    withFields({ spec: { id: "Walk-v1", max_episode_steps } }, { length: Infinity }) as HostEnvironment;

  it("is evaluated for 100,000 steps, with a warning that says what to do", () => {
    expect(tested(new Walk({ length: Infinity }))).toBe(100_000);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^rlkit: Walk: an episode of evaluation did not end within 100000 steps and was cut there; .*max_episode_steps/,
      ),
    ]);
  });

  it("is evaluated for its max_episode_steps where it states them", async () => {
    expect(tested(limited(37))).toBe(37);
    const [, fitnesses] = await trainOffPolicy({
      ...OFF_POLICY,
      eval_steps: null,
      env: limited(21),
      pop: dqns(),
      memory: new ReplayBuffer({ max_size: 99 }),
    });
    expect(fitnesses).toEqual([21]);
    // Of two environments, each once, though the second was evaluated twice.
    expect(warnings).toHaveLength(2);
    expect(warnings[1]).toMatch(/Walk-v1: .* 21 steps \(its spec\.max_episode_steps\) .*truncated: true/);
  });

  it("is cut where the caller says so, without a warning", () => {
    const [agent] = dqns();
    expect(agent?.test(limited(37), { max_steps: 5 })).toBe(5);
    expect(warnings).toEqual([]);
  });
});

describe("an environment whose reset starts no new episode", () => {
  const warnings = consoleWarnings();

  it.each([
    ["all actions", (t: number) => t % 2],
    ["one action", () => 1],
  ])("is told of once, by %s", (_which, actionAt) => {
    let over = 0;
    const stuck = stepGives((given) => ({ ...given, terminated: ++over >= 4 }));
    stepThrough(() => stuck, 3000, actionAt);
    expect(warnings).toEqual([
      "rlkit: Walk: 1000 episodes of lane 0 in a row ended at their first step, after longer ones; does env.reset() start a new episode (counters, flags)?",
    ]);
  });

  // Action 1 ends the episode: a policy learns that, or does nothing else from some step on.
  it.each([
    ["learnt", (t: number) => (t < 200 ? (t % 2) & (t >> 1) : 1)],
    ["found", (t: number) => (t < 30 ? 0 : 1)],
  ])("is not suspected where the best policy, %s, ends at its first step", (_how, actionAt) => {
    const task = new Walk({ length: 10 });
    const step = (action: number) => ({
      ...(Walk.prototype.step.call(task) as object),
      terminated: action === 1,
    });
    stepThrough(() => Object.assign(task, { step }), 3000, actionAt);
    expect(warnings).toEqual([]);
  });

  it("is not suspected where all episodes have one step", () => {
    stepThrough(() => new Walk({ length: 1 }), 3000);
    expect(warnings).toEqual([]);
  });
});

describe("LocalTrainer", () => {
  it("names what is no environment", () => {
    const trainer = (environment: unknown) => refusal({ algorithm: "DQN", environment });
    expect(trainer(Walk)).toThrow("environment: found the class Walk, allowed an environment: an instance");
    expect(trainer(withFields({ step: undefined }))).toThrow(
      "environment.step: found nothing, allowed a function",
    );
    expect(trainer(Promise.resolve(new Walk()))).toThrow("environment: found a promise");
  });
});
