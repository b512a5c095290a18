import { formatClock, formatCount } from "./formatValue.ts";

/** Progress of a run. */
export interface Progress {
  /** Environment steps of the whole population. */
  readonly steps: number;
  /** Total steps that the run will take; 0 if unknown. */
  readonly total: number;
  /** Seconds since this process started training. */
  readonly elapsed: number;
  /** Environment steps per second. */
  readonly rate: number;
}

const LABEL = "Training Progress";
const BETWEEN = " │ ";
const BAR = { shortest: 5, longest: 40 } as const;

const barOf = (part: number, width: number): string => {
  const filled = Math.round(part * width);
  return "█".repeat(filled) + "░".repeat(width - filled);
};

/**
 * One line of at most `columns` characters. On a narrow terminal, parts are left out, starting with the bar.
 */
export function progressLine({ steps, total, elapsed, rate }: Progress, columns: number): string {
  const clock = formatClock(elapsed);
  const speed = `${formatCount(rate)} steps/s`;
  if (total <= 0) return [LABEL, `${formatCount(steps)} steps`, clock, speed].join(BETWEEN).slice(0, columns);

  // Whole generations may take a run beyond its total.
  const all = Math.max(total, steps);
  const part = Math.max(0, steps / all);
  const percent = `${Math.floor(part * 100)}%`.padStart(4);
  const left = part === 1 ? formatClock(0) : formatClock((all - steps) / rate);
  const counts = `${formatCount(steps)}/${formatCount(all)} steps`;
  const rest = [counts, clock, left, speed];
  const room = columns - [LABEL, percent, "", ...rest].join(BETWEEN).length;
  if (room >= BAR.shortest) {
    return [LABEL, percent, barOf(part, Math.min(room, BAR.longest)), ...rest].join(BETWEEN);
  }
  const shorter = [
    [LABEL, percent, ...rest],
    [percent, ...rest],
    [percent, counts, left],
    [percent, counts],
  ].map((parts) => parts.join(BETWEEN));
  return (shorter.find((line) => line.length <= columns) ?? percent).slice(0, columns);
}
