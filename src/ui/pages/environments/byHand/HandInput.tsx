import { useId, useState } from "react";
import type { Space } from "../../../../rl/spaces.ts";
import { firstAction } from "../trial/Trial.ts";
import type { Hand } from "./Hand.ts";

interface Props {
  readonly space: Space;
  /** Of its choices or its numbers; null for none. */
  readonly names: readonly string[] | null;
  readonly hand: Hand;
  /** Called when a choice goes down. */
  readonly onPress: () => void;
}

/** What a slider spans where the space has no bound. */
const UNBOUNDED = 1;
const PARTS = 100;

/** Buttons that hold a choice while they are down, or a slider for each number of an action. */
export function HandInput({ space, names, hand, onPress }: Props) {
  if (space.kind === "Box") return <Sliders space={space} names={names} hand={hand} />;
  if (space.kind !== "Discrete") return null;
  const press = (choice: number | null): void => {
    hand.point(choice);
    if (choice !== null) onPress();
  };
  return (
    <fieldset className="row by-hand__choices" aria-label="Action">
      {Array.from({ length: space.n }, (_, i) => space.start + i).map((choice, i) => (
        <button
          key={choice}
          type="button"
          className="button"
          onPointerDown={() => press(choice)}
          onPointerUp={() => press(null)}
          onPointerCancel={() => press(null)}
          onPointerLeave={() => press(null)}
          onContextMenu={(event) => event.preventDefault()}
        >
          {names?.[i] ? `${choice}: ${names[i]}` : choice}
        </button>
      ))}
    </fieldset>
  );
}

interface SliderProps extends Omit<Props, "space" | "onPress"> {
  readonly space: Extract<Space, { readonly kind: "Box" }>;
}

function Sliders({ space, names, hand }: SliderProps) {
  const id = useId();
  const [numbers, setNumbers] = useState(() => firstAction(space));
  const change = (next: readonly number[]): void => {
    setNumbers(next);
    hand.set(next);
  };
  return (
    <fieldset className="stack by-hand__numbers" aria-label="Action">
      {numbers.map((value, i) => {
        const [low = -UNBOUNDED, high = UNBOUNDED] = [space.low[i], space.high[i]].map((bound) =>
          Number.isFinite(bound) ? bound : undefined,
        );
        return (
          // Numbers of an action are identified only by their position.
          <label key={i} className="beside" htmlFor={`${id}-${i}`}>
            <span>{names?.[i] ?? i}</span>
            <input
              id={`${id}-${i}`}
              type="range"
              min={low}
              max={high}
              step={(high - low) / PARTS}
              value={value}
              onChange={({ currentTarget }) => change(numbers.with(i, currentTarget.valueAsNumber))}
            />
          </label>
        );
      })}
    </fieldset>
  );
}
