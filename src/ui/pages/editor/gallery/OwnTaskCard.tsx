import { useId } from "react";
import { EnvironmentGlyph } from "../../../components/EnvironmentGlyph.tsx";
import { editorRoute, environmentsRoute, formatRoute } from "../../../routes/route.ts";
import { OWN_TASK } from "./ownTask.ts";

/** The card for a user-written environment. */
export function OwnTaskCard() {
  const heading = useId();
  return (
    <li className="task" aria-labelledby={heading}>
      <EnvironmentGlyph environment="user/cartpole" text={false} />
      <div className="task__text">
        <h2 id={heading}>Your own environment</h2>
        <p>Start from a CartPole whose code you can change, or write any other environment.</p>
      </div>
      <ul className="task__algorithms" aria-label="Algorithms for your own environment">
        <li>
          <a
            className="chip"
            href={formatRoute(editorRoute({ kind: "template", id: OWN_TASK }))}
            aria-label="PPO: Own CartPole (PPO)"
            title="Own CartPole (PPO)"
          >
            PPO
          </a>
        </li>
        <li>
          <a className="chip" href={formatRoute(environmentsRoute())}>
            Write code
          </a>
        </li>
      </ul>
    </li>
  );
}
