import { useEffect, useRef, useState } from "react";
import type { FitnessColumns } from "../../../tracking/clients.ts";
import { Button } from "../../components/Button.tsx";
import { formatCount } from "../../lib/format.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import { createUpdateClock, type UpdateClock } from "../../lib/updateClock.ts";
import { replaceRoute } from "../../routes/navigation.ts";
import type { RunRoute } from "../../routes/route.ts";
import { shownGeneration } from "./shownGeneration.tsx";

interface Props {
  readonly route: RunRoute;
  readonly columns: FitnessColumns;
  /** Number of completed generations. */
  readonly generation: number;
  /** Whether more generations can follow at any time. */
  readonly training: boolean;
}

/** Milliseconds between URL updates while the slider is dragged: browsers limit their rate. */
const INTERVAL = 120;

/** Chooses the generation that all views show; at the right end, the views follow the run. */
export function GenerationScrubber({ route, columns, generation, training }: Props) {
  const shown = shownGeneration(columns, route.generation);
  const [dragged, setDragged] = useState<number | null>(null);
  const target = useRef(0);
  const clock = useRef<UpdateClock | null>(null);
  const show = (row: number): void => {
    if (shown.newest < 0) return;
    const next = Math.max(0, Math.min(shown.newest, row));
    replaceRoute({ ...route, generation: next === shown.newest ? null : (columns.generation[next] ?? null) });
  };
  const latest = useRef(show);
  useEffect(() => {
    latest.current = show;
  });
  useEffect(() => {
    const made = createUpdateClock(() => {
      latest.current(target.current);
      setDragged(null);
    }, INTERVAL);
    clock.current = made;
    return () => made.stop();
  }, []);
  useShortcut("[", () => show(shown.row - 1));
  useShortcut("]", () => show(shown.row + 1));
  const row = dragged ?? shown.row;
  const number = columns.generation[row] ?? 0;
  const text = `after generation ${formatCount(number)}`;
  const newest = training ? "Live" : "Latest";
  const looksBack = dragged === null ? !shown.live : dragged < shown.newest;
  return (
    <fieldset className="row quiet scrubber" aria-label="Shown generation">
      <Button
        small
        quiet
        aria-label="Previous generation"
        title="Previous generation ( [ )"
        aria-disabled={shown.row <= 0}
        onClick={() => show(shown.row - 1)}
      >
        ‹
      </Button>
      <input
        className="scrubber__range"
        type="range"
        aria-label="Generation"
        aria-valuetext={looksBack ? text : `${text}, ${newest.toLowerCase()}`}
        min={0}
        max={Math.max(0, shown.newest)}
        value={Math.max(0, row)}
        disabled={shown.newest < 1}
        onChange={(event) => {
          target.current = event.currentTarget.valueAsNumber;
          setDragged(target.current);
          clock.current?.request();
        }}
      />
      <Button
        small
        quiet
        aria-label="Next generation"
        title="Next generation ( ] )"
        aria-disabled={shown.live}
        onClick={() => show(shown.row + 1)}
      >
        ›
      </Button>
      <Button small aria-pressed={shown.live} onClick={() => show(shown.newest)}>
        {newest}
      </Button>
      {/* Updates visually at once; the announcer reads it out, so that screen readers do not announce
         every change. */}
      <output className="scrubber__latest" aria-live="off">
        Generation {looksBack && `${formatCount(number)} of `}
        {formatCount(generation)}
      </output>
    </fieldset>
  );
}
