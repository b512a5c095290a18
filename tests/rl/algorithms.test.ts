import { describe, expect, it } from "vitest";
import { findAlgorithm } from "../../src/rl/algorithms/registry.ts";
import { listAlgorithms } from "../../src/specs/index.ts";

const [trained, later] = [true, false].map((runs) =>
  listAlgorithms().filter((definition) => definition.runs === runs),
);

describe("algorithms by name", () => {
  it.each(trained ?? [])("$name is trained, as the specs say", ({ name, off_policy }) => {
    expect(findAlgorithm(name)).toMatchObject({ name, kind: off_policy ? "off_policy" : "on_policy" });
  });

  it.each(later ?? [])("$name is not trained yet, as the specs say", ({ name }) => {
    expect(() => findAlgorithm(name)).toThrow(
      `algorithm.name: algorithm "${name}" is known to the format but not yet supported by this build`,
    );
  });

  it("explains a name that nobody knows", () => {
    expect(() => findAlgorithm("DNQ")).toThrow('did you mean "DQN"?');
  });
});
