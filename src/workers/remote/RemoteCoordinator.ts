/**
 * The coordinator of runs on a remote platform, with the calls that the workbench's pages make for any run.
 */
import { z } from "zod";
import type { ManifestInput } from "../../manifests/index.ts";
import type { RemoteClient } from "../../remote/index.ts";
import { memoryFileStore } from "../../storage/index.ts";
import { type DownloadedElite, eliteFile, policyFile } from "../files/eliteFiles.ts";
import { eventsFile, metricsFile, type ToldRun, toldAs } from "../files/metricFiles.ts";
import { MAX_REPORTS, type RUN_CALLS, type RunCalls } from "../protocol/calls.ts";
import { type CallsOf, type ClientCalls, invoke } from "../protocol/callTable.ts";
import {
  experimentIdOf,
  type PLATFORM_CALLS,
  type PlatformCalls,
  REMOTE_CALLS,
  type RemoteMachines,
  type RemoteSubmission,
  remoteRunId,
} from "../protocol/remote.ts";
import type { RunEvent, RunSummary } from "../protocol/runs.ts";
import type { Download } from "../protocol/stored.ts";
import { RemoteAgents } from "./RemoteAgents.ts";
import { ExperimentWithManifest, RemoteExperiment, summaryOf } from "./RemoteExperiment.ts";
import { RemoteRun } from "./RemoteRun.ts";

interface RemoteCoordinatorParts {
  readonly client: RemoteClient;
  readonly emit: (event: RunEvent) => void;
  /** Called with the reason when the platform does not respond, and with null when it responds again. */
  readonly onLink: (problem: string | null) => void;
}

/** Maximum number of runs whose history is kept in memory, besides those that pages show. */
const MOST_RUNS = 8;

const Machines: z.ZodType<RemoteMachines> = z.object({
  resources: z.array(
    z.object({ resource_id: z.string(), description: z.string(), workers: z.int(), cores: z.int() }),
  ),
  workers: z.array(
    z.object({
      id: z.string(),
      host: z.string(),
      cores: z.int(),
      device: z.string(),
      version: z.string(),
    }),
  ),
});

const Taken = z.looseObject({ experiment_id: z.string() });

interface Followed {
  readonly run: RemoteRun;
  readonly agents: RemoteAgents;
}

/** An action that the workbench does not support for a run of a platform. */
export class NotOfRemoteRunsError extends Error {
  override readonly name = "NotOfRemoteRunsError";

  /** @param what A verb, such as "rename". */
  constructor(what: string) {
    super(`The workbench cannot ${what} a run of a platform.`);
  }
}

/** The calls about a run that a platform answers. */
type AnsweredCalls = CallsOf<typeof RUN_CALLS, "run">;

const isRefused = (name: keyof PlatformCalls): name is Exclude<keyof RunCalls, keyof AnsweredCalls> =>
  REMOTE_CALLS[name].refusal !== null;

export class RemoteCoordinator implements AnsweredCalls, Omit<ClientCalls<typeof PLATFORM_CALLS>, "connect"> {
  readonly #parts: RemoteCoordinatorParts;
  readonly #client: RemoteClient;
  /** By the platform's id, the most recently requested last. */
  readonly #followed = new Map<string, Followed>();
  /** Number of pages that show each run. */
  readonly #holds = new Map<string, number>();

  constructor(parts: RemoteCoordinatorParts) {
    this.#parts = parts;
    this.#client = parts.client;
  }

  /** Stops following all runs. */
  close(): void {
    this.#holds.clear();
    for (const { run } of this.#followed.values()) run.rest();
    this.#followed.clear();
  }

  async hold(id: string): Promise<void> {
    const experiment = experimentIdOf(id);
    this.#holds.set(experiment, (this.#holds.get(experiment) ?? 0) + 1);
  }

  async release(id: string): Promise<void> {
    const experiment = experimentIdOf(id);
    const left = (this.#holds.get(experiment) ?? 0) - 1;
    if (left > 0) this.#holds.set(experiment, left);
    else this.#holds.delete(experiment);
    this.#followed.get(experiment)?.run.rest();
  }

  async machines(): Promise<RemoteMachines> {
    const [resources, workers] = await Promise.all([
      this.#client.listResources(),
      this.#client.listWorkers(),
    ]);
    return Machines.parse({ resources, workers });
  }

  async listRuns(project: string): Promise<readonly RunSummary[]> {
    const experiments = await this.#client.listExperiments(project);
    return experiments.map((one) => {
      const experiment = RemoteExperiment.parse(one);
      const known = this.#followed.get(experiment.experiment_id)?.run.summary();
      // A followed run has more data than the platform's row.
      return known?.generation === experiment.generation
        ? { ...known, state: experiment.state }
        : summaryOf(experiment);
    });
  }

  async submit({ manifest, project, name, num_nodes }: RemoteSubmission): Promise<string> {
    const taken = await this.#client.submitExperiment({
      // The client checks the manifest before it sends it, whatever its type.
      manifest: manifest as ManifestInput,
      project,
      experiment_name: name,
      num_nodes,
    });
    return remoteRunId(Taken.parse(taken).experiment_id);
  }

  async postPlay(html: string, title: string, poster: string | null): Promise<string> {
    return (await this.#client.postPlay({ html, title, poster })).url;
  }

  async downloadCheckpoint(id: string, generation: number): Promise<Download> {
    return (await this.#open(id)).agents.zip(generation);
  }

  snapshot: RunCalls["snapshot"] = async (id) => (await this.#open(id)).run.snapshot();

  generations: RunCalls["generations"] = async (id, first, last) => {
    if (!(last - first < MAX_REPORTS))
      throw new RangeError(`Generations ${first} to ${last} are more than ${MAX_REPORTS} reports.`);
    return (await this.#known(id)).run.reports(first, last);
  };

  history: RunCalls["history"] = async (id, from) => (await this.#known(id)).run.columnsFrom(from);

  pause: RunCalls["pause"] = (id) => this.#client.pauseExperiment(experimentIdOf(id));
  resume: RunCalls["resume"] = async (id) => {
    await this.#client.continueExperiment(experimentIdOf(id));
    await this.#open(id);
  };
  stop: RunCalls["stop"] = (id) => this.#client.stopExperiment(experimentIdOf(id));
  extend: RunCalls["extend"] = async (id, max_steps) => {
    await this.#client.resumeExperiment(experimentIdOf(id), max_steps);
    await this.#open(id);
  };

  agents: RunCalls["agents"] = async (id) => (await this.#known(id)).agents.list();
  agent: RunCalls["agent"] = async (id, ref) => (await this.#known(id)).agents.file(ref);
  players: RunCalls["players"] = async (id, generation) => (await this.#known(id)).agents.players(generation);
  eliteAt: RunCalls["eliteAt"] = async (id, generation) => (await this.#known(id)).agents.eliteAt(generation);
  network: RunCalls["network"] = async (id, ref) => (await this.#known(id)).agents.network(ref);
  checkpoints: RunCalls["checkpoints"] = async (id) => (await this.#known(id)).agents.checkpoints();

  downloadElite: RunCalls["downloadElite"] = async (id) => eliteFile(await this.#elite(id));
  downloadPolicy: RunCalls["downloadPolicy"] = async (id) => policyFile(await this.#elite(id));
  downloadMetrics: RunCalls["downloadMetrics"] = async (id) => metricsFile(await this.#rows(id));
  downloadEvents: RunCalls["downloadEvents"] = async (id) => eventsFile(await this.#rows(id));

  /** This browser compiles no kernels for a platform's run. */
  kernels: RunCalls["kernels"] = async () => null;
  steering: RunCalls["steering"] = async () => [];
  /** Platforms train only in built-in environments. */
  runEnvironment: RunCalls["runEnvironment"] = async () => null;

  /**
   * Answers a call by its name.
   * @throws NotOfRemoteRunsError for a call that its row refuses.
   */
  async answer(name: Exclude<keyof PlatformCalls, "connect">, args: readonly unknown[]): Promise<unknown> {
    if (isRefused(name)) throw new NotOfRemoteRunsError(REMOTE_CALLS[name].refusal ?? name);
    return invoke(this, name, args);
  }

  /** Opens the run and waits for all of its events so far. */
  async #open(id: string): Promise<Followed> {
    const experiment = ExperimentWithManifest.parse(await this.#client.getExperiment(experimentIdOf(id)));
    const known = this.#followed.get(experiment.experiment_id);
    const followed = known ?? this.#follow(experiment);
    this.#followed.delete(experiment.experiment_id);
    this.#followed.set(experiment.experiment_id, followed);
    for (const oldest of this.#followed.keys()) {
      if (this.#followed.size <= MOST_RUNS) break;
      if (!this.#holds.has(oldest)) this.#followed.delete(oldest);
    }
    await followed.run.open(experiment);
    return followed;
  }

  #follow(experiment: ExperimentWithManifest): Followed {
    const isHeld = (): boolean => this.#holds.has(experiment.experiment_id);
    const run = new RemoteRun({ ...this.#parts, experiment, isHeld });
    return { run, agents: new RemoteAgents(this.#client, run) };
  }

  /** The run as it is known here; opened if it is not known. */
  async #known(id: string): Promise<Followed> {
    return this.#followed.get(experimentIdOf(id)) ?? this.#open(id);
  }

  async #elite(id: string): Promise<DownloadedElite> {
    const { agents, run } = await this.#known(id);
    if (run.checkpoints.length === 0)
      throw new Error("There is no elite yet: the platform has written no checkpoint of this run.");
    const elite = await agents.find({ kind: "elite" });
    return { elite, manifest: run.manifest, files: memoryFileStore() };
  }

  async #rows(id: string): Promise<ToldRun> {
    const { run } = await this.#known(id);
    const members = run.checkpoints.length > 0 ? [(await this.#elite(id)).elite.agent] : [];
    async function* reports() {
      yield* run.reports();
    }
    return {
      ...toldAs(run.manifest, run.seed, members, run.population),
      started: run.created_at,
      reports: reports(),
    };
  }
}
