import type { Reading } from "../../stage/stageProtocol.ts";
import { slotColour } from "../components/slotStyle.ts";
import { formatCount, formatScore, NONE } from "../lib/format.ts";

/** Numbers of an action that are shown at most. */
const MOST_NUMBERS = 8;

function actionText(action: readonly number[] | null): string {
  if (action === null) return NONE;
  const shown = action.slice(0, MOST_NUMBERS).map((x) => (Number.isInteger(x) ? String(x) : x.toFixed(2)));
  return action.length > MOST_NUMBERS ? `${shown.join(", ")}, …` : shown.join(", ");
}

interface Props {
  readonly label: string;
  /** Number of its line's colour, 0 to 7, which its picture has too. */
  readonly colour: number;
  /** Nobody else plays, so that its name need not be seen twice. */
  readonly alone: boolean;
  readonly reading: Reading | null;
}

/** Where an episode stands, in numbers. */
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
          <i className="player__colour" style={{ background: slotColour(colour) }} /> {label}
        </p>
      )}
      <dl>
        {rows.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
