/** Turns in compiled environments: acting, stepping, learning and evaluation run on the device. */

import {
  agentContents,
  bindAgent,
  type CompiledPurpose,
  compiledProgram,
  type Evaluation,
  type EvaluationPass,
  episodeSizes,
  evaluatedResult,
  evaluationOf,
  evolutionContents,
  evolutionSizes,
  isSliced,
  keyContents,
  lanesAfter,
  offPolicyContents,
  offPolicySizes,
  PURPOSE,
  placeLanes,
  progressContents,
  type ReadBuffer,
  type ReadMembers,
  rolloutSizes,
  type Sizes,
  type Slice,
  sliceBindings,
  slicesOf,
  type Together,
  ToldEpisodes,
} from "../../agents/members.ts";
import { type CompiledEnvironment, requireGoalRewards } from "../../rl/environments.ts";
import { SUCCESSES } from "../../rl/programs.ts";
import type { MemberTurn, ReplaySetup, TurnOutcome } from "../rl/kinds.ts";
import { type DriveOptions, drive, Pace, type Work } from "./drive.ts";
import type { GpuPlace, GpuTurns } from "./GpuTurns.ts";
import { gpuOutcome } from "./gpuOutcome.ts";
import { learnsThroughout, stepsIn, turnSteps } from "./turnSteps.ts";
import { areEvolution, playsInTurns, turnPurposes, turnWork } from "./turnWork.ts";

/**
 * Work is submitted at once only while training and evaluation take at most this multiple of the target of a
 * dispatch.
 */
const MOST_AT_ONCE = 4;

/** Upper bound of the iterations of an evolution strategy's turn: each takes a step of every direction at least. */
const mostIterations = ({ evo_steps }: MemberTurn["turn"], { directions = 1 }: Sizes): number =>
  Math.ceil(evo_steps / directions) + 1;

export class CompiledTurns implements GpuTurns {
  readonly layout: CompiledEnvironment;
  readonly #memory: ReplaySetup | null;
  /** Separate paces, because evaluations and turns do different work. */
  readonly #paces = { turn: new Pace(), evaluate: new Pace() };
  /** Whether all the work fitted into one chunk the last time. */
  #fitted = { turn: false, evaluate: false };

  /**
   * @param memory Layout of the run's replay buffer; null on-policy.
   * @throws EnvironmentError for hindsight with goals that do not give the rewards of the environment's steps.
   */
  constructor(env: CompiledEnvironment, memory: ReplaySetup | null) {
    if (memory?.kind.her) requireGoalRewards(env);
    this.layout = env;
    this.#memory = memory;
  }

  left(): void {
    this.#fitted = { turn: false, evaluate: false };
  }

  close(): void {}

  async run(
    turns: readonly MemberTurn[],
    place: GpuPlace,
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome[]> {
    const { device, members, busy } = place;
    const env = this.layout;
    const memory = this.#memory;
    const programOf = ({ agent, turn }: MemberTurn, purpose: CompiledPurpose) =>
      compiledProgram(agent, env, purpose, memory?.kind, turn.tells_episodes);
    const isEvolution = areEvolution(turns);
    const together = turns[0]?.turn.together ?? turns.length;
    const sliced = !isEvolution && isSliced(together, busy);
    const plays = !isEvolution && playsInTurns(turns);
    const evaluates = turns.every(({ turn }) => turn.evaluates);
    const training = evaluates
      ? []
      : [...(plays ? (["reset"] as const) : []), ...turnPurposes(turns, sliced)];
    const purposes: readonly CompiledPurpose[] = [...training, "evaluate"];
    const programsOf = (turn: MemberTurn) => purposes.map((purpose) => programOf(turn, purpose));
    const beginning: MemberTurn[] = [];
    // Compiles all new structures in parallel; members with the same structure share its compilation.
    await Promise.all(turns.flatMap(programsOf).map((program) => device.compile(program)));
    for (const { agent, turn } of turns) {
      const sizes = this.#sizes({ agent, turn }, together, busy);
      const parts =
        sliced && !evaluates
          ? new Map([[programOf({ agent, turn }, "gradients"), sliceBindings(sizes)]])
          : undefined;
      await members.prepare(turn.slot, programsOf({ agent, turn }), bindAgent(agent, sizes), parts);
      members.write(turn.slot, agentContents(agent));
      members.write(turn.slot, keyContents(turn.seed, turn.slot, turn.generation, PURPOSE.turn));
      members.write(turn.slot, progressContents(turn));
      if (plays && turn.tells_episodes)
        members.write(turn.slot, new ToldEpisodes(agent, turn, env.observation_space).contents);
      if (isEvolution) members.write(turn.slot, evolutionContents(turn, mostIterations(turn, sizes)));
      if (turn.off_policy)
        members.write(turn.slot, offPolicyContents(turn, memory?.segment ?? 0, turn.off_policy));
      const goesOn = plays && placeLanes(members.arena(turn.slot), programsOf({ agent, turn }), agent, turn);
      if (!goesOn) beginning.push({ agent, turn });
    }
    try {
      const all = (purpose: CompiledPurpose, some = turns) =>
        members.together(some.map((turn) => ({ slot: turn.turn.slot, program: programOf(turn, purpose) })));
      if (evaluates) {
        const { evaluations } = await this.#evaluate(place, turns, all("evaluate"));
        return turns.map(({ agent, turn }, i) => {
          const evaluation = evaluations[i] as Evaluation;
          return { ok: true, result: evaluatedResult(agent, turn, evaluation) };
        });
      }
      const start = performance.now();
      if (plays && beginning.length > 0) all("reset", beginning).run();
      const work = turnWork({ device, members }, turns, sliced, all);
      const told = await this.#train(place, turns, work, onSlice);
      const { evaluations, read } = await this.#evaluate(place, turns, all("evaluate"));
      // Later generations may do more work: members grow, and they may learn where this one waited or ended
      // early.
      if (performance.now() - start > MOST_AT_ONCE * place.budget() || !turns.every(learnsThroughout))
        this.#fitted = { turn: false, evaluate: false };
      const outcomes = turns.map((turn, i) => {
        const own = read.own.get(turn.turn.slot) as ReadBuffer;
        const lanes = plays ? lanesAfter(own, programsOf(turn), turn.agent, turn.turn) : {};
        return gpuOutcome(
          turn,
          { evaluation: evaluations[i] as Evaluation, layout: env, ...lanes },
          read,
          memory,
        );
      });
      const learn_steps = outcomes.reduce((sum, o) => sum + (o.ok ? o.result.learn_steps : 0), 0);
      const stepsOf = (turn: MemberTurn) => turnSteps(turn, read.own.get(turn.turn.slot));
      onSlice({ env_steps: turns.reduce((sum, turn) => sum + stepsOf(turn), -told), learn_steps });
      return outcomes;
    } finally {
      members.forget();
    }
  }

  /** Completes the work of the turns. @returns the environment steps already reported. */
  async #train(
    place: GpuPlace,
    turns: readonly MemberTurn[],
    work: Work,
    onSlice: (slice: Slice) => void,
  ): Promise<number> {
    let told = 0;
    await this.#work("turn", place, work, (progress) => {
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
    { device, gate, budget }: GpuPlace,
    work: Work,
    onProgress?: DriveOptions["onProgress"],
  ): Promise<void> {
    if (this.#fitted[purpose]) {
      await gate.pass();
      work.finish();
      device.flush();
      return;
    }
    const drivers = { device, work, gate, pace: this.#paces[purpose], budget };
    this.#fitted[purpose] = await drive({ ...drivers, ...(onProgress ? { onProgress } : {}) });
  }

  /**
   * Mean returns over all passes, by position in `turns`, and all buffers after the last pass, including the
   * results of training.
   */
  async #evaluate(
    place: GpuPlace,
    turns: readonly MemberTurn[],
    programs: Together,
  ): Promise<{ readonly evaluations: readonly Evaluation[]; readonly read: ReadMembers }> {
    const { members } = place;
    const slots = turns.map(({ turn }) => turn.slot);
    const { max_episode_steps: limit, observation_space, goal } = this.layout;
    const passesOf: EvaluationPass[][] = turns.map(() => []);
    const passes = Math.max(...turns.map(({ turn }) => turn.eval_loop));
    const count = (
      returns: readonly ArrayLike<number>[],
      lengths: readonly ArrayLike<number>[],
      successes?: readonly ArrayLike<number>[],
    ) => {
      for (const [i, of] of passesOf.entries())
        of.push({ returns: returns[i] ?? [], lengths: lengths[i] ?? [], successes: successes?.[i] });
    };
    for (let pass = 0; ; pass++) {
      for (const { turn } of turns) {
        const { seed, slot, generation, first_pass = 0 } = turn;
        members.write(slot, keyContents(seed, slot, generation, PURPOSE.evaluate, first_pass + pass));
        const steps = Math.min(turn.eval_steps ?? limit, limit);
        members.write(turn.slot, new Map([["evaluate.steps", [steps]]]));
      }
      programs.start(() => 1);
      await this.#work("evaluate", place, programs);
      if (pass < passes - 1) {
        const returns = await members.readEach(slots, "evaluate.returns");
        const lengths = await members.readEach(slots, "evaluate.lengths");
        count(returns, lengths, goal && (await members.readEach(slots, SUCCESSES)));
        continue;
      }
      const read = await members.read(slots);
      const each = (name: string) => slots.map((slot) => read.own.get(slot)?.(name) ?? []);
      count(each("evaluate.returns"), each("evaluate.lengths"), goal && each(SUCCESSES));
      const evaluations = turns.map(({ turn }, i) =>
        evaluationOf(passesOf[i] ?? [], observation_space, turn),
      );
      return { evaluations, read };
    }
  }

  #sizes({ agent, turn }: MemberTurn, population: number, busy: number): Sizes {
    if (areEvolution([{ agent, turn }])) return evolutionSizes(agent, turn.num_envs);
    const sizes: Sizes = turn.off_policy
      ? offPolicySizes(agent, turn.num_envs, turn.off_policy, this.#memory?.segment ?? 0)
      : rolloutSizes(agent, turn.num_envs);
    return { ...sizes, ...episodeSizes(turn), slices: slicesOf(sizes, population, busy) };
  }
}
