import { randomNonce, reasonOf } from "../../storage/files.ts";
import type { TabCoordinator } from "../coordinator/createCoordinator.ts";
import { RUN_CALLS, type RunCalls } from "../protocol/calls.ts";
import { callsBy, invoke, rowOf, runIdOf } from "../protocol/callTable.ts";
import type { RunEvent } from "../protocol/runs.ts";
import type { TabChannel, TabMessage } from "./TabChannel.ts";

/** Milliseconds between checks whether a run's tab still exists. */
const LOOK_MS = 500;
/** A tab that holds a run responds within this time, ms. */
const SILENCE_MS = 10_000;

interface OtherTabsParts {
  readonly channel: TabChannel;
  /** Whether the run is in this tab. */
  readonly isHere: (run: string) => boolean;
  /** Whether another tab holds the run. */
  readonly isElsewhere: (run: string) => Promise<boolean>;
  /** Answers a call about a run in this tab. @throws Error for a call that is not available. */
  readonly answer: (call: string, run: string, args: readonly unknown[]) => Promise<unknown>;
  /** Called with events of runs in other tabs. */
  readonly onEvent: (event: RunEvent) => void;
  /** Called when a followed run is no longer in any tab. */
  readonly onEnded: (run: string) => void;
}

interface Question {
  readonly run: string;
  readonly asked: number;
  taken: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: Error) => void;
}

/** The tab that held a run is gone, or has released it. */
class HolderGoneError extends Error {
  override readonly name = "HolderGoneError";
}

/** The other tabs of this site, which may hold runs. Follows those runs, and sends calls to their tabs. */
class OtherTabs {
  readonly #parts: OtherTabsParts;
  readonly #followed = new Set<string>();
  readonly #questions = new Map<string, Question>();
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(parts: OtherTabsParts) {
    this.#parts = parts;
    parts.channel.listen((message) => void this.#take(message));
  }

  /** Sends an event of a run in this tab to the other tabs. */
  tell(event: RunEvent): void {
    if (this.#parts.isHere(event.run)) this.#parts.channel.post({ kind: "event", event });
  }

  /** Follows a run in another tab until that tab releases it. */
  follow(run: string): void {
    this.#followed.add(run);
    this.#timer ??= setInterval(() => void this.#look(), LOOK_MS);
  }

  /**
   * @throws HolderGoneError if the run's tab ends before it answers; Error with the message of a
   *   call that failed there.
   */
  ask(run: string, call: string, args: readonly unknown[]): Promise<unknown> {
    this.follow(run);
    const nonce = randomNonce();
    return new Promise((resolve, reject) => {
      this.#questions.set(nonce, { run, asked: performance.now(), taken: false, resolve, reject });
      this.#parts.channel.post({ kind: "ask", nonce, run, call, args });
    });
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#parts.channel.close();
  }

  async #take(message: TabMessage): Promise<void> {
    const { isHere, onEvent, channel } = this.#parts;
    switch (message.kind) {
      case "event":
        if (isHere(message.event.run)) return;
        this.follow(message.event.run);
        onEvent(message.event);
        return;
      case "ask": {
        const { nonce, run, call, args } = message;
        if (!isHere(run)) return;
        channel.post({ kind: "taken", nonce });
        try {
          channel.post({ kind: "answer", nonce, value: await this.#parts.answer(call, run, args) });
        } catch (error) {
          channel.post({ kind: "refused", nonce, message: reasonOf(error) });
        }
        return;
      }
      case "taken": {
        const question = this.#questions.get(message.nonce);
        if (question) question.taken = true;
        return;
      }
      case "answer":
        this.#settle(message.nonce)?.resolve(message.value);
        return;
      case "refused":
        this.#settle(message.nonce)?.reject(new Error(message.message));
    }
  }

  #settle(nonce: string): Question | undefined {
    const question = this.#questions.get(nonce);
    this.#questions.delete(nonce);
    return question;
  }

  async #look(): Promise<void> {
    for (const run of this.#followed) {
      if (await this.#parts.isElsewhere(run)) continue;
      this.#followed.delete(run);
      for (const [nonce, question] of this.#questions)
        if (question.run === run) this.#settle(nonce)?.reject(new HolderGoneError("its tab is gone"));
      if (!this.#parts.isHere(run)) this.#parts.onEnded(run);
    }
    for (const [nonce, { asked, taken }] of this.#questions) {
      if (taken || performance.now() - asked < SILENCE_MS) continue;
      const message = "The tab that holds this run does not answer; go to that tab, or close it.";
      this.#settle(nonce)?.reject(new Error(message));
    }
    if (this.#followed.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

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
