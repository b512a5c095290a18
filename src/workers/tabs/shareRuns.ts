import type { TabCoordinator } from "../coordinator.ts";
import { callsBy, invoke, rowOf, runIdOf } from "../protocol/callTable.ts";
import { RUN_CALLS, type RunCalls } from "../protocol.ts";
import { HolderGoneError, OtherTabs } from "./OtherTabs.ts";
import type { TabChannel } from "./TabChannel.ts";

export interface SharedRuns {
  /** The calls about runs, answered by the tab that holds the run. */
  readonly calls: RunCalls;
  readonly tabs: OtherTabs;
}

const isForwarded = (name: string): name is keyof RunCalls => rowOf(RUN_CALLS, name)?.tab === "holder";

/** Lets this tab follow and steer runs of other tabs, and other tabs those of this one. */
export function shareRuns(local: TabCoordinator, channel: TabChannel): SharedRuns {
  const tabs: OtherTabs = new OtherTabs({
    channel,
    isHere: (run) => local.holds(run),
    isElsewhere: (run) => local.isElsewhere(run),
    answer: async (name, run, args) => {
      if (!isForwarded(name)) throw new Error(`There is no call "${name}" here; reload this tab.`);
      return invoke(local, name, [run, ...args]);
    },
    onEvent: (event) => local.relay(event),
    onEnded: (run) => void local.letGo(run).catch(() => undefined),
  });
  local.onEvent = (event) => tabs.tell(event);
  local.onElsewhere = (run) => tabs.follow(run);
  const calls = callsBy(RUN_CALLS, async (name, args) => {
    const run = runIdOf(args);
    if (!isForwarded(name) || !(await local.isElsewhere(run))) return invoke(local, name, args);
    try {
      return await tabs.ask(run, name, args.slice(1));
    } catch (error) {
      if (!(error instanceof HolderGoneError)) throw error;
      await local.letGo(run);
      return invoke(local, name, args);
    }
  });
  return { calls, tabs };
}
