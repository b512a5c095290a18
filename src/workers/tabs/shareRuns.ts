import type { Coordinator as LocalCoordinator } from "../coordinator.ts";
import type { Coordinator } from "../protocol.ts";
import { HolderGoneError, OtherTabs } from "./OtherTabs.ts";
import type { TabChannel } from "./TabChannel.ts";

/** Calls about one run, answered by the tab that holds it. */
const FORWARDED = [
  "snapshot",
  "generations",
  "history",
  "pause",
  "resume",
  "stop",
  "deleteRun",
  "discard",
  "rename",
  "setTags",
  "setNote",
  "steer",
  "steering",
  "agents",
  "agent",
  "players",
  "network",
  "checkpoints",
  "pin",
  "deleteCheckpoint",
  "downloadElite",
  "downloadPolicy",
  "downloadMetrics",
  "downloadEvents",
  "exportRun",
  "kernels",
] as const satisfies readonly (keyof Coordinator)[];

type Forwarded = (typeof FORWARDED)[number];
type Call = (id: string, ...args: readonly unknown[]) => Promise<unknown>;

const isForwarded = (call: string): call is Forwarded => (FORWARDED as readonly string[]).includes(call);

/** A call of the coordinator about one run, by its name. */
const callOf = (local: LocalCoordinator, call: Forwarded): Call =>
  // The sender is built from the same code, so its arguments have the types of the call.
  (local[call] as Call).bind(local);

export interface SharedRuns {
  /** The forwarded calls, answered by the tab that holds the run. */
  readonly calls: Pick<LocalCoordinator, Forwarded>;
  readonly tabs: OtherTabs;
}

/** Lets this tab follow and steer runs of other tabs, and other tabs those of this one. */
export function shareRuns(local: LocalCoordinator, channel: TabChannel): SharedRuns {
  const tabs: OtherTabs = new OtherTabs({
    channel,
    isHere: (run) => local.holds(run),
    isElsewhere: (run) => local.isElsewhere(run),
    answer: async (call, run, args) => {
      if (!isForwarded(call)) throw new Error(`There is no call "${call}" here; reload this tab.`);
      return callOf(local, call)(run, ...args);
    },
    onEvent: (event) => local.relay(event),
    onEnded: (run) => void local.letGo(run).catch(() => undefined),
  });
  local.onEvent = (event) => tabs.tell(event);
  local.onElsewhere = (run) => tabs.follow(run);
  const forwarded = (call: Forwarded): Call => {
    const here = callOf(local, call);
    return async (id, ...args) => {
      if (!(await local.isElsewhere(id))) return here(id, ...args);
      try {
        return await tabs.ask(id, call, args);
      } catch (error) {
        if (!(error instanceof HolderGoneError)) throw error;
        await local.letGo(id);
        return here(id, ...args);
      }
    };
  };
  const calls = Object.fromEntries(FORWARDED.map((call) => [call, forwarded(call)]));
  // Each value has the type of the call with its name.
  return { calls: calls as unknown as SharedRuns["calls"], tabs };
}
