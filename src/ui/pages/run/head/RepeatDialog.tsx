import { useState } from "react";
import { MOST_SEEDS } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { TextField } from "../../../components/controls.tsx";
import { FormDialog } from "../../../components/FormDialog.tsx";
import { tellRepeats } from "../../../state/tellRepeats.ts";
import { useWorkbench } from "../../../state/Workbench.ts";

interface Props {
  readonly id: string;
  readonly onClose: () => void;
}

/** Asks for a number of seeds, and queues the run with those that its group does not have yet. */
export function RepeatDialog({ id, onClose }: Props) {
  const workbench = useWorkbench();
  const [text, setText] = useState("5");
  const seeds = Number(text);
  const fits = Number.isInteger(seeds) && seeds >= 2 && seeds <= MOST_SEEDS;
  const repeat = async (): Promise<void> => {
    if (!fits) return;
    onClose();
    await workbench.attempt(async () =>
      tellRepeats(workbench, await workbench.coordinator.repeat(id, seeds)),
    );
  };
  return (
    <FormDialog
      title="Repeat over seeds"
      onSubmit={() => void repeat()}
      onClose={onClose}
      actions={
        <Button type="submit" primary aria-disabled={!fits}>
          Queue
        </Button>
      }
    >
      <label>
        Seeds in all, with this run (2 to {MOST_SEEDS})
        <TextField inputMode="numeric" aria-invalid={!fits} value={text} onChange={setText} />
      </label>
      <p>
        The same run trains with other seeds, one run after another. The list of runs shows all of them as one
        group, with their mean and its 95 % interval.
      </p>
    </FormDialog>
  );
}
