import { useEffect, useState } from "react";
import { replaceRoute } from "../../../routes/navigation.ts";
import type { RunRoute } from "../../../routes/route.ts";

/** Milliseconds of a whole time-lapse, and of a generation that it shows: a scene, and as long to look at it. */
const [WHOLE, STOP] = [30_000, 2500] as const;

/** The generations that a time-lapse shows: the first, the last, and as many between them as there is time for. */
export function timeLapseStops(generations: ArrayLike<number>): readonly number[] {
  const last = generations.length - 1;
  const count = Math.min(generations.length, WHOLE / STOP);
  return Array.from({ length: count }, (_, at) => {
    const row = count === 1 ? last : Math.round((at * last) / (count - 1));
    return generations[row] ?? 0;
  });
}

interface TimeLapse {
  readonly running: boolean;
  readonly start: () => void;
  /** Shows the generation before the shown one, then how the shown one was selected from it. */
  readonly selection: () => void;
  readonly stop: () => void;
}

/**
 * Moves the shown generation of a run from its first to its newest one in at most 30 s, then follows the run again. It
 * ends when the user looks at another generation.
 */
export function useTimeLapse(route: RunRoute, generations: ArrayLike<number>): TimeLapse {
  const [stops, setStops] = useState<readonly number[]>([]);
  /** What the route shows in the end. */
  const [after, setAfter] = useState<number | null>(null);
  const [at, setAt] = useState(0);
  const planned = stops.length > 0;
  // The address and this state may change in two renders.
  const running =
    planned && [stops[at - 1], stops[at], stops[at + 1]].some((one) => one === route.generation);
  useEffect(() => {
    if (!planned) return undefined;
    const step = (): void => {
      const next = stops[at + 1];
      if (next === undefined) setStops([]);
      else setAt(at + 1);
      replaceRoute({ ...route, generation: next ?? after });
    };
    const timer = running ? setTimeout(step, STOP) : setTimeout(() => setStops([]), 0);
    return () => clearTimeout(timer);
  }, [planned, running, stops, at, after, route]);
  const show = (next: readonly number[], end: number | null): void => {
    const [first] = next;
    if (first === undefined) return;
    setStops(next);
    setAt(0);
    setAfter(end);
    replaceRoute({ ...route, generation: first });
  };
  return {
    running,
    start: () => show(timeLapseStops(generations), null),
    selection: () => {
      const row = Array.from(generations).lastIndexOf(route.generation ?? Number.NaN);
      const last = row < 0 ? generations.length - 1 : row;
      show(Array.from(generations).slice(Math.max(0, last - 1), last + 1), route.generation);
    },
    stop: () => {
      setStops([]);
      replaceRoute({ ...route, generation: null });
    },
  };
}
