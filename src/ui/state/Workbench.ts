import { createStore, type StoreApi } from "zustand/vanilla";
import type { Coordinator, RunEvent } from "../../workers/protocol.ts";
import type { Connection } from "../client/Connection.ts";
import { messageOf } from "../lib/messageOf.ts";
import { createUpdateClock } from "../lib/updateClock.ts";
import type { RunSession } from "./RunSession.ts";
import { NO_RUNS_YET, type RunList, runListAfter } from "./runList.ts";

/** Something that failed and that the person has not dismissed. */
export interface Alert {
  readonly id: number;
  readonly message: string;
}

export type StorageInfo = Awaited<ReturnType<Coordinator["storage"]>>;

export interface WorkbenchState {
  readonly list: RunList;
  readonly storage: StorageInfo | null;
  readonly alerts: readonly Alert[];
  /** Why the coordinator is gone; null while it is there. */
  readonly loss: string | null;
}

/** The page's model: what all its parts share, above the coordinator and below React. */
export class Workbench {
  readonly coordinator: Connection["coordinator"];
  readonly state: StoreApi<WorkbenchState> = createStore(() => ({
    list: NO_RUNS_YET,
    storage: null,
    alerts: [],
    loss: null,
  }));
  readonly #sessions = new Map<string, RunSession>();
  #list: RunList = NO_RUNS_YET;
  #alerts = 0;
  readonly #listClock = createUpdateClock(() => this.state.setState({ list: this.#list }));
  readonly #release: readonly (() => void)[];

  constructor(connection: Connection) {
    this.coordinator = connection.coordinator;
    const tellVisible = (): void => {
      // Only a hint about load; when the coordinator is lost, the page says so anyway.
      this.coordinator.setVisible(!document.hidden).catch(() => undefined);
    };
    document.addEventListener("visibilitychange", tellVisible);
    tellVisible();
    this.#release = [
      connection.onEvent((event) => this.#take(event)),
      connection.onLost((reason) => this.state.setState({ loss: reason.message })),
      () => document.removeEventListener("visibilitychange", tellVisible),
    ];
  }

  /** Reads the list of runs and the state of storage anew. */
  async refresh(): Promise<void> {
    const [runs, storage] = await Promise.allSettled([
      this.coordinator.listRuns(),
      this.coordinator.storage(),
    ]);
    this.#list =
      runs.status === "fulfilled"
        ? { runs: runs.value, readAt: Date.now(), problem: null }
        : { ...this.#list, problem: messageOf(runs.reason) };
    this.state.setState({
      list: this.#list,
      ...(storage.status === "fulfilled" ? { storage: storage.value } : {}),
    });
  }

  /** Fills a session with a run and keeps it up to date until the returned function is called. */
  openRun(id: string, session: RunSession): () => void {
    this.#sessions.set(id, session);
    void session.open(
      () => this.coordinator.snapshot(id),
      (first, last) => this.coordinator.generations(id, first, last),
    );
    return () => {
      session.close();
      if (this.#sessions.get(id) === session) this.#sessions.delete(id);
    };
  }

  /** Does something that may fail; a failure becomes an alert. Resolves with whether it worked. */
  async attempt(action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      this.alert(messageOf(error));
      return false;
    }
  }

  alert(message: string): void {
    this.#alerts += 1;
    const alert = { id: this.#alerts, message };
    this.state.setState(({ alerts }) => ({
      alerts: [...alerts.filter((other) => other.message !== message), alert].slice(-3),
    }));
  }

  dismiss(id: number): void {
    this.state.setState(({ alerts }) => ({ alerts: alerts.filter((alert) => alert.id !== id) }));
  }

  close(): void {
    for (const release of this.#release) release();
    this.#listClock.stop();
    for (const session of this.#sessions.values()) session.close();
  }

  #take(event: RunEvent): void {
    this.#sessions.get(event.run)?.apply(event);
    const list = runListAfter(this.#list, event);
    if (list === this.#list) return;
    this.#list = list;
    this.#listClock.request();
  }
}
