import { useEffect, useRef, useState } from "react";
import type { ValidateReply } from "../../../../sandbox/messages.ts";
import type { SandboxedEnvironment } from "../../../../sandbox/SandboxedEnvironment.ts";
import { messageOf } from "../../../lib/messageOf.ts";
import type { EnvironmentDraft } from "../drafts.ts";

/** Number of random steps: enough to find most faults before training. */
const STEPS = 20_000;
const SEED = 42;

export type Validation =
  | { readonly state: "none" }
  | { readonly state: "running" }
  | { readonly state: "done"; readonly text: string; readonly report: ValidateReply }
  | { readonly state: "failed"; readonly text: string; readonly problem: string };

/** Validates a draft on request. */
export function useValidation(draft: EnvironmentDraft): {
  readonly validation: Validation;
  readonly validate: () => Promise<void>;
} {
  const [validation, setValidation] = useState<Validation>({ state: "none" });
  const open = useRef<SandboxedEnvironment>(null);
  useEffect(() => () => open.current?.close(), []);
  const validate = async (): Promise<void> => {
    if (validation.state === "running") return;
    setValidation({ state: "running" });
    const { text } = draft;
    try {
      // Loads the code that opens sandboxes only when it is needed.
      const { openInPage } = await import("../openInPage.ts");
      open.current = await openInPage(draft);
      const report = await open.current.validate({ steps: STEPS, seed: SEED });
      setValidation({ state: "done", text, report });
    } catch (error) {
      setValidation({ state: "failed", text, problem: messageOf(error) });
    } finally {
      open.current?.close();
      open.current = null;
    }
  };
  return { validation, validate };
}
