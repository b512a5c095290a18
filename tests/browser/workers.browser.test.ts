import { type Remote, releaseProxy, transfer, wrap } from "comlink";
import { deleteDB } from "idb";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { decodeKeptAgent } from "../../src/training/files.ts";
import { installErrorTransfer } from "../../src/workers/computing.ts";
import { type Coordinator, MAX_REPORTS, type RunEvent, type RunStatus } from "../../src/workers/protocol.ts";
import { describeModel } from "../support/onnxFile.ts";
import { tinyDqn, tinyLander, tinyPpo } from "../workers/support/manifests.ts";
import { untilFree } from "./support/untilFree.ts";

installErrorTransfer();

/** A page's end of the real coordinator worker. */
class Page {
  readonly #worker = new Worker(new URL("../../src/workers/coordinator.worker.ts", import.meta.url), {
    type: "module",
  });
  readonly #channel = new MessageChannel();
  readonly #listeners = new Set<() => void>();
  readonly coordinator: Remote<Coordinator> = wrap<Coordinator>(this.#worker);
  readonly events: RunEvent[] = [];
  #closed = false;

  async open(): Promise<this> {
    this.#channel.port1.onmessage = ({ data }: MessageEvent<RunEvent>) => {
      this.events.push(data);
      for (const listener of this.#listeners) listener();
    };
    await this.coordinator.subscribe(transfer(this.#channel.port2, [this.#channel.port2]));
    return this;
  }

  /** As closing the tab does. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.coordinator[releaseProxy]();
    this.#worker.terminate();
    this.#channel.port1.close();
  }

  until(fits: (event: RunEvent) => boolean): Promise<RunEvent> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.events.find(fits);
        if (!found) return;
        this.#listeners.delete(look);
        resolve(found);
      };
      this.#listeners.add(look);
      look();
    });
  }

  untilGeneration = (id: string, generation: number) =>
    this.until((e) => e.run === id && e.kind === "generation" && e.report.generation >= generation);

  untilState = (id: string, ...states: readonly RunStatus[]) =>
    this.until((e) => e.run === id && e.kind === "state" && states.includes(e.state));
}

const pages: Page[] = [];
const runs: string[] = [];
async function newPage(): Promise<Page> {
  const page = await new Page().open();
  pages.push(page);
  return page;
}
async function startRun(page: Page, manifest: unknown): Promise<string> {
  const id = await page.coordinator.start(manifest, { seed: 5 });
  runs.push(id);
  return id;
}
afterEach(async () => {
  for (const page of pages.splice(0)) page.close();
  await Promise.all(runs.map(untilFree));
});
// Once for all tests: a page loads all that trains, part by part.
afterAll(async () => {
  const page = await newPage();
  for (const { id } of await page.coordinator.listRuns())
    if (runs.includes(id)) await page.coordinator.deleteRun(id);
  pages.pop()?.close();
});

const forever = { max_steps: 10_000_000 };

describe.each([
  ["DQN", "CartPole-v1", tinyDqn({ pop_size: 2, ...forever })],
  ["PPO", "Pendulum-v1", tinyPpo({ pop_size: 2, ...forever })],
  ["DQN", "LunarLander-v3", tinyLander({ pop_size: 2, ...forever })],
])("the coordinator's worker with %s on %s", (algorithm, environment, manifest) => {
  it("trains, holds, goes on, plays and gives the elite", async () => {
    const page = await newPage();
    const { coordinator } = page;
    const id = await startRun(page, manifest);
    await page.untilGeneration(id, 2);
    await coordinator.pause(id);
    const held = await coordinator.snapshot(id);
    expect(held.summary).toMatchObject({ state: "paused", algorithm, environment });
    expect(held.device?.label).toMatch(/^WASM SIMD, [12] workers?$/);
    const known = held.summary.generation;
    expect(held.columns.generation).toHaveLength(known);
    const told = page.events.flatMap((e) => (e.run === id && e.kind === "generation" ? [e.report] : []));
    const first = await coordinator.generations(id, 1, Math.min(known, MAX_REPORTS));
    expect(first).toEqual(told.slice(0, first.length));
    expect(first.length).toBeGreaterThan(1);

    const kept = await coordinator.agent(id, { kind: "elite" });
    expect(kept).toMatchObject({ environment, env_config: null });
    expect(decodeKeptAgent(kept.bytes).agent).toMatchObject({ algorithm, index: kept.index });
    const file = await coordinator.downloadElite(id);
    expect(file.name).toBe(`${environment}-${algorithm}-elite.safetensors`);
    expect(file.bytes.byteLength).toBeGreaterThan(1000);
    const policy = await coordinator.downloadPolicy(id);
    expect(policy.name).toBe(`${environment}-${algorithm}-policy.onnx`);
    expect(describeModel(policy.bytes).metadata).toMatchObject({ algorithm, environment });

    await coordinator.resume(id);
    await page.untilGeneration(id, known + 2);
    await coordinator.stop(id);
    expect((await coordinator.snapshot(id)).summary.state).toBe("stopped");
  });
});

describe("a run of CQN on the GPU", () => {
  it("ends with the weights that it has on wasm, but for rounding", async () => {
    const page = await newPage();
    const { coordinator } = page;
    const layers = { hidden_size: [8], layer_norm: false };
    const manifest = {
      algorithm: { name: "CQN", batch_size: 8, lr: 0.001 },
      environment: {
        env_type: "offline",
        name: "CartPole-v1",
        num_envs: 2,
        dataset_path: "rlkit/cartpole-rule",
      },
      training: { pop_size: 1, max_steps: 20, evo_steps: 10, eval_steps: 20 },
      // Without normalisation: SwiftShader's time grows with the square of a program's size.
      network: { latent_dim: 8, encoder_config: layers, head_config: layers },
    };
    const weightsOn = async (device: "wasm" | "webgpu"): Promise<number[]> => {
      const id = await coordinator.start(manifest, { seed: 5, device });
      runs.push(id);
      await page.untilState(id, "finished", "failed");
      const { summary, failure, device: trainedOn } = await coordinator.snapshot(id);
      expect([failure, summary.state, trainedOn?.kind]).toEqual([null, "finished", device]);
      expect(summary).toMatchObject({ algorithm: "CQN", global_step: 20 });
      const { bytes } = await coordinator.agent(id, { kind: "elite" });
      const { networks, optimizers } = decodeKeptAgent(bytes).agent;
      expect(Object.values(optimizers).map(({ step }) => step)).toEqual([20]);
      return Object.values(networks).flatMap(({ tensors }) =>
        Object.values(tensors).flatMap((values) => Array.from(values)),
      );
    };
    const known = await weightsOn("wasm");
    const found = await weightsOn("webgpu");
    expect(found).toHaveLength(known.length);
    const worst = Math.max(...found.map((value, i) => Math.abs(value - (known[i] ?? Number.NaN))));
    expect(worst).toBeLessThan(1e-4);
  });
});

describe("a run whose tab is killed", () => {
  it("is interrupted, and goes on from its last checkpoint", async () => {
    const first = await newPage();
    const id = await startRun(first, tinyDqn({ pop_size: 2, ...forever }));
    await first.until((e) => e.run === id && e.kind === "checkpoint");
    first.close();
    await untilFree(id);

    const page = await newPage();
    const { coordinator } = page;
    expect(await coordinator.storage()).toMatchObject({ kind: "opfs" });
    const found = (await coordinator.listRuns()).find((run) => run.id === id);
    expect(found).toMatchObject({ state: "interrupted" });
    expect((await coordinator.agent(id, { kind: "elite" })).generation).toBeGreaterThan(0);
    await coordinator.resume(id);
    await page.untilGeneration(id, 3);
    await coordinator.stop(id);
    const { columns, summary } = await coordinator.snapshot(id);
    expect([...columns.generation]).toEqual(Array.from(columns.generation, (_, i) => i + 1));
    expect(summary.generation).toBe(columns.generation.length);
    // Earlier ones are in the log, in which the first tab wrote too.
    const told = (await coordinator.generations(id, 1, 3)).map(({ generation }) => generation);
    expect(told).toEqual([1, 2, 3]);
  });
});

describe("a run whose site data is cleared while it trains", () => {
  it("says so, is written anew in the private file system, and goes on in the next tab", async () => {
    const first = await newPage();
    const id = await startRun(first, tinyDqn({ pop_size: 2, ...forever }));
    await first.until((e) => e.run === id && e.kind === "checkpoint");
    await first.untilGeneration(id, 5);
    // Between turns none of its files is open, and so locked.
    await first.coordinator.pause(id);
    await first.untilState(id, "paused");
    const root = await navigator.storage.getDirectory();
    await root.removeEntry("v1", { recursive: true });
    await deleteDB("rlkit");
    const known = first.events.length;
    await first.coordinator.resume(id);
    await first.until((e) => e.kind === "notice" && e.notice.message.includes("were deleted"));
    // A held run is saved at once. Otherwise it would train for many seconds until its next checkpoint.
    await first.coordinator.pause(id);
    await first.until((e) => e.kind === "checkpoint" && first.events.indexOf(e) >= known);
    await first.coordinator.resume(id);
    const live = await first.coordinator.snapshot(id);
    expect(live.summary.state).toBe("running");
    first.close();

    const page = await newPage();
    const { coordinator } = page;
    const found = (await coordinator.listRuns()).find((run) => run.id === id);
    expect(found).toMatchObject({ state: "interrupted", algorithm: "DQN" });
    const { columns, notices } = await coordinator.snapshot(id);
    expect([...columns.generation]).toEqual(Array.from(columns.generation, (_, i) => i + 1));
    expect([...columns.fitness.slice(0, 10)]).toEqual([...live.columns.fitness.slice(0, 10)]);
    expect(notices.map(({ message }) => message).join()).toContain("were deleted while it is live");
    await coordinator.resume(id);
    const reached = (await coordinator.snapshot(id)).summary.generation;
    expect(reached).toBeGreaterThan(0);
    await page.untilGeneration(id, reached + 1);
    await coordinator.stop(id);
  });
});

describe("errors on their way to the page", () => {
  it("keep their words, their name and the places", async () => {
    const { coordinator } = await newPage();
    const error: unknown = await coordinator.start("algorithm: {name: DQM}\n").catch((e: unknown) => e);
    expect(error).toMatchObject({
      name: "SpecError",
      issues: expect.arrayContaining([expect.objectContaining({ path: "algorithm.name", line: 1 })]),
    });
  });
});
