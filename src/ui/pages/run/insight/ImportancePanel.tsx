import { useMemo } from "react";
import { gainText, isEvidence } from "../../../../tracking/history.ts";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { Panel } from "../../../components/Panel.tsx";
import { Table } from "../../../components/Table.tsx";
import { formatChange, formatCount, formatHyperparameter, NONE } from "../../../lib/format.ts";
import { useCalmly } from "../../../lib/updateClock.ts";
import { type Range, tunedHyperparameters } from "../../../series/hyperparameterRanges.ts";
import { FITNESS_STEPS } from "../../../series/scales.ts";
import { lineageGraph } from "../descent/LineageGraph.ts";
import { GenerationNote } from "../shownGeneration.tsx";
import type { Slice } from "./fanova.ts";
import { CELLS, type Contour } from "./importance.ts";
import { type Input, importanceRows, LEAST_ROWS, valueOn } from "./importanceRows.ts";
import { type MoveGains, runGains } from "./runGains.ts";
import type { Share } from "./shares.ts";
import { useImportance } from "./useImportance.ts";
import "./ImportancePanel.css";

interface Line {
  readonly input: Input;
  readonly share: Share;
  readonly slice: Slice;
  readonly gains: MoveGains | undefined;
}

/** Pause between two computations while a run trains, in milliseconds. */
const PAUSE_MS = 5000;

const percent = (share: number): string => `${Math.round(100 * Math.min(1, Math.max(0, share)))} %`;

function ShareCell({ share: { share, interval } }: Pick<Line, "share">) {
  if (interval === null) return <>not enough evidence</>;
  const told = `${percent(share)} [${interval.map(percent).join(", ")}]`;
  if (!isEvidence(interval)) return <>not enough evidence ({told})</>;
  return (
    <span className="importance">
      <meter min={0} max={1} value={share} aria-hidden="true" />
      {told}
    </span>
  );
}

/** What mutations of a hyperparameter gained, by direction. */
const movesText = ({ cuts, rises, isDoubted }: MoveGains): string =>
  [["cuts", cuts] as const, ["rises", rises] as const]
    .flatMap(([name, gains]) => {
      const text = gainText(gains, formatChange, isDoubted);
      return text === null ? [] : [`${name}: ${text}`];
    })
    .join("; ");

const WIDTH = 160;
const HEIGHT = 40;

/** The mean rank along a hyperparameter, with a band of one standard deviation of the trees. */
function SliceDrawing({
  input,
  slice: { at, mean, deviation },
  range: [low, high],
}: Pick<Line, "input" | "slice"> & { readonly range: readonly [low: number, high: number] }) {
  const point = (i: number, value: number): string =>
    `${(WIDTH * (at[i] ?? 0)).toFixed(1)},${((HEIGHT * (high - value)) / (high - low || 1)).toFixed(1)}`;
  const above = mean.map((value, i) => point(i, value + (deviation[i] ?? 0)));
  const below = mean.map((value, i) => point(i, value - (deviation[i] ?? 0))).reverse();
  const best = mean.indexOf(Math.max(...mean));
  return (
    <span className="slice">
      <span className="mono">{formatHyperparameter(input.seen.min)}</span>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <polygon points={[...above, ...below].join(" ")} />
        <polyline points={mean.map((value, i) => point(i, value)).join(" ")} />
      </svg>
      <span className="mono">{formatHyperparameter(input.seen.max)}</span>
      <span className="visually-hidden">
        {`best near ${formatHyperparameter(valueOn(input, at[best] ?? 0))}, where the mean rank is ${percent(mean[best] ?? 0)}`}
      </span>
    </span>
  );
}

/** The mean rank over two hyperparameters. */
function ContourDrawing({ names, contour }: { readonly names: readonly Input[]; readonly contour: Contour }) {
  const [first, second] = contour.inputs.map((input) => names[input]);
  if (!first || !second) return null;
  const [low, high] = [Math.min(...contour.grid), Math.max(...contour.grid)];
  const step = (value: number): number =>
    1 + Math.min(FITNESS_STEPS - 1, Math.floor((FITNESS_STEPS * (value - low)) / (high - low || 1)));
  const best = contour.grid.indexOf(high);
  const near = (input: Input, cell: number): string =>
    formatHyperparameter(valueOn(input, (cell + 0.5) / CELLS));
  return (
    <figure className="contour">
      <svg viewBox={`0 0 ${CELLS} ${CELLS}`} preserveAspectRatio="none" aria-hidden="true">
        {Array.from(contour.grid, (value, cell) => (
          <rect
            key={cell}
            x={cell % CELLS}
            y={CELLS - 1 - Math.floor(cell / CELLS)}
            width={1.02}
            height={1.02}
            fill={`var(--fitness-${step(value)})`}
          />
        ))}
      </svg>
      <figcaption>
        Mean rank, {percent(low)} to {percent(high)}. Across: <code>{first.name}</code>,{" "}
        {formatHyperparameter(first.seen.min)} to {formatHyperparameter(first.seen.max)}. Upwards:{" "}
        <code>{second.name}</code>, {formatHyperparameter(second.seen.min)} to{" "}
        {formatHyperparameter(second.seen.max)}. Best near {near(first, best % CELLS)} and{" "}
        {near(second, Math.floor(best / CELLS))}.
      </figcaption>
    </figure>
  );
}

/** The mean ranks of all slices, from the lowest to the highest with their deviations. */
function rangeOf(slices: readonly Slice[]): readonly [low: number, high: number] {
  const ends = (sign: 1 | -1): number[] =>
    slices.flatMap(({ mean, deviation }) => mean.map((value, i) => value + sign * (deviation[i] ?? 0)));
  return [Math.min(...ends(-1)), Math.max(...ends(1))];
}

interface Props {
  readonly columns: HistoryColumns;
  /** Row of the shown generation. */
  readonly row: number;
  /** Ranges of mutation, by hyperparameter. */
  readonly ranges: Readonly<Record<string, Range>>;
}

/** Which hyperparameters decide how members rank in their generations, and which values rank best. */
export function ImportancePanel({ columns, row, ranges }: Props) {
  const shown = useMemo(() => ({ columns, row }), [columns, row]);
  const calm = useCalmly(shown, PAUSE_MS);
  const rows = useMemo(
    () => importanceRows(calm.columns, calm.row, tunedHyperparameters(calm.columns, ranges)),
    [calm, ranges],
  );
  const isEnough = rows !== null && rows.outputs.length >= LEAST_ROWS;
  const found = useImportance(isEnough ? rows : null);
  const gains = useMemo(
    () => (isEnough ? runGains(calm.columns, lineageGraph(calm.columns), calm.row).moves : {}),
    [calm, isEnough],
  );
  const lines =
    found.state === "known" && rows !== null
      ? rows.names.flatMap((input, i): Line[] => {
          const [share, slice] = [found.answer.shares[i], found.answer.slices[i]];
          return share && slice ? [{ input, share, slice, gains: gains[input.name] }] : [];
        })
      : [];
  const contour = found.state === "known" ? found.answer.contour : null;
  const range = rangeOf(lines.map(({ slice }) => slice));
  return (
    <Panel title="Importance" head={<GenerationNote />}>
      {rows === null && (
        <p className="empty">
          Importance needs members that differ in a hyperparameter and are evaluated in the same generation.
        </p>
      )}
      {rows !== null && !isEnough && (
        <p className="empty">
          Importance needs {LEAST_ROWS} different hyperparameter settings of evaluated members. This run has{" "}
          {formatCount(rows.outputs.length)} so far.
        </p>
      )}
      {isEnough && found.state === "computing" && <p className="panel__text">Growing a forest…</p>}
      {found.state === "failed" && (
        <p className="panel__text" role="alert">
          Importance could not be computed: {found.problem}.
        </p>
      )}
      {isEnough && found.state === "known" && (
        <>
          <div className="columns importance__columns">
            <Table
              label="Importance of the hyperparameters"
              columns={[
                { head: "Hyperparameter", cell: ({ input }: Line) => <code>{input.name}</code> },
                {
                  head: "Importance",
                  hint: "Share of the ranks' variance that it explains alone, with its interval of 95 %",
                  cell: ({ share }: Line) => <ShareCell share={share} />,
                },
                {
                  head: "Gain of its mutations",
                  hint: "Mean gain over unmutated siblings, as in the table above",
                  cell: ({ gains: own }: Line) => (own && movesText(own)) || NONE,
                },
                {
                  head: "Mean rank along it",
                  hint: "With a band of one standard deviation of the trees; all lines have the same scale",
                  cell: ({ input, share, slice }: Line) =>
                    isEvidence(share.interval) ? (
                      <SliceDrawing input={input} slice={slice} range={range} />
                    ) : (
                      NONE
                    ),
                },
              ]}
              rows={lines.toSorted((a, b) => b.share.share - a.share.share)}
              keyOf={({ input }) => input.name}
            />
            {contour?.inputs.every((input) => isEvidence(found.answer.shares[input]?.interval ?? null)) && (
              <ContourDrawing names={rows.names} contour={contour} />
            )}
          </div>
          <p className="panel__text panel__text--small">
            From the mean ranks of {formatCount(found.answer.rows)} hyperparameter settings in their
            generations. What hyperparameters explain only together is in none of the rows. Hyperparameters
            that moved together share what either explains.
          </p>
        </>
      )}
    </Panel>
  );
}
