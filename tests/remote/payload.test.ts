/** Manifests as they are sent to the platform. */
import { describe, expect, it } from "vitest";
import {
  MutationSpec,
  parseManifest,
  type TrainingManifestInput,
  templates,
} from "../../src/manifests/index.ts";
import { manifestPayload } from "../../src/remote/index.ts";

const SECTIONS = { algorithm: { name: "DQN" }, environment: { name: "CartPole-v1" } } as const;
const payloadOf = (sections: Partial<TrainingManifestInput> = {}) =>
  manifestPayload(parseManifest({ ...SECTIONS, ...sections }));

/** Whether a value contains null anywhere. */
const hasNull = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.values(value).some(hasNull));

describe("a payload", () => {
  it.each(templates.map(({ id, manifest }) => [id, manifest]))(
    "of %s is valid, and makes itself again",
    (_, manifest) => {
      const payload = manifestPayload(parseManifest(manifest));
      const sent: unknown = JSON.parse(JSON.stringify(payload));
      expect(sent).toEqual(payload);
      expect(hasNull(payload)).toBe(false);
      // `sent` is an object, as it was one before it was serialised.
      expect(manifestPayload(parseManifest(sent as Record<string, unknown>))).toEqual(payload);
    },
  );

  it("has the keys of AgileRL", () => {
    expect(payloadOf()).toMatchObject({
      apiVersion: "agilerl.com/v1",
      tournament_selection: { strategy: "tournament" },
    });
    expect(payloadOf()).not.toHaveProperty("selection_strategy");
  });

  it("leaves an empty network section out, and no other", () => {
    expect(payloadOf({ network: {} })).not.toHaveProperty("network");
    expect(payloadOf({ network: { latent_dim: 8 } }).network).toMatchObject({ latent_dim: 8 });
    const declared = {
      encoder_config: { arch: "mlp" as const, hidden_size: [8] },
      head_config: { hidden_size: [8] },
    };
    expect(payloadOf({ network: declared }).network).toMatchObject({ encoder_config: { arch: "mlp" } });
  });

  it("leaves settings of clusters out unless they are given", () => {
    const { training } = payloadOf();
    expect(training).not.toHaveProperty("rollout_mode");
    expect(training).not.toHaveProperty("training_gpus_per_agent");
    expect(payloadOf().algorithm).not.toHaveProperty("num_envs");
  });

  it("evolves with hpo as a local run does", () => {
    const { mutation } = payloadOf({ training: { hpo: true } });
    expect(mutation).toMatchObject({ probabilities: MutationSpec.parse({}).probabilities });
    const own = payloadOf({ training: { hpo: true }, mutation: { probabilities: { no_mut: 0.9 } } });
    expect(own.mutation).toMatchObject({ probabilities: { no_mut: 0.9 } });
  });

  it("is refused for multi-frequency selection", () => {
    const selection_strategy = { strategy: "multi_frequency" } as const;
    expect(() => payloadOf({ training: { pop_size: 8 }, selection_strategy })).toThrow("MF-PBT");
  });
});
