import { useEffect, useRef, useState } from "react";
import type { Finding, ValidateReply } from "../../../sandbox/sandboxes.ts";
import { Button } from "../../components/Button.tsx";
import { Facts } from "../../components/Facts.tsx";
import { Panel } from "../../components/Panel.tsx";
import { formatCount, messageOf } from "../../lib/format.ts";
import type { EnvironmentDraft } from "./drafts.ts";

/** Number of random steps: enough to find most faults before training. */
const STEPS = 20_000;
const SEED = 42;

type Validation =
  | { readonly state: "none" }
  | { readonly state: "running" }
  | { readonly state: "cancelled" }
  | { readonly state: "done"; readonly text: string; readonly report: ValidateReply }
  | { readonly state: "failed"; readonly text: string; readonly problem: string };

/** Validates a draft on request. `cancel` ends it at once, whatever the environment does. */
function useValidation(draft: EnvironmentDraft): {
  readonly validation: Validation;
  readonly validate: () => Promise<void>;
  readonly cancel: () => void;
} {
  const [validation, setValidation] = useState<Validation>({ state: "none" });
  const current = useRef<AbortController>(null);
  useEffect(() => () => current.current?.abort(), []);
  const validate = async (): Promise<void> => {
    if (validation.state === "running") return;
    setValidation({ state: "running" });
    const { text } = draft;
    const sandbox = new AbortController();
    current.current = sandbox;
    const take = (next: Validation): void => {
      if (!sandbox.signal.aborted) setValidation(next);
    };
    try {
      // Loads the code that opens sandboxes only when it is needed.
      const { openInPage } = await import("./openInPage.ts");
      const environment = await openInPage(draft, sandbox.signal);
      const report = await environment.validate({ steps: STEPS, seed: SEED });
      take({ state: "done", text, report });
    } catch (error) {
      take({ state: "failed", text, problem: messageOf(error) });
    } finally {
      sandbox.abort();
    }
  };
  const cancel = (): void => {
    current.current?.abort();
    setValidation({ state: "cancelled" });
  };
  return { validation, validate, cancel };
}

/** Validates the environment with random actions, and shows the findings. */
export function ValidationPanel({ draft }: { readonly draft: EnvironmentDraft }) {
  const { validation, validate, cancel } = useValidation(draft);
  const running = validation.state === "running";
  return (
    <Panel
      title="Validation"
      head={
        <Button small onClick={() => (running ? cancel() : void validate())}>
          {running ? "Cancel" : "Validate"}
        </Button>
      }
    >
      <div className="panel__body stack validation breaks" aria-live="polite">
        {"text" in validation && validation.text !== draft.text && (
          <p className="soft">The code has changed since this validation.</p>
        )}
        <Report validation={validation} />
      </div>
    </Panel>
  );
}

function Report({ validation }: { readonly validation: Validation }) {
  switch (validation.state) {
    case "none":
      return (
        <p className="soft">
          Takes 20,000 random steps and checks every value, seeding, episode ends and speed.
        </p>
      );
    case "running":
      return <p className="soft">Taking random steps…</p>;
    case "cancelled":
      return <p className="soft">Cancelled. Nothing is known about this code.</p>;
    case "failed":
      return <p className="validation__error bad medium">{validation.problem}</p>;
    case "done": {
      const { findings, steps_per_second } = validation.report;
      const errors = findings.filter(({ level }) => level === "error").length;
      return (
        <>
          <p className={errors === 0 ? "validation__good medium" : "validation__error bad medium"}>
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
  <ul className="stack">
    {findings.map(({ level, call, step, found, allowed, what }) => (
      <li key={`${call} ${step} ${what}`} className={`validation__finding validation__finding--${level}`}>
        <p>{what}</p>
        <Facts
          rows={[
            [
              "Call",
              <>
                <code>{call}</code>
                {step !== null && ` at step ${step}`}
              </>,
            ],
            ["Found", found],
            ["Expected", allowed],
          ]}
        />
      </li>
    ))}
  </ul>
);
