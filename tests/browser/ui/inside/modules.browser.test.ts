/** A tab trains what a module of the page's own registers: in the coordinator and in its compute workers. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { generationRows } from "../../../../src/tracking/clients.ts";
import type { Connection } from "../../../../src/ui/client/Connection.ts";
import { connectCoordinator } from "../../../../src/ui/client/Connection.ts";
import { SEPARATE_MODULES } from "../../support/separateModules.ts";

const MODULE = new URL("../../../training/inside/support/hillClimbing.ts", import.meta.url).href;

const manifest = {
  algorithm: { name: "HillClimbing", stride: 0.5 },
  environment: { name: "CartPole-v1" },
  training: { pop_size: 4, max_steps: 1_000, evo_steps: 50 },
  mutation: {
    probabilities: { no_mut: 0.2, arch_mut: 0, new_layer: 0, params_mut: 0, act_mut: 0, rl_hp_mut: 0.8 },
  },
  selection_strategy: { tournament_size: 2, elitism: true },
};

/** A coordinator of its own, as a tab opens it. */
async function tab(): Promise<Connection> {
  const connection = connectCoordinator();
  onTestFinished(() => connection.close());
  await connection.coordinator.useModules([MODULE]);
  return connection;
}

/** Resolves at the first generation of a run from `generation` on. */
const generationOf = (connection: Connection, generation: number): Promise<void> =>
  new Promise((resolve) => {
    const forget = connection.onEvent((event) => {
      if (event.kind !== "generation" || event.report.generation < generation) return;
      forget();
      resolve();
    });
  });

const finished = (connection: Connection): Promise<string> =>
  new Promise((resolve) => {
    const forget = connection.onEvent((event) => {
      if (event.kind !== "state" || event.state === "running" || event.state === "paused") return;
      forget();
      resolve(event.state);
    });
  });

async function fitnesses({ coordinator }: Connection, id: string) {
  const { columns } = await coordinator.snapshot(id);
  return [...generationRows(columns)].map((row) => row.fitnesses);
}

// What registers itself there must be registered with the library that the worker runs.
beforeAll(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API answers later
  document.cookie = `${SEPARATE_MODULES}; path=/`;
});
afterAll(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: as above
  document.cookie = `${SEPARATE_MODULES}; path=/; max-age=0`;
});

describe("modules in a tab", () => {
  it("train a workload of their own, killed with its tab and resumed to the same bits", async () => {
    const first = await tab();
    const wholeEnds = finished(first);
    const whole = await first.coordinator.start(manifest, { seed: 3, device: "wasm" });
    expect(await wholeEnds).toBe("finished");
    const expected = await fitnesses(first, whole);
    expect(expected).toHaveLength(20);

    const reached = generationOf(first, 4);
    const id = await first.coordinator.start(manifest, { seed: 3, device: "wasm" });
    await reached;
    first.close();

    const second = await tab();
    const runs = await second.coordinator.listRuns();
    expect(runs.find((run) => run.id === id)).toMatchObject({
      state: "interrupted",
      algorithm: "HillClimbing",
    });
    const ends = finished(second);
    await second.coordinator.resume(id);
    expect(await ends).toBe("finished");
    expect((await fitnesses(second, id)).at(-1)).toEqual(expected.at(-1));
    const { bytes } = await second.coordinator.downloadElite(id);
    expect(new TextDecoder().decode(bytes)).toContain('"workload":"hill"');
    await second.coordinator.deleteRun(id);
    await second.coordinator.deleteRun(whole);
  });

  it("that cannot be loaded are named", async () => {
    const connection = connectCoordinator();
    onTestFinished(() => connection.close());
    const missing = new URL("./no-such-module.ts", import.meta.url).href;
    await expect(connection.coordinator.useModules([missing])).rejects.toThrow(
      `modules: ${missing} could not be loaded`,
    );
    expect(await connection.coordinator.listRuns()).toBeInstanceOf(Array);
  });
});
