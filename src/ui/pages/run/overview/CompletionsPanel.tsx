import { useMemo, useState } from "react";
import type { CompletionsReport } from "../../../../training/loop/observer.ts";
import { Swatch } from "../../../components/Swatch.tsx";
import { formatCount, formatScore } from "../../../lib/format.ts";
import { useCalmly } from "../../../lib/useCalmly.ts";
import { comparesAnswers } from "./comparesAnswers.ts";
import { completionGroups, type PromptGroup } from "./completionGroups.ts";
import "./CompletionsPanel.css";

interface Props {
  /** Newest last. */
  readonly reports: readonly CompletionsReport[];
  readonly manifest: unknown;
}

/** Milliseconds between updates of the text that the user reads. */
const INTERVAL = 1000;

/** The members' completions, grouped by prompt, newest first. */
export function CompletionsPanel({ reports, manifest }: Props) {
  const [held, setHeld] = useState<readonly CompletionsReport[] | null>(null);
  const live = useCalmly(reports, INTERVAL);
  const shown = held ?? live;
  const groups = useMemo(() => completionGroups(shown), [shown]);
  return (
    <section className="panel completions" aria-label="Completions">
      <div className="panel__head">
        <h2>Completions</h2>
        {groups.length > 0 && (
          <button
            type="button"
            className="button button--small"
            onClick={() => setHeld(held === null ? live : null)}
          >
            {held === null ? "Pause updates" : "Resume updates"}
          </button>
        )}
      </div>
      {groups.length === 0 ? (
        <p className="empty">
          {comparesAnswers(manifest)
            ? "This run learns which of two given answers is better, so its members generate no completions."
            : "Completions appear here once a member has generated one."}
        </p>
      ) : (
        // A scroll region that the keyboard can reach.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the focus is for scrolling
        <section className="table-scroll completions__scroll" aria-label="Completions table" tabIndex={0}>
          <table className="table completions__table">
            <thead>
              <tr>
                <th scope="col">Completion</th>
                <th scope="col" className="number">
                  Reward
                </th>
                <th scope="col" className="number">
                  Iteration
                </th>
                <th scope="col">Member</th>
              </tr>
            </thead>
            {groups.map((group) => (
              <Prompt key={group.prompt} group={group} />
            ))}
          </table>
        </section>
      )}
    </section>
  );
}

function Prompt({ group: { prompt, completions } }: { readonly group: PromptGroup }) {
  return (
    <tbody>
      <tr className="completions__prompt">
        <th scope="rowgroup" colSpan={4}>
          <span className="completions__label">Prompt: </span>
          <Text text={prompt} />
        </th>
      </tr>
      {completions.map(({ completion, reward, iteration, member, count }, position) => (
        <tr key={position}>
          <td>
            <Text text={completion} />
            {count > 1 && <span className="completions__count"> × {count}</span>}
          </td>
          <td className="number">{formatScore(reward)}</td>
          <td className="number">{formatCount(iteration)}</td>
          <td>
            <Swatch slot={member} /> {member}
          </td>
        </tr>
      ))}
    </tbody>
  );
}

/** A text with its spaces and line breaks preserved. */
const Text = ({ text }: { readonly text: string }) =>
  text === "" ? <span className="completions__label">(empty)</span> : <code>{text}</code>;
