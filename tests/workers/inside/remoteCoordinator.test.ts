/** The coordinator of a platform's runs, against a fake server written from the platform's API. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RemoteClient } from "../../../src/remote/index.ts";
import type { GenerationReport } from "../../../src/tracking/observer.ts";
import { remoteRunId } from "../../../src/workers/pages.ts";
import type { RunEvent } from "../../../src/workers/protocol.ts";
import { NotOfRemoteRunsError, RemoteCoordinator } from "../../../src/workers/remote/RemoteCoordinator.ts";
import { ACCEPTED, KEY, TAKEN, withPlatform } from "../../remote/platform.ts";
import { tinyDqn } from "../support/manifests.ts";
import { type TaughtCheckpoint, TaughtPlatform } from "../support/TaughtPlatform.ts";
import { TestWorkbench } from "../support/workbench.ts";

const SEED = 3;
const ID = remoteRunId(TAKEN.experiment_id);
const MANIFEST = tinyDqn({ max_steps: 1024 });

/** Trains the same run locally. */
const bench = new TestWorkbench();
let local = "";
let reports: readonly GenerationReport[] = [];
let saved: TaughtCheckpoint[] = [];

beforeAll(async () => {
  await bench.open();
  local = await bench.trainToEnd(MANIFEST, SEED);
  reports = await bench.reportsOf(local);
  const kept = await bench.store.checkpoints.list(local);
  saved = await Promise.all(
    kept.map(async ({ name, commit: { generation, global_step, fitness } }) => {
      const { files } = await bench.store.checkpoints.read(local, name);
      return { generation, global_step, fitness, files };
    }),
  );
});

afterAll(() => bench.close());

interface Means {
  readonly taught: TaughtPlatform;
  readonly coordinator: RemoteCoordinator;
  readonly events: RunEvent[];
  /** Reports on the connection. */
  readonly links: (string | null)[];
  /** Requested routes. */
  readonly routes: () => readonly string[];
  /** Resolves with the next matching event. */
  readonly next: (fits: (event: RunEvent) => boolean) => Promise<RunEvent>;
}

async function withRun(work: (means: Means) => Promise<void>): Promise<void> {
  await withPlatform(async (platform) => {
    const taught = new TaughtPlatform(platform, MANIFEST, SEED);
    const events: RunEvent[] = [];
    const links: (string | null)[] = [];
    const listeners = new Set<(event: RunEvent) => void>();
    const coordinator = new RemoteCoordinator({
      client: new RemoteClient({ api_key: KEY, base_url: platform.base_url }),
      emit: (event) => {
        events.push(event);
        for (const listener of listeners) listener(event);
      },
      onLink: (problem) => links.push(problem),
    });
    const next = (fits: (event: RunEvent) => boolean) =>
      new Promise<RunEvent>((resolve) => {
        const listener = (event: RunEvent): void => {
          if (!fits(event)) return;
          listeners.delete(listener);
          resolve(event);
        };
        listeners.add(listener);
      });
    const routes = () => platform.asked.map(({ route }) => route);
    await work({ taught, coordinator, events, links, routes, next });
    coordinator.close();
  });
}

/** Makes the platform report all events of the locally trained run. */
function tellAll(taught: TaughtPlatform): void {
  taught.state("running");
  for (const report of reports) {
    taught.generation(report);
    const checkpoint = saved.find(({ generation }) => generation === report.generation);
    if (checkpoint) taught.checkpoint(checkpoint);
  }
  taught.state("finished", "max_steps");
}

const isGeneration = (generation: number) => (event: RunEvent) =>
  event.kind === "generation" && event.report.generation === generation;
const isState = (state: string) => (event: RunEvent) => event.kind === "state" && event.state === state;
const generationsOf = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.kind === "generation" ? [event.report.generation] : []));

describe("a run that a platform has trained", () => {
  it("is answered for as one of this browser", async () => {
    await withRun(async ({ taught, coordinator }) => {
      tellAll(taught);
      const there = await coordinator.snapshot(ID);
      const here = await bench.coordinator.snapshot(local);
      expect(there.columns).toEqual(here.columns);
      expect(there.latest).toEqual(here.latest);
      expect(there.total_steps).toBe(here.total_steps);
      expect(there.manifest).toEqual(here.manifest);
      expect(there.summary).toMatchObject({
        id: ID,
        name: TAKEN.experiment_name,
        state: "finished",
        generation: here.summary.generation,
        global_step: here.summary.global_step,
        best_fitness: here.summary.best_fitness,
        sparkline: here.summary.sparkline,
      });
      expect(await coordinator.history(ID, 2)).toEqual(await bench.coordinator.history(local, 2));
      expect(await coordinator.generations(ID, 1, 3)).toEqual(reports.slice(0, 3));
      const text = async (file: Promise<{ readonly bytes: Uint8Array }>) =>
        new TextDecoder().decode((await file).bytes);
      expect(await text(coordinator.downloadMetrics(ID))).toBe(
        await text(bench.coordinator.downloadMetrics(local)),
      );
    });
  });

  it("gives its agents, bit by bit", async () => {
    await withRun(async ({ taught, coordinator }) => {
      tellAll(taught);
      await coordinator.snapshot(ID);
      const here = (await bench.coordinator.agents(local)).filter(({ ref }) => ref.kind !== "fame");
      expect(await coordinator.agents(ID)).toEqual(here);
      for (const { ref } of here)
        expect(await coordinator.agent(ID, ref)).toEqual(await bench.coordinator.agent(local, ref));
      expect(await coordinator.players(ID, null)).toEqual(await bench.coordinator.players(local, null));
      const elite = { kind: "elite" } as const;
      expect(await coordinator.network(ID, elite)).toEqual(await bench.coordinator.network(local, elite));
      expect(await coordinator.downloadElite(ID)).toEqual(await bench.coordinator.downloadElite(local));
      expect(await coordinator.downloadPolicy(ID)).toEqual(await bench.coordinator.downloadPolicy(local));
      const [first, second] = saved.map(({ generation }) => generation);
      const far = await coordinator.eliteAt(ID, 1e6);
      expect([first, second]).toContain(far?.generation);
      const asked = { kind: "checkpoint", generation: far?.generation ?? 0, index: null } as const;
      expect(far?.ref).toEqual(asked);
      expect(far?.index).toBe((await coordinator.agent(ID, asked)).index);
      const gone = coordinator.agent(ID, { kind: "fame", generation: 1 });
      await expect(gone).rejects.toThrow("does not store the elite of generation 1");
    });
  });

  it("lists its checkpoints, newest first, and gives each as a zip", async () => {
    await withRun(async ({ taught, coordinator }) => {
      tellAll(taught);
      const checkpoints = await coordinator.checkpoints(ID);
      expect(checkpoints.map(({ generation }) => generation)).toEqual(
        saved.map(({ generation }) => generation).reverse(),
      );
      const { generation = 0 } = checkpoints[0] ?? {};
      expect(await coordinator.downloadCheckpoint(ID, generation)).toMatchObject({
        name: `CartPole-v1-DQN-generation_${generation}.zip`,
        bytes: new Uint8Array([80, 75]),
      });
    });
  });

  it("is asked for once: nothing follows what is over", async () => {
    await withRun(async ({ taught, coordinator, routes }) => {
      tellAll(taught);
      await coordinator.hold(ID);
      await coordinator.snapshot(ID);
      await coordinator.snapshot(ID);
      expect(taught.opened).toBe(1);
      await coordinator.players(ID, null);
      const files = () => routes().filter((route) => route.includes("/checkpoints/"));
      const read = files().length;
      await coordinator.players(ID, null);
      expect(files()).toHaveLength(read);
    });
  });

  it("may have members without a fitness", async () => {
    await withRun(async ({ taught, coordinator }) => {
      const [first] = reports;
      if (!first) throw new Error("the run here has no generation");
      const members = first.members.map((member, slot) =>
        slot === 0 ? { ...member, fitness: Number.NaN } : member,
      );
      // JSON has no NaN, so it arrives as null.
      taught.generation({ ...first, members, fitnesses: [Number.NaN, ...first.fitnesses.slice(1)] });
      taught.state("stopped");
      const { latest } = await coordinator.snapshot(ID);
      expect(latest?.fitnesses[0]).toBeNaN();
      expect(latest?.members[0]?.fitness).toBeNaN();
    });
  });
});

describe("a run that trains", () => {
  it("is followed while a page shows it", async () => {
    await withRun(async ({ taught, coordinator, events, next }) => {
      const [first, second, third] = reports;
      if (!first || !second || !third) throw new Error("the run here is too short");
      taught.state("running");
      taught.generation(first);
      await coordinator.hold(ID);
      expect((await coordinator.snapshot(ID)).latest).toEqual(first);
      expect(generationsOf(events)).toEqual([]);
      const told = next(isGeneration(2));
      const [total_steps, rate] = [1024, 10];
      const rates = { steps_per_second: rate, learn_steps_per_second: null };
      taught.tell("progress", { event: "progress", generation: 2, global_step: 400, total_steps, ...rates });
      taught.generation(second);
      await told;
      expect(generationsOf(events)).toEqual([2]);
      expect(await coordinator.generations(ID, 1, 2)).toEqual([first, second]);
      const closed = taught.nextClosed();
      await coordinator.release(ID);
      await closed;
      expect(taught.streams).toBe(0);
      taught.generation(third);
      expect((await coordinator.snapshot(ID)).latest).toEqual(third);
    });
  });

  it("holds no connection when only asked for", async () => {
    await withRun(async ({ taught, coordinator }) => {
      taught.state("running");
      for (const report of reports.slice(0, 1)) taught.generation(report);
      const closed = taught.nextClosed();
      expect((await coordinator.snapshot(ID)).summary).toMatchObject({ state: "running", generation: 1 });
      await closed;
      expect(taught.streams).toBe(0);
    });
  });

  it("is told whole after the connection was lost, and that it was", async () => {
    await withRun(async ({ taught, coordinator, events, links, next }) => {
      taught.state("running");
      await coordinator.hold(ID);
      await coordinator.snapshot(ID);
      const all = reports.slice(0, 3);
      const last = next(isGeneration(3));
      for (const report of all) {
        const told = next(isGeneration(report.generation));
        taught.cut();
        taught.generation(report);
        await told;
      }
      await last;
      expect(generationsOf(events)).toEqual([1, 2, 3]);
      expect(links[0]).toBeNull();
      expect(links).toContainEqual(expect.stringContaining("."));
      expect(links.at(-1)).toBeNull();
    });
  });

  it("goes on after its end when it is extended", async () => {
    await withRun(async ({ taught, coordinator, events, routes, next }) => {
      const [first, second] = reports;
      if (!first || !second) throw new Error("the run here is too short");
      taught.generation(first);
      taught.state("finished", "max_steps");
      await coordinator.hold(ID);
      expect((await coordinator.snapshot(ID)).summary.state).toBe("finished");
      taught.state("queued");
      const told = next(isGeneration(2));
      const over = next(isState("finished"));
      await coordinator.extend(ID, 5000);
      expect(routes()).toContain("POST /api/cli/v1/experiments/jobs/resume");
      taught.generation(second);
      await told;
      taught.state("finished", "max_steps");
      await over;
      expect(generationsOf(events)).toEqual([2]);
      expect((await coordinator.snapshot(ID)).summary).toMatchObject({ state: "finished", generation: 2 });
    });
  });

  it("was let go on before it is opened: what was the end is not", async () => {
    await withRun(async ({ taught, coordinator }) => {
      tellAll(taught);
      taught.state("queued");
      taught.state("failed", "out of memory");
      const { summary, failure } = await coordinator.snapshot(ID);
      expect([summary.state, failure]).toEqual(["failed", "out of memory"]);
    });
  });

  it("is held, let go on and stopped by the platform", async () => {
    await withRun(async ({ coordinator, routes }) => {
      await coordinator.pause(ID);
      await coordinator.resume(ID);
      await coordinator.stop(ID);
      expect(routes().filter((route) => route.startsWith("POST"))).toEqual([
        `POST /v1/runs/${TAKEN.experiment_id}/pause`,
        `POST /v1/runs/${TAKEN.experiment_id}/resume`,
        "POST /api/cli/v1/experiments/jobs/stop",
      ]);
    });
  });

  it("tells a report that is not as agreed as a failure", async () => {
    await withRun(async ({ taught, coordinator }) => {
      taught.state("running");
      taught.generation({ ...(reports[0] as GenerationReport), elite: 0.5 });
      await expect(coordinator.snapshot(ID)).rejects.toThrow("elite");
    });
  });
});

it("refuses what runs of a platform cannot do, and sends nothing", async () => {
  await withRun(async ({ coordinator, routes }) => {
    for (const refused of ["rename", "fork", "steer", "pin", "deleteRun", "exportRun"] as const)
      await expect(coordinator.answer(refused, [ID])).rejects.toThrow(NotOfRemoteRunsError);
    await expect(coordinator.answer("rename", [ID, "new"])).rejects.toThrow(
      "The workbench cannot rename a run of a platform.",
    );
    expect(routes()).toEqual([]);
    expect(await coordinator.steering(ID)).toEqual([]);
    expect(await coordinator.kernels(ID)).toBeNull();
  });
});

it("lists a project's runs and submits others", async () => {
  await withPlatform(async (platform) => {
    const client = new RemoteClient({ api_key: KEY, base_url: platform.base_url });
    const coordinator = new RemoteCoordinator({ client, emit: () => undefined, onLink: () => undefined });
    const taught = new TaughtPlatform(platform, MANIFEST, SEED);
    taught.state("running");
    expect(await coordinator.listRuns("default")).toEqual([
      expect.objectContaining({ id: ID, name: TAKEN.experiment_name, state: "running", generation: 0 }),
    ]);
    expect(platform.asked[0]?.query.get("project")).toBe("default");
    platform.answer(() => ACCEPTED);
    const submission = { manifest: MANIFEST, project: "maze", name: "poles", num_nodes: 2 };
    expect(await coordinator.submit(submission)).toBe(ID);
    expect(platform.asked.at(-1)?.json).toMatchObject({
      project: "maze",
      experiment_name: "poles",
      num_nodes: 2,
    });
  });
});
