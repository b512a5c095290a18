import { useMemo } from "react";
import { useStore } from "zustand";
import {
  type EvolutionReport,
  gainText,
  type MutationOutcome,
  SURVIVAL_GENERATIONS,
} from "../../../../tracking/history.ts";
import { Facts } from "../../../components/Facts.tsx";
import { MUTATION_SHAPES, MutationMark } from "../../../components/marks.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { Plot } from "../../../components/plot/Plot.tsx";
import type { PlotEntry, PlotModel } from "../../../components/plot/PlotModel.ts";
import { type Column, Table } from "../../../components/Table.tsx";
import { formatChange, formatCount, NONE } from "../../../lib/format.ts";
import { shownRow } from "../../../series/historyCells.ts";
import { hyperparameterRanges } from "../../../series/hyperparameterRanges.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useHistory } from "../history/WithHistory.tsx";
import { evolves } from "../runTexts.ts";
import { GenerationNote, useRunRoute } from "../shownGeneration.tsx";
import { diversityModel, EvolutionSeries } from "./EvolutionSeries.ts";
import "./EvolutionPanel.css";

const percent = (share: number | null): string => (share === null ? NONE : `${Math.round(100 * share)} %`);

const markOf = ({ kind }: MutationOutcome) => (kind === "explore" ? "hyperparameter" : kind);

const nameOf = ({ kind }: MutationOutcome): string =>
  kind === "explore" ? "explore" : MUTATION_SHAPES[kind].label;

const COLUMNS: readonly Column<MutationOutcome>[] = [
  {
    head: "Mutation",
    cell: (outcome) => (
      <>
        <MutationMark kind={markOf(outcome)} /> {nameOf(outcome)}
      </>
    ),
  },
  {
    head: "Members",
    number: true,
    hint: "Members that began a generation so; a member counts once for each of its generations",
    cell: ({ number }) => formatCount(number),
  },
  {
    head: "Gain",
    number: true,
    hint: "Mean change since the parent's last evaluation, beyond that of unmutated siblings or else of the generation's unmutated members, with its interval of 95 %",
    cell: (outcome) => gainText(outcome, formatChange) ?? NONE,
  },
  {
    head: "Alive later",
    number: true,
    hint: `Share with living descendants ${SURVIVAL_GENERATIONS} generations later, or at the last generation`,
    cell: ({ survival }) => percent(survival),
  },
];

/** The lines of the chart of diversity, each with the value of the shown generation. */
const legendOf = ({ lines }: PlotModel): PlotEntry[] =>
  lines.map(({ label, colour, values }) => ({
    label: `${label === "ancestors" ? "ancestors, of all members" : `spread of ${label}`} ${percent(values.at(-1) ?? null)}`,
    group: label,
    mark: "line",
    colour,
  }));

interface ContentProps {
  /** The evolution up to each generation; the last one is shown. */
  readonly reports: readonly EvolutionReport[];
  readonly model: PlotModel;
  /** Episodes of the final evaluation, if the run has ended with one. */
  readonly final: number;
  /** Whether the run has selection. */
  readonly selects: boolean;
}

function Content({ reports, model, final, selects }: ContentProps) {
  const shown = reports.at(-1);
  if (!shown) return null;
  const { total_episodes, episodes, ancestors, members, mutations } = shown;
  return (
    <div className="columns evolution__columns">
      <div>
        <Facts
          className="facts figures evolution__facts"
          rows={[
            [
              final > 0 ? `Evaluation episodes, ${formatCount(final)} of them final` : "Evaluation episodes",
              total_episodes === null ? NONE : formatCount(total_episodes + final),
            ],
            ["In this generation", episodes === null ? NONE : formatCount(episodes)],
            ["Members at work", formatCount(members)],
            ["First ancestors", ancestors === null ? NONE : formatCount(ancestors)],
          ]}
        />
        <Table label="What mutations gained" columns={COLUMNS} rows={mutations} keyOf={({ kind }) => kind} />
        <p className="panel__text panel__text--small">
          {selects
            ? `Gains are beyond those of members without a mutation, which train as long. Not enough evidence: the interval contains 0, or too little was measured. Explore moves all hyperparameters of a copy. Alive later: ${SURVIVAL_GENERATIONS} generations on, or at the last one.`
            : "This run has no selection and mutation, so its members stay the same."}
        </p>
      </div>
      <div>
        <Plot
          title="Diversity"
          summary={`Diversity over ${formatCount(reports.length)} generations: ${formatCount(ancestors ?? Number.NaN)} first ancestors of ${formatCount(members)} members at work, and the part of its range that each hyperparameter covers.`}
          model={model}
          legend={legendOf(model)}
        />
      </div>
    </div>
  );
}

/** What a run tells of its evolution: evaluations, what mutations gained, and diversity. */
export function EvolutionPanel({ session }: { readonly session: RunView }) {
  const route = useRunRoute();
  const { history, state } = useHistory(session);
  const manifest = useStore(session.view, (view) => view.manifest);
  const champion = useStore(session.view, (view) => view.summary?.champion ?? null);
  const series = useMemo(() => new EvolutionSeries(hyperparameterRanges(manifest)), [manifest]);
  const { columns } = history;
  const { version } = state;
  const row = columns === null ? -1 : shownRow(columns, route.generation);
  const content = useMemo(() => {
    if (columns === null) return null;
    const reports = series.upTo(columns, row);
    return { reports, model: diversityModel(reports, columns) };
    // oxlint-disable-next-line react/exhaustive-deps -- the columns of a version are a new object, its arrays may be old
  }, [series, columns, row, version]);
  const isLast = columns !== null && row === columns.generations - 1;
  const final = champion && isLast ? (champion.played ?? champion.episodes * champion.candidates) : 0;
  return (
    <Panel title="Evolution" head={<GenerationNote />}>
      {content && <Content {...content} final={final} selects={evolves(manifest)} />}
    </Panel>
  );
}
