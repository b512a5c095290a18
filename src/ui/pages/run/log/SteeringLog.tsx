import { formatCount } from "../../../lib/format.ts";
import type { RunSession } from "../../../state/RunSession.ts";
import { steeringWords } from "../steering/steeringWords.ts";
import { useSteering } from "../steering/useSteering.ts";

/** The user's steering actions on the run, newest first. Renders nothing if there are none. */
export function SteeringLog({ session }: { readonly session: RunSession }) {
  const { actions, problem } = useSteering(session);
  if (actions.length === 0 && problem === null) return null;
  return (
    <section className="panel" aria-label="Steering">
      <div className="panel__head">
        <h2>Steering</h2>
      </div>
      {problem !== null && (
        <p className="empty" role="alert">
          {problem}
        </p>
      )}
      <ul className="messages">
        {actions.toReversed().map((one, position) => (
          <li key={actions.length - position}>
            <span>gen {formatCount(one.generation)}</span>
            <strong>steered</strong>
            <span>{steeringWords(one.action)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
