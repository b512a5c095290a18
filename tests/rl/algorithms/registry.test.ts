import { describe, expect, it } from "vitest";
import { findAlgorithm } from "../../../src/agents/members.ts";
import { listAlgorithms, SpecError } from "../../../src/manifests/index.ts";

describe("algorithms by name", () => {
  const [trained, known] = [true, false].map((runs) =>
    listAlgorithms().filter((a) => !a.language_model && a.runs === runs),
  );

  it.each(trained ?? [])(
    "$name: this build trains it, as the specs say",
    ({ name, on_policy, evolution_strategy }) => {
      const rollouts = evolution_strategy ? "evolution" : "on_policy";
      const kind = on_policy || evolution_strategy ? rollouts : "off_policy";
      expect(findAlgorithm(name)).toMatchObject({ name, kind });
    },
  );

  it.each(known ?? [])("$name: this build does not train it, as the specs say", ({ name }) => {
    expect(() => findAlgorithm(name)).toThrow(SpecError);
    expect(() => findAlgorithm(name)).toThrow("algorithm.name");
  });

  it("says what trains language models", () => {
    expect(() => findAlgorithm("GRPO")).toThrow(SpecError);
    expect(() => findAlgorithm("GRPO")).toThrow(
      'algorithm.name: algorithm "GRPO" trains language models, not reinforcement learning agents; use new GRPO({ actor_network })',
    );
  });

  it("explains a name that nobody knows", () => {
    expect(() => findAlgorithm("DNQ")).toThrow('did you mean "DQN"?');
  });
});
