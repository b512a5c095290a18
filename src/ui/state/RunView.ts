import type { CompletionsReport, GenerationReport, ProgressReport } from "../../training/loop/observer.ts";
import type { DeviceInfo, Notice, RunSnapshot, RunSummary } from "../../workers/protocol.ts";

/** What a run's page shows, replaced as a whole at most a few times a second. */
export interface RunView {
  readonly phase: "loading" | "ready" | "failed";
  /** Why the run could not be opened, in phase "failed". */
  readonly problem: string | null;
  readonly summary: RunSummary | null;
  readonly manifest: unknown;
  /** What the run was started with beside its manifest. */
  readonly options: RunSnapshot["options"] | null;
  readonly device: DeviceInfo | null;
  readonly progress: ProgressReport | null;
  /** Steps that the population takes in the whole run, as it was known when the page opened; null before. */
  readonly total_steps: number | null;
  readonly notices: readonly Notice[];
  /** The latest completions of a language model's run, newest last. */
  readonly completions: readonly CompletionsReport[];
  readonly failure: string | null;
  /** Of the last generation; null when there is none, or its report is lost. */
  readonly latest: GenerationReport | null;
  /** Times that somebody steered it since it was opened. */
  readonly steered: number;
  /** Tells when the session's series and reports have grown. */
  readonly version: number;
}

export const EMPTY_VIEW: RunView = {
  phase: "loading",
  problem: null,
  summary: null,
  manifest: null,
  options: null,
  device: null,
  progress: null,
  total_steps: null,
  notices: [],
  completions: [],
  failure: null,
  latest: null,
  steered: 0,
  version: 0,
};

/** Notices kept for the page; older ones are in the run's log. */
export const MAX_NOTICES = 20;
