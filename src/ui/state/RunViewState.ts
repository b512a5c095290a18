import type {
  CompletionsReport,
  GenerationReport,
  ProgressReport,
  TrainingEpisode,
} from "../../tracking/observer.ts";
import type { DeviceInfo, Explaining, Notice, RunSnapshot, RunSummary } from "../../workers/protocol.ts";

/** The state that a run's page shows, replaced as a whole at most a few times per second. */
export interface RunViewState {
  readonly phase: "loading" | "ready" | "failed";
  /** Why the run could not be opened, in phase "failed". */
  readonly problem: string | null;
  readonly summary: RunSummary | null;
  readonly manifest: unknown;
  /** The start options of the run, besides its manifest. */
  readonly options: RunSnapshot["options"] | null;
  readonly device: DeviceInfo | null;
  readonly progress: ProgressReport | null;
  /** Episodes of training that ended in the generation that is being trained. */
  readonly episodes: readonly TrainingEpisode[];
  /** Total steps of the population in the whole run, as known when the page was opened; null before. */
  readonly total_steps: number | null;
  readonly notices: readonly Notice[];
  /** The latest completions of a language model's run, newest last. */
  readonly completions: readonly CompletionsReport[];
  readonly failure: string | null;
  /** Report of the last generation; null if there is none or its report is lost. */
  readonly latest: GenerationReport | null;
  /** The test of a mutation that goes on; null if there is none. */
  readonly explaining: Explaining | null;
  /** Number of steering events since the run was opened. */
  readonly steered: number;
  /** Changes when the session's columns and reports have grown. */
  readonly version: number;
}

export const EMPTY_VIEW: RunViewState = {
  phase: "loading",
  problem: null,
  summary: null,
  manifest: null,
  options: null,
  device: null,
  progress: null,
  episodes: [],
  total_steps: null,
  notices: [],
  completions: [],
  failure: null,
  latest: null,
  explaining: null,
  steered: 0,
  version: 0,
};

/** Maximum number of notices kept for the page; older ones are in the run's log. */
export const MAX_NOTICES = 20;
