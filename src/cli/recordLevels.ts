/** Data sets of four levels, by the elites of one run. */
import type { AgentState } from "../agents/members.ts";
import {
  type Actor,
  agentActor,
  type MinariFiles,
  minariFiles,
  type RecordedEnvironment,
  type Recording,
  recordInTurn,
  returnOf,
} from "../datasets/record.ts";
import { normalisedReturn } from "../datasets/view.ts";
import type { AgentSpaces } from "../rl/spaces.ts";
import { EliteDirectory } from "../storage/checkpoints.ts";
import { joinPath } from "../storage/index.ts";
import { thinned } from "../tracking/history.ts";
import { decodeAgent } from "../training/files.ts";
import { CliError, type CliIo, EXIT, usageError } from "./CliIo.ts";
import { ELITES } from "./RunDirectory.ts";

/** As D4RL names them (arXiv 2004.07219, section 5). */
export const LEVELS = ["random", "medium", "medium-replay", "expert"] as const;
type Level = (typeof LEVELS)[number];

interface LevelOptions {
  readonly io: Pick<CliIo, "store">;
  /** Directory of the run. */
  readonly run: string;
  readonly env: RecordedEnvironment;
  readonly place: AgentSpaces & { readonly id: string };
  /** Least number of steps of each data set. */
  readonly steps: number;
  readonly epsilon: number;
  readonly seed: number;
}

export interface LevelSet {
  readonly level: Level;
  readonly dataset_id: string;
  readonly files: MinariFiles;
  readonly episodes: number;
  readonly steps: number;
  readonly mean: number;
  /** In points: 0 is the mean return of the random set, 100 that of the expert's. */
  readonly normalised: number;
}

/** An elite, and what it gets in the environment as it explores there. */
interface Scored {
  readonly agent: AgentState;
  readonly score: number;
}

/** Most elites that are played, evenly chosen from all. */
const MOST_ELITES = 64;
/** Episodes by which each is judged. */
const JUDGED_BY = 5;

const meanReturn = ({ episodes }: Recording): number =>
  episodes.reduce((sum, episode) => sum + returnOf(episode), 0) / episodes.length;

/** `rlkit/Hopper-v0` is `hopper` in ids. */
const nameOf = (environment: string): string =>
  environment
    .toLowerCase()
    .replace(/^.*\//, "")
    .replace(/-v\d+$/, "")
    .replace(/[^a-z0-9]+/g, "-");

/**
 * Who acts in each data set: expert is the best elite, medium the first one half-way to it from random actions, and
 * medium-replay all elites until then.
 * @param elites At least one.
 * @throws CliError if no elite is better than random actions.
 */
function chosenOf(elites: readonly Scored[], random: number, run: string): Record<Level, readonly Scored[]> {
  const best = elites.reduce((most, one) => (most.score >= one.score ? most : one));
  if (best.score <= random) throw notLearned(run, best.score, random);
  const half = (random + best.score) / 2;
  const at = elites.findIndex(({ score }) => score >= half);
  return {
    random: [],
    medium: elites.slice(at, at + 1),
    "medium-replay": elites.slice(0, at + 1),
    expert: [best],
  };
}

const notLearned = (run: string, expert: number, random: number): CliError =>
  new CliError(
    `${run}: its best agent scores ${expert.toFixed(2)}, random actions ${random.toFixed(2)}, so there are no levels between them; train longer`,
    EXIT.failed,
  );

/** All of them explore as in training. @throws CliError if the run has no elites, or none that is better than random actions. */
export async function recordLevels({
  io,
  run,
  env,
  place,
  ...options
}: LevelOptions): Promise<readonly LevelSet[]> {
  const kept = await EliteDirectory.read(io.store, joinPath(run, ELITES));
  const entries = thinned(kept.entries, MOST_ELITES);
  if (entries.length === 0)
    throw usageError(`record: found no elites in ${joinPath(run, ELITES)}; give the directory of a run`);
  const record = (
    algorithm: string,
    actors: Iterable<Actor | null>,
    more: { count: number; steps?: number; least?: number },
  ) => recordInTurn({ env, environment: place.id, algorithm, actors, ...options, ...more });
  const random = await record("random", [null], { count: 1 });
  const elites: Scored[] = [];
  for (const entry of entries) {
    const { agent } = decodeAgent(await kept.policy(entry), `${run}, generation ${entry.generation}`);
    const judged = await record("", inTurn([agent], place), { count: 1, steps: 0, least: JUDGED_BY });
    elites.push({ agent, score: meanReturn(judged) });
  }
  const chosen = chosenOf(elites, meanReturn(random), run);
  const recordings = new Map<Level, Recording>([["random", random]]);
  for (const level of LEVELS.slice(1)) {
    const states = chosen[level].map(({ agent }) => agent);
    const algorithm = `${states[0]?.algorithm}, ${level}`;
    recordings.set(level, await record(algorithm, inTurn(states, place), { count: states.length }));
  }
  const [min, max] = [random, recordings.get("expert") ?? random].map(meanReturn) as [number, number];
  if (max <= min) throw notLearned(run, max, min);
  const reference_scores = { min, max };
  const sets: LevelSet[] = [];
  for (const [level, recording] of recordings) {
    const dataset_id = `${nameOf(place.id)}/${level}-v0`;
    const mean = meanReturn(recording);
    sets.push({
      level,
      dataset_id,
      files: await minariFiles(recording, { dataset_id, reference_scores }),
      episodes: recording.episodes.length,
      steps: recording.episodes.reduce((sum, { rewards }) => sum + rewards.length, 0),
      mean,
      normalised: normalisedReturn(mean, { reference_scores }) ?? Number.NaN,
    });
  }
  return sets;
}

/** Actors that are released when the next one is drawn. */
function* inTurn(states: readonly AgentState[], spaces: AgentSpaces): Iterable<Actor> {
  for (const state of states) {
    const actor = agentActor(state, spaces, true);
    try {
      yield actor;
    } finally {
      actor.release();
    }
  }
}
