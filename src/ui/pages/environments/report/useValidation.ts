import { useEffect, useRef, useState } from "react";
import type { ValidateReply } from "../../../../sandbox/sandboxes.ts";
import { messageOf } from "../../../lib/format.ts";
import type { EnvironmentDraft } from "../drafts.ts";

/** Number of random steps: enough to find most faults before training. */
const STEPS = 20_000;
const SEED = 42;

export type Validation =
  | { readonly state: "none" }
  | { readonly state: "running" }
  | { readonly state: "cancelled" }
  | { readonly state: "done"; readonly text: string; readonly report: ValidateReply }
  | { readonly state: "failed"; readonly text: string; readonly problem: string };

/** Validates a draft on request. `cancel` ends it at once, whatever the environment does. */
export function useValidation(draft: EnvironmentDraft): {
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
      const { openInPage } = await import("../openInPage.ts");
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
