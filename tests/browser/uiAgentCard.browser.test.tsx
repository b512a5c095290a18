import { expect, it } from "vitest";
import { page } from "vitest/browser";
import type { FakeCoordinator } from "../ui/inside/support/fakeCoordinator.ts";
import { renderApp } from "../ui/inside/support/renderApp.tsx";
import { withRun } from "../ui/support/withRun.ts";

/** A run whose member 1 was mutated before its first generation, and whose member 2 was not. */
function mutatedAtTheStart(fake: FakeCoordinator): void {
  withRun(1)(fake);
  const mutated = fake.runs.get("run-1")?.generations[0]?.members[1];
  if (mutated === undefined) throw new Error("the run has no member 1");
  Object.assign(mutated, {
    mutation: "lr",
    mutation_detail: { kind: "hyperparameter", method: "lr", from: 0.001, to: 0.0012 },
  });
}

const factsOf = (index: number) =>
  page.getByRole("region", { name: `Agent ${index}`, exact: true }).getByRole("definition");

it("names the mutation of an initial member, and says of another that it has none", async () => {
  renderApp("#/runs/run-1?tab=lineage&member=1", mutatedAtTheStart);
  await expect.element(factsOf(1).nth(1)).toHaveTextContent("lr 0.001 → 0.0012");
  window.location.hash = "#/runs/run-1?tab=lineage&member=2";
  await expect.element(factsOf(2).nth(1)).toHaveTextContent("none (initial member)");
});

it("says of which generation its fitness is", async () => {
  renderApp("#/runs/run-1?tab=lineage&member=1", mutatedAtTheStart);
  await expect
    .element(page.getByRole("region", { name: "Agent 1", exact: true }))
    .toHaveTextContent(/rank \d of 4 in generation 1\./);
});
