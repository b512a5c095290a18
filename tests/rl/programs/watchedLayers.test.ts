/** Outputs of a policy's layers while it acts, for every kind of encoder. */
import { describe, expect, it, onTestFinished } from "vitest";
import { AgentSession, type AgentState, algorithmOf } from "../../../src/agents/members.ts";
import { Random } from "../../../src/evolution/random.ts";
import { WasmDevice } from "../../../src/kernels/devices.ts";
import type { EncoderSpec } from "../../../src/manifests/index.ts";
import { networkTensors } from "../../../src/rl/networks.ts";
import { Box, Dict, Discrete, type Space } from "../../../src/rl/spaces.ts";
import { agentOf } from "../support/agents.ts";

const vector = new Box({ low: -1, high: 1, shape: [5] });
const image = new Box({ low: 0, high: 1, shape: [7, 6, 3] });
const mixed = new Dict({
  picture: new Box({ low: 0, high: 1, shape: [6, 5, 2] }),
  numbers: new Box({ low: -1, high: 1, shape: [3] }),
});

const channels = { min_channel_size: 2, max_channel_size: 30 };
const convolutions = { channel_size: [5, 6], kernel_size: [3, 2], stride_size: [1, 2], ...channels };
const memory = { hidden_state_size: 9, num_layers: 2, min_hidden_state_size: 4 };
type Arch = EncoderSpec["arch"];
const ENCODERS: Readonly<Record<Arch, readonly [Space, object]>> = {
  mlp: [vector, { arch: "mlp", hidden_size: [9, 11], min_mlp_nodes: 4 }],
  simba: [vector, { arch: "simba", hidden_size: 16, num_blocks: 2 }],
  lstm: [vector, { arch: "lstm", ...memory }],
  cnn: [image, { arch: "cnn", ...convolutions }],
  cnn_lstm: [image, { arch: "cnn_lstm", ...convolutions, ...memory }],
  resnet: [
    image,
    { arch: "resnet", channel_size: 5, kernel_size: 3, stride_size: 2, num_blocks: 1, ...channels },
  ],
  multiinput: [
    mixed,
    { arch: "multiinput", latent_dim: 16, vector_space_mlp: true, cnn_config: convolutions },
  ],
};

const action_space = new Discrete(3);

function agentWith(kind: Arch, name: "PPO" | "DQN" | "RainbowDQN") {
  const [observation_space, encoder_config] = ENCODERS[kind];
  const recurrent = kind.endsWith("lstm") ? { recurrent: true } : {};
  const network = {
    latent_dim: 9,
    min_latent_dim: 4,
    encoder_config,
    head_config: { arch: "mlp", hidden_size: [16] },
  };
  const agent = agentOf({ name, ...recurrent }, { observation_space, action_space, network, seed: 3 });
  return { agent, layout: { observation_space, action_space } };
}

/** An agent's action for one observation, and the outputs of its layers if they are watched. */
function acting({ agent, layout }: ReturnType<typeof agentWith>, purpose: "greedy" | "watched") {
  const device = new WasmDevice();
  const session = new AgentSession(device, layout, agent, 0);
  onTestFinished(() => session.release());
  const { arena } = session.open([purpose], { num_envs: 1 });
  const random = new Random({ seed: 5 });
  arena.write(
    "act.obs",
    Array.from({ length: layout.observation_space.shape.reduce((a, b) => a * b, 1) }, () => random.uniform()),
  );
  if (arena.has("act.mask")) arena.write("act.mask", [1, 1, 1]);
  session.run(purpose);
  const layers = Array.from(session.layerOutputs(), ([name, values]) => [name, Array.from(values)] as const);
  return { action: Array.from(arena.view("act.greedy")), layers: new Map(layers) };
}

/** Layers of the acting networks, by the names of their tensors. */
const layersOf = (agent: AgentState): string[] =>
  algorithmOf(agent).policies.flatMap((name) => {
    const data = agent.networks[name]?.data;
    const kernels = data
      ? networkTensors(data).filter(({ role }) => role === "kernel" || role === "weight")
      : [];
    const recurrent = data ? networkTensors(data).filter(({ role }) => role === "recurrent") : [];
    return [
      ...kernels.map((spec) => `${name}.${spec.name.replace(/\.weight(_sigma)?$/, "")}`),
      ...recurrent.map((spec) => `${name}.${spec.name.replace(/weight_[ih]h_/, "")}`),
    ];
  });

describe("watched layers", () => {
  it.each(Object.keys(ENCODERS) as Arch[])(
    "are all those of the policy, which acts as it did: %s",
    (kind) => {
      const made = agentWith(kind, "PPO");
      const watched = acting(made, "watched");
      expect([...watched.layers.keys()].toSorted()).toEqual([...new Set(layersOf(made.agent))].toSorted());
      expect(watched.action).toEqual(acting(made, "greedy").action);
      for (const values of watched.layers.values()) expect(values.every(Number.isFinite)).toBe(true);
      expect(acting(made, "greedy").layers.size).toBe(0);
    },
  );

  it("give what comes behind their activations: the last ones what the action is chosen by", () => {
    const { layers, action } = acting(agentWith("mlp", "DQN"), "watched");
    const hidden = layers.get("actor.encoder.linear_1") ?? [];
    expect(hidden).toHaveLength(9);
    expect(Math.min(...hidden)).toBe(0);
    expect(Math.max(...hidden)).toBeGreaterThan(0);
    const rated = layers.get("actor.head_net.output") ?? [];
    expect(rated).toHaveLength(3);
    expect(action).toEqual([rated.indexOf(Math.max(...rated))]);
  });

  it("are those of both streams of a dueling head", () => {
    const made = agentWith("mlp", "RainbowDQN");
    const names = [...acting(made, "watched").layers.keys()];
    expect(names.toSorted()).toEqual([...new Set(layersOf(made.agent))].toSorted());
    expect(names).toContain("actor.head_net.advantage.output");
  });
});
