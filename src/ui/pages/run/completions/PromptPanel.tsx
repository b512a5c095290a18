import { Fragment, useMemo, useState } from "react";
import { Segments } from "../../../components/controls.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { Plot } from "../../../components/plot/Plot.tsx";
import type { PlotModel } from "../../../components/plot/PlotModel.ts";
import { type Column, Table } from "../../../components/Table.tsx";
import { formatCount, formatScore, NONE } from "../../../lib/format.ts";
import type { LineageColours } from "../../../series/lineageColours.ts";
import { MemberLink } from "../agents/MemberLink.tsx";
import { useRunRoute, ViewSwitch } from "../shownGeneration.tsx";
import {
  type CompletionPair,
  type Counted,
  completionPairs,
  countedCompletions,
  type PromptHistory,
  type PromptStep,
  rewardsOf,
} from "./promptHistory.ts";
import { textDiff } from "./textDiff.ts";
import { WrittenText } from "./WrittenText.tsx";

/** The mean reward of a prompt, with the rewards of its completions as dots. */
function rewardModel({ steps }: PromptHistory, marks: PlotModel["marks"]): PlotModel {
  const part = (label: string, of: (rewards: readonly number[]) => number) => ({
    label,
    values: steps.map(({ completions }) => of(rewardsOf(completions))),
    colour: "accent" as const,
    width: 0,
    read: true,
  });
  return {
    axis: "iteration",
    x: steps.map(({ step }) => step),
    joined: true,
    lines: [
      part("lowest", (rewards) => Math.min(...rewards)),
      { label: "mean", values: steps.map(({ reward }) => reward), colour: "accent", width: 2 },
      part("highest", (rewards) => Math.max(...rewards)),
    ],
    bands: [{ between: [2, 0], colour: "accent", opacity: 0.14 }],
    marks,
    dots: [
      {
        label: "mean",
        x: steps.map(({ step }) => step),
        y: steps.map(({ reward }) => reward),
        colours: steps.map(() => 0),
        radius: 3,
        group: "mean",
      },
    ],
    format: formatScore,
    formatX: formatCount,
  };
}

interface SliderProps {
  readonly label: string;
  readonly steps: readonly PromptStep[];
  /** Position in `steps`. */
  readonly position: number;
  readonly onChange: (position: number) => void;
}

/** Chooses one of the iterations in which the prompt was answered. */
function StepSlider({ label, steps, position, onChange }: SliderProps) {
  const step = formatCount(steps[position]?.step ?? 0);
  return (
    <label className="row quiet prompt__slider">
      <span>{label}</span>
      <input
        className="scrubber__range"
        type="range"
        aria-valuetext={`iteration ${step}`}
        min={0}
        max={steps.length - 1}
        value={position}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      <output>iteration {step}</output>
    </label>
  );
}

interface WrittenProps {
  readonly title: string;
  readonly step: PromptStep;
  readonly colours: LineageColours;
}

/** What members wrote in one iteration. */
function WrittenTable({ title, step, colours }: WrittenProps) {
  const { completions } = step;
  const rows = useMemo(() => countedCompletions(step), [step]);
  const hasTurns = completions.some(({ num_turns }) => num_turns > 1);
  const hasAdvantages = completions.some(({ advantage }) => advantage !== undefined);
  const columns: readonly (Column<Counted> | false)[] = [
    {
      head: "Completion",
      cell: ({ written, count }) => (
        <>
          <WrittenText text={written.completion} />
          {count > 1 && <span className="dim"> × {count}</span>}
        </>
      ),
    },
    { head: "Reward", number: true, cell: ({ written }) => formatScore(written.reward) },
    hasAdvantages && {
      head: "Advantage",
      number: true,
      cell: ({ written }) => formatScore(written.advantage ?? null),
    },
    { head: "Tokens", number: true, cell: ({ written }) => formatCount(written.completion_tokens) },
    hasTurns && { head: "Turns", number: true, cell: ({ written }) => formatCount(written.num_turns) },
    {
      head: "Member",
      cell: ({ written }) => <MemberLink member={written.member} colours={colours} tab="population" />,
    },
  ];
  return (
    <div className="prompt__side shrinks">
      <h3>
        {title}: iteration {formatCount(step.step)}, mean reward {formatScore(step.reward)}
      </h3>
      <Table
        label={`${title}, iteration ${step.step}`}
        className="written table--narrow verbatim"
        height="24rem"
        columns={columns.filter((column) => column !== false)}
        rows={rows}
        keyOf={(_, position) => position}
      />
    </div>
  );
}

const MARKS = { same: Fragment, removed: "del", added: "ins" } as const;

/** The difference of two texts. */
function Diff({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = useMemo(() => textDiff(before, after), [before, after]);
  if (parts.length === 0) return <WrittenText text="" />;
  return (
    <code>
      {parts.map(({ kind, text }, position) => {
        const Mark = MARKS[kind];
        return <Mark key={position}>{text}</Mark>;
      })}
    </code>
  );
}

interface DiffProps {
  readonly pairs: readonly CompletionPair[];
  readonly colours: LineageColours;
}

/** What differs between the completions of two iterations. */
function DiffTable({ pairs, colours }: DiffProps) {
  return (
    <Table
      label="Differences of the two iterations"
      className="written table--narrow verbatim"
      height="24rem"
      columns={[
        {
          head: "Removed and added",
          cell: ({ before, after }: CompletionPair) => (
            <Diff before={before?.completion ?? ""} after={after?.completion ?? ""} />
          ),
        },
        {
          head: "Reward",
          number: true,
          cell: ({ before, after }) =>
            `${formatScore(before?.reward ?? null)} → ${formatScore(after?.reward ?? null)}`,
        },
        {
          head: "Tokens",
          number: true,
          cell: ({ before, after }) =>
            `${before ? formatCount(before.completion_tokens) : NONE} → ${after ? formatCount(after.completion_tokens) : NONE}`,
        },
        {
          head: "Member",
          cell: ({ before, after }) => (
            <MemberLink member={(after ?? before)?.member ?? null} colours={colours} tab="population" />
          ),
        },
      ]}
      rows={pairs}
      keyOf={(_, position) => position}
    />
  );
}

const COMPARISONS = { sides: "Side by side", diff: "Differences" } as const;

interface Props {
  readonly history: PromptHistory;
  readonly colours: LineageColours;
}

/** One prompt: its reward over the iterations, and its completions in two of them. */
export function PromptPanel({ history, colours }: Props) {
  const { prompt, steps } = history;
  const route = useRunRoute();
  const [comparison, compare] = useState<keyof typeof COMPARISONS>("sides");
  /** Iterations that the user chose; null follows the first and the last. */
  const [early, setEarly] = useState<number | null>(null);
  const [late, setLate] = useState<number | null>(null);
  const positionOf = (step: number | null, otherwise: number): number => {
    const found = steps.findLastIndex((one) => step !== null && one.step <= step);
    return found < 0 ? otherwise : found;
  };
  const [from, to] = [positionOf(early, 0), positionOf(late, steps.length - 1)];
  const [before, after] = [steps[from], steps[to]];
  const model = useMemo(() => {
    const marks = [
      { x: before?.step ?? 0, label: "before" },
      { x: after?.step ?? 0, label: "after" },
    ];
    return rewardModel(history, marks);
  }, [history, before, after]);
  if (before === undefined || after === undefined) return null;
  const several = steps.length > 1;
  return (
    <Panel title="Completions" head={several && <ViewSwitch options={{ chart: "Chart", table: "Table" }} />}>
      <div className="panel__text prompt__text verbatim scrolls">
        <span className="dim">Prompt: </span>
        <WrittenText text={prompt} />
      </div>
      {several && route.view === "chart" && (
        <Plot
          title="Reward by iteration"
          summary={`Mean reward of the completions of this prompt, from ${formatScore(steps[0]?.reward ?? null)} to ${formatScore(steps.at(-1)?.reward ?? null)}. The Table view lists the values.`}
          model={model}
          height={200}
        />
      )}
      {several && route.view === "table" && (
        <Table
          label="Reward by iteration"
          height="12rem"
          columns={[
            { head: "Iteration", cell: ({ step }: PromptStep) => formatCount(step) },
            { head: "Mean reward", number: true, cell: ({ reward }) => formatScore(reward) },
            { head: "Completions", number: true, cell: ({ completions }) => formatCount(completions.length) },
          ]}
          rows={steps.toReversed()}
          keyOf={({ step }) => step}
        />
      )}
      {several ? (
        <>
          <div className="row panel__text rule-above">
            <StepSlider
              label="Before"
              steps={steps}
              position={from}
              onChange={(position) => setEarly(steps[position]?.step ?? null)}
            />
            <StepSlider
              label="After"
              steps={steps}
              position={to}
              onChange={(position) =>
                setLate(position === steps.length - 1 ? null : (steps[position]?.step ?? null))
              }
            />
            <Segments label="Comparison" options={COMPARISONS} value={comparison} onChange={compare} />
          </div>
          {comparison === "diff" ? (
            <DiffTable pairs={completionPairs(before, after)} colours={colours} />
          ) : (
            <div className="prompt__sides rule-above">
              <WrittenTable title="Before" step={before} colours={colours} />
              <WrittenTable title="After" step={after} colours={colours} />
            </div>
          )}
        </>
      ) : (
        <WrittenTable title="Completions" step={after} colours={colours} />
      )}
    </Panel>
  );
}
