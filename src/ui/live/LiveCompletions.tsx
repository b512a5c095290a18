import { useStore } from "zustand";
import { formatScore } from "../lib/format.ts";
import { useCalmly } from "../lib/updateClock.ts";
import type { RunView } from "../state/RunView.ts";

/** Number of completions, newest first. */
const SHOWN = 8;
/** Milliseconds between updates of the text that the user reads. */
const INTERVAL = 1000;

/** What language models wrote last, with the rewards. Where they write nothing, as in SFT, nothing is shown. */
export function LiveCompletions({ session }: { readonly session: RunView }) {
  const completions = useCalmly(
    useStore(session.view, (view) => view.completions),
    INTERVAL,
  );
  const records = completions
    .flatMap((report) => report.records)
    .slice(-SHOWN)
    .toReversed();
  if (records.length === 0) return null;
  return (
    <ul className="live__completions small" aria-label="Latest completions">
      {records.map(({ prompt, completion, reward, step, agent_index }, at) => (
        <li key={`${step} ${agent_index} ${at}`}>
          <span className="clip quiet">{prompt}</span>
          <code className="clip">{completion}</code>
          <span>{formatScore(reward)}</span>
        </li>
      ))}
    </ul>
  );
}
