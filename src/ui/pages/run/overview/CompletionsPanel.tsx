import { useMemo, useState } from "react";
import { useStore } from "zustand";
import type { CompletionsReport } from "../../../../tracking/observer.ts";
import { Button } from "../../../components/Button.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { type ColumnHead, TableFrame } from "../../../components/Table.tsx";
import { formatCount, formatScore } from "../../../lib/format.ts";
import { useCalmly } from "../../../lib/updateClock.ts";
import { formatRoute } from "../../../routes/route.ts";
import type { LineageColours } from "../../../series/lineageColours.ts";
import type { RunView } from "../../../state/RunView.ts";
import { MemberLink } from "../agents/MemberLink.tsx";
import type { MemberOf } from "../completions/promptHistory.ts";
import { WrittenText } from "../completions/WrittenText.tsx";
import { useHistory } from "../history/WithHistory.tsx";
import { noCompletionsText } from "../runTexts.ts";
import { GenerationNote, useRunRoute } from "../shownGeneration.tsx";

/** A completion, with the number of times that a member wrote it in one iteration. */
interface ShownCompletion {
  readonly completion: string;
  readonly reward: number;
  /** Outer iteration, 1 for the first. */
  readonly iteration: number;
  /** Index of the member; null if unknown. */
  readonly member: number | null;
  readonly count: number;
}

/** The completions of a prompt, newest first. */
interface PromptGroup {
  readonly prompt: string;
  readonly completions: readonly ShownCompletion[];
}

/** Maximum numbers of prompts, and of completions per prompt, that the page shows. */
const MAX_PROMPTS = 24;
const MAX_COMPLETIONS = 8;

const newestOf = ({ completions }: PromptGroup): number => completions[0]?.iteration ?? 0;

/**
 * Groups completions by prompt. The most recently answered prompts come first; ties are in alphabetical
 * order.
 */
export function completionGroups(
  reports: readonly CompletionsReport[],
  memberOf: MemberOf,
): readonly PromptGroup[] {
  const prompts = new Map<string, Map<string, ShownCompletion>>();
  for (const { generation, records } of reports.toReversed()) {
    for (const { prompt, completion, reward, step, agent_index } of records) {
      const written = prompts.get(prompt) ?? new Map<string, ShownCompletion>();
      prompts.set(prompt, written);
      const key = JSON.stringify([step, agent_index, reward, completion]);
      const count = (written.get(key)?.count ?? 0) + 1;
      written.set(key, {
        completion,
        reward,
        iteration: step,
        member: memberOf(generation, agent_index),
        count,
      });
    }
  }
  return [...prompts]
    .map(([prompt, written]) => ({
      prompt,
      completions: [...written.values()]
        .sort((a, b) => b.iteration - a.iteration || (a.member ?? -1) - (b.member ?? -1) || b.count - a.count)
        .slice(0, MAX_COMPLETIONS),
    }))
    .sort((a, b) => newestOf(b) - newestOf(a) || (a.prompt < b.prompt ? -1 : 1))
    .slice(0, MAX_PROMPTS);
}

/** Milliseconds between updates of the text that the user reads. */
const INTERVAL = 1000;

const COLUMNS = [
  { head: "Completion" },
  { head: "Reward", number: true },
  { head: "Iteration", number: true },
  { head: "Member" },
] as const satisfies readonly ColumnHead[];

/** The members' completions up to the shown generation, grouped by prompt, newest first. */
export function CompletionsPanel({ session }: { readonly session: RunView }) {
  const { completions, summary } = useStore(session.view);
  const route = useRunRoute();
  const { generation: wanted } = route;
  const { history } = useHistory(session);
  const { columns } = history;
  const [held, setHeld] = useState<readonly CompletionsReport[] | null>(null);
  const live = useCalmly(completions, INTERVAL);
  const stored = held ?? live;
  const groups = useMemo(() => {
    const shown = stored.filter(({ generation }) => wanted === null || generation <= wanted);
    return completionGroups(shown, (generation, slot) => {
      const row = columns?.generation.indexOf(generation) ?? -1;
      return columns === null || row < 0 ? null : (columns.index[row * columns.population + slot] ?? null);
    });
  }, [stored, wanted, columns]);
  const [oldest] = stored;
  const emptyText = (): string | null =>
    wanted !== null && oldest !== undefined
      ? `Only the completions from generation ${formatCount(oldest.generation)} on are stored.`
      : summary && noCompletionsText(summary);
  return (
    <Panel
      title="Completions"
      className="fill"
      head={
        <>
          {groups.length > 0 && <GenerationNote upTo />}
          {groups.length > 0 && (
            <Button small onClick={() => setHeld(held === null ? live : null)}>
              {held === null ? "Pause updates" : "Resume updates"}
            </Button>
          )}
          <a href={formatRoute({ ...route, tab: "completions" })}>By prompt</a>
        </>
      }
    >
      {groups.length === 0 ? (
        <p className="empty">{emptyText()}</p>
      ) : (
        <TableFrame
          label="Completions table"
          region="table-scroll--tall completions__scroll"
          className="completions__table table--narrow verbatim"
          columns={COLUMNS}
        >
          {groups.map((group) => (
            <Prompt key={group.prompt} group={group} colours={history.colours} />
          ))}
        </TableFrame>
      )}
    </Panel>
  );
}

interface PromptProps {
  readonly group: PromptGroup;
  readonly colours: LineageColours;
}

function Prompt({ group: { prompt, completions }, colours }: PromptProps) {
  return (
    <tbody>
      <tr className="completions__prompt">
        <th scope="rowgroup" colSpan={4}>
          <span className="dim">Prompt: </span>
          <WrittenText text={prompt} />
        </th>
      </tr>
      {completions.map(({ completion, reward, iteration, member, count }, position) => (
        <tr key={position}>
          <td>
            <WrittenText text={completion} />
            {count > 1 && <span className="dim"> × {count}</span>}
          </td>
          <td className="number">{formatScore(reward)}</td>
          <td className="number">{formatCount(iteration)}</td>
          <td>
            <MemberLink member={member} colours={colours} />
          </td>
        </tr>
      ))}
    </tbody>
  );
}
