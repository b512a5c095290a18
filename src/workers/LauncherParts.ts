import type { FileStore } from "../storage/index.ts";
import type { MakeExecutor } from "./activeRun.ts";
import type { UserEnvironments } from "./environments/UserEnvironments.ts";
import type { KeptAgents } from "./KeptAgents.ts";
import type { Models } from "./models/Models.ts";
import type { RunFetches } from "./RunFetches.ts";
import type { Runs } from "./Runs.ts";

/** The objects that the launcher of runs uses. */
export interface LauncherParts {
  readonly runs: Runs;
  readonly agents: KeptAgents;
  readonly files: FileStore;
  readonly models: Models;
  readonly environments: UserEnvironments;
  readonly fetches: RunFetches;
  readonly makeExecutor: MakeExecutor;
  /** @throws Error that says what to do, if this machine has no GPU to train on. */
  readonly requireGpu: () => Promise<unknown>;
  /** Number of logical processors. */
  readonly cores: number;
  readonly now: () => number;
}
