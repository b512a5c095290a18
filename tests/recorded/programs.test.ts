/**
 * Fingerprints of the compiled programs of every algorithm. What changes one changes what every run computes or costs;
 * after such a change, and only then: npx vitest run tests/recorded -u
 */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  type CompiledPurpose,
  compiledProgram,
  type HostPurpose,
  hostProgram,
} from "../../src/agents/members.ts";
import { assemble } from "../../src/kernels/devices.ts";
import type { Program } from "../../src/kernels/index.ts";
import { shaderOf } from "../../src/kernels/webgpu.ts";
import type { AlgoSpecInput } from "../../src/manifests/index.ts";
import { findCompiledEnvironment } from "../../src/rl/environments.ts";
import type { EnvironmentOptions } from "../../src/rl/faces.ts";
import { agentOf } from "../rl/support/agents.ts";

const fingerprint = (data: Uint8Array | string): string =>
  createHash("sha256").update(data).digest("hex").slice(0, 16);

const fingerprints = (program: Program) => ({
  wgsl: fingerprint(shaderOf(program, { workgroupSize: 256, stagingBytes: 31_680, ahead: 4 }).code),
  wasm: fingerprint(assemble(program).bytes),
});

const OFF_POLICY = ["turn", "reset", "evaluate", "gradients", "play"] as const;
const OFFLINE = ["lessons", "evaluate", "gradients", "draw"] as const;
const EVOLUTION = ["turn", "evaluate"] as const;
const ON_POLICY = ["turn", "reset", "evaluate", "collect", "gradients", "step"] as const;

interface Case {
  readonly spec: AlgoSpecInput;
  readonly environment: string;
  readonly options?: EnvironmentOptions;
  readonly network?: object;
  readonly purposes: readonly CompiledPurpose[];
}

const HEAD = { hidden_size: [8] };

const CASES: Readonly<Record<string, Case>> = {
  "DQN CartPole": { spec: { name: "DQN", double: true }, environment: "CartPole-v1", purposes: OFF_POLICY },
  "DQN Breakout": {
    spec: { name: "DQN" },
    environment: "MinAtar/Breakout-v1",
    network: {
      latent_dim: 8,
      encoder_config: { channel_size: [4], kernel_size: [3], stride_size: [1] },
      head_config: HEAD,
    },
    purposes: OFF_POLICY,
  },
  "DQN Acrobot SimBa": {
    spec: { name: "DQN" },
    environment: "Acrobot-v1",
    network: {
      latent_dim: 8,
      simba: true,
      encoder_config: { hidden_size: 8, num_blocks: 1 },
      head_config: HEAD,
    },
    purposes: ["turn"],
  },
  "CQN CartPole": { spec: { name: "CQN", double: true }, environment: "CartPole-v1", purposes: OFFLINE },
  "BC CartPole": { spec: { name: "BC" }, environment: "CartPole-v1", purposes: OFFLINE },
  "BC Pendulum": { spec: { name: "BC" }, environment: "Pendulum-v1", purposes: OFFLINE },
  "TD3BC Pendulum": { spec: { name: "TD3BC" }, environment: "Pendulum-v1", purposes: OFFLINE },
  "IQL CartPole": { spec: { name: "IQL" }, environment: "CartPole-v1", purposes: OFFLINE },
  "IQL Pendulum": { spec: { name: "IQL" }, environment: "Pendulum-v1", purposes: OFFLINE },
  "AWAC CartPole": { spec: { name: "AWAC" }, environment: "CartPole-v1", purposes: OFFLINE },
  "AWAC Pendulum": { spec: { name: "AWAC" }, environment: "Pendulum-v1", purposes: OFFLINE },
  "CQL Pendulum": { spec: { name: "CQL" }, environment: "Pendulum-v1", purposes: OFFLINE },
  "RainbowDQN CartPole": {
    spec: { name: "RainbowDQN", num_atoms: 5 },
    environment: "CartPole-v1",
    purposes: OFF_POLICY,
  },
  "DDPG Pendulum": { spec: { name: "DDPG" }, environment: "Pendulum-v1", purposes: OFF_POLICY },
  "TD3 Pendulum": { spec: { name: "TD3" }, environment: "Pendulum-v1", purposes: OFF_POLICY },
  "TD3 Pendulum, a shared encoder, Gaussian noise": {
    spec: { name: "TD3", share_encoders: true, O_U_noise: false },
    environment: "Pendulum-v1",
    purposes: OFF_POLICY,
  },
  "SAC Pendulum": { spec: { name: "SAC" }, environment: "Pendulum-v1", purposes: OFF_POLICY },
  "SAC Pendulum, a shared encoder": {
    spec: { name: "SAC", share_encoders: true },
    environment: "Pendulum-v1",
    purposes: OFF_POLICY,
  },
  "ES CartPole": { spec: { name: "ES" }, environment: "CartPole-v1", purposes: EVOLUTION },
  "PPO CartPole": { spec: { name: "PPO" }, environment: "CartPole-v1", purposes: ON_POLICY },
  "PPO Pendulum": {
    spec: { name: "PPO", share_encoders: false, target_kl: 0.02 },
    environment: "Pendulum-v1",
    purposes: ON_POLICY,
  },
  "PPO Pendulum, recurrent": {
    spec: { name: "PPO", recurrent: true, max_seq_len: 4 },
    environment: "Pendulum-v1",
    network: { latent_dim: 8, encoder_config: { hidden_state_size: 8, num_layers: 1 }, head_config: HEAD },
    purposes: ON_POLICY,
  },
  "MADDPG simple_speaker_listener": {
    spec: { name: "MADDPG" },
    environment: "simple_speaker_listener_v4",
    purposes: OFF_POLICY,
  },
  "MATD3 simple_spread, numbers of a group": {
    spec: { name: "MATD3" },
    environment: "simple_spread_v3",
    options: { continuous_actions: true },
    purposes: OFF_POLICY,
  },
  "IPPO simple_tag": {
    spec: { name: "IPPO", target_kl: 0.02 },
    environment: "simple_tag_v3",
    purposes: ON_POLICY,
  },
};

const HOST_PURPOSES = ["act", "greedy", "store", "learn"] as const;
const OFFLINE_HOST_PURPOSES = ["act", "greedy", "lessons", "learn"] as const;

const hostPurposes = (purposes: readonly CompiledPurpose[]): readonly HostPurpose[] => {
  if (purposes === OFFLINE) return OFFLINE_HOST_PURPOSES;
  return purposes === EVOLUTION ? ["greedy"] : HOST_PURPOSES;
};

describe("compiled programs stay as they were recorded", () => {
  it.each(Object.entries(CASES))("%s", async (name, { spec, environment, options, network, purposes }) => {
    const env = findCompiledEnvironment(environment, options);
    const agent = agentOf(spec, { ...env, ...(network ? { network } : {}) });
    const isOnPolicy = purposes === ON_POLICY;
    const found = {
      ...Object.fromEntries(
        purposes.map((purpose) => [purpose, fingerprints(compiledProgram(agent, env, purpose))]),
      ),
      host: Object.fromEntries(
        hostPurposes(purposes)
          .filter((purpose) => !isOnPolicy || purpose !== "store")
          .map((purpose) => [purpose, fingerprints(hostProgram(agent, env, purpose))]),
      ),
    };
    const file = `./programs/${name.replaceAll(/[^A-Za-z0-9]+/g, "-")}.json`;
    await expect(`${JSON.stringify(found, null, 2)}\n`).toMatchFileSnapshot(file);
  });

  it("with priorities and returns over several steps", async () => {
    const env = findCompiledEnvironment("CartPole-v1");
    const agent = agentOf({ name: "RainbowDQN", num_atoms: 5 }, env);
    const kind = { n_step: 3, prioritized: true };
    const found = Object.fromEntries(
      (["turn", "gradients", "play"] as const).map((purpose) => [
        purpose,
        fingerprints(compiledProgram(agent, env, purpose, kind)),
      ]),
    );
    await expect(`${JSON.stringify(found, null, 2)}\n`).toMatchFileSnapshot(
      "./programs/RainbowDQN-memory.json",
    );
  });
});
