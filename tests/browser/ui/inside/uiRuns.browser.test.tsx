import { describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { hasWasmSimd } from "../../../../src/ui/lib/capabilities.ts";
import { renderApp } from "../../../ui/inside/support/renderApp.tsx";
import { withRun } from "../../../ui/support/withRun.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });

describe("the workbench", () => {
  it("says that the coordinator is lost, and offers to reload", async () => {
    const { fake } = renderApp("#/runs/run-1", withRun(1));
    await expect.element(button("Pause")).toBeVisible();
    fake.lose("The training thread stopped: out of memory");
    await expect.element(page.getByRole("alert")).toHaveTextContent("out of memory");
    await expect.element(button("Reload")).toBeVisible();
  });

  it("knows that this browser can train", () => {
    expect(hasWasmSimd()).toBe(true);
  });
});
