import { useEffect, useState } from "react";
import type { EnvironmentText } from "../../../../workers/protocol.ts";
import { LazyCodeEditor } from "../../../components/LazyCodeEditor.tsx";
import { useWorkbench } from "../../../state/Workbench.ts";

/** The code of a run's user-written environment, as it was when the run started. */
export function RunCode({ run }: { readonly run: string }) {
  const workbench = useWorkbench();
  const [code, setCode] = useState<EnvironmentText | null>(null);
  useEffect(() => {
    let wanted = true;
    void workbench.attempt(async () => {
      const found = await workbench.coordinator.runEnvironment(run);
      if (wanted) setCode(found);
    });
    return () => {
      wanted = false;
    };
  }, [workbench, run]);
  if (code === null) return null;
  return (
    <section className="panel config__code" aria-label="Environment code">
      <div className="panel__head">
        <h2>{code.id}</h2>
        <span className="config__hash">
          SHA-256 <code>{code.sha256.slice(0, 12)}</code>
        </span>
      </div>
      <LazyCodeEditor label="Environment code of the run" text={code.source} />
    </section>
  );
}
