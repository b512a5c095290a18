/** Records a greedy episode in an environment that JavaScript steps. */
import type { WasmDevice } from "../kernels/wasm/device.ts";
import { type HostEnvironmentDefinition, make } from "../rl/environments/index.ts";
import type { AgentState } from "../rl/member/agentState.ts";
import { PURPOSE } from "../rl/runtime/turn.ts";
import { AgentSession } from "../rl/runtime/wasm/AgentSession.ts";
import { environmentSeed } from "../rl/runtime/wasm/hostEvaluation.ts";
import { type Agents, elementSize, type SpaceValue } from "../rl/spaces/index.ts";

/** Rows of an episode, one after another. */
export interface Tape {
  readonly states: number[];
  readonly actions: number[];
  /** Of all agents together. */
  readonly rewards: number[];
}

/** The policy's greedy action for an observation. */
type Act = (observation: ArrayLike<number>) => number[];

/** One episode from a reset by `seed`, to its end. @param env One that is loaded. */
export function recordOnHost(
  agent: AgentState,
  env: HostEnvironmentDefinition,
  seed: number,
  device: WasmDevice,
): Tape {
  const { observation_space, action_space } = env;
  const session = new AgentSession(device, { observation_space, action_space }, agent, seed);
  try {
    const { arena } = session.open(["greedy"], { num_envs: 1 });
    session.forget();
    const act: Act = (observation) => {
      arena.write("act.obs", observation);
      session.run("greedy");
      return Array.from(arena.read("act.greedy"));
    };
    const start = environmentSeed(seed, PURPOSE.record);
    return observation_space.kind === "Agents" && action_space.kind === "Agents"
      ? recordTeam(env, [observation_space, action_space], start, act)
      : recordOne(env, start, act);
  } finally {
    session.release();
  }
}

function recordOne({ id, options, action_space }: HostEnvironmentDefinition, seed: number, act: Act): Tape {
  const env = make(id, options);
  try {
    const tape: Tape = { states: [], actions: [], rewards: [] };
    let { observation } = env.reset({ seed });
    tape.states.push(...env.getState());
    for (let ended = false; !ended; ) {
      const action = act(observation);
      const step = env.step(action_space.kind === "Discrete" ? (action[0] ?? 0) : action);
      tape.states.push(...env.getState());
      tape.actions.push(...action);
      tape.rewards.push(step.reward);
      observation = step.observation;
      ended = step.terminated || step.truncated;
    }
    return tape;
  } finally {
    env.close();
  }
}

/** What all agents observe, zeros of those that have left. */
function jointRow(space: Agents, observations: Readonly<Record<string, SpaceValue>>): Float32Array {
  const row = new Float32Array(elementSize(space));
  for (const { id, start } of space.agents) {
    const own = observations[id];
    if (own !== undefined) row.set(typeof own === "number" ? [own] : own, start);
  }
  return row;
}

function recordTeam(
  { id, options }: HostEnvironmentDefinition,
  [observed, acted]: readonly [Agents, Agents],
  seed: number,
  act: Act,
): Tape {
  const env = make<"parallel">(id, options);
  try {
    const tape: Tape = { states: [], actions: [], rewards: [] };
    let { observations } = env.reset({ seed });
    tape.states.push(...env.getState());
    while (env.agents.length > 0) {
      const action = act(jointRow(observed, observations));
      const each = acted.split(action);
      const step = env.step(Object.fromEntries(env.agents.map((own) => [own, each[own] ?? 0])));
      tape.states.push(...env.getState());
      tape.actions.push(...action);
      tape.rewards.push(Object.values(step.rewards).reduce((sum, reward) => sum + reward, 0));
      observations = step.observations;
      if (Object.values(step.truncations).some(Boolean)) break;
    }
    return tape;
  } finally {
    env.close();
  }
}
