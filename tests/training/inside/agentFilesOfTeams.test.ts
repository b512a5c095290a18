/** Files of several agents that live in one member. */
import { describe, expect, it } from "vitest";
import type { AgentState } from "../../../src/agents/members.ts";
import { findEnvironment } from "../../../src/rl/environments.ts";
import { decodeSafetensors, isStorageError } from "../../../src/storage/index.ts";
import { decodeAgent, encodeAgent } from "../../../src/training/files.ts";
import { requireSameKind } from "../../../src/training/workloads/loadCheckpoint.ts";
import { agentOf } from "../../rl/support/agents.ts";

const TALK = findEnvironment("simple_speaker_listener_v4");
const SPREAD = findEnvironment("simple_spread_v3");

const evaluated = (state: AgentState): AgentState => ({
  ...state,
  fitness: [-30.5],
  agent_fitness: { speaker_0: -15.25, listener_0: Number.NaN },
});

const refusal = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (isStorageError(error)) return error.message;
    throw error;
  }
  throw new Error("nothing was thrown");
};

describe.each(["MADDPG", "MATD3", "IPPO"] as const)("a file of %s agents", (name) => {
  it("gives back the agents, their spaces and their fitness", () => {
    const { observation_space, action_space } = TALK;
    const agent = evaluated(agentOf({ name }, { observation_space, action_space }));
    const file = decodeAgent(encodeAgent(agent, { observation_space, action_space }), "f");
    expect(file.agent).toEqual(agent);
    expect(file.observation_space).toEqual(observation_space);
    expect(file.action_space).toEqual(action_space);
  });

  it("has no fitness of agents before the first evaluation", () => {
    const agent = agentOf({ name }, SPREAD);
    const bytes = encodeAgent(agent);
    expect(decodeSafetensors(bytes, "f").metadata).not.toHaveProperty("agent_fitness");
    expect(decodeAgent(bytes, "f").agent).toEqual(agent);
  });

  it("names networks by family and key, in PyTorch's order", () => {
    const { tensors } = decodeSafetensors(encodeAgent(agentOf({ name }, TALK)), "f");
    // 11 numbers are observed, 16 nodes are the encoder's first layer.
    expect(tensors.get("actors.listener_0.encoder.linear_1.weight")?.shape).toEqual([16, 11]);
    expect(
      tensors.get("actor_optimizers.listener_0.exp_avg.actors.listener_0.encoder.linear_1.weight")?.shape,
    ).toEqual([16, 11]);
  });

  it("does not go on with other agents", () => {
    const [own, other] = [agentOf({ name }, TALK), agentOf({ name }, SPREAD)];
    expect(refusal(() => requireSameKind(own, other, "run/elite.safetensors"))).toBe(
      "run/elite.safetensors: has networks of agent, but the environment's agents have those of speaker_0, listener_0; use a checkpoint of the same environment",
    );
  });
});

it("a file of one agent says nothing of several", () => {
  expect(decodeSafetensors(encodeAgent(agentOf({ name: "DQN" })), "f").metadata).not.toHaveProperty(
    "agent_fitness",
  );
});
