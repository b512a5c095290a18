import { useCallback, useState } from "react";
import { useStore } from "zustand";
import { Panel } from "../../../components/Panel.tsx";
import { type Column, Table } from "../../../components/Table.tsx";
import { formatCount, NONE } from "../../../lib/format.ts";
import type { LineageColours } from "../../../series/lineageColours.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useAnswer } from "../../../state/useAnswer.ts";
import { MemberLink } from "../agents/MemberLink.tsx";
import { useReports } from "../history/stored.ts";
import { useHistory } from "../history/WithHistory.tsx";
import { GenerationNote, shownGeneration, useRunRoute } from "../shownGeneration.tsx";
import { FirstWins } from "./FirstWins.ts";
import {
  type FirstWin,
  type LeagueRow,
  leagueTable,
  lowestShare,
  playerName,
  pointsText,
  ratingText,
  rulesIn,
  stageText,
} from "./leagueModel.ts";

const percent = (share: number): string => `${Math.round(100 * share)} %`;

const HINTS = {
  rating:
    "Elo points above random moves, by Bradley and Terry; 1.96 standard errors to both sides are the 95 % interval",
  points:
    "1 for a win, 0.5 for a draw, in the games of this generation's evaluation; members do not play each other",
} as const;

const playerColumn = (colours: LineageColours): Column<LeagueRow> => ({
  head: "Player",
  cell: ({ name, member }) =>
    member === null ? name : <MemberLink member={member} colours={colours} tab="population" />,
});

const columnsOf = (colours: LineageColours): readonly Column<LeagueRow>[] => [
  playerColumn(colours),
  { head: "Rating, 95 %", number: true, hint: HINTS.rating, cell: ratingText },
  {
    head: "Points",
    number: true,
    hint: HINTS.points,
    cell: ({ total }) => (total.games === 0 ? "no games" : pointsText(total)),
  },
];

/** What each member scored against whom. */
const matchColumnsOf = (
  opponents: readonly string[],
  colours: LineageColours,
): readonly Column<LeagueRow>[] => [
  playerColumn(colours),
  ...opponents.map(
    (id): Column<LeagueRow> => ({
      head: `vs ${playerName(id).toLowerCase()}`,
      number: true,
      hint: HINTS.points,
      cell: ({ scores }) => {
        const match = scores.get(id);
        return match ? pointsText(match) : NONE;
      },
    }),
  ),
];

/** In which generation a rule was first beaten, in words. */
function winText(rule: string, win: FirstWin | undefined): string {
  const name = playerName(rule);
  if (!win) return `${name}: not beaten yet.`;
  const { generation, member, match } = win;
  return `${name}: first beaten in generation ${formatCount(generation)}, in which #${member} scored ${pointsText(match)} points (${percent(match.points / match.games)}, at least ${percent(lowestShare(match))}).`;
}

/** The ratings of a generation's members, of rules and of past agents, and who scored what against whom. */
export function LeaguePanel({ session }: { readonly session: RunView }) {
  const route = useRunRoute();
  // Reports grow in place; the view's version signals their growth.
  useStore(session.view);
  const { columns, reports } = session;
  const { colours } = useHistory(session).history;
  const { generation, newest } = shownGeneration(columns, route.generation);
  const reading = useReports(session, Math.max(1, generation), generation);
  const report = reports.get(generation);
  const [wins] = useState(() => new FirstWins(reports));
  const last = columns.generation[newest] ?? 0;
  const ask = useCallback(() => wins.until(last), [wins, last]);
  const { value: found } = useAnswer(ask);
  const league = report?.league;
  const table = report && league ? leagueTable({ ...report, league }) : null;
  return (
    <Panel title="League" head={<GenerationNote />}>
      {generation === 0 && (
        <p className="empty">
          Ratings of members, rules and past agents. They appear when a generation ends.
        </p>
      )}
      {generation > 0 && table === null && (
        <p className="empty">
          {reading.state === "reading"
            ? "Loading the league…"
            : `The league of generation ${formatCount(generation)} is not stored.`}
        </p>
      )}
      {league && table && (
        <>
          <Table
            label="Ratings"
            height="24rem"
            columns={columnsOf(colours)}
            rows={table.rows}
            keyOf={({ key }) => key}
          />
          <details className="rule-above">
            <summary className="panel__text">Points of members by opponent</summary>
            <Table
              label="Points by opponent"
              height="24rem"
              columns={matchColumnsOf(table.opponents, colours)}
              rows={table.rows.filter(({ scores }) => scores.size > 0)}
              keyOf={({ key }) => key}
            />
          </details>
          {league.stage && <p className="panel__text">{stageText(league.stage)}</p>}
          <ul className="panel__text league__wins">
            {rulesIn(league).map((rule) => (
              <li key={rule}>
                {winText(
                  rule,
                  found?.find((win) => win.rule === rule),
                )}
              </li>
            ))}
          </ul>
          <p className="panel__text soft">
            A rule is beaten where the generation's best member scores more than half of the points, even at
            the lower end of the 95 % interval (Wilson).
          </p>
        </>
      )}
    </Panel>
  );
}
