import { useStore } from "zustand";
import { Button } from "../../../components/Button.tsx";
import { formatCount } from "../../../lib/format.ts";
import type { RunView } from "../../../state/RunView.ts";
import { canSteer, steeringWords, useSteer, useSteering } from "./steering.ts";
import "./SteeringQueue.css";

/** The user's changes that wait for the end of the generation, each of which can be cancelled. */
export function SteeringQueue({ session }: { readonly session: RunView }) {
  const summary = useStore(session.view, (view) => view.summary);
  const { actions } = useSteering(session);
  const steer = useSteer();
  const ended = summary?.generation ?? 0;
  const pending = canSteer(summary) ? actions.filter(({ generation }) => generation > ended) : [];
  if (pending.length === 0) return null;
  return (
    <output className="steering-queue scrolls row">
      <p>When generation {formatCount(ended + 1)} ends</p>
      <ul>
        {pending.map(({ position, action }) => (
          <li key={position}>
            {steeringWords(action)}
            <Button
              small
              quiet
              aria-label={`Cancel: ${steeringWords(action)}`}
              onClick={() => steer({ kind: "cancel", entry: position })}
            >
              Cancel
            </Button>
          </li>
        ))}
      </ul>
    </output>
  );
}
