/** The fields of a platform's experiment that the workbench reads. */
import { z } from "zod";
import { remoteRunId } from "../protocol/remote.ts";
import { PLATFORM_RUN, type RunSummary } from "../protocol/runs.ts";

const moment = z.iso.datetime().transform((text) => Date.parse(text));

export const RemoteExperiment = z.looseObject({
  experiment_id: z.string(),
  experiment_name: z.string(),
  state: z.enum(["queued", "running", "paused", "stopped", "finished", "failed"]),
  /** The reason for the state; null for none. */
  reason: z.string().nullable(),
  algorithm: z.string(),
  environment: z.string(),
  resource_id: z.string(),
  seed: z.int(),
  generation: z.int(),
  global_step: z.number(),
  best_fitness: z.number().nullable(),
  created_at: moment,
  started_at: moment.nullable(),
  ended_at: moment.nullable(),
});

export type RemoteExperiment = z.output<typeof RemoteExperiment>;

/** An experiment with its manifest. */
export const ExperimentWithManifest = RemoteExperiment.extend({
  manifest: z.record(z.string(), z.unknown()),
});

export type ExperimentWithManifest = z.output<typeof ExperimentWithManifest>;

/** Whether the state stays the same until a user acts. */
export const isOver = ({ state }: Pick<RemoteExperiment, "state">): boolean =>
  state === "stopped" || state === "finished" || state === "failed";

/** The experiment as a row of the list of runs. */
export const summaryOf = (experiment: RemoteExperiment): RunSummary => {
  const { state, algorithm, environment, generation, global_step, best_fitness, created_at, ended_at } =
    experiment;
  return {
    id: remoteRunId(experiment.experiment_id),
    name: experiment.experiment_name,
    state,
    algorithm,
    environment,
    seed: null,
    generation,
    global_step,
    best_fitness,
    created_at,
    updated_at: experiment.ended_at ?? experiment.started_at ?? created_at,
    bytes: 0,
    tags: [],
    note: "",
    device: null,
    last_checkpoint: null,
    steps_per_second: null,
    sparkline: new Float32Array(),
    live_elsewhere: false,
    fetch: null,
    waiting: false,
    unsaved: null,
    compared_with: null,
    group: null,
    champion: null,
    end: isOver(experiment) && ended_at !== null ? { reason: null, at: ended_at } : null,
    can: PLATFORM_RUN,
  };
};
