import { useMemo } from "react";
import type { HistoryColumns, RunSummary } from "../../../../workers/protocol.ts";
import { Panel } from "../../../components/Panel.tsx";
import { Plot } from "../../../components/plot/Plot.tsx";
import type { PlotEntry, PlotModel } from "../../../components/plot/PlotModel.ts";
import { type FitnessWord, useFitnessWord } from "../../../games/fitnessWord.tsx";
import { formatHyperparameter } from "../../../lib/format.ts";
import { formatRoute, runRoute } from "../../../routes/route.ts";
import { positionsOf } from "../../../series/historyCells.ts";
import { formatPosition } from "../../../series/scales.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useWorkbenchState } from "../../../state/Workbench.ts";
import { measuresOf, overlay } from "../../compare/comparison.ts";
import { useComparedRuns } from "../../compare/useComparedRuns.ts";
import { useHistory } from "../history/WithHistory.tsx";
import { type Pair, pairOf, pairText } from "./pairText.ts";
import "./EvolutionPanel.css";

const STYLES = [
  { label: "with evolution", colour: "accent", width: 2.5 },
  { label: "without", colour: "ink-3", width: 2, dash: [6, 4] },
] as const;

const LEGEND: readonly PlotEntry[] = STYLES.map(({ label, colour, ...style }) => ({
  label,
  group: label,
  colour,
  mark: "dash" in style ? "dash" : "line",
}));

/** The best fitness so far of both runs over their steps. */
function curvesOf(runs: readonly (HistoryColumns | null)[], word: FitnessWord): PlotModel {
  const [best] = measuresOf([]);
  const { x, lines } = overlay(
    runs.map((columns) =>
      columns === null || !best
        ? { x: [], y: [] }
        : { x: positionsOf(columns, "steps"), y: best.of(columns) },
    ),
  );
  return {
    axis: "steps",
    valueLabel: `best ${word} so far`,
    x,
    lines: STYLES.map((style, at) => ({ ...style, values: lines[at] ?? [], steady: true })),
    joined: true,
    format: formatHyperparameter,
    formatX: formatPosition.steps,
  };
}

interface Props {
  readonly session: RunView;
  readonly summary: RunSummary;
}

/** A run and its pair without evolution, on the page of either; nothing for other runs. */
export function PairPanel({ session, summary }: Props) {
  const runs = useWorkbenchState(({ list }) => list.runs);
  const pair = useMemo(() => pairOf(summary, runs ?? []), [summary, runs]);
  if (pair !== null) return <BothRuns session={session} pair={pair} own={summary.id} />;
  if (summary.compared_with === null || runs === null) return null;
  return (
    <Panel title="Compared with no evolution">
      <p className="panel__text">
        The run with evolution that this one was compared with is no longer stored.
      </p>
    </Panel>
  );
}

interface BothProps {
  readonly session: RunView;
  readonly pair: Pair;
  /** Id of the open run. */
  readonly own: string;
}

function BothRuns({ session, pair, own }: BothProps) {
  const { evolved, still } = pair;
  const other = evolved.id === own ? still : evolved;
  const { history, state } = useHistory(session);
  const [compared] = useComparedRuns([other.id]);
  const { version } = state;
  const word = useFitnessWord();
  const theirs = compared?.columns ?? null;
  const length = theirs?.generations ?? 0;
  const model = useMemo(
    () => curvesOf(evolved.id === own ? [history.columns, theirs] : [theirs, history.columns], word),
    // oxlint-disable-next-line react/exhaustive-deps -- the numbers of generations tell when columns have grown
    [history, version, theirs, length, evolved.id, own, word],
  );
  return (
    <Panel
      title="Compared with no evolution"
      head={
        <a className="panel__note" href={formatRoute(runRoute(other.id, "insight"))}>
          {other.name}
        </a>
      }
    >
      <Plot
        title={`Best ${word} so far, by steps`}
        summary={`Best ${word} so far of both runs, over the steps of their populations. The text below says what each delivered.`}
        model={model}
        legend={LEGEND}
      />
      <p className="panel__text">{pairText(pair)}</p>
    </Panel>
  );
}
