import { describe, expect, it, onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import type { FromStage } from "../../../../src/stage/stageProtocol.ts";
import { playLink } from "../../../../src/ui/pages/play/playLink.ts";
import { linkPreview } from "../../../../src/ui/pages/run/film/linkPreview.ts";
import { StageClient } from "../../../../src/ui/stage/StageClient.ts";
import { renderApp } from "../../../ui/inside/support/renderApp.tsx";
import { agentFile } from "../../../ui/support/stageAgents.ts";

/** A place on the page, 640 x 480, until the test ends. */
function place(): HTMLElement {
  const element = document.createElement("div");
  element.style.cssText = "width: 640px; height: 480px";
  document.body.append(element);
  onTestFinished(() => element.remove());
  return element;
}

describe("a stage", () => {
  it("plays a cast, tells how its episodes stand, and does so again when its worker dies", async () => {
    const heard: FromStage[] = [];
    const workers: Worker[] = [];
    const start = (): Worker => {
      const worker = new Worker(new URL("../../../../src/stage/stage.worker.ts", import.meta.url), {
        type: "module",
      });
      workers.push(worker);
      return worker;
    };
    const stage = new StageClient(place(), {
      share: 1,
      hear: (message) => heard.push(message),
      start,
    });
    onTestFinished(() => stage.close());
    const members = [1, 2].map((index) => ({
      key: String(index),
      bytes: agentFile(index).bytes,
      environment: "CartPole-v1",
      env_config: null,
      module: null,
      ancestors: [],
      colour: "rgb(200, 0, 0)",
    }));
    stage.cast({ id: 1, members });
    const count = (kind: FromStage["kind"]): number =>
      heard.filter((message) => message.kind === kind).length;
    await expect.poll(() => count("moving")).toBe(1);
    const keys = () =>
      heard.flatMap((message) => (message.kind === "readings" ? message.readings : [])).map(({ key }) => key);
    await expect.poll(() => new Set(keys()).size).toBe(2);
    workers[0]?.dispatchEvent(new ErrorEvent("error", { message: "out of memory" }));
    await expect.poll(() => count("moving")).toBe(2);
    expect(workers).toHaveLength(2);
    expect(count("problem")).toBe(0);
  });
});

it("draws an agent at play for the preview of its link, in the size that such previews have", async () => {
  const made = await linkPreview(agentFile(1), "DQN playing CartPole-v1", place());
  const bytes = Uint8Array.from(atob(made ?? ""), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  expect([picture.width, picture.height]).toEqual([1200, 630]);
  const context = new OffscreenCanvas(1200, 630).getContext("2d");
  context?.drawImage(picture, 0, 0);
  const { data } = context?.getImageData(48, 132, 1104, 380) ?? { data: new Uint8ClampedArray() };
  // The agent is in it, and not the ground alone.
  expect(new Set(new Uint32Array(data.buffer)).size).toBeGreaterThan(3);
});

describe("the worker of a stage that was closed", () => {
  it("draws the next one, which hears nothing of the first", async () => {
    const NativeWorker = Worker;
    const started: Worker[] = [];
    vi.stubGlobal(
      "Worker",
      class extends NativeWorker {
        constructor(url: string | URL, options?: WorkerOptions) {
          super(url, options);
          started.push(this);
        }
      },
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    /** What is heard of a stage on which one member plays. */
    const play = async (key: string): Promise<readonly FromStage[]> => {
      const heard: FromStage[] = [];
      const stage = new StageClient(place(), { share: 1, hear: (message) => heard.push(message) });
      const { bytes } = agentFile(1);
      const environment = { environment: "CartPole-v1", env_config: null, module: null };
      stage.cast({
        id: 1,
        members: [{ key, bytes, ...environment, ancestors: [], colour: "rgb(200, 0, 0)" }],
      });
      await expect.poll(() => heard.some(({ kind }) => kind === "moving")).toBe(true);
      stage.close();
      return heard;
    };
    await play("first");
    const before = started.length;
    const heard = await play("second");
    expect(started).toHaveLength(before);
    const keys = heard.flatMap((message) => (message.kind === "readings" ? message.readings : []));
    expect(new Set(keys.map(({ key }) => key))).toEqual(new Set(["second"]));
    expect(document.querySelectorAll("canvas[aria-hidden=true]")).toHaveLength(0);
  });
});

describe("the wall", () => {
  const tile = (name: RegExp | string) =>
    page.getByRole("list", { name: "Members playing" }).getByRole("button", { name });
  const manifest = { algorithm: { name: "DQN" }, training: { pop_size: 4 } };

  it("plays members before anybody was evaluated, then who came of them, and any of them large", async () => {
    const { fake, complaints } = renderApp("#/runs/run-1", (coordinator) => void coordinator.add(manifest));
    await expect.element(tile(/^Member #3 not evaluated yet/)).toBeInTheDocument();
    await expect.poll(() => document.querySelector(".wall__stage")?.getAttribute("data-moving")).toBe("true");
    fake.runs.get("run-1")?.generation();
    await expect.element(tile(/^Member #\d+ 1st of 4, fitness/)).toBeInTheDocument();
    await tile(/1st of 4/).click();
    const dialog = page.getByRole("dialog");
    await expect.element(dialog.getByText("Return", { exact: true })).toBeVisible();
    const reading = (name: string): string | undefined =>
      [...document.querySelectorAll(".player__readout div")]
        .find((row) => row.querySelector("dt")?.textContent === name)
        ?.querySelector("dd")?.textContent;
    await expect.poll(() => reading("Step")).toMatch(/^\d/);
    await dialog.getByRole("button", { name: "Pause" }).click();
    await dialog.getByLabelText("Seed").fill("77");
    await dialog.getByRole("button", { name: "Restart" }).click();
    await dialog.getByRole("button", { name: "Step" }).click();
    await expect.poll(() => reading("Step")).toBe("1");
    expect(reading("Action")).toMatch(/^[01]$/);
    expect(reading("Value")).toMatch(/^-?\d/);
    await dialog.getByLabelText("Compare with").selectOptions("elite::");
    await expect.poll(() => document.querySelectorAll(".player__readout").length).toBe(2);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(complaints).toEqual([]);
  });

  it("tells what is new about a member in its caption: not over the picture, and whole or not at all", async () => {
    renderApp("#/runs/run-1", (coordinator) => {
      const run = coordinator.add(manifest);
      for (let i = 0; i < 3; i++) run.generation();
    });
    const marks = () => [...document.querySelectorAll(".wall__mark")];
    await expect.poll(() => marks().length).toBeGreaterThan(0);
    for (const mark of marks()) {
      const caption = mark.closest(".wall__caption");
      const inside = caption?.getBoundingClientRect() ?? new DOMRect();
      const words = caption?.querySelector(".wall__tag");
      const place = words?.getBoundingClientRect() ?? new DOMRect();
      expect(mark.getBoundingClientRect().top).toBeGreaterThanOrEqual(inside.top);
      expect(mark.getBoundingClientRect().bottom).toBeLessThanOrEqual(inside.bottom + 1);
      expect(place.top).toBeGreaterThanOrEqual(inside.top);
      // Words that do not fit wrap below the caption, where they are cut off.
      expect(place.top >= inside.bottom - 1 || place.right <= inside.right).toBe(true);
      expect(caption?.closest("button")?.title).toBe(words?.textContent);
    }
  });

  it("steers a member by its tile", async () => {
    renderApp("#/runs/run-1", (coordinator) => coordinator.add(manifest).generation());
    await expect.element(tile(/1st of 4/)).toBeInTheDocument();
    await page.getByRole("button", { name: "Steer member 1", exact: true }).first().click();
    await page.getByRole("menuitem", { name: "Protect", exact: true }).click();
    await expect.element(tile(/^Member #1 protected/)).toBeInTheDocument();
    await expect
      .element(page.getByRole("region", { name: "Events" }))
      .toHaveTextContent("steered: #1 protected");
    await page.getByRole("button", { name: "Steer member 1", exact: true }).first().click();
    await expect.element(page.getByRole("menuitem", { name: "Remove protection" })).toBeVisible();
    await expect
      .element(page.getByRole("menuitem", { name: "Protect", exact: true }))
      .not.toBeInTheDocument();
  });

  it("shows what is kept nearest to the generation that is looked at, and cannot steer that", async () => {
    const { fake } = renderApp("#/runs/run-1", (coordinator) => {
      const run = coordinator.add(manifest);
      for (let i = 0; i < 3; i++) run.generation();
    });
    const players = vi.spyOn(fake.coordinator, "players");
    await expect.element(tile(/1st of 4/)).toBeInTheDocument();
    window.location.hash = "#/runs/run-1?generation=1";
    const wall = page.getByRole("region", { name: "Population playing" });
    await expect.element(wall).toHaveTextContent("generation 3 (generation 1 is not stored)");
    expect(players.mock.lastCall).toEqual(["run-1", 1]);
    await expect.element(page.getByRole("button", { name: /^Steer member/ })).not.toBeInTheDocument();
  });
});

describe("a play link", () => {
  it("plays its agent, and says why where it holds none", async () => {
    const link = await playLink(agentFile(3, { algorithm: "PPO", generation: 5, fitness: 21 }));
    renderApp(new URL(link).hash);
    await expect.element(page.getByText("Its score when it was evaluated: 21.0.")).toBeVisible();
    await expect.element(page.getByText("Return", { exact: true })).toBeVisible();
    window.location.hash = "#/play?agent=AAAA";
    await expect
      .element(page.getByRole("alert"))
      .toHaveTextContent(
        "The agent in this link cannot be read: it is damaged or incomplete. Ask for a new link.",
      );
  });
});
