import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import {
  ACTIVATIONS,
  listAlgorithms,
  manifestJsonSchema,
  manifestToJson,
  manifestToObject,
  manifestToYaml,
  parseManifest,
  templates,
  validateManifest,
} from "../../src/manifests/index.ts";
import { manifestWith } from "./issues.ts";

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const real = (min: number, max: number) =>
  // -0 does not survive JSON.
  fc.double({ min, max, noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
const whole = (min: number, max = 1_000_000) => fc.integer({ min, max });
const label = fc.oneof(
  fc.string({ minLength: 1, maxLength: 6 }),
  fc.constantFrom("no", "1_000", "010", "1:30", "~", "1e3"),
);
const range = fc
  .tuple(real(0.001, 1), real(0.001, 1), real(1, 3), real(0, 1))
  .map(([a, b, grow_factor, shrink_factor]) => ({
    min: Math.min(a, b),
    max: Math.max(a, b),
    grow_factor,
    shrink_factor,
  }));

const dqn = fc.record({
  name: fc.constant("DQN"),
  batch_size: maybe(whole(1)),
  lr: maybe(real(0, 1)),
  tau: maybe(real(-1, 1e21)),
  double: maybe(fc.boolean()),
});
const ppo = fc.record({
  name: fc.constant("PPO"),
  learn_step: maybe(whole(1)),
  gamma: maybe(real(0, 1)),
  target_kl: maybe(fc.option(real(0, 1e-9))),
  rollout_buffer_config: maybe(
    fc.option(fc.constant({ selection_strategy: { a: [1, null] }, dormant_threshold: 0.01 })),
  ),
});
const mlp = fc.record({
  hidden_size: fc.array(whole(8, 256), { minLength: 1, maxLength: 3 }),
  activation: maybe(fc.constantFrom(...ACTIVATIONS)),
  output_activation: maybe(fc.option(fc.constantFrom(...ACTIVATIONS))),
  layer_norm: maybe(fc.boolean()),
});
const network = fc.oneof(
  fc.record({
    arch: fc.constant("mlp"),
    latent_dim: maybe(whole(16, 128)),
    encoder_config: mlp,
    head_config: mlp,
  }),
  fc.record({
    latent_dim: maybe(whole(1, 999)),
    encoder_config: maybe(mlp),
    head_config: maybe(fc.option(mlp)),
  }),
);
const selection = fc.oneof(
  fc.record({ tournament_size: maybe(whole(1)), elitism: maybe(fc.boolean()) }),
  fc.constant({ strategy: "multi_frequency", name: "mf" }),
);
const manifests = fc.record({
  apiVersion: maybe(fc.constantFrom("agilerl.com/v1")),
  algorithm: fc.oneof(dqn, ppo),
  environment: fc.record({
    name: label,
    num_envs: maybe(whole(1)),
    version: maybe(fc.option(fc.oneof(label, whole(-5, 5)))),
    env_config: maybe(
      fc.option(fc.oneof(label, fc.constant({ squash_output: false, selection_strategy: null }))),
    ),
    env_wrappers: maybe(fc.option(fc.array(fc.oneof(label, fc.tuple(label, fc.constant({ n: null })))))),
  }),
  training: maybe(
    fc.record({
      name: maybe(fc.option(label)),
      max_steps: maybe(whole(1, 2 ** 50)),
      pop_size: fc.constantFrom(8, 12, 16),
      hpo: maybe(fc.boolean()),
      target_score: maybe(fc.option(real(-1e30, 1e30))),
      eps_decay: maybe(fc.option(real(0, 1))),
      learn_from: maybe(fc.constantFrom("own", "population")),
      max_replay_ratio: maybe(real(1e-3, 100)),
      max_wall_seconds: maybe(fc.option(real(1e-9, 1e9))),
    }),
  ),
  network: maybe(fc.option(network)),
  mutation: maybe(
    fc.option(
      fc.record({
        probabilities: maybe(fc.record({ no_mut: maybe(real(0, 1)), rl_hp_mut: maybe(real(0, 1)) })),
        rl_hp_selection: maybe(fc.constantFrom({}).chain(() => fc.record({ lr: range, gamma: range }))),
        rand_seed: maybe(whole(0)),
        network: maybe(
          fc.option(fc.record({ min_latent_dim: maybe(whole(1, 8)), encoder: maybe(fc.constant({})) })),
        ),
        dormant_threshold: maybe(real(0, 1)),
      }),
    ),
  ),
  replay_buffer: maybe(
    fc.option(fc.record({ max_size: maybe(whole(1)), n_step_buffer: maybe(fc.boolean()) })),
  ),
  selection_strategy: maybe(fc.option(selection)),
});

/** Removes undefined fields, as a round trip through text does. */
const plain = (value: unknown): Record<string, unknown> => JSON.parse(JSON.stringify(value));

describe("a manifest that is written and read again", () => {
  it("is the same manifest, through an object, YAML and JSON", () => {
    let valid = 0;
    fc.assert(
      fc.property(manifests, (input) => {
        const result = validateManifest(plain(input));
        if (!result.success) return;
        valid++;
        const { manifest } = result;
        expect(parseManifest(manifestToObject(manifest))).toEqual(manifest);
        expect(parseManifest(manifestToYaml(manifest))).toEqual(manifest);
        expect(parseManifest(manifestToJson(manifest))).toEqual(manifest);
      }),
      { numRuns: 300 },
    );
    expect(valid).toBeGreaterThan(100);
  });

  it("reads the same in YAML 1.1, which AgileRL reads", () => {
    const training = { name: "no", target_score: 1e-7, max_steps: 1_000_000, checkpoint_path: "1_000" };
    const manifest = parseManifest(manifestWith({ training, environment: { name: "on", version: "1:30" } }));
    const text = manifestToYaml(manifest);
    expect(parse(text, { version: "1.1" })).toEqual(manifestToObject(manifest));
    expect(text).toContain("1.0e-7");
  });
});

describe("manifestToObject", () => {
  const written = (parts: Record<string, unknown>) => manifestToObject(parseManifest(manifestWith(parts)));

  it("uses AgileRL's keys and version", () => {
    const object = written({ apiVersion: "rlkit/v1", selection_strategy: {} });
    expect(object.apiVersion).toBe("agilerl.com/v1");
    expect(object.tournament_selection).toEqual({
      strategy: "tournament",
      tournament_size: 2,
      elitism: true,
    });
    expect(object).not.toHaveProperty("selection_strategy");
  });

  it("leaves out nulls, absent sections and what only clusters read", () => {
    const object = written({});
    expect(Object.keys(object)).toEqual(["apiVersion", "algorithm", "environment", "training"]);
    expect(JSON.stringify(object)).not.toContain("null");
    for (const key of ["rollout_mode", "training_gpus_per_agent", "learn_from", "max_replay_ratio"])
      expect(object.training).not.toHaveProperty(key);
    const elsewhere = written({ training: { training_gpus_per_agent: 2 } });
    expect(elsewhere.training).toHaveProperty("training_gpus_per_agent", 2);
  });

  it("names the algorithm and says the number of environments once", () => {
    const object = written({ algorithm: { name: "PPO", num_envs: 8 } });
    expect(object.algorithm).toMatchObject({ name: "PPO", learn_step: 2048 });
    expect(object.algorithm).not.toHaveProperty("num_envs");
    expect(object.algorithm).not.toHaveProperty("net_config");
    expect(object.environment).toMatchObject({ num_envs: 8 });
  });

  it("keeps arch in the encoder, where AgileRL reads it, and squash_output only where it is on", () => {
    const mlp = { hidden_size: [64] };
    const network = { arch: "mlp", encoder_config: mlp, head_config: mlp };
    const object = written({ network });
    expect(object.network).toMatchObject({ encoder_config: { arch: "mlp", hidden_size: [64] } });
    expect(object).not.toHaveProperty("network.head_config.arch");
    expect(object).not.toHaveProperty("network.squash_output");
    const squashed = written({ algorithm: { name: "PPO" }, network: { ...network, squash_output: true } });
    expect(squashed).toHaveProperty("network.squash_output", true);
  });

  it("writes minari_dataset_id for the hub's dataset", () => {
    const environment = { name: "CartPole-v1", hub_dataset_id: "a/b" };
    const object = written({ algorithm: { name: "CQN" }, environment });
    expect(object.environment).toHaveProperty("minari_dataset_id", "a/b");
    expect(object.environment).not.toHaveProperty("hub_dataset_id");
  });
});

describe("manifestJsonSchema", () => {
  const schema = manifestJsonSchema();
  const head_config = { hidden_size: [64] };
  const check = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);

  it("is a draft 2020-12 schema with the algorithm as oneOf", () => {
    expect(schema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      additionalProperties: false,
      required: ["algorithm", "environment"],
      "x-manifest-version": "agilerl.com/v1",
    });
    const { algorithm } = schema.properties as { algorithm: { oneOf: Record<string, unknown>[] } };
    const own = algorithm.oneOf.filter(({ deprecated }) => deprecated !== true);
    expect(own).toHaveLength(listAlgorithms().length);
    for (const [index, option] of own.entries()) {
      const { language_model, evolution_strategy } = listAlgorithms()[index] ?? {};
      const [sized, most] = evolution_strategy ? ["episodes", 4] : ["batch_size", language_model ? 32 : 512];
      expect(option).toHaveProperty("properties.name.const", listAlgorithms()[index]?.name);
      expect(option.required).toEqual(["name"]);
      expect(option).toHaveProperty(["x-hpo-ranges", String(sized), "max"], most);
      expect(option).not.toHaveProperty("properties.net_config");
    }
  });

  it("has help for every field", () => {
    const missing: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== "object" || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === "properties") {
          for (const [name, property] of Object.entries(value as Record<string, { description?: string }>)) {
            if ((property.description ?? "").length < 8) missing.push(`${path}.${name}`);
          }
        }
        visit(value, `${path}.${key}`);
      }
    };
    visit(schema, "");
    expect(missing).toEqual([]);
  });

  it("has no limits of the number type", () => {
    expect(JSON.stringify(schema)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  it("accepts the templates, also as they are exported, and other names of keys", () => {
    for (const { manifest } of templates) {
      expect(check.safeParse(manifest).error).toBeUndefined();
      expect(check.safeParse(manifestToObject(parseManifest(manifest))).error).toBeUndefined();
    }
    const training = { population_size: 4, metrics_interval: 5 };
    expect(check.safeParse(manifestWith({ training, tournament_selection: {} })).success).toBe(true);
  });

  it.each([
    [{ algorithm: { name: "Recurrent PPO", learn_step: 64 } }],
    [{ algorithm: { name: "RecurrentPPO" } }],
    [{ algorithm: { name: "Rainbow DQN", num_atoms: 21 } }],
    [
      {
        network: { arch: "mlp", encoder_config: { hidden_size: [64] }, head_config },
      },
    ],
    [{ network: { arch: "simba", encoder_config: { hidden_size: 64, num_blocks: 1 }, head_config } }],
  ])("accepts %o, as the manifest does", (parts) => {
    const manifest = manifestWith(parts);
    expect(validateManifest(manifest).success).toBe(true);
    expect(check.safeParse(manifest).error).toBeUndefined();
  });

  it.each([
    [{ algorithm: { name: "Recurrent PPO", tau: 0.1 } }],
    [{ network: { arch: "mpl", encoder_config: { hidden_size: [64] }, head_config } }],
    [{ algorithm: { name: "DNQ" } }],
    [{ algorithm: {} }],
    [{ training: { max_steps: 0 } }],
    [{ training: { max_step: 5 } }],
    [{ frobnicate: 1 }],
    [{ mutation: { probabilities: { no_mut: 2 } } }],
    [{ environment: {} }],
  ])("refuses %o", (parts) => {
    expect(check.safeParse(manifestWith(parts)).success).toBe(false);
  });
});
