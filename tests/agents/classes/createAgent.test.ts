import { describe, expect, it } from "vitest";
import { parseManifestObject } from "../../../src/manifests/index.ts";
import { environmentOf, initialMembers } from "../../../src/training/plan.ts";
import { agentOf, SMALL_NETWORK } from "../../rl/support/agents.ts";
import { dqn, NETWORK } from "../../training/support/tiny.ts";

describe("network.random_seed", () => {
  const weights = (seed: number, random_seed: number | null, index = 0) =>
    agentOf({ name: "PPO" }, { network: { ...SMALL_NETWORK, random_seed }, seed, index }).networks;

  it("is the seed of first weights, the run's being that where there is none", () => {
    expect(weights(1, 7)).toEqual(weights(2, 7));
    expect(weights(1, 7)).toEqual(weights(7, null));
    expect(weights(1, 7)).not.toEqual(weights(1, null));
    expect(weights(1, 7)).not.toEqual(weights(1, 8));
    expect(weights(1, 0)).toEqual(weights(0, null));
  });

  it("leaves members different", () => {
    expect(weights(1, 7, 0)).not.toEqual(weights(1, 7, 1));
  });

  it("reaches a run's members from its manifest", () => {
    const { environment, algorithm, training } = dqn();
    const first = (seed: number, random_seed: number) => {
      const network = { ...NETWORK, random_seed };
      const manifest = parseManifestObject({ environment, algorithm, training, network });
      return initialMembers(manifest, environmentOf(manifest), seed).map(({ networks }) => networks);
    };
    expect(first(1, 7)).toEqual(first(2, 7));
    expect(first(1, 7)).not.toEqual(first(1, 8));
  });
});
