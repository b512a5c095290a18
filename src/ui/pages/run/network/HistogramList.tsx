import { useEffect, useState } from "react";
import type { WeightHistogram } from "../../../../workers/protocol.ts";
import { FailedView, SkeletonView } from "../../../components/ViewState.tsx";
import { messageOf } from "../../../lib/format.ts";
import { Histogram } from "./Histogram.tsx";

export interface NamedHistogram {
  readonly name: string;
  /** The size or shape, shown beside the name. */
  readonly note: string;
  readonly histogram: WeightHistogram;
}

interface Props {
  /** What the histograms show, such as "weights". */
  readonly what: string;
  /** Reads the histograms; a new function reads them again. */
  readonly read: (signal: AbortSignal) => Promise<readonly NamedHistogram[]>;
}

type Answer = { readonly histograms: readonly NamedHistogram[] } | { readonly problem: string };

/** A list of histograms that are read asynchronously. */
export function HistogramList({ what, read }: Props) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    const ask = async (): Promise<void> => {
      let next: Answer;
      try {
        next = { histograms: await read(ending.signal) };
      } catch (error) {
        next = { problem: messageOf(error) };
      }
      if (!ending.signal.aborted) setAnswer(next);
    };
    void ask();
    return () => ending.abort();
  }, [read, tries]);
  if (answer === null) return <SkeletonView label={`Loading ${what}…`} rows={3} />;
  if ("problem" in answer) {
    return (
      <FailedView
        title={`The ${what} could not be read`}
        action={
          <button type="button" className="button" onClick={() => setTries(tries + 1)}>
            Try again
          </button>
        }
      >
        {answer.problem}
      </FailedView>
    );
  }
  return (
    <ul className="histograms" aria-label={`Histograms of the ${what}`}>
      {answer.histograms.map(({ name, note, histogram }) => (
        <li key={name}>
          <p>
            <code>{name}</code> <span>{note}</span>
          </p>
          <Histogram histogram={histogram} />
        </li>
      ))}
    </ul>
  );
}
