/** Trains the whole population together on one WebGPU device. */

import {
  agentContents,
  agePrograms,
  bindAgent,
  type CompiledPurpose,
  compiledProgram,
  type Evaluation,
  type EvaluationPass,
  evaluatedResult,
  evaluationOf,
  GpuMembers,
  isSliced,
  keyContents,
  offPolicyContents,
  offPolicySizes,
  PURPOSE,
  progressContents,
  type ReadMembers,
  rolloutSizes,
  type Sizes,
  type Slice,
  sliceBindings,
  slicesOf,
  type Together,
} from "../../agents/members.ts";
import type { KernelReport } from "../../kernels/devices.ts";
import { trace } from "../../kernels/index.ts";
import { busyWorkgroups, type WebGpuArena } from "../../kernels/webgpu.ts";
import type { WebGpuDevice } from "../../kernels/wgsl/device.ts";
import { type CompiledEnvironment, findCompiledEnvironment } from "../../rl/environments.ts";
import { REPLAY_FIELDS, replayStates } from "../../rl/programs.ts";
import { Attempt } from "../loop/executor.ts";
import { GatedExecutor, StoppedError } from "../loop/Gate.ts";
import type { Executor, MemberTurn, RunSetup, TurnOutcome, Written } from "../rl/kinds.ts";
import { ReplayMirror } from "../rl/ReplayMirror.ts";
import { type DriveOptions, drive, Pace, type Work } from "./drive.ts";
import { gpuOutcome } from "./gpuOutcome.ts";
import { learnsThroughout, stepsIn, turnSteps } from "./turnSteps.ts";
import { playsInTurns, turnPurposes, turnWork } from "./turnWork.ts";

/**
 * Target milliseconds of a dispatch; shorter while the tab is visible, because its page needs the GPU between
 * dispatches.
 */
const BUDGET_MS = { visible: 8, hidden: 50 };
/**
 * Work is submitted at once only while training and evaluation take at most this multiple of the target of a
 * dispatch.
 */
const MOST_AT_ONCE = 4;
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

export class GpuExecutor extends GatedExecutor implements Executor {
  readonly device = "webgpu";
  readonly #open: () => Promise<WebGpuDevice>;
  readonly #onNotice: (message: string) => void;
  readonly #keepsDevice: boolean;
  readonly #known: number | null;
  #setup: RunSetup | null = null;
  #environment: CompiledEnvironment | null = null;
  #mirror: ReplayMirror | null = null;
  #residents: Residents | null = null;
  #generation = 0;
  /**
   * Workgroups that the first device runs at once. Kept for a replacement device, so that the run stays
   * either sliced or not.
   */
  #busy: number | null = null;
  #budget = BUDGET_MS.hidden;
  /** Separate paces, because evaluations and turns do different work. */
  readonly #paces = { turn: new Pace(), evaluate: new Pace() };
  /** Whether all the work fitted into one chunk the last time. */
  #fitted = { turn: false, evaluate: false };

  constructor({ open, onNotice, keepsDevice = false, busy }: GpuExecutorOptions) {
    super();
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

  async open(setup: RunSetup): Promise<void> {
    await this.close();
    this.#environment = findCompiledEnvironment(setup.environment, setup.env_config);
    this.#setup = setup;
    this.#busy = setup.gpu_workgroups ?? this.#known;
    // No mirror for a data set, because it can be read again.
    this.#mirror = setup.replay && !setup.data ? new ReplayMirror(setup.replay) : null;
    this.#mirror?.store(setup.written);
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
    this.gate.reset();
    for (let tries = 1; ; tries++) {
      const attempt = new Attempt(onSlice);
      try {
        this.#residents ??= await this.#settle();
        const outcomes = await this.#turns(this.#residents, turns, attempt.onSlice);
        // A device that was replaced in an evaluation lacks the transitions of the turns before it.
        const isBehind = tries > 1 && turns.every(({ turn }) => turn.evaluates);
        if (isBehind || outcomes.some(({ ok }) => !ok)) this.#forgetTransitions();
        return outcomes;
      } catch (error) {
        const fault = this.#residents?.device.fault ?? null;
        if (fault) this.#leave();
        else this.#forgetTransitions();
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
    this.#fitted = { turn: false, evaluate: false };
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
    const env = this.#environment as CompiledEnvironment;
    const { replay: memory, data } = this.#setup as RunSetup;
    this.#busy ??= await busyWorkgroups(device);
    let replay: WebGpuArena | null = null;
    if (memory) {
      const states = [...trace("replay", () => void replayStates(env)).states.values()];
      const capacity = memory.population * memory.segment;
      replay = device.arena(states, { capacity });
      for await (const { slot, start, rows } of data?.() ?? this.#mirror?.contents() ?? []) {
        const row = slot * memory.segment + start;
        for (const field of REPLAY_FIELDS) {
          // `ended` has one number per row.
          const width = rows[field].length / rows.ended.length;
          replay.writeFrom(`replay.${field}`, row * width, rows[field]);
        }
      }
    }
    return { device, replay, members: new GpuMembers(device, replay ?? undefined) };
  }

  async #turns(
    { device, members }: Residents,
    turns: readonly MemberTurn[],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome[]> {
    const env = this.#environment as CompiledEnvironment;
    this.#age(device, turns);
    const { replay: memory } = this.#setup as RunSetup;
    const programOf = ({ agent }: MemberTurn, purpose: CompiledPurpose) =>
      compiledProgram(agent, env, purpose, memory?.kind);
    const sliced = this.#busy !== null && isSliced(turns.length, this.#busy);
    const plays = playsInTurns(turns);
    const evaluates = turns.every(({ turn }) => turn.evaluates);
    const training = evaluates
      ? []
      : [...(plays ? (["reset"] as const) : []), ...turnPurposes(turns, sliced)];
    const purposes: readonly CompiledPurpose[] = [...training, "evaluate"];
    const programsOf = (turn: MemberTurn) => purposes.map((purpose) => programOf(turn, purpose));
    // Compiles all new structures in parallel; members with the same structure share its compilation.
    await Promise.all(turns.flatMap(programsOf).map((program) => device.compile(program)));
    for (const { agent, turn } of turns) {
      const sizes = this.#sizes({ agent, turn }, turns.length);
      const parts =
        sliced && !evaluates
          ? new Map([[programOf({ agent, turn }, "gradients"), sliceBindings(sizes)]])
          : undefined;
      await members.prepare(turn.slot, programsOf({ agent, turn }), bindAgent(agent, sizes), parts);
      members.write(turn.slot, agentContents(agent));
      members.write(turn.slot, keyContents(turn.seed, turn.slot, turn.generation, PURPOSE.turn));
      members.write(turn.slot, progressContents(turn));
      if (turn.off_policy)
        members.write(turn.slot, offPolicyContents(turn, memory?.segment ?? 0, turn.off_policy));
    }
    try {
      const all = (purpose: CompiledPurpose) =>
        members.together(turns.map((turn) => ({ slot: turn.turn.slot, program: programOf(turn, purpose) })));
      if (evaluates) {
        const { evaluations } = await this.#evaluate(device, members, turns, all("evaluate"));
        return turns.map(({ agent, turn }, i) => {
          const evaluation = evaluations[i] as Evaluation;
          return { ok: true, result: evaluatedResult(agent, turn, evaluation) };
        });
      }
      const start = performance.now();
      if (plays) all("reset").run();
      const work = turnWork({ device, members }, turns, sliced, all);
      const told = await this.#train(device, turns, work, onSlice);
      const { evaluations, read } = await this.#evaluate(device, members, turns, all("evaluate"));
      // Later generations may do more work: members grow, and they may learn where this one waited or ended
      // early.
      if (performance.now() - start > MOST_AT_ONCE * this.#budget || !turns.every(learnsThroughout))
        this.#fitted = { turn: false, evaluate: false };
      const outcomes = turns.map((turn, i) =>
        gpuOutcome(turn, { evaluation: evaluations[i] as Evaluation, layout: env }, read, memory),
      );
      const learn_steps = outcomes.reduce((sum, o) => sum + (o.ok ? o.result.learn_steps : 0), 0);
      onSlice({ env_steps: turns.reduce((sum, turn) => sum + turnSteps(turn), -told), learn_steps });
      return outcomes;
    } finally {
      members.forget();
    }
  }

  /** Completes the work of the turns. @returns the environment steps already reported. */
  async #train(
    device: WebGpuDevice,
    turns: readonly MemberTurn[],
    work: Work,
    onSlice: (slice: Slice) => void,
  ): Promise<number> {
    let told = 0;
    await this.#work("turn", device, work, (progress) => {
      const env_steps = turns.reduce((sum, turn) => {
        const found = progress.get(turn.turn.slot);
        return sum + (found ? stepsIn(turn, found) : 0);
      }, 0);
      if (env_steps > told) onSlice({ env_steps: env_steps - told, learn_steps: 0 });
      told = env_steps;
    });
    return told;
  }

  /**
   * Completes the work: in one submission if it fitted into one chunk the last time, which avoids progress
   * queries.
   */
  async #work(
    purpose: "turn" | "evaluate",
    device: WebGpuDevice,
    work: Work,
    onProgress?: DriveOptions["onProgress"],
  ): Promise<void> {
    const gate = this.gate;
    if (this.#fitted[purpose]) {
      await gate.pass();
      work.finish();
      device.flush();
      return;
    }
    const drivers = { device, work, gate, pace: this.#paces[purpose], budget: () => this.#budget };
    this.#fitted[purpose] = await drive({ ...drivers, ...(onProgress ? { onProgress } : {}) });
  }

  /**
   * Mean returns over all passes, by position in `turns`, and all buffers after the last pass, including the
   * results of training.
   */
  async #evaluate(
    device: WebGpuDevice,
    members: GpuMembers,
    turns: readonly MemberTurn[],
    programs: Together,
  ): Promise<{ readonly evaluations: readonly Evaluation[]; readonly read: ReadMembers }> {
    const slots = turns.map(({ turn }) => turn.slot);
    const { max_episode_steps: limit, observation_space } = this.#environment as CompiledEnvironment;
    const passesOf: EvaluationPass[][] = turns.map(() => []);
    const passes = Math.max(...turns.map(({ turn }) => turn.eval_loop));
    const count = (returns: readonly ArrayLike<number>[], lengths: readonly ArrayLike<number>[]) => {
      for (const [i, of] of passesOf.entries())
        of.push({ returns: returns[i] ?? [], lengths: lengths[i] ?? [] });
    };
    for (let pass = 0; ; pass++) {
      for (const { turn } of turns) {
        const { seed, slot, generation, first_pass = 0 } = turn;
        members.write(slot, keyContents(seed, slot, generation, PURPOSE.evaluate, first_pass + pass));
        const steps = Math.min(turn.eval_steps ?? limit, limit);
        members.write(turn.slot, new Map([["evaluate.steps", [steps]]]));
      }
      programs.start(() => 1);
      await this.#work("evaluate", device, programs);
      if (pass < passes - 1) {
        const returns = await members.readEach(slots, "evaluate.returns");
        count(returns, await members.readEach(slots, "evaluate.lengths"));
        continue;
      }
      const read = await members.read(slots);
      const each = (name: string) => slots.map((slot) => read.own.get(slot)?.(name) ?? []);
      count(each("evaluate.returns"), each("evaluate.lengths"));
      const evaluations = turns.map(({ turn }, i) =>
        evaluationOf(passesOf[i] ?? [], observation_space, turn),
      );
      return { evaluations, read };
    }
  }

  #sizes({ agent, turn }: MemberTurn, population: number): Sizes {
    const { replay } = this.#setup as RunSetup;
    const sizes: Sizes = turn.off_policy
      ? offPolicySizes(agent, turn.num_envs, turn.off_policy, replay?.segment ?? 0)
      : rolloutSizes(agent, turn.num_envs);
    return { ...sizes, slices: slicesOf(sizes, population, this.#busy ?? 1) };
  }

  #age(device: WebGpuDevice, turns: readonly MemberTurn[]): void {
    const generation = turns[0]?.turn.generation ?? this.#generation;
    if (generation === this.#generation) return;
    this.#generation = generation;
    device.age();
    agePrograms();
  }
}
