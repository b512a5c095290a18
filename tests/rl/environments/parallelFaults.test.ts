/** Multi-agent environments that violate the API: each is rejected with its name, the agent and the field. */
import { describe, expect, it } from "vitest";
import { resetLanes, stepLanes } from "../../../src/agents/members.ts";
import { vectorOf } from "../../../src/rl/environments.ts";
import {
  EnvironmentError,
  type ParallelEnvironment,
  SyncVectorEnvironment,
  type VectorEnvironment,
} from "../../../src/rl/faces.ts";
import { Agents, Box, Discrete } from "../../../src/rl/spaces.ts";
import { ACTIONS, Walk, walk } from "./parallelWalk.ts";

const withFields = (fields: object) => (): ParallelEnvironment =>
  Object.assign(new Walk(), fields) as object as ParallelEnvironment;
const { observation_spaces, action_spaces } = new Walk();

/** Environments that cannot be used at all. */
const UNUSABLE: readonly [name: string, make: () => ParallelEnvironment, says: string][] = [
  [
    "no list of agents",
    withFields({ possible_agents: undefined }),
    "possible_agents: found nothing, allowed a list of the agents' ids, one or more",
  ],
  ["no agent", withFields({ possible_agents: [] }), "possible_agents: found a list of 0, allowed a list"],
  [
    "an id that cannot be a name",
    withFields({ possible_agents: ["scout_0", "the carrier"] }),
    'possible_agents[1]: found "the carrier", allowed letters, digits and _, starting with a letter',
  ],
  [
    "an id that is a number",
    withFields({ possible_agents: [0, 1] }),
    "possible_agents[0]: found 0, allowed letters, digits and _",
  ],
  [
    "an agent twice",
    withFields({ possible_agents: ["scout_0", "scout_0"] }),
    'possible_agents[1]: found "scout_0" again, allowed each agent once',
  ],
  [
    "no observation spaces",
    withFields({ observation_spaces: undefined }),
    "observation_spaces: found nothing, allowed an object with a space for each of scout_0, carrier_0",
  ],
  [
    "a function of the agent for its space",
    withFields({ action_spaces: () => new Discrete(2) }),
    "action_spaces: found a function, allowed an object with a space for each of",
  ],
  [
    "an agent without observations",
    withFields({ observation_spaces: { scout_0: observation_spaces.scout_0 } }),
    "observation_spaces.carrier_0: found nothing, allowed a space of rlkit (Box, Discrete",
  ],
  [
    "a plain object as an agent's space",
    withFields({ action_spaces: { ...action_spaces, scout_0: { n: 3 } } }),
    "action_spaces.scout_0: found a plain object with n, allowed a space of rlkit (Box, Discrete, MultiDiscrete, MultiBinary, Tuple, Dict); make one: new Discrete(3)",
  ],
  [
    "several agents for one",
    withFields({ action_spaces: { ...action_spaces, scout_0: new Agents(action_spaces) } }),
    "action_spaces.scout_0: found Agents, allowed a space of rlkit (Box,",
  ],
  [
    "spaces of an agent that is not named",
    withFields({ action_spaces: { ...action_spaces, ghost: new Discrete(2) } }),
    "action_spaces.ghost: found an agent that possible_agents does not name, allowed scout_0, carrier_0",
  ],
  ["no step", withFields({ step: undefined }), "step: found nothing, allowed a function"],
  ["a spec that is a name", withFields({ spec: "walk" }), 'spec: found "walk", allowed an object'],
];

describe("an environment of several agents that cannot be used", () => {
  it.each(UNUSABLE)("is refused where it is given: %s", (_name, make, says) => {
    expect(() => new SyncVectorEnvironment([make])).toThrow(`environments[0].${says}`);
    expect(() => vectorOf(make())).toThrow(`env.${says}`);
  });

  it("is refused as a lane among others", () => {
    const other = withFields({ action_spaces: { ...action_spaces, scout_0: new Discrete(2) } });
    expect(() => new SyncVectorEnvironment([() => walk(), other])).toThrow(
      /environments\[1\]\.action_space: found .*"n":2.*, allowed the space of the first environment, .*"n":3/,
    );
    const turned = withFields({ possible_agents: ["carrier_0", "scout_0"] });
    expect(() => new SyncVectorEnvironment([() => walk(), turned])).toThrow(
      "environments[1].observation_space: found",
    );
  });

  it("is one of one agent whose space is that of several", () => {
    const single = {
      observation_space: new Agents(observation_spaces),
      action_space: new Discrete(2),
      reset: () => ({ observation: [0, 0, 0, 0], info: {} }),
      step: () => ({ observation: [0, 0, 0, 0], reward: 0, terminated: true, truncated: false, info: {} }),
    };
    expect(() => vectorOf(single)).toThrow(
      /env\.observation_space: found Agents, allowed a space of rlkit \(Box, .*Dict\); an environment of several agents has possible_agents/,
    );
  });
});

type Given = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Changes or removes one entry of one record. */
const entry = (field: string, id: string, value: unknown) => (given: object) => {
  const record = { ...(given as Given)[field], [id]: value };
  if (value === undefined) delete record[id];
  return { ...given, [field]: record };
};
const without = (field: string) => (given: object) =>
  Object.fromEntries(Object.entries(given).filter(([key]) => key !== field));
const field = (name: string, value: unknown) => (given: object) => ({ ...given, [name]: value });

const RESET = "allowed an object { observations, infos }";
const STEP = "allowed an object { observations, rewards, terminations, truncations, infos }";

type Fault = readonly [name: string, change: (given: object) => unknown, says: string];

const RESETS: readonly Fault[] = [
  ["a tuple", () => [{}, {}], `found a list of 2 (a tuple?), ${RESET}; name the fields`],
  [
    "a promise",
    async (given) => given,
    `found a promise, ${RESET} returned directly; reset must not be async`,
  ],
  ["nothing", () => undefined, `found nothing, ${RESET}`],
  [
    "observation, not observations",
    () => ({ observation: [0], info: {} }),
    "observations: found nothing (it gave observation, info), allowed an object with an observation for each of scout_0, carrier_0",
  ],
  [
    "an agent missing in observations",
    entry("observations", "carrier_0", undefined),
    "observations.carrier_0: found nothing, allowed an observation for each of scout_0, carrier_0",
  ],
  [
    "an agent that nobody named",
    entry("observations", "ghost", [0]),
    "observations.ghost: found an agent that possible_agents does not name, allowed scout_0, carrier_0",
  ],
  [
    "observations in a list",
    field("observations", [
      [0, 3],
      [0, 0],
    ]),
    "observations: found a list of 2, allowed an object with an observation",
  ],
  [
    "a Map",
    field("observations", new Map()),
    "observations: found an object of class Map, allowed an object",
  ],
  [
    "a choice out of an agent's space",
    entry("observations", "scout_0", [0, 4]),
    "observations.scout_0.room: found 4, allowed an integer from 0 to 3 (Discrete)",
  ],
  [
    "a mapping with an unknown key",
    entry("observations", "scout_0", { at: [0], rom: 1 }),
    "observations.scout_0.rom: found an unknown key, allowed at, room",
  ],
  [
    "no infos",
    without("infos"),
    "infos: found nothing (it gave observations), allowed an object with an object for each",
  ],
  [
    "an info that is null",
    entry("infos", "carrier_0", null),
    "infos.carrier_0: found null, allowed an object, {} for none",
  ],
];

const STEPS: readonly Fault[] = [
  ["a tuple", () => [{}, {}, {}, {}, {}], `found a list of 5 (a tuple?), ${STEP}`],
  ["a promise", async (given) => given, `found a promise, ${STEP} returned directly; step must not be async`],
  [
    "NaN from one agent",
    entry("observations", "carrier_0", [0, Number.NaN]),
    "observations.carrier_0[1]: found NaN, allowed 2 finite numbers (Box of shape [2])",
  ],
  [
    "too few numbers from one agent",
    entry("observations", "carrier_0", [0]),
    "observations.carrier_0: found 1 number, allowed 2 finite numbers",
  ],
  [
    "an observation that is a promise",
    entry("observations", "carrier_0", Promise.resolve([0, 0])),
    "observations.carrier_0: found a promise, allowed 2 finite numbers",
  ],
  [
    "no rewards",
    without("rewards"),
    "rewards: found nothing (it gave observations, terminations, truncations, infos)",
  ],
  [
    "one reward for all",
    field("rewards", 1),
    "rewards: found 1, allowed an object with a finite number for each of",
  ],
  [
    "an agent missing in rewards",
    entry("rewards", "scout_0", undefined),
    "rewards.scout_0: found nothing, allowed a finite number for each of scout_0, carrier_0",
  ],
  [
    "a reward of NaN",
    entry("rewards", "carrier_0", Number.NaN),
    "rewards.carrier_0: found NaN, allowed a finite 32-bit number",
  ],
  [
    "dones in place of terminations",
    without("terminations"),
    "terminations: found nothing (it gave observations,",
  ],
  [
    "a flag that is a number",
    entry("terminations", "scout_0", 0),
    "terminations.scout_0: found 0, allowed true or false",
  ],
  [
    "an agent missing in truncations",
    entry("truncations", "carrier_0", undefined),
    "truncations.carrier_0: found nothing, allowed true or false for each of scout_0, carrier_0",
  ],
  [
    "one agent cut off alone",
    entry("truncations", "scout_0", true),
    "truncations.scout_0: found true while carrier_0 continues, allowed true for all remaining agents or for none; use terminations",
  ],
  [
    "infos in a list",
    field("infos", [{}, {}]),
    "infos: found a list of 2, allowed an object with an object for each",
  ],
  [
    "an error",
    () => {
      throw new RangeError("no map");
    },
    "threw RangeError: no map",
  ],
];

function play(env: VectorEnvironment, steps: number): void {
  resetLanes(env);
  for (let t = 0; t < steps; t++) stepLanes(env, ACTIONS);
}

describe("an environment of several agents whose reset gives", () => {
  it.each(RESETS)("%s is refused by name", (_name, reset, says) => {
    const env = new SyncVectorEnvironment([() => walk({ reset })]);
    expect(() => env.reset()).toThrow(EnvironmentError);
    expect(() => env.reset()).toThrow(`Walk: env.reset() of lane 0: ${says}`);
  });

  it("something wrong later is refused there", () => {
    const reset = (given: object, count: number) =>
      count === 1 ? entry("observations", "scout_0", [0])(given) : given;
    expect(() => play(vectorOf(walk({ reset })), 9)).toThrow(
      "Walk: env.reset() of lane 0, after step 4: observations.scout_0: found 1 number, allowed",
    );
  });
});

describe("an environment of several agents whose step gives", () => {
  it.each(STEPS)("%s is refused by name", (_name, step, says) => {
    const env = new SyncVectorEnvironment([() => walk({ step })]);
    env.reset();
    const failing = () => env.step(ACTIONS);
    expect(failing).toThrow(EnvironmentError);
    expect(() => play(vectorOf(walk({ step })), 1)).toThrow(`Walk: env.step() of lane 0, step 1: ${says}`);
  });

  it("an agent that comes back inside the episode is refused", () => {
    const back = (name: string, value: unknown) => (given: object, count: number) =>
      count === 2 ? entry(name, "scout_0", value)(given) : given;
    expect(() => play(vectorOf(walk({ step: back("observations", [0, 0]) })), 3)).toThrow(
      "Walk: env.step() of lane 0, step 3: observations.scout_0: found an agent whose task has ended, allowed until the next reset: carrier_0; an agent does not come back inside an episode",
    );
    expect(() => play(vectorOf(walk({ step: back("rewards", 0) })), 3)).toThrow(
      "rewards.scout_0: found an agent whose task has ended",
    );
  });
});

describe("agents of an environment of several", () => {
  const stuck = (agents: unknown) => {
    const env = new Walk();
    const reset = () => {
      const given = Walk.prototype.reset.call(env);
      return Object.assign(env, { agents }) && given;
    };
    return Object.assign(env, { reset }) as object as ParallelEnvironment;
  };

  it.each([
    [undefined, "agents: found nothing, allowed the agents that take part now: scout_0, carrier_0"],
    [["scout_0"], "agents: found no carrier_0, allowed the agents that take part now: scout_0, carrier_0"],
    [["scout_0", "carrier_0", "ghost"], 'agents: found "ghost", allowed the agents that take part now'],
  ])("are all of them after a reset, not %j", (agents, says) => {
    expect(() => vectorOf(stuck(agents)).reset()).toThrow(`Walk: env.reset() of lane 0: ${says}`);
  });

  it("are those whose task goes on, inside an episode", () => {
    const late = withFields({})();
    const env = vectorOf(
      Object.assign(late, {
        step: () => ({
          observations: { scout_0: [0, 0], carrier_0: [0, 0] },
          rewards: { scout_0: 0, carrier_0: 0 },
          terminations: { scout_0: true, carrier_0: false },
          truncations: { scout_0: false, carrier_0: false },
          infos: { scout_0: {}, carrier_0: {} },
        }),
      }),
    );
    env.reset();
    expect(() => env.step(ACTIONS)).toThrow(
      'Walk: env.step() of lane 0, step 1: agents: found "scout_0", allowed the agents that take part now: carrier_0',
    );
  });
});

/** Lanes that a user has vectorised, with a changed step result. */
function vectorWalk(step: (given: object, count: number) => unknown): VectorEnvironment {
  const lanes = new SyncVectorEnvironment([() => walk(), () => walk()]);
  const { num_envs, single_observation_space, single_action_space } = lanes;
  let count = 0;
  const own = {
    num_envs,
    single_observation_space,
    single_action_space,
    reset: () => lanes.reset(),
    step: (actions: ArrayLike<number>) => step(lanes.step(actions), count++),
    close: () => undefined,
  };
  return vectorOf(own as object as VectorEnvironment);
}

const VECTORS: readonly [...Fault, steps: number][] = [
  [
    "a reward for each lane, not each agent",
    field("reward", Float32Array.of(1, 1)),
    "reward: found a Float32Array of 2, allowed 4 values (of 2 lanes with a value of each of scout_0, carrier_0, one after another)",
    1,
  ],
  [
    "NaN as one agent's reward",
    field("reward", [0, 0, 0, Number.NaN]),
    "reward of agent carrier_0 in lane 1: found NaN, allowed finite 32-bit numbers",
    1,
  ],
  [
    "a flag that is 2",
    field("terminated", [2, 0, 0, 0]),
    "terminated of agent scout_0 in lane 0: found 2, allowed 0 and 1",
    1,
  ],
  [
    "cuts of each agent",
    field("truncated", new Uint8Array(4)),
    "truncated: found a Uint8Array of 4, allowed 2 values (of 2 lanes, one after another)",
    1,
  ],
  [
    "NaN in what one agent sees",
    field("observation", Float32Array.of(0, 0, 0, Number.NaN, 0, 0, 0, 0)),
    "observation.carrier_0[1] of lane 0: found NaN, allowed 2 finite numbers",
    1,
  ],
  [
    "an agent that comes back",
    field("terminated", Uint8Array.of(1, 0, 0, 0)),
    "terminated of agent scout_0 in lane 1: found 0, allowed 1 until the lane's episode ends, since the agent's task ended before",
    3,
  ],
  [
    "a reward for an agent that has left",
    field("reward", Float32Array.of(3, 0, 0, 0)),
    "reward of agent scout_0 in lane 0: found 3, allowed 0 until the lane's episode ends",
    3,
  ],
];

describe("lanes of the caller's own that give", () => {
  it.each(VECTORS)("%s are refused by name", (_name, change, says, at) => {
    const env = vectorWalk((given, count) => (count === at - 1 ? change(given) : given));
    resetLanes(env);
    const step = () => stepLanes(env, [...ACTIONS, ...ACTIONS]);
    for (let t = 1; t < at; t++) step();
    expect(step).toThrow(`env.step() ${at}: ${says}`);
  });

  it("what they should are taken, episode after episode", () => {
    const env = vectorWalk((same) => same);
    resetLanes(env);
    for (let t = 0; t < 3; t++) stepLanes(env, [...ACTIONS, ...ACTIONS]);
    resetLanes(env);
    for (let t = 0; t < 12; t++) stepLanes(env, [...ACTIONS, ...ACTIONS]);
    expect([...stepLanes(env, [...ACTIONS, ...ACTIONS]).terminated]).toEqual([0, 0, 0, 0]);
  });

  it("other agents' actions than observations are refused", () => {
    const env = vectorWalk((same) => same);
    const { scout_0, carrier_0 } = action_spaces;
    const wrong = (single_action_space: Agents | Box) => () => vectorOf({ ...env, single_action_space });
    expect(wrong(new Box({ low: 0, high: 1 }))).toThrow(
      "env: found actions of 1 finite numbers (Box of shape [1]), allowed the agents of the observation space: scout_0, carrier_0",
    );
    expect(wrong(new Agents({ carrier_0, scout_0 }))).toThrow(
      "env: found actions of carrier_0, scout_0, allowed",
    );
  });
});
