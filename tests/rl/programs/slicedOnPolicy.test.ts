/** Iterations that learn in slices: against one program, and on WebGPU against wasm. */
// @apart: its programs and devices fill much memory.
import { afterAll, describe, expect, it } from "vitest";
import {
  type AgentState,
  agentContents,
  bindAgent,
  type CompiledPurpose,
  compiledProgram,
  keyContents,
  progressContents,
  rolloutSizes,
  sliceBindings,
} from "../../../src/agents/members.ts";
import { type WasmArena, WasmDevice } from "../../../src/kernels/devices.ts";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import type { AlgoSpecInput, PPOSpecInput } from "../../../src/manifests/index.ts";
import { type CompiledEnvironment, findCompiledEnvironment } from "../../../src/rl/environments.ts";
import { comparedShaders } from "../../kernels/support/comparedShaders.ts";
import { softwareAdapter } from "../../kernels/support/softwareAdapter.ts";
import { agentOf, NORMALIZED } from "../support/agents.ts";
import { pictureEnvironment } from "../support/pictures.ts";
import { Relay } from "../support/relay.ts";
import {
  type Buffers,
  buffersOf,
  expectClose,
  gpuBuffersOf,
  runOnBoth,
  runOnWasm,
  statesOf,
} from "../support/slicedLearning.ts";

const NUM_ENVS = 3;
const cartPole = findCompiledEnvironment("CartPole-v1");
const network = { latent_dim: 6, encoder_config: { hidden_size: [7] }, head_config: { hidden_size: [5] } };
const wider = { latent_dim: 9, encoder_config: { hidden_size: [11] }, head_config: { hidden_size: [6] } };
/** A network without layer normalisation, which the networks above have. */
const plain = {
  latent_dim: 6,
  encoder_config: { hidden_size: [7], layer_norm: false },
  head_config: { hidden_size: [5], layer_norm: false },
};
const memory = { ...plain, encoder_config: { hidden_state_size: 6, num_layers: 1 } };

const ppo = (fields: Omit<PPOSpecInput, "name"> = {}, nets: object = network, seed = 1) =>
  agentOf(
    { name: "PPO", batch_size: 19, learn_step: 48, update_epochs: 2, lr: 1e-2, ...fields },
    { ...cartPole, seed, network: nets },
  );
const normalizing = (): AgentState =>
  agentOf(
    { name: "PPO", batch_size: 19, learn_step: 48, update_epochs: 1, lr: 1e-3 },
    { ...cartPole, network: plain, normalization: NORMALIZED },
  );
const SEQUENCES = { recurrent: true, max_seq_len: 3, batch_size: 7 } as const;
const normalizingSequences = (): AgentState =>
  agentOf(
    { name: "PPO", ...SEQUENCES, learn_step: 48, update_epochs: 1, lr: 1e-3 },
    { ...cartPole, network: memory, normalization: NORMALIZED },
  );
const recurrent = (fields: Omit<PPOSpecInput, "name"> = {}) => ppo({ ...SEQUENCES, ...fields }, memory);

const speaker = findCompiledEnvironment("simple_speaker_listener_v4");
const ippo = (fields: Partial<AlgoSpecInput> = {}, env: CompiledEnvironment = speaker) =>
  agentOf(
    { batch_size: 19, learn_step: 48, update_epochs: 2, lr: 1e-2, ...fields, name: "IPPO" } as AlgoSpecInput,
    { ...env, network: plain },
  );

const taxi = findCompiledEnvironment("Taxi-v3", { action_mask: true });
const masked = (learn_step: number) =>
  agentOf(
    { name: "PPO", batch_size: 19, learn_step, update_epochs: 1, lr: 1e-2 },
    { ...taxi, network: plain },
  );

/** All values that learning may find on a schedule. */
const SCHEDULES = {
  lr_schedule: "cosine",
  lr_final: 0.1,
  clip_coef_schedule: "linear",
  clip_coef_final: 0.5,
  ent_coef_schedule: "linear",
} as const;

const pictures = pictureEnvironment("uint8");
const seeing = () =>
  agentOf(
    { name: "PPO", batch_size: 19, learn_step: 48, update_epochs: 2, lr: 1e-2 },
    {
      ...pictures,
      network: {
        latent_dim: 9,
        min_latent_dim: 4,
        encoder_config: {
          arch: "cnn",
          channel_size: [5],
          kernel_size: [2],
          stride_size: [1],
          min_channel_size: 4,
        },
        head_config: { arch: "mlp", hidden_size: [16], layer_norm: false },
      },
    },
  );

interface Member {
  readonly agent: AgentState;
  /** Default: CartPole. */
  readonly env?: CompiledEnvironment;
  readonly slices: number;
}

const sizesOf = ({ agent, slices }: Member) => ({ ...rolloutSizes(agent, NUM_ENVS), slices });
const minibatchesOf = (member: Member): number =>
  Number(member.agent.hyperparameters.update_epochs) * sizesOf(member).minibatches;
const programOf = ({ agent, env = cartPole }: Member, purpose: CompiledPurpose) =>
  compiledProgram(agent, env, purpose);

const programsOf = (member: Member, purposes: readonly CompiledPurpose[]) =>
  purposes.map((purpose) => programOf(member, purpose));

const wasm = new WasmDevice();
afterAll(() => wasm.close());

/** A member on wasm in new environments. */
function loaded(member: Member): WasmArena {
  const { agent } = member;
  const states = statesOf(programsOf(member, ["reset", "turn", "collect", "gradients", "step", "evaluate"]));
  const arena = wasm.arena(states, bindAgent(agent, sizesOf(member)));
  const place = progressContents({ schedule: { progress: 0.25, progress_step: 0.01 } });
  for (const [name, values] of [...agentContents(agent), ...keyContents(5, 0, 1, 1), ...place])
    if (arena.has(name)) arena.write(name, values);
  arena.write("evaluate.steps", [20]);
  runOnWasm(wasm, arena, programOf(member, "reset"));
  return arena;
}

function learnOnWasm(member: Member, arena: WasmArena, rounds: number): void {
  for (let m = 0; m < rounds; m++) {
    runOnWasm(wasm, arena, programOf(member, "gradients"), sliceBindings(sizesOf(member)));
    runOnWasm(wasm, arena, programOf(member, "step"));
  }
}

describe("iterations in slices", () => {
  /** The buffers that both paths share, after two iterations in one program or in slices. */
  function learned(member: Member, path: "whole" | "sliced"): Buffers {
    const arena = loaded(member);
    for (let iteration = 0; iteration < 2; iteration++) {
      if (path === "whole") runOnWasm(wasm, arena, programOf(member, "turn"));
      else {
        runOnWasm(wasm, arena, programOf(member, "collect"));
        // Two more minibatches than exist: the extra ones have no effect.
        learnOnWasm(member, arena, minibatchesOf(member) + 2);
      }
    }
    const found = buffersOf(arena, statesOf(programsOf(member, ["reset", "turn"])));
    arena.release();
    return found;
  }

  it.each<[string, Member]>([
    ["with one slice", { agent: ppo(), slices: 1 }],
    ["with sizes that nothing divides, and the last minibatch filled up", { agent: ppo(), slices: 4 }],
    ["with slices that only fill the last minibatch up", { agent: ppo({ batch_size: 47 }), slices: 8 }],
    ["with sequences of networks with memory", { agent: recurrent(), slices: 2 }],
    ["with images, which lie as bytes", { agent: seeing(), env: pictures, slices: 3 }],
    ["of several agents, on schedules", { agent: ippo(SCHEDULES), env: speaker, slices: 4 }],
    ["with normalised observations and rewards", { agent: normalizing(), slices: 4 }],
    ["with masked choices", { agent: masked(48), env: taxi, slices: 4 }],
  ])("end like those in one program: %s", (_, member) => {
    const whole = learned(member, "whole");
    expect(whole.get("counter.learned")).toEqual([2 * minibatchesOf(member)]);
    expectClose(learned(member, "sliced"), whole);
  });

  it.each<[string, Member]>([
    ["the policy has", { agent: ppo({ target_kl: 1e-4, update_epochs: 3 }), slices: 2 }],
    ["one of several has", { agent: ippo({ target_kl: 1e-4, update_epochs: 3 }), env: speaker, slices: 2 }],
  ])("end early with the same epoch when %s moved far", (_, member) => {
    const whole = learned(member, "whole");
    expect(whole.get("counter.learned")?.[0]).toBeLessThan(2 * minibatchesOf(member));
    expectClose(learned(member, "sliced"), whole);
  });
});

describe("slices on WebGPU", () => {
  const assertOnce = comparedShaders(import.meta.url);

  it.each<[string, readonly Member[]]>([
    [
      "members of other widths, batch sizes and numbers of slices together",
      [
        { agent: ppo(), slices: 4 },
        { agent: ppo({ batch_size: 47, update_epochs: 1, lr: 1e-3 }, wider, 2), slices: 8 },
      ],
    ],
    [
      "sequences of networks with memory, of normalised observations and rewards",
      [{ agent: normalizingSequences(), slices: 2 }],
    ],
    ["images, which lie as bytes", [{ agent: seeing(), env: pictures, slices: 2 }]],
    ["masked choices", [{ agent: masked(24), env: taxi, slices: 2 }]],
    // Two groups, one discrete and one continuous. SwiftShader compiles their steps in half the time of the
    // speaker world's.
    [
      "several agents on schedules",
      [{ agent: ippo({ update_epochs: 1, ...SCHEDULES }, Relay), env: Relay, slices: 2 }],
    ],
  ])(
    "leave what they leave on wasm, as rollout and evaluation do, and the same bits again: %s",
    (name, members) =>
      assertOnce(
        name,
        members.flatMap((member) =>
          programsOf(member, ["reset", "collect", "gradients", "step", "evaluate"]),
        ),
        () => compare(members),
      ),
  );

  async function compare(members: readonly Member[]): Promise<void> {
    const gpu = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
    const [first] = members as readonly [Member, ...Member[]];
    const [gradients, step] = await Promise.all(
      (["gradients", "step"] as const).map((purpose) => gpu.compile(programOf(first, purpose))),
    );
    if (!gradients || !step) throw new Error("nothing was compiled");
    const collected = members.map(loaded);
    for (const [m, member] of members.entries())
      for (const program of programsOf(member, ["reset", "collect"]))
        await runOnBoth(wasm, gpu, collected[m] as WasmArena, program);
    const rounds = Math.max(...members.map(minibatchesOf));
    const shared = (member: Member) => statesOf(programsOf(member, ["gradients", "step"]));
    const names = shared(first).map(({ name }) => name);
    /** All buffers of all members, after all minibatches. */
    const learned = async (): Promise<Buffers[]> => {
      const arenas = members.map((member, m) => {
        const from = collected[m] as WasmArena;
        const arena = gpu.arena(shared(member), from.binding);
        for (const name of names) arena.write(name, from.read(name));
        return arena;
      });
      const slices = members.flatMap((member, m) =>
        sliceBindings(sizesOf(member)).map((part) =>
          gradients.bind(arenas[m] as (typeof arenas)[number], part),
        ),
      );
      const [a, b] = [gpu.cohort(slices), gpu.cohort(arenas.map((arena) => step.bind(arena)))];
      const before = gpu.submits;
      for (let m = 0; m < rounds; m++) {
        a.run();
        b.run();
      }
      gpu.flush();
      expect(gpu.submits - before).toBe(1);
      return Promise.all(arenas.map((arena) => gpuBuffersOf(arena, shared(first))));
    };
    const found = await learned();
    expect(await learned()).toEqual(found);
    for (const [m, member] of members.entries()) {
      const arena = collected[m] as WasmArena;
      learnOnWasm(member, arena, rounds);
      const expected = buffersOf(arena, shared(member));
      expect(expected.get("learning.active")).toEqual([0]);
      expectClose(found[m] as Buffers, expected);
      await runOnBoth(wasm, gpu, arena, programOf(member, "evaluate"));
    }
    gpu.close();
  }
});
