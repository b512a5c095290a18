/** Turns of evolution strategies in environments that the host steps: episodes of copies, as many at once as there are lanes. */
import type { AnyVectorEnvironment } from "../../rl/faces.ts";
import { EVOLUTION, PASS, TOLD_ITERATIONS } from "../../rl/programs.ts";
import { evolutionSizes, progressContents } from "../runtime/programInputs.ts";
import { type EndedEpisode, PURPOSE, type Slice, type Turn } from "../runtime/turn.ts";
import { requireReturns, type TurnEnd } from "../runtime/turnResult.ts";
import type { AgentSession } from "../runtime/wasm/AgentSession.ts";
import { environmentSeed, episodeLimit, playOnHost } from "../runtime/wasm/hostLanes.ts";

/** What a turn came to, besides what its session has learnt. */
interface Evolved {
  readonly env_steps: number;
  readonly episodes: TurnEnd["episodes"];
  /** The end of each iteration, and the mean return of its copies, for the first ones of the turn. */
  readonly told: readonly EndedEpisode[];
}

/** Lanes that play an episode together: the number of each lane's episode, and whether it counts. */
interface Pass {
  readonly rows: Uint32Array;
  readonly playing: Uint8Array;
  /** Parts of the seed of their resets: passes of the two copies of pairs may be alike. */
  readonly seed: readonly number[];
}

/** The passes of an iteration. Lanes without an episode play none. */
function* passesOf(session: AgentSession, lanes: number): Generator<Pass> {
  const { perturbations, antithetic, episodes, common_random_numbers } = session.state.hyperparameters;
  const signs = antithetic === true ? 2 : 1;
  const each = Number(episodes);
  const pairs = (Number(perturbations) / signs) * each;
  for (let first = 0; first < pairs; first += lanes)
    for (let sign = 0; sign < signs; sign++) {
      const rows = new Uint32Array(lanes);
      const playing = new Uint8Array(lanes);
      for (let lane = 0; lane < Math.min(lanes, pairs - first); lane++) {
        const pair = first + lane;
        rows[lane] = (Math.floor(pair / each) * signs + sign) * each + (pair % each);
        playing[lane] = 1;
      }
      yield { rows, playing, seed: [first, common_random_numbers === true ? 0 : sign] };
    }
}

/** Iterations until the turn has taken its steps; at least one. */
export function* evolveOnHost(
  session: AgentSession,
  env: AnyVectorEnvironment,
  turn: Turn,
): Generator<Slice, Evolved> {
  const { num_envs, seed, slot, generation } = turn;
  const { arena, write } = opened(session, turn);
  const limit = episodeLimit(env);
  const { steps: before, hyperparameters } = session.state;
  const each = Number(hyperparameters.episodes);
  const copies = arena.lengthOf(EVOLUTION.returns);
  let env_steps = 0;
  let steps = 0;
  const scores = { finished: 0, total: 0 };
  const told: EndedEpisode[] = [];
  for (let iteration = 0; env_steps < turn.evo_steps; iteration++) {
    const returns = new Float64Array(copies);
    let begins = 1;
    for (const pass of passesOf(session, num_envs)) {
      write(PASS.rows, pass.rows);
      write(
        PASS.copies,
        Array.from(pass.rows, (row) => Math.floor(row / each)),
      );
      session.run("perturb");
      const played = yield* playOnHost(session, env, {
        act: ["act", "act.applied"],
        seed: environmentSeed(seed, slot, generation, PURPOSE.turn, iteration, ...pass.seed),
        steps: limit,
        playing: pass.playing,
        onStep: (_step, running) => {
          write(PASS.alive, Array.from(running));
          write(PASS.begins, [begins]);
          write(PASS.step, [steps++ | 0]);
          begins = 0;
        },
      });
      let taken = 0;
      for (const [lane, row] of pass.rows.entries()) {
        if (pass.playing[lane] === 0) continue;
        const own = played.returns[lane] as number;
        const copy = Math.floor(row / each);
        returns[copy] = (returns[copy] as number) + own / each;
        taken += played.lengths[lane] as number;
        if (!Number.isFinite(own)) continue;
        scores.finished += 1;
        scores.total += own;
      }
      env_steps += taken;
      yield { env_steps: taken, learn_steps: 0, score: scores.total / Math.max(1, scores.finished) };
    }
    requireReturns(returns, slot);
    write(EVOLUTION.returns, returns);
    write(PASS.begins, [0]);
    session.run("learn");
    write(EVOLUTION.steps, [env_steps]);
    const own = [...returns].filter(Number.isFinite);
    const end: EndedEpisode = [before + env_steps, own.reduce((a, b) => a + b, 0) / own.length];
    told[Math.min(iteration, TOLD_ITERATIONS - 1)] = end;
    yield { env_steps: 0, learn_steps: 1, ...(turn.tells_episodes && { episodes: [end] }) };
  }
  return { env_steps, episodes: scores, told };
}

/** Opens the programs of a turn. @returns the buffers, and a function that writes those that the programs have. */
function opened(session: AgentSession, turn: Turn) {
  const residence = session.open(["perturb", "act", "learn"], evolutionSizes(session.state, turn.num_envs));
  session.setKey(turn.seed, turn.slot, turn.generation, PURPOSE.turn);
  residence.write(progressContents(turn));
  const { arena } = residence;
  const write = (name: string, values: ArrayLike<number>): void => {
    if (arena.has(name)) arena.write(name, values);
  };
  write(EVOLUTION.steps, [0]);
  return { arena, write };
}
