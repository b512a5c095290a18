import { expect, it } from "vitest";
import { page } from "vitest/browser";
import type { MutationExplanation } from "../../src/tracking/history.ts";
import type { MutationId } from "../../src/workers/protocol.ts";
import type { FakeCoordinator } from "../ui/inside/support/fakeCoordinator.ts";
import { renderApp } from "../ui/inside/support/renderApp.tsx";
import { withRun } from "../ui/support/withRun.ts";

const trial = (seed: number, difference: number) => ({
  seed,
  with_mutation: 100 + difference,
  without: 100,
  difference,
  lines: { with_mutation: [90, 100 + difference], without: [90, 100] },
});

const found = (mutation: MutationId): MutationExplanation => ({
  ...mutation,
  index: 4,
  parent: 1,
  mutation: "lr",
  hyperparameters: { lr: { from: 0.001, to: 0.0008 } },
  before: 80,
  generations: 2,
  own_seed: trial(1, 20),
  new_seeds: [trial(2, 10), trial(3, 12), trial(4, 14)],
  difference: 12,
  interval: [7, 17],
  is_evidence: true,
});

/** The first test waits to be cancelled, the second finds something. */
function testsTwice(fake: FakeCoordinator): void {
  withRun(12)(fake);
  let cancel: () => void = () => undefined;
  let calls = 0;
  const tell = (explaining: { mutation: MutationId; share: number; message: string } | null) =>
    fake.runs.get("run-1")?.options.emit({ run: "run-1", kind: "explaining", explaining });
  Object.assign(fake.coordinator, {
    explain: async (_id: string, mutation: MutationId) => {
      calls += 1;
      if (calls > 1) return found(mutation);
      tell({ mutation, share: 0.25, message: "Trains 3 generations again" });
      await new Promise<void>((resolve) => {
        cancel = resolve;
      });
      tell(null);
      throw new Error("The test was cancelled.");
    },
    endExplanation: async () => cancel(),
  });
}

it("tests a mutation of the champion's line, tells how far it is, and can be cancelled", async () => {
  renderApp("#/runs/run-1?tab=lineage", testsTwice);
  const story = page.getByRole("region", { name: "How this one won" });
  await story.getByRole("button", { name: "Was it that?" }).first().click();
  await expect.element(story.getByRole("progressbar")).toHaveAttribute("value", "0.25");
  await expect.element(story.getByText("Trains 3 generations again")).toBeVisible();
  await story.getByRole("button", { name: "Cancel" }).click();
  await expect.element(story.getByText("The test was cancelled.")).toBeVisible();
  await story.getByRole("button", { name: "Was it that?" }).first().click();
  await expect
    .element(
      story.getByText(
        "On new seeds: +12.0 [+7.0, +17.0], n = 3: it raised fitness after its next 2 generations.",
      ),
    )
    .toBeVisible();
  await expect.element(story.getByRole("figure")).toBeVisible();
});
