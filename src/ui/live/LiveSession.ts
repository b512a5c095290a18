import { createStore, type StoreApi } from "zustand/vanilla";
import { connectCoordinator } from "../client/Connection.ts";
import { messageOf } from "../lib/format.ts";
import { RunView } from "../state/RunView.ts";
import { Workbench } from "../state/Workbench.ts";
import type { LinkedRun } from "./liveLink.ts";

/** The coordinator keeps all files in memory if its worker has this name. */
const startWorker = (): Worker =>
  new Worker(new URL("../../workers/coordinator.worker.ts", import.meta.url), {
    type: "module",
    name: "rlkit coordinator in memory",
  });

interface LiveState {
  /** "starting" until the coordinator has accepted the manifest. */
  readonly phase: "waiting" | "starting" | "open" | "failed";
  /** Id of the run, with its view; null before the first. */
  readonly run: { readonly id: string; readonly view: RunView } | null;
  /** Why the run could not be started. */
  readonly problem: string | null;
}

/** A run that only this page has. It can be started again; the run before it is then forgotten. */
export class LiveSession {
  readonly title: string;
  readonly state: StoreApi<LiveState> = createStore(() => ({ phase: "waiting", run: null, problem: null }));
  readonly workbench = new Workbench(connectCoordinator(startWorker));
  readonly #linked: LinkedRun;
  #attempts = 0;
  #close = (): void => undefined;

  constructor(linked: LinkedRun) {
    this.title = linked.title;
    this.#linked = linked;
    if (linked.problem !== null) this.#fail(linked.problem);
  }

  /** Starts the run; from the second time on with other random numbers. Never rejects: the state has the problem. */
  async start(): Promise<void> {
    const { manifest } = this.#linked;
    if (manifest === null || this.state.getState().phase === "starting") return;
    const { coordinator } = this.workbench;
    const before = this.state.getState().run;
    this.state.setState({ phase: "starting", problem: null });
    try {
      if (before !== null) await coordinator.discard(before.id);
      const id = await coordinator.start(manifest, this.#attempts === 0 ? {} : { seed: this.#attempts });
      this.#attempts += 1;
      this.#close();
      const view = new RunView();
      this.#close = this.workbench.openRun(id, view);
      this.state.setState({ phase: "open", run: { id, view } });
    } catch (error) {
      this.#fail(messageOf(error));
    }
  }

  #fail(problem: string): void {
    this.state.setState({ phase: "failed", problem });
  }
}
