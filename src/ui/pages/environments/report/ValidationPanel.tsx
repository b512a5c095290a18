import type { Finding } from "../../../../sandbox/sandboxes.ts";
import { formatCount } from "../../../lib/format.ts";
import type { EnvironmentDraft } from "../drafts.ts";
import { useValidation, type Validation } from "./useValidation.ts";
import "./ValidationPanel.css";

/** Validates the environment with random actions, and shows the findings. */
export function ValidationPanel({ draft }: { readonly draft: EnvironmentDraft }) {
  const { validation, validate, cancel } = useValidation(draft);
  const running = validation.state === "running";
  return (
    <section className="panel" aria-label="Validation">
      <div className="panel__head">
        <h2>Validation</h2>
        <button
          type="button"
          className="button button--small"
          onClick={() => (running ? cancel() : void validate())}
        >
          {running ? "Cancel" : "Validate"}
        </button>
      </div>
      <div className="panel__body validation" aria-live="polite">
        {"text" in validation && validation.text !== draft.text && (
          <p className="validation__hint">The code has changed since this validation.</p>
        )}
        <Report validation={validation} />
      </div>
    </section>
  );
}

function Report({ validation }: { readonly validation: Validation }) {
  switch (validation.state) {
    case "none":
      return (
        <p className="validation__hint">
          Takes 20,000 random steps and checks every value, seeding, episode ends and speed.
        </p>
      );
    case "running":
      return <p className="validation__hint">Taking random steps…</p>;
    case "cancelled":
      return <p className="validation__hint">Cancelled. Nothing is known about this code.</p>;
    case "failed":
      return <p className="validation__error">{validation.problem}</p>;
    case "done": {
      const { findings, steps_per_second } = validation.report;
      const errors = findings.filter(({ level }) => level === "error").length;
      return (
        <>
          <p className={errors === 0 ? "validation__good" : "validation__error"}>
            {errors === 0
              ? `Ready to train: ${formatCount(Math.round(steps_per_second))} steps per second in a single environment.`
              : "This environment is not ready for training."}
          </p>
          {findings.length > 0 && <Findings findings={findings} />}
        </>
      );
    }
  }
}

const Findings = ({ findings }: { readonly findings: readonly Finding[] }) => (
  <ul className="validation__findings">
    {findings.map(({ level, call, step, found, allowed, what }) => (
      <li key={`${call} ${step} ${what}`} className={`validation__finding validation__finding--${level}`}>
        <p>{what}</p>
        <dl>
          <div>
            <dt>Call</dt>
            <dd>
              <code>{call}</code>
              {step !== null && ` at step ${step}`}
            </dd>
          </div>
          <div>
            <dt>Found</dt>
            <dd>{found}</dd>
          </div>
          <div>
            <dt>Expected</dt>
            <dd>{allowed}</dd>
          </div>
        </dl>
      </li>
    ))}
  </ul>
);
