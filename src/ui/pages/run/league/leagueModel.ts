/** The league of a game: who is rated how, who scored what against whom, and which rules are beaten. */
import type { GenerationReport, LeagueReport, MatchReport } from "../../../../tracking/observer.ts";
import { RULE_NAMES } from "../../../games/gameText.ts";
import { formatCount, formatScore } from "../../../lib/format.ts";

type LeagueOf = Pick<GenerationReport, "members" | "elite"> & { readonly league: LeagueReport };

/** A rated player, in the table of a generation. */
export interface LeagueRow {
  readonly key: string;
  readonly name: string;
  /** Identity of a member; null for rules and past agents. */
  readonly member: number | null;
  readonly rating: number;
  /** Standard error of the rating; NaN if it is not known. */
  readonly error: number;
  /** A member's games by opponent; empty for rules and past agents. */
  readonly scores: ReadonlyMap<string, MatchReport>;
  /** Points of all games of this generation's evaluation. */
  readonly total: Omit<MatchReport, "opponent">;
}

const RULES: Readonly<Record<string, string>> = RULE_NAMES;

/** Whether a player's name is that of a past agent. */
const isPast = (id: string): boolean => id.startsWith("generation ");

/** A rule's or past agent's name in sentences. */
export const playerName = (id: string): string => RULES[id] ?? (isPast(id) ? `Best of ${id}` : id);

/** 97.5 % quantile of the standard normal distribution. */
const Z = 1.96;

/** A rating with half of its 95 % interval, such as "532.0 ± 163.2"; alone if its error is not known. */
export const ratingText = ({ rating, error }: Pick<LeagueRow, "rating" | "error">): string =>
  Number.isFinite(rating) && Number.isFinite(error)
    ? `${formatScore(rating)} ± ${formatScore(Z * error)}`
    : formatScore(rating);

/** Points of some games together. @param turned whether they are the opponent's */
const totalOf = (matches: readonly MatchReport[], turned = false): LeagueRow["total"] => {
  const sum = (of: (match: MatchReport) => number): number => matches.reduce((all, one) => all + of(one), 0);
  return {
    games: sum(({ games }) => games),
    points: sum(({ games, points }) => (turned ? games - points : points)),
  };
};

/** Opponents of a generation's members, rules first, and all players by rating. */
export function leagueTable({ league, members }: LeagueOf): {
  readonly opponents: readonly string[];
  readonly rows: readonly LeagueRow[];
} {
  const played = league.matches.flatMap((own) => own ?? []);
  const met = new Set(played.map(({ opponent }) => opponent));
  const opponents = league.players.map(({ id }) => id).filter((id) => met.has(id));
  const rows = [
    ...league.players.map(
      ({ id, ...rating }): LeagueRow => ({
        key: id,
        name: playerName(id),
        member: null,
        ...rating,
        scores: new Map(),
        total: totalOf(
          played.filter(({ opponent }) => opponent === id),
          true,
        ),
      }),
    ),
    ...members.map(
      ({ slot, index, fitness, evaluation }): LeagueRow => ({
        key: `member ${slot}`,
        name: `#${index}`,
        member: index,
        rating: fitness,
        error: evaluation?.error ?? Number.NaN,
        scores: new Map(league.matches[slot]?.map((match) => [match.opponent, match])),
        total: totalOf(league.matches[slot] ?? []),
      }),
    ),
  ];
  const rank = ({ rating }: LeagueRow): number =>
    Number.isFinite(rating) ? rating : Number.NEGATIVE_INFINITY;
  return { opponents, rows: rows.toSorted((a, b) => rank(b) - rank(a)) };
}

/** Points of games as text, such as "31.5 of 32". */
export const pointsText = ({ points, games }: LeagueRow["total"]): string =>
  `${points.toLocaleString("en", { maximumFractionDigits: 1 })} of ${formatCount(games)}`;

/** Lower end of the 95 % interval of a share of points (Wilson 1927). */
export function lowestShare({ points, games }: MatchReport): number {
  if (games === 0) return 0;
  const share = points / games;
  const squared = Z ** 2 / games;
  const spread = Z * Math.sqrt((share * (1 - share)) / games + squared / (4 * games));
  return (share + squared / 2 - spread) / (1 + squared);
}

/** When a rule was first beaten. */
export interface FirstWin {
  readonly rule: string;
  readonly generation: number;
  readonly member: number;
  readonly match: MatchReport;
}

/** Rules that a generation's best member beats: it has more than half of the points, even at the lower end of the interval. */
export function beatenRules({
  generation,
  members,
  elite,
  league,
}: LeagueOf & { generation: number }): FirstWin[] {
  const best = members[elite];
  const matches = league.matches[elite] ?? [];
  if (!best) return [];
  return matches
    .filter((match) => !isPast(match.opponent) && lowestShare(match) > 0.5)
    .map((match) => ({ rule: match.opponent, generation, member: best.index, match }));
}

/** Where a curriculum stands, in words. */
export const stageText = ({ number, of, until }: NonNullable<LeagueReport["stage"]>): string =>
  `Curriculum: stage ${number} of ${of}${until === null ? "" : `, until a rating of ${formatCount(until)}`}.`;

/** Rules that members were rated against. */
export const rulesIn = ({ matches }: LeagueReport): readonly string[] =>
  [...new Set(matches.flatMap((own) => own?.map(({ opponent }) => opponent) ?? []))].filter(
    (id) => !isPast(id),
  );
