/** Where members run: this thread, or workers. Training loops know nothing else of it. */
import type { KernelReport } from "../../kernels/kernelReport.ts";
import type { EnvironmentOptions } from "../../rl/environments/index.ts";
import type { AgentState } from "../../rl/member/agentState.ts";
import type { MemoryKind } from "../../rl/programs/replayFields.ts";
import type { ReplayRows } from "../../rl/runtime/replayRows.ts";
import type { Slice, Turn, TurnResult } from "../../rl/runtime/turn.ts";
import type { TrainingDevice } from "../executors/device.ts";

/** The replay memory that a run uses: one segment per member. */
export interface ReplaySetup {
  readonly population: number;
  /** Transitions in a segment. */
  readonly segment: number;
  /** How it gives its transitions. */
  readonly kind: MemoryKind;
}

/** Transitions that a member's segment gained. */
export interface Written {
  readonly slot: number;
  readonly start: number;
  readonly count: number;
  readonly rows: ReplayRows;
}

/** What stays the same for a whole run. */
export interface RunSetup {
  /** Id of a registered environment, or a name for the caller's own. */
  readonly environment: string;
  /** Options of a registered environment beside its name; none unless given. */
  readonly env_config?: EnvironmentOptions | null;
  /** Members in the population; more workers than that would idle. */
  readonly members?: number;
  readonly replay: ReplaySetup | null;
  /** Contents the memory starts with. */
  readonly written: readonly Written[];
  /** As the run measured it before (see RunState); measured anew where null or left out. */
  readonly gpu_workgroups?: number | null;
  /** What trained a run that goes on; executors that choose stay with it where it is there. */
  readonly trainedOn?: TrainingDevice | null;
}

export interface MemberTurn {
  readonly agent: AgentState;
  readonly turn: Turn;
}

/** How a turn ended; a member that failed keeps the state it started with. */
export type TurnOutcome =
  | { readonly ok: true; readonly result: TurnResult }
  | {
      readonly ok: false;
      readonly slot: number;
      readonly message: string;
      /** The member's own numbers are at fault: another try would end the same way. */
      readonly diverged?: boolean;
      /** What was thrown, where the turn ran in the caller's thread. */
      readonly cause?: unknown;
    };

/** An outcome whose message says which member failed; that of one that diverged does by itself. */
export function namingMember(outcome: TurnOutcome): TurnOutcome {
  if (outcome.ok || outcome.diverged) return outcome;
  return { ...outcome, message: `member ${outcome.slot} could not be trained: ${outcome.message}` };
}

export interface Executor {
  /** Shown to the user, e.g. "WASM SIMD, 2 workers". */
  readonly label: string;
  /** What trains; of an executor that chooses, as it stands. */
  readonly device: TrainingDevice;
  /** Of an executor that chooses: why that device. */
  readonly reason?: string;
  /** Workgroups that its GPU runs at once; null or left out where it needs no such number. */
  readonly gpu_workgroups?: number | null;
  open(setup: RunSetup): Promise<void>;
  /**
   * One generation: every member's turn, in any order, by anyone. `written` is what the segments gained in
   * the generation before, for memories that have not seen it. Outcomes are in the order of the turns.
   * @throws StoppedError after abort().
   */
  generation(
    turns: readonly MemberTurn[],
    written: readonly Written[],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome[]>;
  /** Holds work at the next slice. */
  pause(): void;
  resume(): void;
  /** Ends the generation under way without its results. */
  abort(): void;
  /** Changes the number of workers, of an executor that has them, from the next generation on. */
  setWorkers?(workers: number): void;
  /** Tells an executor that shares a GPU with a page whether somebody looks at the page. */
  setVisible?(visible: boolean): void;
  /** The compiled programs as they are now; none while it is not open. */
  kernels(): Promise<readonly KernelReport[]>;
  close(): Promise<void>;
}

/** A run was told to stop. */
export class StoppedError extends Error {
  constructor() {
    super("the run was stopped");
    this.name = "StoppedError";
  }
}

/** Lets waiting messages and timers run. */
export const yieldToEvents = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof setImmediate === "function") {
      setImmediate(resolve);
      return;
    }
    // A timer would wait 4 ms; a message comes at once.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/** A gate that work passes between slices: open, held shut by pause, or ended by abort. */
export class Gate {
  #held: { readonly open: Promise<void>; readonly release: () => void } | null = null;
  #aborted = false;

  pause(): void {
    if (this.#held) return;
    let release = () => {};
    const open = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#held = { open, release };
  }

  resume(): void {
    this.#held?.release();
    this.#held = null;
  }

  abort(): void {
    this.#aborted = true;
    this.resume();
  }

  reset(): void {
    this.#aborted = false;
  }

  /** Whether whoever passes next will wait. */
  get isHeld(): boolean {
    return this.#held !== null;
  }

  /** Waits while held. @returns whether it was. @throws StoppedError after abort. */
  async pass(): Promise<boolean> {
    await yieldToEvents();
    const held = this.isHeld;
    while (this.#held && !this.#aborted) await this.#held.open;
    if (this.#aborted) throw new StoppedError();
    return held;
  }
}
