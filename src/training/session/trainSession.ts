/** Trains a session as the library does: with progress on the console, trackers, and outputs in a file store. */
import { defaultStore } from "../../storage/files.ts";
import type { FileStore } from "../../storage/index.ts";
import { consoleObserver, warn, warnOnce } from "../../tracking/clients.ts";
import {
  type EndReport,
  observers,
  type TrainingEvent,
  type TrainingObserver,
} from "../../tracking/observer.ts";
import { totalSteps } from "../loop/LoopPlan.ts";
import type { TrainingRun } from "../loop/TrainingRun.ts";
import type { Kinds, RunState } from "../loop/Workload.ts";
import { rowShapeOf } from "../loop/WorkloadDefinition.ts";
import type { MakeTrackers } from "../options/trackerOptions.ts";
import { DirectorySink, type DirectorySinkOptions, type LostOutput } from "./DirectorySink.ts";
import { RunSession, type SessionDefinition } from "./RunSession.ts";
import type { RunSink } from "./RunSink.ts";

export interface TrainingParts<K extends Kinds = Kinds>
  extends Omit<SessionDefinition<K>, "observer" | "onFailed">,
    Omit<DirectorySinkOptions<K>, "store" | "observer"> {
  /**
   * Hyperparameters to show on the console and report to trackers (default: the console shows all of them).
   */
  readonly hyperparameters?: readonly string[];
  /** Ids of each member's agents, if it has several, for trackers (default: none). */
  readonly agents?: readonly string[];
  /** Makes the run's trackers (default: none). */
  readonly trackers?: MakeTrackers | undefined;
  /** Emitted before training starts. */
  readonly warnings?: readonly string[];
  readonly observer?: TrainingObserver | undefined;
  readonly store?: FileStore | undefined;
  /** Called with the run before it starts, to pause or stop it. */
  readonly onRun?: ((run: TrainingRun<K>) => void) | undefined;
  /** Called with the final state when the run ends, also after an error. */
  readonly onEnd?: (state: RunState<K>) => void;
  /** Makes a sink around the requested outputs; it then answers for them. */
  readonly sinkAround?: ((outputs: RunSink<K>) => RunSink<K>) | undefined;
}

interface TrainingOutcome<K extends Kinds = Kinds> {
  readonly state: RunState<K>;
  readonly end: EndReport;
  /** Requested outputs that were never written; `null` for none. */
  readonly lost: LostOutput | null;
}

/** Without observers, warnings are logged to the console. */
const CONSOLE_WARNINGS: TrainingObserver = {
  on: (event) => {
    if (event.event === "warning") warn(event.message);
  },
};

/** @throws RangeError when the selection does not fit the population. */
function requireFitting<K extends Kinds>({ state, selection }: TrainingParts<K>): void {
  const { members } = state;
  const size = selection?.population_size;
  if (size === undefined || size === members.length) return;
  throw new RangeError(
    `selection_strategy.population_size: found ${size}, allowed ${members.length} (the population's size)`,
  );
}

/**
 * Trains until the run ends and returns the final state.
 * @throws RangeError when selection does not fit the population; also any error of `TrainingRun.train`.
 */
export async function trainSession<K extends Kinds>(parts: TrainingParts<K>): Promise<TrainingOutcome<K>> {
  const { state, plan, hyperparameters, workload } = parts;
  requireFitting(parts);
  const { checkpoint_steps, checkpoint_at_end } = parts;
  const writes =
    parts.save_elite || (checkpoint_steps ?? null) !== null || checkpoint_at_end || parts.trackers;
  const store = parts.store ?? (writes ? await defaultStore() : null);
  const total_steps = totalSteps(plan, state.members.length);
  const watching = [
    ...((parts.verbose ?? true)
      ? [consoleObserver({ total_steps, ...(hyperparameters ? { hyperparameters } : {}) })]
      : []),
    ...(parts.observer ? [parts.observer] : []),
  ];
  const seen = watching.length > 0 ? observers(...watching) : CONSOLE_WARNINGS;
  const notify = (message: string): void => seen.on({ event: "warning", message });
  const shape = rowShapeOf(state.members, parts);
  const trackers = store && (await parts.trackers?.({ store, shape, state, warn: notify }));
  const observer = trackers ? observers(seen, trackers) : seen;
  await trackers?.open();
  // Warnings known before the start are the same in every run of a program, so the console shows them once.
  const say = watching.length > 0 ? notify : warnOnce;
  for (const message of parts.warnings ?? []) say(message);
  const tells = parts.observer !== undefined && parts.observer.episodes !== false;
  const outputs = store && new DirectorySink<K>({ ...parts, store, observer });
  const onFailed = (): void => {
    for (const event of workload.lastWords?.() ?? []) {
      observer.on(event);
      logLastWords(event);
    }
  };
  const session = new RunSession<K>(
    { ...parts, ...(tells && { tells_episodes: true as const }), observer, onFailed },
    state,
    parts.sinkAround?.(outputs ?? {}) ?? outputs ?? {},
  );
  parts.onRun?.(session.run);
  let ok = false;
  try {
    const ending = await session.train();
    if ("error" in ending) throw ending.error;
    ok = true;
    return {
      state: session.run.state,
      end: ending.end,
      lost: parts.sinkAround ? null : (outputs?.lost ?? null),
    };
  } finally {
    parts.onEnd?.(session.run.state);
    await trackers?.close({ ok });
  }
}

/** Logs the latest completions before training failed, at error level. */
function logLastWords(event: TrainingEvent): void {
  if (event.event !== "completions") return;
  const lines = event.records.map(
    ({ reward, prompt, completion }) =>
      `${reward}  ${JSON.stringify(prompt)} -> ${JSON.stringify(completion)}`,
  );
  console.error(["rlkit: training failed; the latest completions:", ...lines].join("\n"));
}
