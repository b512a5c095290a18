import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CnnLstmSpec,
  CnnSpec,
  LstmSpec,
  MultiInputSpec,
  NetworkSection,
  parseSpec,
  ResnetSpec,
  type ResolveNetworkOptions,
  resolveNetwork,
  SimbaSpec,
  StochasticActorSpec,
} from "../../src/manifests/index.ts";
import { issueOf, specErrorOf } from "./issues.ts";

const convolutions = { channel_size: [32, 32], kernel_size: [3, 3], stride_size: [1, 1] };
const head_config = { hidden_size: [64] };
const section = (input: unknown) => parseSpec(NetworkSection, input);
const resolved = (input: unknown, options: ResolveNetworkOptions) => resolveNetwork(section(input), options);

describe("specs of encoders have the contract's defaults", () => {
  const cnn = {
    activation: "ReLU",
    layer_norm: false,
    init_layers: true,
    min_hidden_layers: 1,
    max_hidden_layers: 6,
    min_channel_size: 8,
    max_channel_size: 256,
  };
  const lstm = {
    num_layers: 1,
    min_hidden_state_size: 8,
    max_hidden_state_size: 256,
    min_layers: 1,
    max_layers: 6,
    dropout: 0,
  };

  it("CNN", () => {
    expect(parseSpec(CnnSpec, convolutions)).toEqual({ arch: "cnn", ...convolutions, ...cnn });
  });

  it("LSTM", () => {
    expect(parseSpec(LstmSpec, { hidden_state_size: 64 })).toEqual({
      arch: "lstm",
      hidden_state_size: 64,
      ...lstm,
    });
  });

  it("CNN and LSTM", () => {
    expect(parseSpec(CnnLstmSpec, { ...convolutions, hidden_state_size: 64 })).toEqual({
      arch: "cnn_lstm",
      ...convolutions,
      ...cnn,
      hidden_state_size: 64,
      ...lstm,
      output_activation: null,
    });
  });

  it("SimBa", () => {
    expect(parseSpec(SimbaSpec, { hidden_size: 128, num_blocks: 2 })).toEqual({
      arch: "simba",
      hidden_size: 128,
      num_blocks: 2,
      output_activation: null,
      scale_factor: 4,
      min_blocks: 1,
      max_blocks: 4,
      min_mlp_nodes: 8,
      max_mlp_nodes: 256,
    });
  });

  it("multi-input", () => {
    expect(parseSpec(MultiInputSpec, {})).toEqual({
      arch: "multiinput",
      latent_dim: 128,
      min_latent_dim: 16,
      max_latent_dim: 128,
      vector_space_mlp: false,
      mlp_config: null,
      cnn_config: null,
    });
  });

  it("ResNet, which is rlkit's own", () => {
    const sizes = { channel_size: 32, kernel_size: 3, stride_size: 1, num_blocks: 2 };
    expect(parseSpec(ResnetSpec, sizes)).toEqual({
      arch: "resnet",
      ...sizes,
      scale_factor: 4,
      min_blocks: 1,
      max_blocks: 4,
      min_channel_size: 32,
      max_channel_size: 256,
    });
  });
});

describe("declared encoders", () => {
  const declared = (encoder_config: object) => ({ encoder_config, head_config });

  it.each([
    [{ arch: "cnn", ...convolutions, channel_size: [32] }, "encoder_config.kernel_size"],
    [{ arch: "cnn", ...convolutions, channel_size: [32, 4] }, "encoder_config.channel_size[1]"],
    [{ arch: "cnn", ...convolutions, max_hidden_layers: 1 }, "encoder_config.channel_size"],
    [{ arch: "cnn", ...convolutions, hidden_size: [64] }, "encoder_config.hidden_size"],
    [{ arch: "lstm", hidden_state_size: 512 }, "encoder_config.hidden_state_size"],
    [{ arch: "lstm", hidden_state_size: 64, num_layers: 7 }, "encoder_config.num_layers"],
    [{ arch: "lstm", hidden_state_size: 64, dropout: 1.5 }, "encoder_config.dropout"],
    [{ arch: "lstm", hidden_state_size: 64, min_layers: -1 }, "encoder_config.min_layers"],
    [{ arch: "simba", hidden_size: [64], num_blocks: 2 }, "encoder_config.hidden_size"],
    [{ arch: "simba", hidden_size: 64, num_blocks: 5 }, "encoder_config.num_blocks"],
    [{ arch: "simba", hidden_size: 64 }, "encoder_config.num_blocks"],
    [{ arch: "multiinput", latent_dim: 8 }, "encoder_config.min_latent_dim"],
    [{ arch: "multiinput", cnn_config: { channel_size: [32] } }, "encoder_config.cnn_config.kernel_size"],
    [
      { arch: "resnet", channel_size: 16, kernel_size: 3, stride_size: 1, num_blocks: 1 },
      "encoder_config.min_channel_size",
    ],
  ])("refuse %o at %s", (encoder_config, path) => {
    const result = NetworkSection.safeParse(declared(encoder_config));
    expect(result.success).toBe(false);
    const issues = specErrorOf(() => section(declared(encoder_config))).issues;
    expect(issues.map((issue) => issue.path)).toContain(path);
  });

  it.each([
    [{ arch: "cnn", ...convolutions }, "vector", false],
    [{ arch: "resnet", channel_size: 32, kernel_size: 3, stride_size: 1, num_blocks: 1 }, "vector", false],
    [{ arch: "cnn_lstm", ...convolutions, hidden_state_size: 64 }, "vector", true],
    [{ arch: "mlp", hidden_size: [64] }, "mixed", false],
    [{ arch: "multiinput" }, "vector", false],
    [{ arch: "mlp", hidden_size: [64] }, "vector", true],
    [{ arch: "lstm", hidden_state_size: 64 }, "vector", false],
  ] as const)(
    "that do not fit are refused by name: %o for %s observations",
    (encoder, observation, recurrent) => {
      const error = specErrorOf(() => resolved(declared(encoder), { observation, recurrent }));
      expect(error.issues).toHaveLength(1);
      expect(error.issues[0]?.path).toBe("network.encoder_config.arch");
      expect(error.message).toContain(`found "${encoder.arch}"`);
    },
  );

  it("keep their own values, with the output activation known", () => {
    const simba = { arch: "simba", hidden_size: 64, num_blocks: 1, max_mlp_nodes: 80 };
    expect(resolved(declared(simba), {})).toMatchObject({
      simba: true,
      encoder_config: { ...simba, output_activation: "ReLU" },
    });
    const both = { arch: "cnn_lstm", ...convolutions, hidden_state_size: 64, activation: "Tanh" };
    expect(resolved(declared(both), { observation: "image", recurrent: true }).encoder_config).toMatchObject({
      ...both,
      output_activation: "Tanh",
    });
    const parts = { arch: "multiinput", cnn_config: convolutions };
    expect(resolved(declared(parts), { observation: "mixed" }).encoder_config).toMatchObject({
      latent_dim: 128,
      mlp_config: { arch: "mlp", hidden_size: [64, 64] },
      cnn_config: { arch: "cnn", ...convolutions },
    });
  });
});

describe("encoders that a section leaves open", () => {
  it.each([
    [{}, "vector", false, "mlp"],
    [{ simba: true }, "vector", false, "simba"],
    [{}, "vector", true, "lstm"],
    [{}, "image", false, "cnn"],
    [{ simba: true }, "image", false, "cnn"],
    [{}, "image", true, "cnn_lstm"],
    [{}, "mixed", false, "multiinput"],
    [{ simba: true }, "mixed", false, "multiinput"],
  ] as const)("%o over %s observations (recurrent: %s) is %s", (input, observation, recurrent, arch) => {
    const network = resolved(input, { observation, recurrent });
    expect(network.encoder_config.arch).toBe(arch);
    expect(network.simba).toBe(arch === "simba");
  });

  it("have the defaults of their kind", () => {
    const encoder = (options: ResolveNetworkOptions) => resolveNetwork(null, options).encoder_config;
    expect(encoder({ observation: "image" })).toMatchObject({
      channel_size: [32, 32],
      kernel_size: [3, 3],
      stride_size: [1, 1],
      min_channel_size: 16,
      max_channel_size: 256,
      layer_norm: false,
    });
    expect(encoder({ recurrent: true })).toMatchObject({
      hidden_state_size: 128,
      num_layers: 2,
      min_hidden_state_size: 16,
      max_hidden_state_size: 500,
      max_layers: 4,
    });
    expect(resolved({ simba: true }, {}).encoder_config).toMatchObject({
      hidden_size: 128,
      num_blocks: 2,
      scale_factor: 4,
      output_activation: "ReLU",
      min_mlp_nodes: 16,
      max_mlp_nodes: 500,
    });
    expect(encoder({ observation: "mixed" })).toMatchObject({
      latent_dim: 16,
      min_latent_dim: 8,
      vector_space_mlp: false,
      cnn_config: { channel_size: [32, 32] },
    });
  });

  it("give every convolution a kernel and a stride", () => {
    const three = { encoder_config: { channel_size: [16, 32, 64] } };
    expect(resolved(three, { observation: "image" }).encoder_config).toMatchObject({
      channel_size: [16, 32, 64],
      kernel_size: [3, 3, 3],
      stride_size: [1, 1, 1],
    });
    const kernels = { encoder_config: { kernel_size: [5] } };
    expect(resolved(kernels, { observation: "image" }).encoder_config).toMatchObject({
      channel_size: [32],
      kernel_size: [5],
    });
  });

  it("read simba's width as a number or a list of one", () => {
    for (const hidden_size of [96, [96]]) {
      expect(resolved({ simba: true, encoder_config: { hidden_size } }, {}).encoder_config).toMatchObject({
        hidden_size: 96,
      });
    }
  });

  it.each([
    [{ channel_size: [8] }, "vector", false, "channel_size"],
    [{ hidden_size: [8] }, "image", false, "hidden_size"],
    [{ hidden_size: [8] }, "vector", true, "hidden_size"],
    [{ num_blocks: 2 }, "vector", false, "num_blocks"],
  ] as const)(
    "refuse settings of another kind: %o over %s",
    (encoder_config, observation, recurrent, key) => {
      const error = specErrorOf(() => resolved({ encoder_config }, { observation, recurrent }));
      expect(error.issues).toMatchObject([{ path: `network.encoder_config.${key}`, code: "unknown_key" }]);
      expect(error.message).toContain("allowed keys:");
    },
  );

  it("refuse a width of several numbers for simba and one number for a perceptron", () => {
    const widths = { simba: true, encoder_config: { hidden_size: [64, 64] } };
    expect(specErrorOf(() => resolved(widths, {})).issues[0]?.path).toBe(
      "network.encoder_config.hidden_size",
    );
    const width = { encoder_config: { hidden_size: 64 } };
    expect(specErrorOf(() => resolved(width, {})).issues[0]?.path).toBe("network.encoder_config.hidden_size");
  });

  it("refuse memory with SimBa and over mixed observations", () => {
    const both = specErrorOf(() => resolved({ simba: true }, { recurrent: true }));
    expect(both.issues[0]?.path).toBe("network.simba");
    const mixed = specErrorOf(() => resolveNetwork(null, { observation: "mixed", recurrent: true }));
    expect(mixed.issues[0]?.path).toBe("algorithm.recurrent");
  });

  it("are checked for names and bounds before the kind is known", () => {
    expect(issueOf(NetworkSection, { encoder_config: { channel_sise: [8] } })).toMatchObject({
      path: "encoder_config.channel_sise",
      suggestion: "channel_size",
    });
    const crossed = { encoder_config: { hidden_state_size: 64, max_hidden_state_size: 32 } };
    expect(issueOf(NetworkSection, crossed).path).toBe("encoder_config.hidden_state_size");
    const uneven = { encoder_config: { channel_size: [8, 8], stride_size: [1] } };
    expect(issueOf(NetworkSection, uneven).path).toBe("encoder_config.stride_size");
  });

  it("always end within their own bounds, and keep every size given", () => {
    const size = fc.integer({ min: 1, max: 700 });
    const count = fc.integer({ min: 1, max: 9 });
    const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
    const cases = fc.oneof(
      fc.record({
        options: fc.constant<ResolveNetworkOptions>({ observation: "image" }),
        given: fc.record({
          channel_size: some(fc.array(size, { minLength: 1, maxLength: 9 })),
          min_channel_size: some(size),
          max_channel_size: some(size),
          min_hidden_layers: some(count),
          max_hidden_layers: some(count),
        }),
      }),
      fc.record({
        options: fc.constant<ResolveNetworkOptions>({ recurrent: true }),
        given: fc.record({
          hidden_state_size: some(size),
          min_hidden_state_size: some(size),
          max_hidden_state_size: some(size),
          num_layers: some(count),
          max_layers: some(count),
        }),
      }),
    );
    let accepted = 0;
    fc.assert(
      fc.property(cases, ({ options, given }) => {
        const parsed = NetworkSection.safeParse({ encoder_config: given });
        if (!parsed.success) return;
        accepted++;
        const { critic_head_config: _, ...network } = resolveNetwork(parsed.data, options);
        // Parsing checks every bound again.
        expect(parseSpec(StochasticActorSpec, network)).toEqual(network);
        const present = Object.entries(given).filter(([, value]) => value !== undefined);
        expect(network.encoder_config).toMatchObject(Object.fromEntries(present));
      }),
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(50);
  });
});
