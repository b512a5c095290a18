import { WorkerClient } from "../../workers/computing.ts";
import { callsBy, invoke, isRemoteRun, runIdOf } from "../../workers/pages.ts";
import {
  COORDINATOR_CALLS,
  type PageCalls,
  RUN_CALLS,
  type RunCalls,
  type RunEvent,
} from "../../workers/protocol.ts";
import { messageOf } from "../lib/format.ts";
import { lendSandboxes } from "./lendSandboxes.ts";

/** The workbench's connection to the coordinator. */
export interface Connection {
  /**
   * Calls reject with an Error whose message can be shown, including when the coordinator is lost while they
   * are pending.
   */
  readonly coordinator: PageCalls;
  /** Subscribes to the events of every run. The returned function unsubscribes. */
  onEvent(listener: (event: RunEvent) => void): () => void;
  /** Calls `listener` at most once, when the coordinator is lost for good; immediately if it already is. */
  onLost(listener: (reason: Error) => void): () => void;
  /**
   * Marks a run as shown by a page until the returned function is called. Absent where holding a run has no
   * effect.
   */
  hold?(run: string): () => void;
  /** Terminates the coordinator; runs that train in it stop and can resume from their last checkpoint. */
  close(): void;
}

/** The runs of a platform. */
export interface RemoteRuns {
  /** @throws Error while no platform is connected. */
  calls(): RunCalls;
  /** Subscribes to the events of the platform's runs. The returned function unsubscribes. */
  onEvent(listener: (event: RunEvent) => void): () => void;
  /** Marks a run as shown by a page until the returned function is called. */
  hold(run: string): () => void;
}

const startWorker = (): Worker =>
  new Worker(new URL("../../workers/coordinator.worker.ts", import.meta.url), {
    type: "module",
    name: "rlkit coordinator",
  });

/** Starts the coordinator in its own worker and connects to it. */
export function connectCoordinator(start: () => Worker = startWorker): Connection {
  const [events, sandboxes] = [new MessageChannel(), new MessageChannel()];
  const eventListeners = new Set<(event: RunEvent) => void>();
  const lostListeners = new Set<(reason: Error) => void>();
  const client = new WorkerClient({
    table: COORDINATOR_CALLS,
    worker: start(),
    name: "The training thread",
    onEnd: () => events.port1.close(),
    onLost: (reason) => {
      for (const listener of lostListeners) listener(reason);
      lostListeners.clear();
    },
  });
  events.port1.onmessage = ({ data }: MessageEvent<RunEvent>) => {
    for (const listener of eventListeners) listener(data);
  };
  lendSandboxes(sandboxes.port1);
  const { subscribe, lendSandboxes: lend, ...coordinator } = client.calls;
  for (const given of [subscribe(events.port2), lend(sandboxes.port2)])
    given.catch((error: unknown) => client.lose(messageOf(error)));
  return {
    coordinator,
    onEvent: (listener) => {
      eventListeners.add(listener);
      return () => eventListeners.delete(listener);
    },
    onLost: (listener) => {
      if (client.ended !== null) listener(client.ended);
      else lostListeners.add(listener);
      return () => lostListeners.delete(listener);
    },
    close: () => client.end(new Error("The connection to the training thread was closed.")),
  };
}

/** Routes calls about a platform's runs to the platform, so that pages need not know where a run trains. */
export function withRemoteRuns(local: Connection, remote: RemoteRuns): Connection {
  const aboutRuns = callsBy(RUN_CALLS, async (name, args) =>
    invoke(isRemoteRun(runIdOf(args)) ? remote.calls() : local.coordinator, name, args),
  );
  return {
    coordinator: { ...local.coordinator, ...aboutRuns },
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
