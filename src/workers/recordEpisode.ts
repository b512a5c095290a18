/** Records greedy episodes of an agent on a device of its own. */
import { WasmDevice } from "../kernels/wasm/device.ts";
import {
  type CompiledEnvironment,
  isCompiled,
  loadEnvironment,
  type RegisteredEnvironment,
} from "../rl/environments/index.ts";
import type { AgentState } from "../rl/member/agentState.ts";
import { compiledProgram } from "../rl/runtime/programSet.ts";
import { bindAgent } from "../rl/runtime/sizes.ts";
import { PURPOSE } from "../rl/runtime/turn.ts";
import { Residence } from "../rl/runtime/wasm/Residence.ts";
import type { Episode } from "./protocol.ts";
import { recordOnHost, type Tape } from "./recordOnHost.ts";

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
