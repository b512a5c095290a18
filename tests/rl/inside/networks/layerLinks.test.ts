import { describe, expect, it } from "vitest";
import { tensorShape } from "../../../../src/evolution/members.ts";
import {
  continuousQNetwork,
  layerLinks,
  type NetworkData,
  networkStructure,
  qNetwork,
  rainbowNetwork,
} from "../../../../src/rl/networks.ts";
import { Box } from "../../../../src/rl/spaces.ts";
import { agentOf } from "../../support/agents.ts";
import { mixedSpace } from "../support/moduleKinds.ts";
import { networkSettings, numbers } from "../support/settings.ts";

const image = new Box({ low: 0, high: 255, shape: [13, 12, 2], dtype: "uint8" });
const convolutions = { channel_size: [8, 8], kernel_size: [2, 2], stride_size: [1, 1] };

/** Sources of each layer as text. */
const sourcesOf = (data: NetworkData): Record<string, string> =>
  Object.fromEntries(
    layerLinks(data).map(({ layer, sources }) => [
      layer,
      sources.map((one) => `${one.layer ?? `(${one.label})`} ${one.size}`).join(" + "),
    ]),
  );

const encoded = (arch: string, config: object, observation_space = image): NetworkData => {
  const network = { latent_dim: 24, encoder_config: { arch, ...config }, head_config: { hidden_size: [16] } };
  const { actor } = agentOf(
    { name: "PPO", recurrent: arch.endsWith("lstm") },
    { observation_space, network },
  ).networks;
  if (!actor) throw new Error("no actor");
  return actor.data;
};

describe("layerLinks", () => {
  it("leads from layer to layer", () => {
    expect(sourcesOf(qNetwork(numbers(4), 2, networkSettings()))).toEqual({
      "encoder.linear_1": "(input) 4",
      "encoder.linear_2": "encoder.linear_1 20",
      "encoder.output": "encoder.linear_2 18",
      "head_net.linear_1": "encoder.output 24",
      "head_net.output": "head_net.linear_1 17",
    });
  });

  it("tells actions from the latent vector", () => {
    const { "head_net.linear_1": first } = sourcesOf(continuousQNetwork(numbers(4), 2, networkSettings()));
    expect(first).toBe("encoder.output 24 + (action) 2");
  });

  it("lets both streams of a dueling head read the latent vector", () => {
    const found = sourcesOf(
      rainbowNetwork(numbers(4), 2, networkSettings(), { num_atoms: 5, noise_std: 0.5 }),
    );
    const streams = Object.entries(found).filter(([, source]) => source === "encoder.output 24");
    expect(streams.map(([layer]) => layer)).toEqual([
      "head_net.value.linear_1",
      "head_net.advantage.linear_1",
    ]);
    expect(found["head_net.advantage.output"]).toBe("head_net.advantage.linear_1 17");
  });

  it("follows images, memories and parts of an observation", () => {
    const cnn = sourcesOf(encoded("cnn", convolutions));
    expect(cnn["encoder.conv_1"]).toBe("(channel) 2");
    expect(cnn["encoder.output"]).toBe("encoder.conv_2 8");
    const stacked = sourcesOf(encoded("cnn_lstm", { ...convolutions, hidden_state_size: 12, num_layers: 2 }));
    expect(stacked["encoder.lstm.lstm.l0"]).toBe("encoder.cnn.conv_2 8");
    expect(stacked["encoder.lstm.lstm.l1"]).toBe("encoder.lstm.lstm.l0 12");
  });

  it.each([
    ["cnn", convolutions, image],
    [
      "resnet",
      { channel_size: 10, kernel_size: 3, stride_size: 2, num_blocks: 1, min_channel_size: 4 },
      image,
    ],
    [
      "multiinput",
      { latent_dim: 16, min_latent_dim: 4, cnn_config: { ...convolutions, kernel_size: [2, 1] } },
      mixedSpace,
    ],
    ["simba", { hidden_size: 16, num_blocks: 1 }, numbers(4)],
  ] as const)("has the layers of the structure and all their inputs: %s", (arch, config, space) => {
    const data = encoded(arch, config, space as Box);
    const links = layerLinks(data);
    const { layers } = networkStructure("actor", data);
    expect(links.map(({ spec }) => tensorShape(spec).at(-1))).toEqual(layers.map(({ width }) => width));
    for (const { spec, sources } of links)
      expect(sources.reduce((sum, { size }) => sum + size, 0)).toBe(tensorShape(spec).at(-2));
  });
});
