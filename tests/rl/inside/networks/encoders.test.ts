/** Agents with every kind of encoder: their mutations, and round trips through files. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AgentState,
  cloneAgent,
  findAlgorithm,
  mutateActivation,
  mutateArchitecture,
  mutateParameters,
} from "../../../../src/agents/members.ts";
import { tensorSize } from "../../../../src/evolution/members.ts";
import { SpecError } from "../../../../src/manifests/index.ts";
import {
  applyMethod,
  type NetworkData,
  networkMethods,
  networkTensors,
} from "../../../../src/rl/networks.ts";
import { Box, Discrete, type Space } from "../../../../src/rl/spaces.ts";
import { decodeSafetensors } from "../../../../src/storage/index.ts";
import { decodeAgent, encodeAgent } from "../../../../src/training/files.ts";
import { agentOf } from "../../support/agents.ts";
import { mixedSpace } from "../support/moduleKinds.ts";

const vector = new Box({ low: -1, high: 1, shape: [4] });
const image = new Box({ low: 0, high: 255, shape: [13, 12, 2], dtype: "uint8" });
const convolutions = { channel_size: [8, 8], kernel_size: [2, 2], stride_size: [1, 1] };
const memory = { hidden_state_size: 12, num_layers: 1 };

const ENCODERS: Record<string, { readonly space: Space; readonly config: object }> = {
  mlp: { space: vector, config: { hidden_size: [16] } },
  simba: { space: vector, config: { hidden_size: 16, num_blocks: 1 } },
  lstm: { space: vector, config: memory },
  cnn: { space: image, config: convolutions },
  cnn_lstm: { space: image, config: { ...convolutions, ...memory } },
  resnet: {
    space: image,
    config: { channel_size: 10, kernel_size: 3, stride_size: 2, num_blocks: 1, min_channel_size: 4 },
  },
  multiinput: {
    space: mixedSpace,
    config: { latent_dim: 16, min_latent_dim: 4, cnn_config: { ...convolutions, kernel_size: [2, 1] } },
  },
};

const ALGORITHMS = ["DQN", "RainbowDQN", "DDPG", "TD3", "PPO"] as const;
type Name = (typeof ALGORITHMS)[number];

function agent(name: Name, arch: string): AgentState {
  const { space, config } = ENCODERS[arch] as (typeof ENCODERS)[string];
  const recurrent = name === "PPO" && arch.endsWith("lstm");
  return agentOf(
    { name, ...(recurrent && { recurrent }) },
    {
      observation_space: space,
      action_space:
        name === "DDPG" || name === "TD3" ? new Box({ low: -1, high: 1, shape: [2] }) : new Discrete(3),
      network: {
        latent_dim: 24,
        encoder_config: { arch, ...config },
        head_config: { arch: "mlp", hidden_size: [16] },
      },
    },
  );
}

const encoderOf = ({ encoder }: NetworkData): string =>
  encoder === null || encoder === "shared" ? "" : encoder.kind;
const hasMemory = (arch: string) => arch.endsWith("lstm");

const pairs = Object.keys(ENCODERS).flatMap((arch) =>
  ALGORITHMS.filter((name) => name === "PPO" || !hasMemory(arch)).map((name) => [arch, name] as const),
);

describe.each(pairs)("%s encoders of %s", (arch, name) => {
  const roles = findAlgorithm(name);
  const before = agent(name, arch);

  it("survive any mutations and files: tensors fit, targets are their online networks, critics follow", () => {
    expect(encoderOf(before.networks.actor?.data as NetworkData)).toBe(arch);
    fc.assert(
      fc.property(fc.array(fc.nat(1e6), { minLength: 1, maxLength: 3 }), (seeds) => {
        let state = before;
        for (const seed of seeds) {
          const key = { seed };
          state = cloneAgent(mutateArchitecture(state, roles, { new_layer_prob: 0.3, key }).agent);
          state = mutateParameters(state, roles, { mutation_sd: 0.1, key }).agent;
        }
        for (const { data, tensors } of Object.values(state.networks)) {
          const specs = networkTensors(data);
          expect(Object.keys(tensors)).toEqual(specs.map((spec) => spec.name));
          for (const spec of specs) expect(tensors[spec.name]).toHaveLength(tensorSize(spec));
          expect(data.latent_dim).toBe(state.networks.actor?.data.latent_dim);
        }
        for (const [target, online] of Object.entries(roles.targets))
          expect(state.networks[target]?.data).toEqual(state.networks[online]?.data);
        expect(state.networks.actor_target ?? state.networks.actor).toEqual(state.networks.actor);
        expect(decodeAgent(encodeAgent(state), "a.safetensors").agent).toEqual(state);
      }),
      { numRuns: 3 },
    );
  });
});

describe("encoders under mutation", () => {
  it("take another activation where they have one, and none where they have not", () => {
    const mutated = (arch: string) =>
      mutateActivation(agent("DQN", arch), findAlgorithm("DQN"), {
        activation_selection: ["ReLU", "ELU"],
        key: { seed: 1 },
      });
    const { agent: cnn, mut } = mutated("cnn");
    expect(mut).toBe("act");
    expect(cnn.networks.actor?.data).toMatchObject({
      encoder: { activation: "ELU", output_activation: "ELU" },
      head: { activation: "ELU", output_activation: null },
    });
    for (const arch of ["simba", "resnet", "multiinput"]) expect(mutated(arch).mut).toBe("None");
  });

  it.each(Object.keys(ENCODERS))("%s keep their layers: methods change widths and kernels only", (arch) => {
    const { data } = agent(hasMemory(arch) ? "PPO" : "DQN", arch).networks.actor as { data: NetworkData };
    const paths = networkMethods(data).map(({ path }) => path);
    const own = paths.filter((path) => path.startsWith("encoder."));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((path) => /add_layer|remove_layer|block/.test(path))).toEqual([]);
  });

  it("a kernel's change that would add a layer changes nothing", () => {
    const settings = { channel_size: [8], kernel_size: [1], stride_size: [1] };
    const { data } = agentOf(
      { name: "DQN" },
      {
        observation_space: image,
        network: {
          encoder_config: { arch: "cnn", ...settings },
          head_config: { arch: "mlp", hidden_size: [16] },
        },
      },
    ).networks.actor as { data: NetworkData };
    expect(applyMethod(data, "encoder.change_kernel", { seed: 1 })).toMatchObject({
      data,
      path: "encoder.add_layer",
    });
  });

  it("repeat an extractor's change on the critic's extractor", () => {
    const roles = findAlgorithm("DDPG");
    const start = agent("DDPG", "multiinput");
    for (let seed = 0; seed < 40; seed++) {
      const { agent: after, mut } = mutateArchitecture(start, roles, { new_layer_prob: 0, key: { seed } });
      if (!mut.startsWith("encoder.feature_net.")) continue;
      expect(after.networks.critic?.data.encoder).toEqual(after.networks.actor?.data.encoder);
      return;
    }
    expect.unreachable("no extractor was drawn");
  });
});

describe("parameter mutation", () => {
  it("leaves kernels, recurrent weights and norms, and may reach noisy weights' sigmas", () => {
    const touched = (name: Name, arch: string) => {
      const roles = findAlgorithm(name);
      const start = agent(name, arch);
      const found = new Set<string>();
      for (let seed = 0; seed < 30; seed++) {
        const { agent: after } = mutateParameters(start, roles, { mutation_sd: 0.1, key: { seed } });
        for (const [tensor, values] of Object.entries(after.networks.actor?.tensors ?? {}))
          if (values.some((w, i) => w !== start.networks.actor?.tensors[tensor]?.[i])) found.add(tensor);
      }
      return [...found].sort();
    };
    expect(touched("PPO", "cnn_lstm")).toEqual([
      "encoder.lstm.output.weight",
      "head_net.linear_1.weight",
      "head_net.output.weight",
    ]);
    expect(touched("RainbowDQN", "cnn")).toEqual([
      "encoder.output.weight",
      "head_net.advantage.linear_1.weight",
      "head_net.advantage.linear_1.weight_sigma",
      "head_net.advantage.output.weight",
      "head_net.advantage.output.weight_sigma",
      "head_net.value.linear_1.weight",
      "head_net.value.linear_1.weight_sigma",
      "head_net.value.output.weight",
      "head_net.value.output.weight_sigma",
    ]);
  });
});

describe("encoders that do not fit", () => {
  const refused = (arch: string, observation_space: Space, config: object) => () =>
    agentOf(
      { name: "DQN" },
      {
        observation_space,
        network: {
          encoder_config: { arch, ...config },
          head_config: { arch: "mlp", hidden_size: [16] },
        },
      },
    );

  it.each([
    ["cnn", vector, convolutions],
    ["multiinput", image, {}],
    ["mlp", mixedSpace, { hidden_size: [8] }],
  ] as const)("%s: one error that names the architecture", (arch, space, config) => {
    expect(refused(arch, space, config)).toThrow(SpecError);
    expect(refused(arch, space, config)).toThrow(/network\.encoder_config/);
  });

  it("name the setting: kernels larger than the image, even kernels of a ResNet", () => {
    expect(refused("cnn", image, { ...convolutions, kernel_size: [3, 20] })).toThrow(
      /network\.encoder_config: kernel_size: found 3, 20 .* images of 13 x 12/,
    );
    const resnet = { channel_size: 32, kernel_size: 2, stride_size: 1, num_blocks: 1 };
    expect(refused("resnet", image, resnet)).toThrow(/kernel_size: found 2, allowed odd/);
  });
});

describe("files", () => {
  it("hold kernels as [out, in, row, column], gates as rows, and channels before places", () => {
    const state = agent("PPO", "cnn_lstm");
    const { tensors } = decodeSafetensors(encodeAgent(state), "f");
    const own = state.networks.actor?.tensors ?? {};
    const conv = tensors.get("actor.encoder.cnn.conv_2.weight");
    expect(conv?.shape).toEqual([8, 8, 2, 2]);
    // [out 3, in 5, row 1, column 0] of the file.
    expect(conv?.data[((3 * 8 + 5) * 2 + 1) * 2]).toBe(
      own["encoder.cnn.conv_2.weight"]?.[(2 * 8 + 5) * 8 + 3],
    );
    const gates = tensors.get("actor.encoder.lstm.lstm.weight_ih_l0");
    // After both kernels, the image is 11 x 10 with 8 channels.
    expect(gates?.shape).toEqual([48, 8 * 11 * 10]);
    const [gate, channel, row, column] = [17, 3, 4, 6];
    expect(gates?.data[gate * 880 + (channel * 11 + row) * 10 + column]).toBe(
      own["encoder.lstm.lstm.weight_ih_l0"]?.[((row * 10 + column) * 8 + channel) * 48 + gate],
    );
  });
});
