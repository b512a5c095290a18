import { useId } from "react";
import type { Space } from "../../../../rl/spaces.ts";
import { Button } from "../../../components/Button.tsx";

interface Props {
  readonly space: Space;
  readonly action: readonly number[];
  /** Of its choices or its numbers (default: none). */
  readonly names?: readonly string[] | null;
  readonly onAction: (action: readonly number[]) => void;
  /** Called when a discrete action is pressed, which acts immediately; numbers wait for the next step. */
  readonly onAct: (action: readonly number[]) => void;
}

/** Inputs for the next action of the user. */
export function ActionInput({ space, action, names = null, onAction, onAct }: Props) {
  const id = useId();
  const named = (at: number, value = at): string => (names?.[at] ? `${value}: ${names[at]}` : String(value));
  if (space.kind === "Discrete")
    return (
      <fieldset className="row trial__actions small">
        <legend>Action</legend>
        {Array.from({ length: space.n }, (_, i) => space.start + i).map((choice) => (
          <Button key={choice} small aria-pressed={action[0] === choice} onClick={() => onAct([choice])}>
            {named(choice - space.start, choice)}
          </Button>
        ))}
      </fieldset>
    );
  return (
    <fieldset className="row trial__actions small">
      <legend>Action</legend>
      {action.map((value, i) => (
        // Numbers of an action are identified only by their position.
        <label key={i} className="beside" htmlFor={`${id}-${i}`}>
          {named(i)}
          <input
            id={`${id}-${i}`}
            className="field"
            type="number"
            step="any"
            value={value}
            onChange={({ currentTarget: { valueAsNumber } }) => {
              if (Number.isFinite(valueAsNumber)) onAction(action.with(i, valueAsNumber));
            }}
          />
        </label>
      ))}
    </fieldset>
  );
}
