import { describe, expect, it, onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import { templates } from "../../src/manifests/templates.ts";
import type { FakeCoordinator } from "../ui/inside/support/fakeCoordinator.ts";
import { renderApp } from "../ui/inside/support/renderApp.tsx";

const manifest = { ...templates[0]?.manifest };

const withRun =
  (device: "wasm" | "webgpu") =>
  (fake: FakeCoordinator): void => {
    fake.device = device;
    fake.add(manifest, { name: "My run" }).generation();
  };

const button = (name: string) => page.getByRole("button", { name, exact: true });
const row = (name: string) => page.getByRole("row").filter({ has: button(name) });

describe("the page of a run's kernels", () => {
  it("is one link away from the training, and back", async () => {
    const { complaints } = renderApp("#/runs/run-1", withRun("wasm"));
    await page.getByRole("link", { name: "Kernels", exact: true }).click();
    await expect.element(page.getByRole("table")).toBeVisible();
    expect(window.location.hash).toBe("#/runs/run-1?tab=kernels");
    await expect
      .element(page.getByRole("link", { name: "Kernels", exact: true }))
      .toHaveAttribute("aria-current", "page");
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await expect.element(page.getByRole("region", { name: "Fitness", exact: true })).toBeVisible();
    expect(complaints).toEqual([]);
  });

  it("lists the programs of a WebAssembly run with sizes, times and members", async () => {
    renderApp("#/runs/run-1?tab=kernels", withRun("wasm"));
    await expect
      .element(row("DQN.turn"))
      .toHaveTextContent(/WebAssembly.*0–3.*55\.7 kB.*21\.2 ms in 3 workers/);
    await expect.element(row("DQN.turn")).toHaveTextContent(/40.*700 ms.*17\.5 ms.*98 %/);
    await expect.element(row("CartPole-v1.reset")).toHaveTextContent(/any$/);
    const code = page.getByRole("region", { name: "Code of DQN.turn" });
    await expect.element(code.getByText("A WebAssembly module of 55.7 kB.", { exact: false })).toBeVisible();
    await expect.element(code.getByRole("listitem").nth(1)).toHaveTextContent("add maximum × 2");
    expect(page.getByRole("region", { name: "WGSL source" }).elements()).toHaveLength(0);
  });

  it("shows the shader with line numbers, and copies it without them", async () => {
    const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    onTestFinished(() => write.mockRestore());
    renderApp("#/runs/run-1?tab=kernels", withRun("webgpu"));
    const source = page.getByRole("region", { name: "WGSL source" });
    await expect.element(source).toHaveTextContent("@compute @workgroup_size(256) fn main()");
    await expect.element(page.getByText("403 lines", { exact: false })).toBeVisible();
    await button("Copy").click();
    await expect.element(page.getByText("Copied", { exact: true })).toBeVisible();
    expect(write.mock.calls).toEqual([[expect.stringMatching(/^\/\/ DQN\.turn\n@group/)]]);
  });

  it("is reached by the keyboard: the source scrolls, a program is chosen", async () => {
    renderApp("#/runs/run-1?tab=kernels", withRun("webgpu"));
    const source = page.getByRole("region", { name: "WGSL source" });
    await expect.element(source).toBeVisible();
    const element = source.element();
    if (!(element instanceof HTMLElement)) throw new Error("no source");
    element.focus();
    expect(document.activeElement).toBe(element);
    expect(element.scrollHeight).toBeGreaterThan(element.clientHeight);
    await expect.element(button("DQN.turn")).toHaveAttribute("aria-pressed", "true");
    await button("DQN.evaluate").click();
    await expect.element(button("DQN.evaluate")).toHaveAttribute("aria-pressed", "true");
    await expect.element(page.getByRole("region", { name: "Code of DQN.evaluate" })).toBeVisible();
    expect(window.location.hash).toBe("#/runs/run-1?tab=kernels&program=DQN.evaluate");
  });

  it("says when copying is not allowed", async () => {
    const write = vi
      .spyOn(navigator.clipboard, "writeText")
      .mockRejectedValue(new Error("Write permission denied."));
    onTestFinished(() => write.mockRestore());
    renderApp("#/runs/run-1?tab=kernels", withRun("webgpu"));
    await button("Copy").click();
    await expect.element(page.getByRole("alert")).toHaveTextContent("Write permission denied.");
  });

  it("says that times are not measured where they are not", async () => {
    renderApp("#/runs/run-1?tab=kernels", (fake) => {
      withRun("webgpu")(fake);
      fake.timed = false;
    });
    await expect.element(row("DQN.turn")).toHaveTextContent("not measured");
    await expect.element(page.getByText("this adapter does not support", { exact: false })).toBeVisible();
  });

  it("follows the training", async () => {
    const { fake } = renderApp("#/runs/run-1?tab=kernels", withRun("wasm"));
    await expect.element(row("DQN.turn")).toHaveTextContent(/40.*700 ms/);
    fake.runs.get("run-1")?.generation();
    await expect.element(row("DQN.turn")).toHaveTextContent(/80.*1\.4 s/);
  });

  it("says so when the run does not train, and shows the programs when it goes on", async () => {
    const { fake } = renderApp("#/runs/run-1?tab=kernels", (coordinator) => {
      withRun("wasm")(coordinator);
      coordinator.runs.get("run-1")?.setState("interrupted");
    });
    await expect.element(page.getByText("This run is not training", { exact: false })).toBeVisible();
    fake.runs.get("run-1")?.setState("running");
    await expect.element(row("DQN.turn")).toBeVisible();
    fake.runs.get("run-1")?.setState("paused");
    await expect.element(button("Resume")).toBeVisible();
    await expect.element(row("DQN.turn")).toBeVisible();
    fake.runs.get("run-1")?.setState("finished");
    await expect.element(page.getByText("This run is not training", { exact: false })).toBeVisible();
  });

  it("says why the programs cannot be told", async () => {
    renderApp("#/runs/run-1?tab=kernels", (fake) => {
      withRun("wasm")(fake);
      fake.coordinator.kernels = () => Promise.reject(new Error("The training thread is busy."));
    });
    await expect.element(page.getByRole("alert").last()).toHaveTextContent("The training thread is busy.");
  });
});

describe("the device badge", () => {
  it("says why this device trains when it is pressed", async () => {
    renderApp("#/runs/run-1", withRun("wasm"));
    const reason = page.getByText("The networks are small; WASM is faster.", { exact: true });
    await expect.element(button("WASM SIMD, 1 worker")).toHaveAttribute("aria-expanded", "false");
    await expect.element(reason).not.toBeVisible();
    await button("WASM SIMD, 1 worker").click();
    await expect.element(reason).toBeVisible();
  });
});
