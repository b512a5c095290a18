/** Recurrent policies solve tasks that no memoryless policy can. */
import { describe, expect, it } from "vitest";
import type { PPOSpecInput } from "../../../src/manifests/index.ts";
import {
  CompiledVectorEnvironment,
  findCompiledEnvironment,
  prepareProgram,
} from "../../../src/rl/environments.ts";
import { agentOf } from "../support/agents.ts";
import { cueEnvironment } from "../support/cue.ts";
import { compiledTurn, hostTurn } from "../support/turns.ts";

const ppo = { name: "PPO", learn_step: 512, lr: 5e-3 } as const;
const recurrent = { ...ppo, recurrent: true, batch_size: 16, max_seq_len: 8 } as const;
const network = { latent_dim: 16, encoder_config: { hidden_state_size: 16, num_layers: 1 } };
const cue = cueEnvironment(6);
const turn = { num_envs: 16, evo_steps: 512 * 40, eval_loop: 4 };

describe("recurrent PPO remembers a cue until it is asked for", () => {
  it.each<[string, Omit<PPOSpecInput, "name">]>([
    ["chunked", { bptt_sequence_type: "chunked" }],
    ["maximum", { bptt_sequence_type: "maximum", batch_size: 64 }],
    ["fifty_percent_overlap", { bptt_sequence_type: "fifty_percent_overlap" }],
    ["whole episodes", { max_seq_len: null }],
    ["encoders apart", { share_encoders: false }],
  ])("%s", (_name, fields) => {
    const agent = agentOf({ ...recurrent, ...fields }, { ...cue, network, seed: 3 });
    expect(compiledTurn(agent, cue, turn).fitness).toBe(1);
  });

  it("in environments that the host steps", () => {
    const agent = agentOf(recurrent, { ...cue, network, seed: 3 });
    const env = new CompiledVectorEnvironment(cue, 16, prepareProgram);
    expect(hostTurn(agent, env, turn).fitness).toBe(1);
  });

  it("and a flat one cannot", () => {
    const agent = agentOf({ ...ppo, batch_size: 128 }, { ...cue, seed: 3 });
    expect(Math.abs(compiledTurn(agent, cue, turn).fitness)).toBeLessThan(0.5);
  });
});

describe("CartPole without velocities", () => {
  const env = findCompiledEnvironment("rlkit/CartPole-masked-v1");
  /** The best evaluation of a few generations. */
  const best = (fields: Omit<PPOSpecInput, "name">, settings: object): number => {
    let agent = agentOf(
      { ...fields, name: "PPO", learn_step: 1024, lr: 3e-3 },
      { ...env, ...settings, seed: 1 },
    );
    const found: number[] = [];
    for (let generation = 0; generation < 5; generation++) {
      const result = compiledTurn(agent, env, { num_envs: 16, evo_steps: 10_240, generation });
      found.push(result.fitness);
      agent = result.agent;
    }
    return Math.max(...found);
  };

  it("is held up much longer with memory", () => {
    const encoder_config = { hidden_state_size: 64, num_layers: 1 };
    const wide = { latent_dim: 64 };
    const remembering = best(
      { recurrent: true, max_seq_len: 16, batch_size: 16 },
      { network: { ...wide, encoder_config } },
    );
    const flat = best({ batch_size: 256 }, { network: wide });
    expect(flat).toBeLessThan(100);
    expect(remembering).toBeGreaterThan(2 * flat);
  });
});
