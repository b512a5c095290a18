import { LOCAL_RUN, type RunSummary } from "../../../src/workers/protocol.ts";

/** A run's row, with what matters to a test. */
export const fakeSummary = (part: Partial<RunSummary> = {}): RunSummary => ({
  id: "run-1",
  name: "My run",
  state: "stopped",
  algorithm: "DQN",
  environment: "CartPole-v1",
  generation: 1,
  global_step: 1000,
  best_fitness: 20,
  created_at: 0,
  updated_at: 0,
  bytes: 1000,
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
  end: null,
  can: LOCAL_RUN,
  ...part,
});
