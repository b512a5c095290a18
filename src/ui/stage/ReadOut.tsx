import type { Reading } from "../../stage/stageProtocol.ts";
import { Facts } from "../components/Facts.tsx";
import { slotColour } from "../lib/colours.ts";
import { formatCount, formatScore, NONE } from "../lib/format.ts";

/** Maximum number of action components shown. */
const MOST_NUMBERS = 8;

function actionText(action: readonly number[] | null): string {
  if (action === null) return NONE;
  const shown = action.slice(0, MOST_NUMBERS).map((x) => (Number.isInteger(x) ? String(x) : x.toFixed(2)));
  return action.length > MOST_NUMBERS ? `${shown.join(", ")}, …` : shown.join(", ");
}

interface Props {
  readonly label: string;
  /** Index of the lineage's colour, 0 to 7, also used in the picture. */
  readonly colour: number;
  /** Whether it is the only player, so that its name need not be repeated. */
  readonly alone: boolean;
  readonly reading: Reading | null;
}

/** The state of an episode, in numbers. */
export function ReadOut({ label, colour, alone, reading }: Props) {
  const rows: readonly (readonly [string, string])[] = [
    ["Return", formatScore(reading?.total ?? null)],
    ["Step", reading === null ? NONE : `${formatCount(reading.steps)}${reading.ended ? ", ended" : ""}`],
    ["Action", actionText(reading?.action ?? null)],
    ["Value", formatScore(reading?.value ?? null)],
  ];
  return (
    <section className="player__readout" aria-label={label}>
      {!alone && (
        <p className="player__name">
          <i className="colour" style={{ background: slotColour(colour) }} /> {label}
        </p>
      )}
      <Facts className="facts facts--grid" rows={rows} />
    </section>
  );
}
