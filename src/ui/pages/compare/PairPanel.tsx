import type { ReactNode } from "react";
import { Select } from "../../components/controls.tsx";
import { Panel } from "../../components/Panel.tsx";
import { slotToken } from "../../components/plot/plotTheme.ts";
import { type Column, Table } from "../../components/Table.tsx";
import { formatChange, formatHyperparameter } from "../../lib/format.ts";
import { shownName } from "./comparison.ts";
import { type ComparedRun, wordOfRuns } from "./OpenRuns.ts";
import { type PairChoice, type Pairing, pairingOf, scoresOf, sidesOf } from "./pairs.ts";

type Row = Pairing["seeds"][number];

const columnsOf = ({ a, b }: Pairing): readonly Column<Row>[] => {
  const side = (letter: "A" | "B", { colour }: Pairing["a"], of: (row: Row) => number): Column<Row> => ({
    head: letter,
    label: (
      <>
        <i className="colour" style={{ background: `var(--${slotToken(colour)})` }} /> {letter}
      </>
    ),
    number: true,
    cell: (row) => formatHyperparameter(of(row)),
  });
  return [
    { head: "Seed", cell: ({ seed }) => seed },
    side("A", a, (row) => row.a),
    side("B", b, (row) => row.b),
    { head: "A minus B", number: true, cell: ({ difference }) => formatChange(difference) },
  ];
};

interface Props {
  readonly title: string;
  readonly runs: readonly ComparedRun[];
  readonly choice: PairChoice;
  readonly onChoose: (choice: Partial<PairChoice>) => void;
  /** Follows the settings in the panel's head. */
  readonly head?: ReactNode;
}

/** Two configurations against each other, seed by seed, and what the differences allow to say. */
export function PairPanel({ title, runs, choice, onChoose, head }: Props) {
  const pairing = pairingOf(runs, choice);
  if (pairing === null)
    return (
      <Panel title={title} head={head}>
        <p className="empty">
          This compares two configurations that were trained with the same seeds. Add runs of another
          configuration.
        </p>
      </Panel>
    );
  const sides = sidesOf(runs);
  const idOf = ({ runs: [first] }: Pairing["a"]): string => first?.id ?? "";
  const { a, b } = pairing;
  const both = [...a.runs, ...b.runs];
  const choices = (other: Pairing["a"]) =>
    sides.filter(({ name }) => name !== other.name).map((side) => [idOf(side), side.name] as const);
  return (
    <Panel
      title={title}
      head={
        <>
          <Select
            className="auto-width"
            aria-label="Score"
            value={pairing.score}
            options={scoresOf(both).map((one) => [one.name, shownName(one, wordOfRuns(both))])}
            onChange={(measure) => onChoose({ measure })}
          />
          {head}
        </>
      }
    >
      <div className="row panel__text">
        <label className="line gap-2">
          A
          <Select
            value={idOf(a)}
            options={choices(b)}
            onChange={(id) => onChoose({ sides: [id, idOf(b)] })}
          />
        </label>
        <label className="line gap-2">
          B
          <Select
            value={idOf(b)}
            options={choices(a)}
            onChange={(id) => onChoose({ sides: [idOf(a), id] })}
          />
        </label>
      </div>
      <p className="panel__text">{pairing.verdict}</p>
      {pairing.seeds.length > 0 && (
        <Table
          label="Differences by seed"
          columns={columnsOf(pairing)}
          rows={pairing.seeds}
          keyOf={({ seed }) => seed}
        />
      )}
    </Panel>
  );
}
