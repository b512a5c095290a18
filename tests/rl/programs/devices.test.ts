/** Training programs on WebGPU against wasm: the same state leads to the same state. */
// @apart: its programs and devices fill much memory.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type AgentState,
  bindAgent,
  compiledProgram,
  DeviceReplay,
  offPolicyContents,
  offPolicySizes,
  Residence,
  rolloutSizes,
} from "../../../src/agents/members.ts";
import { type WasmArena, WasmDevice } from "../../../src/kernels/devices.ts";
import type { Data } from "../../../src/kernels/index.ts";
import type { WebGpuArena } from "../../../src/kernels/webgpu.ts";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import { algorithmDefinition } from "../../../src/manifests/index.ts";
import { findCompiledEnvironment } from "../../../src/rl/environments.ts";
import { comparedShaders } from "../../kernels/support/comparedShaders.ts";
import { readAll } from "../../kernels/support/run.ts";
import { softwareAdapter } from "../../kernels/support/softwareAdapter.ts";
import { agentOf } from "../support/agents.ts";
import { gaugedPictures } from "../support/pictures.ts";
import { offPolicyOf } from "../support/turns.ts";

const NUM_ENVS = 3;
const SEGMENT = 64;
const cartPole = findCompiledEnvironment("CartPole-v1");
const pendulum = findCompiledEnvironment("Pendulum-v1");

const PPO_FIELDS = { name: "PPO", batch_size: 10, learn_step: 24, update_epochs: 2, lr: 1e-3 } as const;

const DQN_FIELDS = { name: "DQN", batch_size: 7, learn_step: 2, lr: 1e-3 } as const;

const dqn = (seed: number) => agentOf(DQN_FIELDS, { ...cartPole, seed, network: plain });
const gauged = gaugedPictures("uint8");
const convolutions = { channel_size: [5], kernel_size: [2], stride_size: [1], min_channel_size: 4 };
const gauging = (seed: number) =>
  agentOf(DQN_FIELDS, {
    ...gauged,
    seed,
    network: {
      latent_dim: 9,
      min_latent_dim: 4,
      head_config: { arch: "mlp", hidden_size: [16] },
      encoder_config: { arch: "multiinput", latent_dim: 16, cnn_config: convolutions },
    },
  });
/** A network without layer normalisation, which the networks above have. */
const plain = {
  latent_dim: 8,
  encoder_config: { hidden_size: [16], layer_norm: false },
  head_config: { hidden_size: [16], layer_norm: false },
};
const ppo = (seed: number) => agentOf(PPO_FIELDS, { ...pendulum, seed, network: plain });

/** A member on wasm, ready for a turn. */
function loaded(device: WasmDevice, agent: AgentState, env: typeof cartPole) {
  const off = algorithmDefinition(agent.algorithm).off_policy ? offPolicyOf() : null;
  const replay = off ? new DeviceReplay(device, env, 1, SEGMENT) : null;
  const sizes = off ? offPolicySizes(agent, NUM_ENVS, off, SEGMENT) : rolloutSizes(agent, NUM_ENVS);
  const programs = (["turn", "reset", "evaluate"] as const).map((p) => compiledProgram(agent, env, p));
  const residence = new Residence(device, replay?.arena);
  residence.prepare(agent, programs, bindAgent(agent, sizes));
  residence.load(agent);
  residence.setKey(5, 0, 1, 1);
  if (off)
    residence.write(
      offPolicyContents({ slot: 0, evo_steps: 12 * NUM_ENVS, num_envs: NUM_ENVS }, SEGMENT, off),
    );
  residence.set("turn.steps", 12);
  residence.set("evaluate.steps", 20);
  return { residence, replay, programs };
}

/** Largest difference, relative beyond 1. */
function farthest(expected: Data, found: ArrayLike<number>): number {
  let most = 0;
  for (const [i, v] of Array.from(expected).entries()) {
    const w = found[i] ?? Number.NaN;
    const error = Object.is(v, w) ? 0 : Math.abs(v - w) / Math.max(1, Math.abs(v));
    if (!(error <= most)) most = error;
  }
  return most;
}

interface Twin {
  readonly wasm: WasmArena;
  readonly webgpu: WebGpuArena;
}

/** Runs programs of all members on both devices, one dispatch each, and compares all buffers after each. */
async function compare(
  gpu: WebGpuDevice,
  agents: readonly AgentState[],
  env: typeof cartPole,
  order: readonly ("turn" | "reset" | "evaluate")[],
) {
  const members = agents.map((agent) => loaded(new WasmDevice(), agent, env));
  const twins = members.map(({ residence: { arena }, replay, programs }): Twin[] => {
    const states = programs.flatMap((program) => [...program.states.values()]);
    const shared = replay && {
      wasm: replay.arena,
      webgpu: gpu.arena(
        states.filter((s) => s.shared),
        replay.arena.binding,
      ),
    };
    const own = { wasm: arena, webgpu: gpu.arena(states, arena.binding, shared?.webgpu) };
    for (const name of arena.names) own.webgpu.write(name, arena.read(name));
    return shared ? [own, shared] : [own];
  });
  const [turn, reset, evaluate] = members[0]?.programs ?? [];
  const named = { turn, reset, evaluate };
  for (const name of order) {
    const program = named[name];
    if (!program) throw new Error("there is no member");
    for (const { residence } of members) residence.run(program);
    const executable = await gpu.compile(program);
    const bound = twins.map(([own]) => executable.bind((own as Twin).webgpu));
    const before = gpu.submits;
    gpu.cohort(bound).run();
    for (const [m, arenas] of twins.entries()) {
      for (const { wasm, webgpu } of arenas) {
        const found = await readAll(webgpu, wasm.names);
        for (const name of wasm.names) {
          const error = farthest(wasm.read(name), found.get(name) ?? []);
          expect(error, `${program.name}: ${name} of member ${m}`).toBeLessThanOrEqual(1e-4);
        }
      }
    }
    expect(gpu.submits - before).toBe(1);
    for (const b of bound) b.release();
  }
  return members;
}

/**
 * Whole turns of both algorithm families, with continuous actions and composite spaces. SwiftShader needs a
 * third of the time for a turn's parts, so other tests compare the remaining algorithms, networks and spaces
 * in parts: slicedOffPolicy.test.ts has Rainbow, TD3 (whose actor has a separate encoder), SAC, MADDPG and
 * MATD3; slicedOnPolicy.test.ts has PPO with an LSTM and on images, and IPPO;
 * tests/training/inside/gpuExecutor.test.ts has DQN on vectors, and gpuProbes.test.ts DDPG. Tests on wasm show for
 * all of them that whole turns and slices are equal.
 */
describe("programs on webgpu against wasm", () => {
  const assertOnce = comparedShaders(import.meta.url);
  let gpu: WebGpuDevice;
  beforeAll(async () => {
    gpu = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
  });
  afterAll(() => gpu.close());

  it.each<[string, readonly AgentState[], typeof cartPole]>([
    ["PPO with continuous actions", [ppo(1), ppo(2)], pendulum],
    ["DQN on images beside fractions", [gauging(1), gauging(2)], gauged],
  ])("%s: reset, a turn, an evaluation, all members in one dispatch each", async (name, agents, env) => {
    const order = ["reset", "turn", "evaluate"] as const;
    const programs = agents.flatMap((agent) => order.map((purpose) => compiledProgram(agent, env, purpose)));
    await assertOnce(name, programs, async () => {
      const members = await compare(gpu, agents, env, order);
      for (const { residence } of members) expect(residence.learned).toBeGreaterThan(0);
    });
  });

  it("a turn, and an evaluation with weights in workgroup memory, in the form for hardware", async () => {
    const staging = await WebGpuDevice.create(await softwareAdapter(), {
      workgroupSize: 32,
      stagingBytes: 16_000,
      ahead: 4,
    });
    const [member] = await compare(staging, [dqn(1), dqn(2)], cartPole, ["reset", "turn", "evaluate"]);
    expect(member?.residence.learned).toBeGreaterThan(0);
    const evaluate = member?.programs[2];
    if (!evaluate) throw new Error("there is no member");
    expect((await staging.compile(evaluate)).shader.code).toContain("var<workgroup> matrices");
    staging.close();
  });
});
