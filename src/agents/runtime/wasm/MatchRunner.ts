/** Plays a member's evaluation in a game: greedy episodes against each opponent. */
import type { WasmDevice } from "../../../kernels/devices.ts";
import type { CompiledEnvironment } from "../../../rl/environments.ts";
import type { AgentState } from "../../member/agentState.ts";
import {
  bindOpponents,
  environmentAgainst,
  type Match,
  type Opponent,
  type Opponents,
  opponentContents,
  opponentId,
  shapeOf,
} from "../opponents.ts";
import { bindAgent } from "../programInputs.ts";
import { compiledProgram, searchingEvaluation } from "../programSet.ts";
import { PURPOSE, type Slice, type Turn } from "../turn.ts";
import { type Evaluation, type EvaluationPass, evaluationOf } from "../turnResult.ts";
import { Residence } from "./Residence.ts";

/** The programs of one opponent. */
interface Seat {
  readonly opponent: Opponent;
  /** Its position among the opponents. */
  readonly place: number;
  readonly env: CompiledEnvironment;
  readonly program: ReturnType<typeof compiledProgram>;
}

export class MatchRunner {
  readonly #env: CompiledEnvironment;
  readonly #residence: Residence;

  constructor(device: WasmDevice, env: CompiledEnvironment) {
    this.#env = env;
    this.#residence = new Residence(device);
  }

  /** Mean returns over `eval_loop` passes against each opponent; half of the lanes have the first move. */
  *play(
    agent: AgentState,
    turn: Turn,
    { evaluation: opponents, search }: Opponents,
  ): Generator<Slice, Evaluation> {
    const game = this.#env;
    const seats = opponents.map((opponent, place): Seat => {
      const env = environmentAgainst(game, opponent, agent, null, search);
      const program = search
        ? searchingEvaluation(agent, env, { ...search, game })
        : compiledProgram(agent, env, "evaluate");
      return { opponent, place, env, program };
    });
    const passes: EvaluationPass[][] = opponents.map(() => []);
    for (const shape of new Set(opponents.map(shapeOf))) {
      const group = seats.filter(({ opponent }) => shapeOf(opponent) === shape);
      const played = yield* this.#group(agent, turn, group);
      for (const [i, { place }] of group.entries()) passes[place] = played[i] ?? [];
    }
    const matches = opponents.map(
      (opponent, place): Match => ({
        opponent: opponentId(opponent),
        returns: (passes[place] ?? []).flatMap(({ returns }) => Array.from(returns)),
      }),
    );
    return { ...evaluationOf(passes.flat(), this.#env.observation_space, turn), matches };
  }

  /** Opponents of one shape, whose weights follow each other in the same buffers. */
  *#group(agent: AgentState, turn: Turn, seats: readonly Seat[]): Generator<Slice, EvaluationPass[][]> {
    const residence = this.#residence;
    const { seed, slot, generation, num_envs, eval_loop, eval_steps, first_pass = 0 } = turn;
    const binding = {
      ...bindAgent(agent, { num_envs, batch: 1 }),
      ...bindOpponents(seats.map(({ opponent }) => opponent)),
    };
    residence.prepare(agent, [...new Set(seats.map(({ program }) => program))], binding, slot);
    residence.load(agent);
    const passes: EvaluationPass[][] = [];
    for (const { opponent, place, env, program } of seats) {
      const own: EvaluationPass[] = [];
      residence.write(opponentContents(opponent));
      const limit = env.max_episode_steps;
      residence.set("evaluate.steps", Math.min(eval_steps ?? limit, limit));
      for (let pass = first_pass; pass < first_pass + eval_loop; pass++) {
        residence.setKey(seed, slot, generation, PURPOSE.evaluate, pass, place);
        residence.run(program);
        own.push({
          returns: residence.arena.read("evaluate.returns"),
          lengths: residence.arena.read("evaluate.lengths"),
        });
        yield { env_steps: 0, learn_steps: 0 };
      }
      passes.push(own);
    }
    return passes;
  }

  release(): void {
    this.#residence.release();
  }
}
