import { useEffect, useRef, useState } from "react";
import { formatScore } from "../../lib/format.ts";
import type { RunView } from "../../state/RunView.ts";

/** Milliseconds between two announcements to screen readers. */
const INTERVAL = 10_000;

/** Announces the run's progress to screen readers, at a rate that is comfortable to listen to. */
export function GenerationAnnouncer({ view }: { readonly view: RunView }) {
  const { latest } = view;
  const best = Math.max(...(latest?.fitnesses.filter(Number.isFinite) ?? []));
  // Not every generation of language models is evaluated.
  const found = best === Number.NEGATIVE_INFINITY ? "" : ` best fitness ${formatScore(best)},`;
  const text =
    latest === null ? "" : `Generation ${latest.generation},${found} status: ${view.summary?.state}`;
  const [said, say] = useState("");
  const last = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        last.current = performance.now();
        say(text);
      },
      Math.max(0, last.current + INTERVAL - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {said}
    </p>
  );
}
