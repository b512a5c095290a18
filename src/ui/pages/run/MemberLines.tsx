import { Line } from "recharts";
import { slotColour, slotDash } from "../../components/slotStyle.ts";
import type { ChartRow } from "../../series/chartRows.ts";

interface Props {
  /** Slots that have a line. */
  readonly slots: readonly number[];
  /** Slot that is pointed at; the others step back. */
  readonly lit: number | null;
  /** Slot whose details are open. */
  readonly selected: number | null;
  readonly dot: { readonly r: number } | false;
}

/** Lines up to this many are drawn at full strength. */
const FEW = 16;

// Recharts draws again what gets a new function, so that each slot has one for good.
const slotKeys: ((row: ChartRow) => number | null)[] = [];
const slotKey = (slot: number): ((row: ChartRow) => number | null) => {
  slotKeys[slot] ??= (row) => row.slots[slot] ?? null;
  return slotKeys[slot];
};

/** The fitness of single members, a line for each slot. */
export function MemberLines({ slots, lit, selected, dot }: Props) {
  const many = slots.length > FEW;
  const isStrong = (slot: number): boolean => slot === lit || slot === selected;
  // What is drawn later lies above.
  const ordered = [...slots.filter((slot) => !isStrong(slot)), ...slots.filter(isStrong)];
  return ordered.map((slot) => (
    <Line
      key={slot}
      className={`fitness-line fitness-line--${slot}`}
      dataKey={slotKey(slot)}
      stroke={slotColour(slot)}
      strokeDasharray={slotDash(slot)}
      strokeWidth={isStrong(slot) ? 3 : many ? 1 : 1.75}
      strokeOpacity={isStrong(slot) ? 1 : lit !== null ? 0.25 : many ? 0.7 : 1}
      isAnimationActive={false}
      activeDot={isStrong(slot)}
      dot={dot}
    />
  ));
}
