import { describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { FakeCoordinator } from "../ui/inside/support/fakeCoordinator.ts";
import { renderApp } from "../ui/inside/support/renderApp.tsx";
import { withRun } from "../ui/support/withRun.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });

/** A coordinator that says what a run takes. */
function withBytes(fake: FakeCoordinator): void {
  withRun(2)(fake);
  const { storage } = fake.coordinator;
  fake.coordinator.storage = async () => ({
    ...(await storage()),
    persisted: false,
    runs: [
      {
        id: "run-1",
        bytes: { checkpoints: 2_000_000, log: 300_000, elites: 40_000, populations: 20_000, manifest: 1_000 },
      },
    ],
  });
}

describe("the storage page", () => {
  it("tells the bytes of each run by kind, and exports it", async () => {
    const { complaints } = renderApp("#/storage", withBytes);
    const row = page.getByRole("row", { name: /My run/ });
    await expect.element(row).toHaveTextContent("My run2.0 MB300 kB40.0 kB20.0 kB1.0 kB2.4 MB");
    const names: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      names.push(this.download);
    });
    onTestFinished(() => click.mockRestore());
    await button("Export My run").click();
    await expect.poll(() => names).toEqual(["My run.rlkit.zip"]);
    expect(complaints).toEqual([]);
  });

  it("says where the browser counts far more than the files", async () => {
    const note = page.getByText("The browser counts more than rlkit's files", { exact: false });
    const { fake } = renderApp("#/storage", (made) => {
      made.used = 4_200_000_000;
      made.stored = 53_500_000;
    });
    await expect.element(page.getByText("53.5 MB of files", { exact: false })).toBeVisible();
    await expect.element(note).toBeVisible();
    fake.stored = 4_100_000_000;
    window.location.hash = "#/help";
    await expect.element(note).not.toBeInTheDocument();
    window.location.hash = "#/storage";
    await expect.element(page.getByText("4.1 GB of files", { exact: false })).toBeVisible();
    await expect.element(note).not.toBeInTheDocument();
  });

  it("asks the browser to keep the files, and shows its answer", async () => {
    const answers = [false, true];
    const persist = vi
      .spyOn(navigator.storage, "persist")
      .mockImplementation(async () => answers.shift() ?? false);
    onTestFinished(() => persist.mockRestore());
    renderApp("#/storage", withBytes);
    await button("Request persistent storage").click();
    await expect.element(page.getByText("The browser declined", { exact: false })).toBeVisible();
    await button("Request persistent storage").click();
    await expect.element(page.getByText("The browser keeps these files", { exact: false })).toBeVisible();
  });

  it("changes which checkpoints and elites stay", async () => {
    const { fake } = renderApp("#/storage", withBytes);
    await page.getByLabelText("Newest checkpoints to keep per run").fill("5");
    await page.getByLabelText("Also keep the best checkpoint").click();
    await page.getByLabelText("Elites of all generations", { exact: false }).fill("20");
    const policy = { keep_last: 5, keep_best: false, elite_bytes: 20e6, population_bytes: 64e6 };
    await expect.poll(() => fake.coordinator.policy()).toEqual(policy);
  });

  it("says in a sentence why an archive was not imported", async () => {
    renderApp("#/storage", withBytes);
    await expect.element(button("Import run")).toBeVisible();
    await userEvent.upload(page.getByLabelText("Run archive"), new File(["no zip"], "run.zip"));
    await expect.element(page.getByRole("alert")).toHaveTextContent("import: is not a zip file");
  });
});
