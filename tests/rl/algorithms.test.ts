import { describe, expect, it } from "vitest";
import { findAlgorithm } from "../../src/rl/algorithms/registry.ts";
import { listAlgorithms, SpecError } from "../../src/specs/index.ts";

describe("algorithms by name", () => {
  it.each(listAlgorithms().map(({ name, runs }) => [name, runs] as const))(
    "%s: the specs say whether this build trains it (%s)",
    (name, runs) => {
      if (runs) {
        const algorithm = findAlgorithm(name);
        const { off_policy } = listAlgorithms().find((definition) => definition.name === name) ?? {};
        expect(algorithm).toMatchObject({ name, kind: off_policy ? "off_policy" : "on_policy" });
        return;
      }
      try {
        findAlgorithm(name);
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(SpecError);
        expect((error as SpecError).issues).toMatchObject([{ path: "algorithm.name", code: "unsupported" }]);
      }
    },
  );

  it("explains a name that nobody knows", () => {
    expect(() => findAlgorithm("DNQ")).toThrow('did you mean "DQN"?');
  });
});
