import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isDeclared,
  MlpSpec,
  NETWORK_DEFAULTS,
  NetworkMutationRanges,
  NetworkSection,
  type NetworkSectionInput,
  NetworkSpec,
  parseSpec,
  resolveNetwork,
  StochasticActorSpec,
} from "../../src/manifests/index.ts";
import { issueOf, specErrorOf } from "./issues.ts";

const withoutUndefined = (record: object) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

const section = (input: unknown) => parseSpec(NetworkSection, input);

describe("MlpSpec", () => {
  it("has the contract's defaults", () => {
    expect(parseSpec(MlpSpec, { hidden_size: [64] })).toEqual({
      arch: "mlp",
      hidden_size: [64],
      activation: "ReLU",
      output_activation: null,
      layer_norm: true,
      init_layers: true,
      output_vanish: true,
      min_hidden_layers: 1,
      max_hidden_layers: 6,
      min_mlp_nodes: 8,
      max_mlp_nodes: 256,
    });
  });

  it.each([
    [{}, "hidden_size", "missing"],
    [{ hidden_size: [] }, "hidden_size", "range"],
    [{ hidden_size: [64, 4] }, "hidden_size[1]", "range"],
    [{ hidden_size: [64, 512] }, "hidden_size[1]", "range"],
    [{ hidden_size: [64, 64], max_hidden_layers: 1 }, "hidden_size", "range"],
    [{ hidden_size: [64], min_hidden_layers: 2 }, "hidden_size", "range"],
    [{ hidden_size: [64], activation: "Relu6" }, "activation", "value"],
    [{ hidden_size: [64], activaton: "ReLU" }, "activaton", "unknown_key"],
  ])("refuses %o at %s", (input, path, code) => {
    expect(issueOf(MlpSpec, input)).toMatchObject({ path, code });
  });

  it("refuses bounds that cross", () => {
    const nodes = { hidden_size: [64], min_mlp_nodes: 65, max_mlp_nodes: 64 };
    expect(() => parseSpec(MlpSpec, nodes)).toThrow(
      "min_mlp_nodes: found 65; must be at most max_mlp_nodes (64)",
    );
    const layers = { hidden_size: [64], min_hidden_layers: 3, max_hidden_layers: 2 };
    expect(() => parseSpec(MlpSpec, layers)).toThrow("min_hidden_layers: found 3");
  });
});

describe("network sections", () => {
  const mlp = { hidden_size: [64] };

  it("that declare an architecture are whole, with the contract's latent sizes", () => {
    const given: NetworkSectionInput = { arch: "mlp", encoder_config: mlp, head_config: mlp };
    const network = section(given);
    expect(isDeclared(network)).toBe(true);
    expect(network).toMatchObject({
      latent_dim: 128,
      min_latent_dim: 16,
      max_latent_dim: 128,
      squash_output: false,
    });
    expect(network.encoder_config).toEqual(parseSpec(MlpSpec, mlp));
  });

  it("take arch inside the encoder before arch at the root", () => {
    const both = { arch: "cnn", encoder_config: { arch: "mlp", ...mlp }, head_config: mlp };
    expect(section(both).encoder_config).toMatchObject({ arch: "mlp" });
  });

  it("know that arch simba means simba", () => {
    const encoder_config = { hidden_size: 64, num_blocks: 2 };
    expect(section({ arch: "simba", encoder_config, head_config: mlp }).simba).toBe(true);
  });

  it("that declare none keep only what is given", () => {
    const network = section({
      latent_dim: 32,
      encoder_config: { hidden_size: [32], output_activation: null },
    });
    expect(isDeclared(network)).toBe(false);
    expect(network).toEqual({
      latent_dim: 32,
      encoder_config: { hidden_size: [32] },
      head_config: null,
      random_seed: null,
      simba: false,
      squash_output: false,
      has_evolvable_encoder: false,
    });
  });

  it.each([
    [{ arch: "mlp", encoder_config: mlp }, "head_config", "missing"],
    [{ arch: "mpl", encoder_config: mlp, head_config: mlp }, "encoder_config.arch", "value"],
    [{ arch: "mlp", simba: true, encoder_config: mlp, head_config: mlp }, "simba", "rule"],
    [{ simba: 1 }, "simba", "type"],
    [{ encoder_config: { hidden_sise: [64] } }, "encoder_config.hidden_sise", "unknown_key"],
    [{ latent_size: 64 }, "latent_size", "unknown_key"],
    [{ latent_dim: 64, max_latent_dim: 32 }, "latent_dim", "range"],
    [{ arch: "mlp", latent_dim: 200, encoder_config: mlp, head_config: mlp }, "latent_dim", "range"],
    [{ encoder_config: { hidden_size: [64], max_mlp_nodes: 32 } }, "encoder_config.hidden_size[0]", "range"],
    [{ pretrained_model_name_or_path: "a/b" }, "pretrained_model_name_or_path", "rule"],
    [{ encoder_config: 5 }, "encoder_config", "type"],
  ])("refuse %o at %s", (input, path, code) => {
    expect(issueOf(NetworkSection, input)).toMatchObject({ path, code });
  });

  it("say which width of a list is wrong, whether or not an architecture is declared", () => {
    const encoder_config = { hidden_size: [32, "x"] };
    for (const arch of [{}, { arch: "mlp", head_config: mlp }]) {
      expect(issueOf(NetworkSection, { ...arch, encoder_config })).toMatchObject({
        path: "encoder_config.hidden_size[1]",
        message: 'expected a number, found "x"',
      });
    }
    expect(issueOf(NetworkSection, { encoder_config: { hidden_size: "x" } })).toMatchObject({
      path: "encoder_config.hidden_size",
      message: 'expected a list or a number, found "x"',
    });
  });

  it("are known as specs of their own", () => {
    const network = parseSpec(NetworkSpec, { encoder_config: mlp, head_config: mlp });
    expect(network).not.toHaveProperty("squash_output");
    expect(parseSpec(StochasticActorSpec, { encoder_config: mlp, head_config: mlp }).squash_output).toBe(
      false,
    );
  });
});

describe("resolveNetwork", () => {
  const defaults = {
    activation: "ReLU",
    layer_norm: true,
    init_layers: true,
    min_hidden_layers: 1,
    max_hidden_layers: 3,
    min_mlp_nodes: 16,
    max_mlp_nodes: 500,
  };

  it("gives the constructors' network when nothing is said", () => {
    expect(resolveNetwork(null)).toEqual({
      latent_dim: 64,
      min_latent_dim: 8,
      max_latent_dim: 128,
      encoder_config: {
        arch: "mlp",
        ...defaults,
        hidden_size: [64, 64],
        output_activation: "ReLU",
        output_vanish: false,
      },
      head_config: {
        arch: "mlp",
        ...defaults,
        hidden_size: [64],
        output_activation: null,
        output_vanish: true,
      },
      critic_head_config: null,
      random_seed: null,
      simba: false,
      squash_output: false,
      has_evolvable_encoder: false,
    });
  });

  it("gives the value network its own head only where the section gives none", () => {
    const criticHead = [16];
    const alone = resolveNetwork(null, { criticHead });
    expect(alone.head_config.hidden_size).toEqual([64]);
    expect(alone.critic_head_config?.hidden_size).toEqual([16]);
    const given = resolveNetwork(section({ head_config: { hidden_size: [32], activation: "Tanh" } }), {
      criticHead,
    });
    expect(given.critic_head_config).toEqual(given.head_config);
    expect(given.head_config).toMatchObject({ hidden_size: [32], activation: "Tanh" });
  });

  it("keeps what is given and lets the encoder's output follow its activation", () => {
    const network = resolveNetwork(
      section({
        latent_dim: 32,
        encoder_config: { hidden_size: [24], activation: "Tanh", layer_norm: false },
      }),
    );
    expect(network.latent_dim).toBe(32);
    expect(network.encoder_config).toMatchObject({
      hidden_size: [24],
      activation: "Tanh",
      output_activation: "Tanh",
      layer_norm: false,
    });
    const explicit = resolveNetwork(section({ encoder_config: { output_activation: "Identity" } }));
    expect(explicit.encoder_config).toMatchObject({ output_activation: "Identity" });
  });

  it("keeps a declared section's own values", () => {
    const mlp = { hidden_size: [64] };
    const network = resolveNetwork(section({ arch: "mlp", encoder_config: mlp, head_config: mlp }), {
      criticHead: [16],
    });
    expect(network).toMatchObject({ latent_dim: 128, min_latent_dim: 16 });
    expect(network.encoder_config).toMatchObject({
      max_mlp_nodes: 256,
      output_activation: "ReLU",
      output_vanish: false,
    });
    expect(network.critic_head_config).toEqual(network.head_config);
  });

  it("takes mutation's bounds where there is no section", () => {
    const ranges = parseSpec(NetworkMutationRanges, {
      max_latent_dim: 32,
      encoder: { max_mlp_nodes: 48 },
      head_net: { min_hidden_layers: 2 },
    });
    const network = resolveNetwork(null, { ranges });
    expect(network).toMatchObject({ latent_dim: 32, max_latent_dim: 32 });
    expect(network.encoder_config).toMatchObject({ hidden_size: [48, 48], max_mlp_nodes: 48 });
    expect(network.head_config).toMatchObject({ hidden_size: [64, 64], min_hidden_layers: 2 });
    const wrong = parseSpec(NetworkMutationRanges, { encoder: { max_nodes: 48 } });
    expect(specErrorOf(() => resolveNetwork(null, { ranges: wrong })).issues[0]?.path).toBe(
      "mutation.network.encoder_config.max_nodes",
    );
  });

  it("always ends within its own bounds, and keeps every size given", () => {
    const size = fc.integer({ min: 1, max: 700 });
    const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
    const given = fc.record({
      latent_dim: some(size),
      hidden_size: some(fc.array(size, { minLength: 1, maxLength: 9 })),
      min_mlp_nodes: some(size),
      max_mlp_nodes: some(size),
      min_hidden_layers: some(fc.integer({ min: 1, max: 9 })),
      max_hidden_layers: some(fc.integer({ min: 1, max: 9 })),
      min_latent_dim: some(size),
      max_latent_dim: some(size),
    });
    let accepted = 0;
    fc.assert(
      fc.property(given, ({ latent_dim, min_latent_dim, max_latent_dim, ...mlp }) => {
        const raw = { latent_dim, min_latent_dim, max_latent_dim, encoder_config: mlp, head_config: mlp };
        const parsed = NetworkSection.safeParse(raw);
        if (!parsed.success) return;
        accepted++;
        const network = resolveNetwork(parsed.data);
        // Parsing checks every bound again.
        const { critic_head_config: _, ...spec } = network;
        expect(parseSpec(StochasticActorSpec, spec)).toEqual(spec);
        expect(network).toMatchObject(withoutUndefined({ latent_dim }));
        for (const part of [network.encoder_config, network.head_config]) {
          expect(part).toMatchObject(withoutUndefined(mlp));
        }
      }),
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(50);
    expect(NETWORK_DEFAULTS.latent_dim).toBe(64);
  });
});
