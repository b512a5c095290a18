/** Trains the whole population together on one WebGPU device. */

import {
  agePrograms,
  GpuMembers,
  MasksFound,
  observationWords,
  type Slice,
  withMasks,
} from "../../agents/members.ts";
import type { KernelReport } from "../../kernels/devices.ts";
import { trace } from "../../kernels/index.ts";
import { busyWorkgroups, type WebGpuArena } from "../../kernels/webgpu.ts";
import type { WebGpuDevice } from "../../kernels/wgsl/device.ts";
import { findEnvironment, isCompiled } from "../../rl/environments.ts";
import {
  keptLayout,
  PLAIN_MEMORY,
  REPLAY_FIELDS,
  replayFields,
  replayStates,
  rowWords,
} from "../../rl/programs.ts";
import { Attempt } from "../loop/executor.ts";
import { Gate, StoppedError } from "../loop/Gate.ts";
import type { Executor, MemberTurn, RunSetup, TurnOutcome, Written } from "../rl/kinds.ts";
import { ReplayMirror } from "../rl/ReplayMirror.ts";
import { CompiledTurns } from "./CompiledTurns.ts";
import type { GpuTurns } from "./GpuTurns.ts";

/**
 * Target milliseconds of a dispatch; shorter while the tab is visible, because its page needs the GPU between
 * dispatches.
 */
const BUDGET_MS = { visible: 8, hidden: 50 };
/** Maximum attempts at a generation, each on a fresh device. */
const ATTEMPTS = 2;

export interface GpuExecutorOptions {
  /** Opens a device. @throws Error with the reason that there is none. */
  readonly open: () => Promise<WebGpuDevice>;
  /** Called when the device was lost and the generation runs again. */
  readonly onNotice?: (message: string) => void;
  /** Whether the caller owns and closes the device (default: false). */
  readonly keepsDevice?: boolean;
  /** Number of workgroups that the device runs at once (default: measured). */
  readonly busy?: number;
}

/** Resources of a run on a device. */
interface Residents {
  readonly device: WebGpuDevice;
  readonly replay: WebGpuArena | null;
  readonly members: GpuMembers;
}

export class GpuExecutor implements Executor {
  readonly device = "webgpu";
  readonly #open: () => Promise<WebGpuDevice>;
  readonly #onNotice: (message: string) => void;
  readonly #keepsDevice: boolean;
  readonly #known: number | null;
  #setup: RunSetup | null = null;
  #gate = new Gate();
  #turns: GpuTurns | null = null;
  #mirror: ReplayMirror | null = null;
  #residents: Residents | null = null;
  #generation = 0;
  /**
   * Workgroups that the first device runs at once. Kept for a replacement device, so that the run stays
   * either sliced or not.
   */
  #busy: number | null = null;
  #budget = BUDGET_MS.hidden;

  constructor({ open, onNotice, keepsDevice = false, busy }: GpuExecutorOptions) {
    this.#open = open;
    this.#known = busy ?? null;
    this.#keepsDevice = keepsDevice;
    this.#onNotice = onNotice ?? (() => undefined);
  }

  get label(): string {
    return this.#residents ? `WebGPU, ${this.#residents.device.adapter}` : "WebGPU";
  }

  get measured(): { readonly gpu_workgroups?: number } {
    return this.#busy === null ? {} : { gpu_workgroups: this.#busy };
  }

  async open(setup: RunSetup, gate = new Gate()): Promise<void> {
    await this.close();
    this.#gate = gate;
    this.#turns = await turnsOf(setup);
    this.#setup = setup;
    this.#busy = setup.gpu_workgroups ?? this.#known;
    // No mirror for a data set, because it can be read again.
    this.#mirror = setup.replay && !setup.data ? new ReplayMirror(setup.replay) : null;
    this.#mirror?.store(setup.written);
    const words = rowWords(replayFields(this.#turns.layout).obs);
    if (setup.written.some(({ count, rows }) => count > 0 && observationWords(rows) > words))
      this.#turns.keepMasks?.();
    this.#residents = await this.#settle();
  }

  async generation(
    turns: readonly MemberTurn[],
    written: readonly Written[],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome[]> {
    if (!this.#setup) throw new Error("executor: generation() before open()");
    // This device wrote these rows itself; the mirror keeps them for a replacement device.
    this.#mirror?.store(written);
    for (let tries = 1; ; tries++) {
      const attempt = new Attempt(onSlice);
      try {
        this.#residents ??= await this.#settle();
        const outcomes = await this.#run(this.#residents, turns, attempt.onSlice);
        // A device that was replaced in an evaluation lacks the transitions of the turns before it.
        const isBehind = tries > 1 && turns.every(({ turn }) => turn.evaluates);
        if (isBehind || outcomes.some(({ ok }) => !ok)) this.#forgetTransitions();
        return outcomes;
      } catch (error) {
        const fault = this.#residents?.device.fault ?? null;
        if (fault) this.#leave();
        else this.#forgetTransitions();
        if (error instanceof MasksFound && this.#turns?.keepMasks) {
          this.#turns.keepMasks();
          attempt.takeBack();
          continue;
        }
        if (error instanceof StoppedError || fault?.kind !== "lost") throw fault ?? error;
        if (tries === ATTEMPTS) throw error;
        attempt.takeBack();
        const reason = error instanceof Error ? error.message : String(error);
        this.#onNotice(`The GPU was lost (${reason}); the generation runs again on a fresh device.`);
      }
    }
  }

  /** Sets whether a page drawn by the same GPU is visible. */
  setVisible(visible: boolean): void {
    this.#budget = BUDGET_MS[visible ? "visible" : "hidden"];
  }

  async kernels(): Promise<readonly KernelReport[]> {
    return this.#residents?.device.kernels() ?? [];
  }

  async close(): Promise<void> {
    this.#leave();
    this.#turns?.close();
    this.#turns = null;
    this.#setup = null;
    this.#mirror = null;
  }

  /** Adds the replay buffer as of the last generation boundary. */
  handedOver(setup: RunSetup): RunSetup {
    return { ...setup, written: this.#mirror?.contents() ?? [] };
  }

  /**
   * Discards the device's replay buffer after a failed turn; it is refilled from the mirror, without the
   * turn's transitions.
   */
  #forgetTransitions(): void {
    if (this.#mirror) this.#leave();
  }

  #leave(): void {
    if (!this.#residents) return;
    const { device, members, replay } = this.#residents;
    this.#residents = null;
    this.#turns?.left();
    if (this.#keepsDevice) {
      members.release();
      replay?.release();
    } else device.close();
  }

  /** Opens a device with the replay buffer as of the last generation boundary. */
  async #settle(): Promise<Residents> {
    const device = await this.#open();
    try {
      return await this.#residentsOn(device);
    } catch (error) {
      if (!this.#keepsDevice) device.close();
      throw error;
    }
  }

  async #residentsOn(device: WebGpuDevice): Promise<Residents> {
    const { replay: memory, data } = this.#setup as RunSetup;
    const layout = keptLayout((this.#turns as GpuTurns).layout, memory?.kind ?? PLAIN_MEMORY);
    this.#busy ??= await busyWorkgroups(device);
    let replay: WebGpuArena | null = null;
    if (memory) {
      const states = [...trace("replay", () => void replayStates(layout)).states.values()];
      const capacity = memory.population * memory.segment;
      replay = device.arena(states, { capacity });
      const words = rowWords(replayFields(layout).obs);
      for await (const { slot, start, rows: given } of data?.() ?? this.#mirror?.contents() ?? []) {
        const rows = withMasks(given, words);
        const row = slot * memory.segment + start;
        for (const field of REPLAY_FIELDS) {
          // `ended` has one number per row.
          const width = rows[field].length / rows.ended.length;
          replay.write(`replay.${field}`, rows[field], row * width);
        }
      }
    }
    return { device, replay, members: new GpuMembers(device, replay ?? undefined) };
  }

  async #run(
    { device, members }: Residents,
    turns: readonly MemberTurn[],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome[]> {
    this.#age(device, turns);
    const place = { device, members, gate: this.#gate, budget: () => this.#budget, busy: this.#busy ?? 1 };
    return (this.#turns as GpuTurns).run(turns, place, onSlice);
  }

  #age(device: WebGpuDevice, turns: readonly MemberTurn[]): void {
    const generation = turns[0]?.turn.generation ?? this.#generation;
    if (generation === this.#generation) return;
    this.#generation = generation;
    device.age();
    agePrograms();
  }
}

/** @throws The errors of `findEnvironment`; Error with the reason that an environment of the host cannot be loaded. */
async function turnsOf(setup: RunSetup): Promise<GpuTurns> {
  if (!setup.user_module) {
    const env = findEnvironment(setup.environment, setup.env_config);
    if (isCompiled(env)) return new CompiledTurns(env, setup.replay);
  }
  // Imported dynamically, like the code that steps environments on wasm.
  const { hostTurns } = await import("./HostTurns.ts");
  return hostTurns(setup);
}
