import { useCallback, useState } from "react";
import type { DataRequest, RowsView } from "../../workers/pages.ts";
import { Button } from "../components/Button.tsx";
import { SearchField, Segments, Select } from "../components/controls.tsx";
import { Bars } from "../components/DistributionPanel.tsx";
import { type Fact, Facts } from "../components/Facts.tsx";
import { Panel } from "../components/Panel.tsx";
import { type Column, Table } from "../components/Table.tsx";
import { FailedView, SkeletonView } from "../components/ViewState.tsx";
import { formatCount, formatThings, NONE } from "../lib/format.ts";
import { languageCalls } from "../state/languageModels.ts";
import { useAnswer } from "../state/useAnswer.ts";
import "./languageModels.css";

const PAGE = 10;
const SPLITS = { train: "Training", test: "Held out" } as const;

/** What becomes of rows, in the words of the page. */
const FATES = {
  used: "used",
  cut: "answer cut at the limit",
  dropped: "left out: prompt too long",
  fault: "left out: cannot be used",
} as const;
type Fate = keyof typeof FATES;

const TEXTS = {
  text: null,
  prompt: null,
  chosen: "Chosen",
  rejected: "Rejected",
  desirable: "Desirable",
  undesirable: "Undesirable",
} as const;

type Row = RowsView["shown"][number];
type Text = Row["texts"][number];

/** A row's text; what the model learns from is marked, and what the limit cuts off is struck out. */
function Spans({ text: { name, spans } }: { readonly text: Text }) {
  const title = TEXTS[name];
  return (
    <p className="rows__text">
      {title !== null && <span className="dim">{title}: </span>}
      <code>
        {spans.map(({ kind, text }, position) => {
          if (kind === "learned") return <mark key={position}>{text}</mark>;
          return kind === "beyond" ? <s key={position}>{text}</s> : <span key={position}>{text}</span>;
        })}
      </code>
    </p>
  );
}

/** Number of tokens of a row's longest text; of one kind if given. */
function tokensOf({ texts }: Row, kind?: Text["spans"][number]["kind"]): number {
  const counts = texts.map(({ spans }) =>
    spans
      .filter((span) => kind === undefined || span.kind === kind)
      .reduce((sum, span) => sum + span.tokens, 0),
  );
  return Math.max(0, ...counts);
}

function columnsOf({ shown }: RowsView): readonly Column<Row>[] {
  const learns = shown.some((row) => tokensOf(row, "learned") > 0);
  const columns: readonly (Column<Row> | false)[] = [
    { head: "Row", cell: ({ row }) => formatCount(row) },
    {
      head: "As the model reads it",
      classOf: () => "rows__cell",
      cell: ({ texts, reason, answer }) => (
        <>
          {reason !== null && <p className="bad">{reason}</p>}
          {texts.map((text) => (
            <Spans key={text.name} text={text} />
          ))}
          {answer !== null && (
            <p className="rows__text">
              <span className="dim">Expected answer: </span>
              <code>{answer}</code>
            </p>
          )}
        </>
      ),
    },
    {
      head: "Tokens",
      number: true,
      cell: (row) => (row.fate === "fault" ? NONE : formatCount(tokensOf(row))),
    },
    learns && {
      head: "Learned",
      number: true,
      hint: "Tokens that the loss is about",
      cell: (row) => (row.fate === "fault" ? NONE : formatCount(tokensOf(row, "learned"))),
    },
    {
      head: "Use",
      classOf: ({ fate }) => (fate === "used" ? "dim" : "warn"),
      cell: ({ fate }) => FATES[fate],
    },
  ];
  return columns.filter((column) => column !== false);
}

/** Numbers of the split, and why rows are left out. */
function Summary({ view }: { readonly view: RowsView }) {
  const { rows, split, read, counts, faults, lengths, limit, templated } = view;
  const facts: readonly Fact[] = [
    ["Training rows", formatCount(rows.train)],
    ["Held-out rows", formatCount(rows.test)],
    ...(read < rows[split] ? [["Looked at", `the first ${formatCount(read)}`] as const] : []),
    ["Used", formatCount(counts.used + counts.cut)],
    ...(counts.cut > 0 ? [["Of these, answers cut", formatCount(counts.cut)] as const] : []),
    ["Prompts too long", formatCount(counts.dropped)],
    ["Cannot be used", formatCount(counts.fault)],
    ["Limit, tokens", limit === null ? NONE : formatCount(limit)],
    ["Written by", templated ? "the chat template" : "the texts as they are"],
  ];
  return (
    <>
      <Facts className="facts facts--grid panel__body" label="Numbers of rows" rows={facts} />
      {faults.length > 0 && (
        <ul className="messages small" aria-label="Rows that cannot be used">
          {faults.map(({ reason, rows: count, first }) => (
            <li key={reason} className="messages__warning">
              <strong>{formatThings(count, "row")}</strong>
              <span className="dim">first: row {formatCount(first)}</span>
              <span>{reason}</span>
            </li>
          ))}
        </ul>
      )}
      {lengths !== null && (
        <div className="rows__lengths">
          <h3>Tokens of a row</h3>
          <Bars title="Tokens of a row" things="rows" histogram={lengths} />
        </div>
      )}
    </>
  );
}

interface Props {
  /** A manifest as an object or a text, which is valid. */
  readonly manifest: unknown;
}

/** The rows of a manifest's data set, as its model reads them. Renders nothing for an environment without rows. */
export function RowsPanel({ manifest }: Props) {
  const [split, setSplit] = useState<DataRequest["split"]>("train");
  const [words, setWords] = useState("");
  const [fate, setFate] = useState<Fate | null>(null);
  const [page, setPage] = useState(0);
  const ask = useCallback(
    () => languageCalls.rows(manifest, { split, words, fate, from: page * PAGE, count: PAGE }),
    [manifest, split, words, fate, page],
  );
  const { value: view, problem, again } = useAnswer(ask);
  if (view === null && problem === null) return null;
  const found = view?.found ?? 0;
  const last = Math.min(found, (page + 1) * PAGE);
  /** Another choice of rows begins at its first page. */
  const anew = (change: () => void) => {
    change();
    setPage(0);
  };
  return (
    <Panel
      title="Data"
      head={
        <Segments
          label="Part of the data"
          options={SPLITS}
          value={split}
          onChange={(next) => anew(() => setSplit(next))}
        />
      }
    >
      {problem !== null && (
        <FailedView title="The rows cannot be used" onRetry={again}>
          {problem}
        </FailedView>
      )}
      {problem === null && view === undefined && <SkeletonView label="Reading the rows…" />}
      {problem === null && view && (
        <>
          <Summary view={view} />
          <div className="row panel__text rule-above">
            <SearchField
              label="Find rows"
              width="14rem"
              value={words}
              onChange={(next) => anew(() => setWords(next))}
            />
            <Select
              className="auto-width"
              aria-label="Which rows"
              value={fate ?? ""}
              options={[["", "All rows"], ...Object.entries(FATES)]}
              onChange={(next) => anew(() => setFate(next === "" ? null : (next as Fate)))}
            />
            <output className="push">
              {formatCount(Math.min(page * PAGE + 1, last))} to {formatCount(last)} of {formatCount(found)}
            </output>
            <Button small aria-disabled={page === 0} onClick={() => setPage(Math.max(0, page - 1))}>
              Previous
            </Button>
            <Button small aria-disabled={last >= found} onClick={() => last < found && setPage(page + 1)}>
              Next
            </Button>
          </div>
          {view.shown.length === 0 ? (
            <p className="empty">{found === 0 ? "No row matches." : "Reading…"}</p>
          ) : (
            <Table
              label="Rows"
              className="rows verbatim"
              columns={columnsOf(view)}
              rows={view.shown}
              keyOf={({ row }) => row}
            />
          )}
          <p className="panel__text panel__text--small">
            {view.shown.some((row) => tokensOf(row, "learned") > 0) ? (
              <>
                The model learns <mark>marked tokens</mark>, and reads the others
                {view.counts.cut > 0 && (
                  <>
                    ; <s>struck out</s> tokens are cut off
                  </>
                )}
                .
              </>
            ) : (
              "The model reads the prompt and writes the answer itself."
            )}
          </p>
        </>
      )}
    </Panel>
  );
}
