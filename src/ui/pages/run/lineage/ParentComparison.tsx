import { useCallback, useMemo, useState } from "react";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { Table } from "../../../components/Table.tsx";
import { headOf, useFitnessWord } from "../../../games/fitnessWord.tsx";
import { formatCount, formatHyperparameter, formatScore, NONE } from "../../../lib/format.ts";
import type { LineageColours } from "../../../series/lineageColours.ts";
import { PlayerStage } from "../../../stage/PlayerStage.tsx";
import type { RunView } from "../../../state/RunView.ts";
import { useAnswer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import type { AgentFacts } from "../descent/agentFacts.ts";
import { useReports, useStoredNear } from "../history/stored.ts";
import { useRunRoute } from "../shownGeneration.tsx";

interface Props {
  readonly session: RunView;
  readonly columns: HistoryColumns;
  readonly colours: LineageColours;
  readonly facts: AgentFacts;
  /** Cell of its parent when it was cloned. */
  readonly parentCell: number;
  /** Whether agents of this run play episodes. */
  readonly plays: boolean;
}

/** An agent beside the parent that it was cloned from: what differs, and both at play where their weights are stored. */
export function ParentComparison({ session, columns, colours, facts, parentCell, plays }: Props) {
  const parent = columns.index[parentCell] ?? 0;
  const since = columns.generation[Math.floor(parentCell / columns.population)] ?? 0;
  useReports(session, since, facts.first);
  const architecture = (generation: number, index: number): string =>
    session.reports.get(generation)?.members.find((member) => member.index === index)?.architecture ?? NONE;
  const word = useFitnessWord();
  const rows = [
    ["Generation", formatCount(since), formatCount(facts.first)],
    [
      headOf(word),
      formatScore(columns.fitness[parentCell] ?? null),
      formatScore(columns.fitness[facts.born] ?? null),
    ],
    ["Networks", architecture(since, parent), architecture(facts.first, facts.index)],
    ...facts.differences.map(({ name, from, to }) => [
      name,
      formatHyperparameter(from),
      formatHyperparameter(to),
    ]),
  ] as const;
  return (
    <div className="agent-card__parent grid gap-3">
      <Table
        label={`Agent ${facts.index} and its parent`}
        columns={[
          { head: "", hidden: true, cell: ([name]) => name },
          { head: `Parent #${parent}`, number: true, cell: ([, from]) => from },
          {
            head: `#${facts.index}`,
            number: true,
            cell: ([, from, to]) => (from === to ? to : <strong>{to}</strong>),
          },
        ]}
        rows={rows}
        keyOf={([name]) => name ?? ""}
      />
      {plays && (
        <SideBySide
          parent={{ index: parent, generation: since, colour: colours.of(parent) }}
          child={{ index: facts.index, generation: facts.last, colour: colours.of(facts.index) }}
        />
      )}
    </div>
  );
}

interface Played {
  readonly index: number;
  readonly generation: number;
  readonly colour: number;
}

/** Both at play from the same start; which of them is not stored, otherwise. */
function SideBySide({ parent, child }: { readonly parent: Played; readonly child: Played }) {
  const { id } = useRunRoute();
  const [playing, setPlaying] = useState(false);
  const { agent: first } = useStoredNear(id, parent.index, parent.generation);
  const { agent: second } = useStoredNear(id, child.index, child.generation);
  if (first === undefined || second === undefined) return null;
  if (first === null || second === null) {
    const missing = [first === null ? `#${parent.index}` : "", second === null ? `#${child.index}` : ""];
    return (
      <p className="dim">
        They cannot play side by side: the weights of {missing.filter(Boolean).join(" and ")} are not stored.
      </p>
    );
  }
  return (
    <>
      <Button small aria-pressed={playing} onClick={() => setPlaying(!playing)}>
        Play beside its parent
      </Button>
      {playing && (
        <Both
          run={id}
          agents={[
            { ...parent, kept: first },
            { ...child, kept: second },
          ]}
        />
      )}
    </>
  );
}

interface BothProps {
  readonly run: string;
  readonly agents: readonly (Played & {
    readonly kept: NonNullable<ReturnType<typeof useStoredNear>["agent"]>;
  })[];
}

function Both({ run, agents: given }: BothProps) {
  const { coordinator } = useWorkbench();
  // Other objects for the same agents come with every render.
  const [agents] = useState(given);
  const read = useCallback(
    () => Promise.all(agents.map(({ kept }) => coordinator.agent(run, kept.ref))),
    [coordinator, run, agents],
  );
  const { value: files, problem } = useAnswer(read);
  const players = useMemo(
    () =>
      (files ?? []).map((file, at) => ({
        key: String(at),
        label: `${at === 0 ? "Parent" : "Agent"} #${file.index}, generation ${formatCount(file.generation)}`,
        file,
        colour: agents[at]?.colour ?? 0,
      })),
    [files, agents],
  );
  if (problem !== null) return <p role="alert">{problem}</p>;
  return <PlayerStage players={players} />;
}
