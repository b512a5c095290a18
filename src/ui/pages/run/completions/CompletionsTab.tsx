import { useState } from "react";
import { useStore } from "zustand";
import { Button } from "../../../components/Button.tsx";
import { SearchField } from "../../../components/controls.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { Table } from "../../../components/Table.tsx";
import { saveText } from "../../../lib/files.ts";
import { formatChange, formatCount, formatScore, formatThings } from "../../../lib/format.ts";
import { parseStored, readStored, writeStored } from "../../../lib/stored.ts";
import type { RunView } from "../../../state/RunView.ts";
import { HOLDS, noCompletionsText } from "../runTexts.ts";
import { GenerationNote, useRunRoute } from "../shownGeneration.tsx";
import { PromptPanel } from "./PromptPanel.tsx";
import { changeOf, foundPrompts, type PromptHistory, recordLines } from "./promptHistory.ts";
import { usePromptHistories } from "./usePromptHistories.ts";
import "./CompletionsTab.css";

/** Maximum number of prompts in the list; search finds the others. */
const MAX_PROMPTS = 200;

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

/** The prompts of a run that the user has pinned, which this browser stores. */
function usePins(run: string): readonly [ReadonlySet<string>, (prompt: string) => void] {
  const key = `rlkit.pinnedPrompts.${run}`;
  const [pinned, setPinned] = useState(() => new Set(parseStored(readStored(key), texts, [])));
  const toggle = (prompt: string): void => {
    const next = new Set(pinned);
    if (!next.delete(prompt)) next.add(prompt);
    writeStored(key, next.size === 0 ? null : JSON.stringify([...next]));
    setPinned(next);
  };
  return [pinned, toggle];
}

interface ListProps {
  readonly prompts: readonly PromptHistory[];
  readonly chosen: PromptHistory;
  readonly pinned: ReadonlySet<string>;
  readonly onChoose: (prompt: string) => void;
  readonly onPin: (prompt: string) => void;
}

/** All prompts, of which one is chosen. */
function PromptList({ prompts, chosen, pinned, onChoose, onPin }: ListProps) {
  return (
    <Table
      label="Prompts table"
      className="prompts"
      region="prompts__scroll table-scroll--tall"
      columns={[
        {
          head: "Prompt",
          cell: ({ prompt }) => (
            <button
              type="button"
              className="table__choice hovers prompts__choice"
              aria-pressed={prompt === chosen.prompt}
              onClick={() => onChoose(prompt)}
            >
              {prompt === "" ? <span className="dim">(empty)</span> : prompt}
            </button>
          ),
        },
        { head: "Reward", number: true, cell: ({ steps }) => formatScore(steps.at(-1)?.reward ?? null) },
        {
          head: "Change",
          number: true,
          hint: "From the first stored iteration to the last",
          cell: (history) => {
            const change = changeOf(history);
            return change === null ? "" : formatChange(change);
          },
        },
        {
          head: "Seen",
          number: true,
          hint: "Stored iterations in which members answered the prompt",
          cell: ({ steps }) => formatCount(steps.length),
        },
        {
          head: "Pin",
          cell: ({ prompt }) => (
            <input
              type="checkbox"
              className="checkpoints__pin"
              aria-label={`Pin ${prompt}`}
              checked={pinned.has(prompt)}
              onChange={() => onPin(prompt)}
            />
          ),
        },
      ]}
      rows={prompts.slice(0, MAX_PROMPTS)}
      keyOf={({ prompt }) => prompt}
      below={
        prompts.length > MAX_PROMPTS && (
          <p className="panel__text dim">
            Showing {MAX_PROMPTS} of {formatCount(prompts.length)} prompts; search for others.
          </p>
        )
      }
    />
  );
}

/** A run's completions around its prompts, up to the shown generation. */
export function CompletionsTab({ session }: { readonly session: RunView }) {
  const summary = useStore(session.view, (view) => view.summary);
  const { id } = useRunRoute();
  const histories = usePromptHistories(session);
  const [words, setWords] = useState("");
  const [chosen, choose] = useState<string | null>(null);
  const [pinned, pin] = usePins(id);
  const found = foundPrompts(histories, words, pinned);
  const shown = found.find(({ prompt }) => prompt === chosen) ?? found[0];
  if (histories.length === 0)
    return (
      <Panel title="Completions">
        <p className="empty">
          {HOLDS.completions} {summary && noCompletionsText(summary)}
        </p>
      </Panel>
    );
  return (
    <div className="columns completions__columns">
      <Panel
        title="Prompts"
        className="fill"
        head={
          <>
            <GenerationNote upTo />
            <Button
              small
              title="The records of the listed prompts, one JSON object per line"
              onClick={() => saveText("completions.jsonl", "application/jsonl", recordLines(found))}
            >
              Export JSONL
            </Button>
          </>
        }
      >
        <div className="row panel__text">
          <SearchField label="Find a prompt or completion" value={words} onChange={setWords} />
          <span aria-live="polite">{formatThings(found.length, "prompt")}</span>
        </div>
        {shown === undefined ? (
          <p className="empty">No prompt or completion contains these words.</p>
        ) : (
          <PromptList prompts={found} chosen={shown} pinned={pinned} onChoose={choose} onPin={pin} />
        )}
      </Panel>
      {shown !== undefined && (
        <PromptPanel key={shown.prompt} history={shown} colours={session.history.colours} />
      )}
    </div>
  );
}
