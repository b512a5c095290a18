/** Data sets in a browser: files where they lie in OPFS, pictures, and the pages that show them. */
import { describe, expect, it, onTestFinished } from "vitest";
import { page, userEvent } from "vitest/browser";
import { datasetOf } from "../../../../src/datasets/index.ts";
import { Box, Discrete } from "../../../../src/rl/spaces.ts";
import { opfsFileStore } from "../../../../src/storage/index.ts";
import { dataCalls } from "../../../../src/ui/state/keptData.ts";
import { DataService } from "../../../../src/workers/coordinator.ts";
import { hdf5Bytes, minariBytes, minariMetadata, table } from "../../../datasets/support/hdf5Files.ts";
import { renderApp } from "../../../ui/inside/support/renderApp.tsx";
import { axeFaults } from "../../../ui/support/axeFaults.ts";
import { withOpfsDirectory } from "../../support/opfsDirectory.ts";

const ID = "game/random-v0";
const main = new Uint8Array(await minariBytes());
const FILES = [new File([main], "main_data.hdf5"), new File([minariMetadata()], "metadata.json")] as const;
const picked = FILES.map((content) => ({ name: content.name, content }));

describe("data sets in OPFS", () => {
  it("lie there once, are read where they lie, and are gone when they are deleted", () =>
    withOpfsDirectory(async (root) => {
      const store = opfsFileStore(root);
      // As in two tabs.
      const [a, b] = [new DataService(store), new DataService(opfsFileStore(root))];
      const [first, second] = await Promise.all([a.add("one", picked), b.add("two", picked)]);
      expect(second).toEqual(first);
      expect((await b.view(first.sha256)).steps).toBe(5);
      expect((await store.list(`/v1/datasets/${first.sha256}`)).map(({ name }) => name)).toEqual([
        "COMMIT.json",
        "main_data.hdf5",
        "metadata.json",
      ]);
      await a.remove(first.sha256);
      expect(await b.list()).toEqual([]);
      expect(await store.list("/v1/datasets")).toEqual([]);
    }));
});

it("pictures that are JPEG are decoded", async () => {
  const canvas = new OffscreenCanvas(8, 8);
  const context = canvas.getContext("2d");
  const grey = [0, 100, 200];
  const jpegs: Uint8Array[] = [];
  for (const level of grey) {
    if (context) context.fillStyle = `rgb(${level} ${level} ${level})`;
    context?.fillRect(0, 0, 8, 8);
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 1 });
    jpegs.push(new Uint8Array(await blob.arrayBuffer()));
  }
  const column = (values: readonly unknown[]) => ({
    shape: [values.length],
    slice: ([range]: [number, number][]) => values.slice(...(range ?? [0])),
  });
  const tables: Record<string, unknown> = {
    "episode_0/observations": column(jpegs),
    "episode_0/actions": column([0, 1]),
    "episode_0/rewards": column([1, 1]),
    "episode_0/terminations": column([0, 1]),
    "episode_0/truncations": column([0, 0]),
  };
  const handle = { keys: () => ["episode_0"], get: (path: string) => tables[path] };
  const observation_space = new Box({ low: 0, high: 255, shape: [8, 8, 3], dtype: "uint8" });
  const { rows } = await datasetOf(handle).transitions({ observation_space, action_space: new Discrete(2) });
  const pixels = new Uint8Array(rows.obs.buffer);
  const mean = (row: number): number =>
    pixels.subarray(row * 192, (row + 1) * 192).reduce((a, b) => a + b, 0) / 192;
  expect(Math.abs(mean(0) - 0)).toBeLessThan(3);
  expect(Math.abs(mean(1) - 100)).toBeLessThan(3);
});

it("the page of a flat data set names tables that are not understood", async () => {
  onTestFinished(async () => {
    for (const { sha256 } of await dataCalls.list()) await dataCalls.remove(sha256);
  });
  const flat = await hdf5Bytes((root) => {
    table(root, "observations", { data: new Float32Array(8), shape: [4, 2] });
    for (const name of ["actions", "rewards", "terminals", "my_cuts"])
      table(root, name, { data: new Float32Array(4), shape: [4] });
  });
  renderApp("#/data");
  const file = new File([new Uint8Array(flat)], "flat.hdf5");
  await userEvent.upload(page.getByLabelText("Data set files"), file);
  await page.getByRole("link", { name: "flat", exact: true }).click();
  await expect.element(page.getByText("not read: my_cuts;")).toBeVisible();
});

it("samples are made with a press, and their pages show what they hold", async () => {
  onTestFinished(async () => {
    for (const { sha256 } of await dataCalls.list()) await dataCalls.remove(sha256);
  });
  const { complaints } = renderApp("#/data");
  const make = (name: string) =>
    page.getByRole("listitem").filter({ hasText: name }).getByRole("button", { name: "Make and open" });
  await make("A rule's CartPole").click();
  await expect.element(page.getByRole("heading", { name: "cartpole/rule-v0", level: 1 })).toBeVisible();
  await page.getByLabelText("y axis").selectOptions("pole angle");
  expect(await axeFaults({ include: ["main"] })).toEqual([]);
  window.location.hash = "#/data";
  await make("Short chats").click();
  await expect.element(page.getByRole("heading", { name: "chats", level: 1 })).toBeVisible();
  await expect.element(page.getByText("I need a", { exact: false }).first()).toBeVisible();
  expect(await axeFaults({ include: ["main"] })).toEqual([]);
  window.location.hash = "#/data";
  await make("Three rings").click();
  await expect.element(page.getByText("datasets/rings/features.csv")).toBeVisible();
  window.location.hash = "#/data";
  await expect.element(page.getByText("bandit table", { exact: true })).toBeVisible();
  expect(await axeFaults({ include: ["main"] })).toEqual([]);
  expect(complaints).toEqual([]);
});

describe.each(["light", "dark"])("the pages of data sets, %s", (theme) => {
  it("take files, show what they hold, ask before they delete; axe finds nothing", async () => {
    document.documentElement.dataset.theme = theme;
    onTestFinished(async () => {
      delete document.documentElement.dataset.theme;
      for (const { sha256 } of await dataCalls.list()) await dataCalls.remove(sha256);
    });
    const { complaints } = renderApp("#/data");
    await expect.element(page.getByText("Drop a Minari folder")).toBeVisible();
    const input = page.getByLabelText("Data set files");
    await userEvent.upload(input, new File(["<html>"], "main_data.hdf5"));
    await expect.element(page.getByRole("alert").getByText("is not an HDF5 file")).toBeVisible();
    await page.getByRole("button", { name: "Dismiss", exact: true }).click();
    await userEvent.upload(input, [...FILES]);
    const link = page.getByRole("link", { name: ID, exact: true });
    await expect.element(link).toBeVisible();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    expect(await axeFaults({ include: ["main"] })).toEqual([]);
    await page.getByRole("button", { name: "Cancel", exact: true }).click();

    await link.click();
    await expect.element(page.getByRole("heading", { name: ID, level: 1 })).toBeVisible();
    await expect.element(page.getByText("terminated", { exact: true })).toBeVisible();
    await expect.element(page.getByText("7 observations, sampled across the data set")).toBeVisible();
    await page.getByLabelText("y axis").selectOptions("observation[0]");
    expect(await axeFaults({ include: ["main"] })).toEqual([]);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Delete permanently" }).click();
    await expect.element(page.getByText("Drop a Minari folder")).toBeVisible();
    expect(complaints).toEqual([]);
  });
});
