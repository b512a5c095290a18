import { useState } from "react";
import { Button } from "../../../components/Button.tsx";
import { TextField } from "../../../components/controls.tsx";
import { FormDialog } from "../../../components/FormDialog.tsx";
import { formatCount } from "../../../lib/format.ts";
import { useWorkbench } from "../../../state/Workbench.ts";

interface Props {
  readonly id: string;
  /** The run's current `max_steps` per member; null if its manifest does not state it. */
  readonly max_steps: number | null;
  readonly onClose: () => void;
}

/** Asks for a new step limit and continues an ended run. */
export function ExtendDialog({ id, max_steps, onClose }: Props) {
  const workbench = useWorkbench();
  const [text, setText] = useState(String(2 * (max_steps ?? 0)));
  const value = Number(text);
  const fits = Number.isSafeInteger(value) && value > (max_steps ?? 0);
  const extend = async (): Promise<void> => {
    if (!fits) return;
    onClose();
    await workbench.attempt(() => workbench.coordinator.extend(id, value));
  };
  return (
    <FormDialog
      title="Train longer"
      onSubmit={() => void extend()}
      onClose={onClose}
      actions={
        <Button type="submit" primary aria-disabled={!fits}>
          Continue
        </Button>
      }
    >
      <label>
        Steps per member (max_steps)
        <TextField inputMode="numeric" aria-invalid={!fits} value={text} onChange={setText} />
      </label>
      <p>
        {max_steps === null
          ? "The run continues from its last checkpoint."
          : `The current limit is ${formatCount(max_steps)} steps. The run continues from its last checkpoint.`}
      </p>
    </FormDialog>
  );
}
