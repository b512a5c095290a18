/** The league of a run in a game: whom members play, and the ratings that are their fitness. */
import {
  type AgentState,
  type Opponent,
  type Opponents,
  playerOnly,
  shapeOf,
  type TurnResult,
} from "../../agents/members.ts";
import { Random } from "../../evolution/index.ts";
import { bradleyTerry, type Encounter, expectedPoints, withFitness } from "../../evolution/members.ts";
import type { OpponentName, OpponentStage } from "../../specs/sections.ts";
import type { LeaguePlayer, LeagueReport, MatchReport } from "../../tracking/observer.ts";
import type { OpponentsPlan } from "./kinds.ts";

/** A member as it was at the end of a generation: its policy, and the value that its searches need. */
export interface PastSelf {
  /** Its name in results: the generation that it ended. */
  readonly id: string;
  readonly generation: number;
  readonly agent: AgentState;
}

/** Games between two players that stay in the league, by id. */
export interface LeagueEncounter {
  readonly a: string;
  readonly b: string;
  readonly games: number;
  readonly points: number;
}

/** The part of a run's state that belongs to its league. */
export interface League {
  readonly past: readonly PastSelf[];
  /** Between anchors and past selves. */
  readonly encounters: readonly LeagueEncounter[];
  /** Anchors and past selves as of the last generation. */
  readonly players: readonly LeaguePlayer[];
  /** Index of the stage of opponents that is reached. */
  readonly stage: number;
}

export const NO_LEAGUE: League = { past: [], encounters: [], players: [], stage: 0 };

/** Parts of a turn's training, each with an opponent of its own. */
const PARTS = 4;
/** Past selves that a member is rated against, besides the anchors. */
const RATED_AGAINST = 4;

/** An opponent and its weight in a draw. */
type Drawable = readonly [opponent: Opponent, weight: number];

const pastOpponent = ({ id, agent }: PastSelf): Opponent => ({ kind: "agent", id, agent });

/** An element, drawn in proportion to its weight; the last one if all weights are 0. */
function drawn<T>(random: Random, items: readonly (readonly [item: T, weight: number])[]): T | undefined {
  let left = random.uniform() * items.reduce((sum, [, weight]) => sum + weight, 0);
  const found = items.find(([, weight]) => {
    left -= weight;
    return left < 0;
  });
  return (found ?? items.at(-1))?.[0];
}

interface Moment {
  readonly members: readonly AgentState[];
  readonly league: League;
  readonly slot: number;
  readonly generation: number;
  readonly seed: number;
}

/**
 * Members and past selves, each as likely as it wins: prioritised fictitious self-play with weights (1 - p)^2, where p is the
 * member's expected score (Vinyals et al. 2019, "Grandmaster level in StarCraft II", methods).
 */
function leagueWeights({ members, league, slot }: Moment): Drawable[] {
  const own = members[slot]?.fitness.at(-1) ?? Number.NaN;
  const ratingOf = new Map(league.players.map(({ id, rating }) => [id, rating]));
  const weight = (rating: number | undefined): number => {
    const difference = own - (rating ?? Number.NaN);
    const lost = 1 - expectedPoints(difference);
    return Number.isFinite(difference) ? lost * lost : 1;
  };
  const others = members.flatMap((agent, other): Drawable[] =>
    other === slot
      ? []
      : [
          [
            { kind: "agent", id: `member ${agent.index}`, agent: playerOnly(agent) },
            weight(agent.fitness.at(-1)),
          ],
        ],
  );
  return [
    ...others,
    ...league.past.map((self) => [pastOpponent(self), weight(ratingOf.get(self.id))] as const),
  ];
}

/** The stage that is reached. There is at least one, and those of a manifest that was shortened end with its last. */
const stageOf = ({ stages }: OpponentsPlan, { stage }: League): OpponentStage =>
  (stages[stage] ?? stages.at(-1)) as OpponentStage;

/** The opponents of a member's coming turn. The same run draws the same ones. */
export function opponentsOf(plan: OpponentsPlan, moment: Moment): Opponents {
  const { league, slot, generation, seed } = moment;
  const random = new Random({ seed, stream: "opponents", slot, generation });
  const pools: Readonly<Record<OpponentName, readonly Drawable[]>> = {
    self: [[{ kind: "self" }, 1]],
    past: league.past.map((self) => [pastOpponent(self), 1] as const),
    league: leagueWeights(moment),
    random: [[{ kind: "random" }, 1]],
    "rule:one_step": [[{ kind: "one_step" }, 1]],
    "rule:follow": [[{ kind: "follow" }, 1]],
    "rule:hold_at_20": [[{ kind: "hold_at_20" }, 1]],
  };
  const kinds = Object.entries(stageOf(plan, league).weights) as [OpponentName, number][];
  let shape: string | null = null;
  const training = Array.from({ length: kinds.length > 0 ? PARTS : 0 }, (): Opponent => {
    const fits = ([opponent]: Drawable): boolean =>
      opponent.kind !== "agent" || shape === null || shapeOf(opponent) === shape;
    // A kind without opponents, as the past in the first generation, is played by the member itself.
    const kind = drawn(random, kinds) ?? "self";
    const found = drawn(random, pools[kind].filter(fits)) ?? { kind: "self" };
    if (found.kind === "agent") shape = shapeOf(found);
    return found;
  });
  const rated = evenly(league.past, RATED_AGAINST).map(pastOpponent);
  const { games, search } = plan;
  return {
    training,
    ...(games && { games }),
    evaluation: [...plan.anchors.map((kind): Opponent => ({ kind })), ...rated],
    ...(search && { search }),
  };
}

/** At most `count` elements, the last one among them, at even distances. */
function evenly<T>(items: readonly T[], count: number): readonly T[] {
  const chosen = Math.min(count, items.length);
  return Array.from(
    { length: chosen },
    (_, i) => items[Math.round(((i + 1) * items.length) / chosen) - 1] as T,
  );
}

/** Points of a game by its return: 1 for a win, 0 for a loss. */
const pointsOf = (value: number, win: number): number => Math.min(1, Math.max(0, (value / win + 1) / 2));

type Played = Pick<TurnResult, "matches">;

const matchesOf = ({ matches = [] }: Played, { win }: OpponentsPlan): MatchReport[] =>
  matches.map(({ opponent, returns }) => ({
    opponent,
    games: returns.length,
    points: returns.reduce((sum, value) => sum + pointsOf(value, win), 0),
  }));

const encountersOf = (played: Played, id: string, plan: OpponentsPlan): LeagueEncounter[] =>
  matchesOf(played, plan).map(({ opponent, ...score }) => ({ a: id, b: opponent, ...score }));

/** What a generation's report says of the league. */
export const leagueReport = (
  plan: OpponentsPlan,
  league: League,
  results: readonly (Played | null)[],
): LeagueReport => ({
  players: league.players,
  matches: results.map((result) => result && matchesOf(result, plan)),
  ...(plan.stages.length > 1 && {
    stage: { number: league.stage + 1, of: plan.stages.length, until: stageOf(plan, league).until },
  }),
});

/** Ratings of the league's players and of members that have played, which follow them by position. */
export function rated(
  plan: OpponentsPlan,
  { past, encounters }: League,
  members: readonly (Played | null)[],
): { readonly players: readonly LeaguePlayer[]; readonly members: readonly (LeaguePlayer | null)[] } {
  const lasting = [...plan.anchors, ...past.map(({ id }) => id)];
  const nameOf = (place: number): string => `slot ${place}`;
  const ids = [...lasting, ...members.flatMap((member, place) => (member ? [nameOf(place)] : []))];
  const all = [
    ...encounters,
    ...members.flatMap((member, place) => (member ? encountersOf(member, nameOf(place), plan) : [])),
  ];
  const indexed = all.map(
    ({ a, b, games, points }): Encounter => ({ a: ids.indexOf(a), b: ids.indexOf(b), games, points }),
  );
  const { ratings, errors } = bradleyTerry(ids.length, indexed);
  const player = (id: string): LeaguePlayer => {
    const place = ids.indexOf(id);
    return { id, rating: ratings[place] ?? Number.NaN, error: errors[place] ?? Number.NaN };
  };
  return {
    players: lasting.map(player),
    members: members.map((member, place) => member && player(nameOf(place))),
  };
}

/** A result whose fitness is a rating. */
export function withRating(result: TurnResult, { rating, error }: LeaguePlayer): TurnResult {
  const { agent, evaluation } = result;
  return {
    ...result,
    fitness: rating,
    agent: { ...agent, fitness: withFitness(agent.fitness.slice(0, -1), rating) },
    ...(evaluation && { evaluation: { ...evaluation, error } }),
  };
}

/**
 * The league after a generation. A stage ends where the best member's rating reaches its limit.
 * @param results With ratings as fitness; null for members that failed or rest.
 * @internal
 */
export function leagueAfter(
  plan: OpponentsPlan,
  league: League,
  results: readonly (TurnResult | null)[],
  generation: number,
): League {
  const { players } = rated(plan, league, results);
  const best = results.reduce<TurnResult | null>(
    (fittest, result) => (result && (!fittest || result.fitness > fittest.fitness) ? result : fittest),
    null,
  );
  const { until } = stageOf(plan, league);
  const stage = league.stage + Number(best !== null && until !== null && best.fitness >= until);
  if (!best || generation % plan.pool_interval !== 0) return { ...league, players, stage };
  const id = `generation ${generation}`;
  const self: PastSelf = { id, generation, agent: playerOnly(best.agent) };
  const past = thinned([...league.past, self], plan.pool_size);
  const stays = new Set<string>([...plan.anchors, ...past.map((own) => own.id)]);
  const encounters = [...league.encounters, ...encountersOf(best, id, plan)].filter(
    ({ a, b }) => stays.has(a) && stays.has(b),
  );
  const rating = { id, rating: best.fitness, error: best.evaluation?.error ?? Number.NaN };
  return { past, encounters, players: [...players, rating].filter((player) => stays.has(player.id)), stage };
}

/** Past selves without the one whose neighbours are closest in time, until few enough are left; the newest stays. */
function thinned(past: readonly PastSelf[], most: number): readonly PastSelf[] {
  if (past.length <= most) return past;
  const gaps = past.map((_self, i) => {
    const [before, after] = [past[i - 1], past[i + 1]];
    return after ? after.generation - (before?.generation ?? 0) : Number.POSITIVE_INFINITY;
  });
  const place = gaps.indexOf(Math.min(...gaps));
  return thinned(
    past.filter((_self, i) => i !== place),
    most,
  );
}
