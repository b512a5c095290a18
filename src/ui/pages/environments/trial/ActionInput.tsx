import { useId } from "react";
import { elementSize, type Space } from "../../../../rl/spaces/index.ts";

/** More choices or numbers than a person presses one by one. */
const MOST = 24;

/** Whether a person can act here: one agent, and not too many numbers. */
export const canActByHand = (space: Space): boolean =>
  space.kind === "Discrete" ? space.n <= MOST : space.kind !== "Agents" && elementSize(space) <= MOST;

interface Props {
  readonly space: Space;
  readonly action: readonly number[];
  readonly onAction: (action: readonly number[]) => void;
  /** A choice acts at once; numbers wait for the step. */
  readonly onAct: (action: readonly number[]) => void;
}

/** What a person does next. */
export function ActionInput({ space, action, onAction, onAct }: Props) {
  const id = useId();
  if (space.kind === "Discrete")
    return (
      <fieldset className="trial__actions">
        <legend>Action</legend>
        {Array.from({ length: space.n }, (_, i) => space.start + i).map((choice) => (
          <button
            key={choice}
            type="button"
            className="button button--small"
            aria-pressed={action[0] === choice}
            onClick={() => onAct([choice])}
          >
            {choice}
          </button>
        ))}
      </fieldset>
    );
  return (
    <fieldset className="trial__actions">
      <legend>Action</legend>
      {action.map((value, i) => (
        // Numbers of an action have no identity but their place.
        <label key={i} htmlFor={`${id}-${i}`}>
          {i}
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
