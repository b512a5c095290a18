/** Critic networks that read the joint observations of several agents. */
import { describe, expect, it } from "vitest";
import { Agents, Box, Discrete } from "../../../src/rl/spaces.ts";
import { agentOf } from "../support/agents.ts";

const IMAGE = new Box({ low: 0, high: 255, shape: [1, 6, 6], dtype: "uint8" });
const SPACES = {
  observation_space: new Agents({ eye_0: IMAGE, hand_0: new Box({ low: -1, high: 1, shape: [3] }) }),
  action_space: new Agents({ eye_0: new Discrete(2), hand_0: new Discrete(3) }),
};
const CONVOLUTIONS = { channel_size: [9], kernel_size: [3], stride_size: [1] };
const HEAD = { latent_dim: 16, head_config: { hidden_size: [16] } };

describe.each(["MADDPG", "MATD3"] as const)("critics of %s over images", (name) => {
  it("have extractors of what agents see", () => {
    const { networks } = agentOf({ name }, { ...SPACES, network: HEAD });
    const key = name === "MADDPG" ? "critics.hand_0" : "critics_2.hand_0";
    expect(networks[key]?.data.encoder).toMatchObject({
      kind: "multiinput",
      parts: [
        { key: "eye_0", cnn: { channel_size: [32, 32] } },
        { key: "hand_0", size: 3, cnn: null },
      ],
    });
  });
});

describe("critics over images alone", () => {
  const EYES = {
    observation_space: new Agents({ eye_0: IMAGE, eye_1: IMAGE }),
    action_space: new Agents({ eye_0: new Discrete(2), eye_1: new Discrete(2) }),
  };

  it.each([
    ["an open section", CONVOLUTIONS],
    ["a whole section", { arch: "cnn", ...CONVOLUTIONS }],
  ])("have the actors' convolutions for each: %s", (_what, encoder_config) => {
    const { networks } = agentOf({ name: "MADDPG" }, { ...EYES, network: { ...HEAD, encoder_config } });
    expect(networks["actors.eye"]?.data.encoder).toMatchObject({ kind: "cnn", channel_size: [9] });
    expect(networks["critics.eye"]?.data.encoder).toMatchObject({
      kind: "multiinput",
      parts: [
        { key: "eye_0", cnn: { channel_size: [9] } },
        { key: "eye_1", cnn: { channel_size: [9] } },
      ],
    });
  });
});
