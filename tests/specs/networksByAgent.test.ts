/** The network section as a map from agents to networks. */
import { describe, expect, it } from "vitest";
import { manifestToObject, parseManifest, validateManifest } from "../../src/manifests/index.ts";
import { manifestIssues } from "./issues.ts";

const manifestOf = (network: unknown, more: object = {}) => ({
  algorithm: { name: "MADDPG" },
  environment: { name: "simple_speaker_listener_v4" },
  network,
  ...more,
});
const OPEN = { latent_dim: 32, encoder_config: { hidden_size: [48] }, head_config: { hidden_size: [40] } };
const WHOLE = { ...OPEN, encoder_config: { arch: "mlp", hidden_size: [24] } };

describe("a network section by agents", () => {
  it("holds a section for each, open or whole, and comes back from an export", () => {
    const manifest = parseManifest(manifestOf({ speaker_0: OPEN, listener_0: WHOLE }));
    expect(manifest.network).toMatchObject({
      speaker_0: { latent_dim: 32, encoder_config: { hidden_size: [48] } },
      listener_0: { encoder_config: { arch: "mlp", hidden_size: [24], layer_norm: true } },
    });
    const exported = manifestToObject(manifest);
    expect(exported.network).toMatchObject({ listener_0: { head_config: { hidden_size: [40] } } });
    expect(JSON.stringify(exported.network)).not.toContain("null");
    expect(parseManifest(exported)).toEqual(manifest);
  });

  it("may be the algorithm's own net_config", () => {
    const { network, algorithm } = parseManifest({
      algorithm: { name: "IPPO", net_config: { speaker_0: OPEN } },
      environment: { name: "simple_speaker_listener_v4" },
    });
    expect(network).toMatchObject({ speaker_0: { latent_dim: 32 } });
    expect(algorithm).toMatchObject({ net_config: null });
  });

  it("takes the bounds of mutation.network into each section", () => {
    const { network, mutation } = parseManifest(
      manifestOf(
        { speaker_0: OPEN, listener_0: { ...OPEN, max_latent_dim: 64 } },
        { mutation: { network: { max_latent_dim: 96, encoder: { max_mlp_nodes: 300 } } } },
      ),
    );
    expect(network).toMatchObject({
      speaker_0: { max_latent_dim: 96, encoder_config: { max_mlp_nodes: 300 } },
      listener_0: { max_latent_dim: 64, encoder_config: { max_mlp_nodes: 300 } },
    });
    expect(mutation?.network).toBeNull();
  });

  it("names the agent in a problem of its section", () => {
    const [issue, ...others] = manifestIssues(
      manifestOf({ speaker_0: OPEN, listener_0: { ...OPEN, latent_dims: 3 } }),
    );
    expect(others).toEqual([]);
    expect(issue).toMatchObject({ path: "network.listener_0.latent_dims", suggestion: "latent_dim" });
  });

  it("is refused for an algorithm of one agent", () => {
    const [issue, ...others] = manifestIssues({
      ...manifestOf({ speaker_0: OPEN, listener_0: OPEN }),
      algorithm: { name: "DQN" },
    });
    expect(others).toEqual([]);
    expect(issue).toMatchObject({
      path: "network",
      message: "found networks of the agents speaker_0, listener_0; DQN trains one agent; give one network",
    });
  });

  it.each([
    ["of all agents", (section: object) => section, "network"],
    ["of one agent", (section: object) => ({ speaker_0: section }), "network.speaker_0"],
  ])("is refused with memory, %s", (_what, networkOf, place) => {
    const lstm = { ...OPEN, encoder_config: { arch: "lstm", hidden_state_size: 32 } };
    for (const name of ["MADDPG", "MATD3", "IPPO"]) {
      const [issue, ...others] = manifestIssues({ ...manifestOf(networkOf(lstm)), algorithm: { name } });
      expect(others).toEqual([]);
      expect(issue?.path).toBe(`${place}.encoder_config.arch`);
      expect(issue?.message).toMatch(
        new RegExp(`found "lstm"; agents of ${name} have no memory; allowed: mlp`),
      );
    }
  });

  it("is refused with memory for an algorithm of one agent without it, and where it is off", () => {
    const messageOf = (name: string) =>
      manifestIssues({
        algorithm: { name },
        environment: { name: "CartPole-v1" },
        network: { ...OPEN, encoder_config: { arch: "lstm", hidden_state_size: 32 } },
      })[0]?.message;
    expect(messageOf("DQN")).toMatch(/found "lstm"; agents of DQN have no memory; allowed: mlp/);
    for (const name of ["PPO", "ES"])
      expect(messageOf(name)).toMatch(/found "lstm"; .* set algorithm.recurrent to true, or/);
  });

  it("squashes the actions of IPPO alone", () => {
    const squashed = { speaker_0: { ...OPEN, squash_output: true } };
    expect(manifestIssues(manifestOf(squashed))[0]?.path).toBe("network.speaker_0.squash_output");
    expect(validateManifest({ ...manifestOf(squashed), algorithm: { name: "IPPO" } }).success).toBe(true);
  });
});

it("a section's misspelt key is no agent", () => {
  const [issue] = manifestIssues(manifestOf({ encoder_confg: { hidden_size: [64] } }));
  expect(issue).toMatchObject({ path: "network.encoder_confg", suggestion: "encoder_config" });
});
