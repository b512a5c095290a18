import { CALLS_ABOUT_A_RUN, isRemoteRun, type RunCalls } from "../../workers/pages.ts";
import type { RunEvent } from "../../workers/protocol.ts";
import type { Connection } from "./Connection.ts";

/** The runs of a platform. */
export interface RemoteRuns {
  /** @throws Error while no platform is connected. */
  calls(): RunCalls;
  /** Subscribes to the events of the platform's runs. The returned function unsubscribes. */
  onEvent(listener: (event: RunEvent) => void): () => void;
  /** Marks a run as shown by a page until the returned function is called. */
  hold(run: string): () => void;
}

type Call = (id: string, ...args: readonly unknown[]) => Promise<unknown>;

/** Routes calls about a platform's runs to the platform, so that pages need not know where a run trains. */
export function withRemoteRuns(local: Connection, remote: RemoteRuns): Connection {
  const dispatched = CALLS_ABOUT_A_RUN.map((name): [string, Call] => {
    // Both targets take the arguments of the call of that name.
    const here = local.coordinator[name] as Call;
    const there: Call = async (id, ...args) => (remote.calls()[name] as Call)(id, ...args);
    return [name, (id, ...args) => (isRemoteRun(id) ? there : here)(id, ...args)];
  });
  return {
    coordinator: { ...local.coordinator, ...Object.fromEntries(dispatched) },
    onEvent: (listener) => {
      const ends = [local.onEvent(listener), remote.onEvent(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
    hold: (run) => (isRemoteRun(run) ? remote.hold(run) : () => undefined),
    onLost: (listener) => local.onLost(listener),
    close: () => local.close(),
  };
}
