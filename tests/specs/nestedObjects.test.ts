/** Objects that no manifest has: nested thousands deep, containing themselves, or without a prototype. */
import { describe, expect, it } from "vitest";
import {
  listAlgorithms,
  MutationSpec,
  manifestToObject,
  parseManifest,
  SpecError,
  TrainingSpec,
} from "../../src/manifests/index.ts";
import { llmEnvShape } from "../../src/specs/sections.ts";

const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  apiVersion: [],
  algorithm: [...new Set(listAlgorithms().flatMap(({ schema }) => Object.keys(schema.shape)))],
  environment: ["env_type", "name", "env_config", "env_wrappers", "path", ...Object.keys(llmEnvShape)],
  training: Object.keys(TrainingSpec.parse({})),
  network: ["arch", "latent_dim", "encoder_config", "head_config", "simba", "lora_config"],
  mutation: Object.keys(MutationSpec.parse({})),
  replay_buffer: ["kind", "max_size", "per_buffer_args"],
  selection_strategy: ["strategy", "tournament_size"],
};

const BASE = { algorithm: { name: "DQN" }, environment: { name: "CartPole-v1" } };
const GRPO = {
  algorithm: { name: "GRPO" },
  environment: { env_type: "rollout", entrypoint: "rlkit/ConstantTarget" },
  network: { pretrained_model_name_or_path: "rlkit/tiny-digits", max_context_length: 16 },
};

/** Manifests with a value at each place: a section, or a field of one. */
function* withEach(value: unknown): Generator<readonly [place: string, manifest: Record<string, unknown>]> {
  yield ["", value as Record<string, unknown>];
  for (const base of [BASE, GRPO] as readonly Record<string, object>[])
    for (const [section, fields] of Object.entries(SECTIONS)) {
      yield [section, { ...base, [section]: value }];
      for (const field of fields)
        yield [`${section}.${field}`, { ...base, [section]: { ...base[section], [field]: value } }];
    }
}

/** What parsing ends with: "valid", "SpecError", or another error's name. */
function outcome(manifest: Record<string, unknown>): string {
  try {
    manifestToObject(parseManifest(manifest));
    return "valid";
  } catch (error) {
    return error instanceof SpecError ? "SpecError" : String(error);
  }
}

const bare = (fields: object = {}): object => Object.assign(Object.create(null), fields) as object;

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = wrap(1);
  for (let level = 1; level < levels; level++) value = wrap(value);
  return value;
}

describe("a value nested 5,000 deep", () => {
  it.each([
    ["mappings", (inner: unknown) => ({ inner })],
    ["lists", (inner: unknown) => [inner]],
    ["mappings without a prototype", (inner: unknown) => bare({ inner })],
  ])("of %s is a SpecError at every place", (_what, wrap) => {
    const deep = nested(5_000, wrap);
    const others = [...withEach(deep)].filter(([, manifest]) => outcome(manifest) !== "SpecError");
    expect(others.map(([place]) => place)).toEqual([]);
  });

  it("is named by its place, with what is allowed", () => {
    const environment = { name: "CartPole-v1", env_config: nested(5_000, (inner) => ({ inner })) };
    expect(() => parseManifest({ ...BASE, environment })).toThrow(
      "environment.env_config: found values nested more than 100 levels deep; a manifest may have at most 100",
    );
    expect(
      outcome({ ...BASE, environment: { ...environment, env_config: nested(97, (inner) => ({ inner })) } }),
    ).toBe("valid");
    expect(
      outcome({ ...BASE, environment: { ...environment, env_config: nested(99, (inner) => ({ inner })) } }),
    ).toBe("SpecError");
  });

  it("includes one that contains itself, and one that is shared in many ways", () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(outcome({ ...BASE, environment: { name: "CartPole-v1", env_config: circle } })).toBe("SpecError");
    const shared = nested(5_000, (inner) => [inner, inner, inner]);
    expect(outcome({ ...BASE, algorithm: shared as object })).toBe("SpecError");
  });
});

describe("values without a prototype", () => {
  it("are accepted or a SpecError at every place", () => {
    const found = [...withEach(bare()), ...withEach({ toString: null, valueOf: null })]
      .map(([place, manifest]) => [place, outcome(manifest)])
      .filter(([, end]) => end !== "valid" && end !== "SpecError");
    expect(found).toEqual([]);
  });

  it("are read as other mappings are", () => {
    const manifest = bare({ algorithm: bare(BASE.algorithm), environment: bare(BASE.environment) });
    expect(parseManifest(manifest as Record<string, unknown>)).toEqual(parseManifest(BASE));
  });
});
