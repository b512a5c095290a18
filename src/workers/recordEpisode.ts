/** Records greedy episodes of an agent on a device of its own. */
import { WasmDevice } from "../kernels/wasm/device.ts";
import {
  type CompiledEnvironment,
  type HostEnvironmentDefinition,
  isCompiled,
  loadEnvironment,
  make,
  type RegisteredEnvironment,
} from "../rl/environments/index.ts";
import type { AgentState } from "../rl/member/agentState.ts";
import { compiledProgram } from "../rl/runtime/programSet.ts";
import { bindAgent } from "../rl/runtime/sizes.ts";
import { PURPOSE } from "../rl/runtime/turn.ts";
import { AgentSession } from "../rl/runtime/wasm/AgentSession.ts";
import { environmentSeed } from "../rl/runtime/wasm/hostEvaluation.ts";
import { Residence } from "../rl/runtime/wasm/Residence.ts";
import type { Episode } from "./protocol.ts";

/** Rows of an episode, one after another. */
interface Tape {
  readonly states: number[];
  readonly actions: number[];
  readonly rewards: number[];
}

export class EpisodeRecorder {
  #device: WasmDevice | null = null;
  #residence: Residence | null = null;

  /** One episode from a reset by `seed`, to its end or the environment's time limit. */
  async record(
    agent: AgentState,
    env: RegisteredEnvironment,
    generation: number,
    seed: number,
  ): Promise<Episode> {
    await loadEnvironment(env.id);
    this.#device ??= new WasmDevice();
    const { states, actions, rewards } = isCompiled(env)
      ? this.#recordCompiled(agent, env, seed, this.#device)
      : recordOnHost(agent, env, seed, this.#device);
    const length = rewards.length + 1;
    return {
      environment: env.id,
      env_config: env.options ?? null,
      generation,
      seed,
      states: Float32Array.from(states),
      width: states.length / length,
      length,
      actions: Float32Array.from(actions),
      rewards: Float32Array.from(rewards),
      total: rewards.reduce((sum, reward) => sum + reward, 0),
    };
  }

  #recordCompiled(agent: AgentState, env: CompiledEnvironment, seed: number, device: WasmDevice): Tape {
    const reset = compiledProgram(agent, env, "reset");
    const step = compiledProgram(agent, env, "record");
    this.#residence ??= new Residence(device);
    const residence = this.#residence;
    residence.prepare(agent, [reset, step], bindAgent(agent, { num_envs: 1, batch: 1 }));
    residence.load(agent);
    residence.setKey(seed, PURPOSE.record);
    residence.run(reset);

    const tape: Tape = { states: [], actions: [], rewards: [] };
    const noteState = () => {
      for (const name of env.variables) tape.states.push(...residence.arena.view(`env.${name}`));
    };
    noteState();
    for (let ended = false; !ended && tape.rewards.length < env.max_episode_steps; ) {
      residence.run(step);
      noteState();
      tape.actions.push(...residence.arena.view("record.action"));
      tape.rewards.push(residence.number("record.reward"));
      ended = residence.number("record.ended") !== 0;
    }
    return tape;
  }
}

function recordOnHost(
  agent: AgentState,
  { id, observation_space, action_space, options }: HostEnvironmentDefinition,
  seed: number,
  device: WasmDevice,
): Tape {
  const session = new AgentSession(device, { observation_space, action_space }, agent, seed);
  const env = make(id, options);
  try {
    const tape: Tape = { states: [], actions: [], rewards: [] };
    const { arena } = session.open(["greedy"], { num_envs: 1 });
    session.forget();
    let { observation } = env.reset({ seed: environmentSeed(seed, PURPOSE.record) });
    tape.states.push(...env.getState());
    for (let ended = false; !ended; ) {
      arena.write("act.obs", observation);
      session.run("greedy");
      const action = Array.from(arena.read("act.greedy"));
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
    session.release();
  }
}
