import { createContext, useContext } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import { isRemoteRun } from "../../workers/pages.ts";
import type { Coordinator, RunEvent } from "../../workers/protocol.ts";
import type { Connection } from "../client/Connection.ts";
import { messageOf } from "../lib/format.ts";
import { createUpdateClock } from "../lib/updateClock.ts";
import { Deletions, GRACE } from "./deletions.ts";
import type { RunView } from "./RunView.ts";
import { NO_RUNS_YET, type RunList, runListAfter } from "./runList.ts";
import { notifyOf } from "./systemNotices.ts";
import { Toasts } from "./toasts.ts";

export type StorageInfo = Awaited<ReturnType<Coordinator["storage"]>>;

interface WorkbenchState {
  readonly list: RunList;
  /** Runs being deleted: hidden, but their files may still exist. */
  readonly leaving: ReadonlySet<string>;
  readonly storage: StorageInfo | null;
  /** Why the coordinator was lost; null if it was not. */
  readonly loss: string | null;
}

/** Milliseconds between two readings of the state of storage while runs write to it. */
const STORAGE_INTERVAL = 2000;

/** The page's model: state shared by all of its parts, between the coordinator and React. */
export class Workbench {
  readonly coordinator: Connection["coordinator"];
  readonly state: StoreApi<WorkbenchState> = createStore(() => ({
    list: NO_RUNS_YET,
    leaving: new Set(),
    storage: null,
    loss: null,
  }));
  readonly toasts = new Toasts();
  readonly deletions: Deletions;
  readonly #sessions = new Map<string, RunView>();
  #list: RunList = NO_RUNS_YET;
  readonly #listClock = createUpdateClock(() => this.state.setState({ list: this.#list }));
  readonly #storageClock = createUpdateClock(() => void this.readStorage(), STORAGE_INTERVAL);
  readonly #release: readonly (() => void)[];
  readonly #connection: Connection;

  /** @param grace Milliseconds during which a deletion can be undone. */
  constructor(connection: Connection, grace: number = GRACE) {
    this.#connection = connection;
    this.coordinator = connection.coordinator;
    this.deletions = new Deletions({
      remove: (id) => this.coordinator.deleteRun(id),
      hide: (leaving) => this.state.setState({ leaving }),
      gone: () => this.refresh(),
      toasts: this.toasts,
      grace,
    });
    const tellVisible = (): void => {
      // Only a scheduling hint; a lost coordinator is reported elsewhere.
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

  /** Reads the list of runs and the state of storage again. */
  async refresh(): Promise<void> {
    const [runs] = await Promise.allSettled([this.coordinator.listRuns(), this.readStorage()]);
    this.#list =
      runs.status === "fulfilled"
        ? { runs: runs.value, problem: null }
        : { ...this.#list, problem: messageOf(runs.reason) };
    this.state.setState({ list: this.#list });
  }

  /** Reads the state of storage again. If that fails, the last known state stays. */
  async readStorage(): Promise<void> {
    const storage = await this.coordinator.storage().catch(() => null);
    if (storage !== null) this.state.setState({ storage });
  }

  /** Loads a run into a session and keeps it up to date until the returned function is called. */
  openRun(id: string, session: RunView): () => void {
    this.#sessions.set(id, session);
    const release = this.#connection.hold?.(id);
    void session.open(
      () => this.coordinator.snapshot(id),
      (first, last) => this.coordinator.generations(id, first, last),
      () => this.coordinator.history(id, 1),
    );
    return () => {
      session.close();
      release?.();
      if (this.#sessions.get(id) === session) this.#sessions.delete(id);
    };
  }

  /**
   * Runs an action that may fail. A failure shows an alert until the page changes or an action with the same
   * cause is retried.
   * @returns whether it worked
   */
  async attempt(action: () => Promise<void>, cause: string | null = null): Promise<boolean> {
    if (cause !== null) this.toasts.resolve(cause);
    try {
      await action();
      return true;
    } catch (error) {
      this.alert(messageOf(error), cause);
      return false;
    }
  }

  /** Shows an error message. */
  alert(message: string, cause: string | null = null): void {
    this.toasts.show({ tone: "error", message, cause });
  }

  close(): void {
    for (const release of this.#release) release();
    this.#listClock.stop();
    this.#storageClock.stop();
    this.deletions.close();
    for (const session of this.#sessions.values()) session.close();
  }

  #take(event: RunEvent): void {
    this.#sessions.get(event.run)?.apply(event);
    notifyOf(event, this.#list.runs?.find(({ id }) => id === event.run)?.name ?? "rlkit");
    // The list contains only runs of this browser.
    if (isRemoteRun(event.run)) return;
    if (event.kind === "summary" || event.kind === "unsaved") this.#storageClock.request();
    const list = runListAfter(this.#list, event);
    if (list === this.#list) return;
    this.#list = list;
    this.#listClock.request();
  }
}

export const WorkbenchContext = createContext<Workbench | null>(null);

/** The page's model. */
export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext);
  if (workbench === null) throw new Error("useWorkbench is used outside of WorkbenchContext.");
  return workbench;
}

/** A part of the page's model, kept up to date. */
export function useWorkbenchState<T>(select: (state: WorkbenchState) => T): T {
  return useStore(useWorkbench().state, select);
}
