import { useMemo, useState } from "react";
import { Button } from "../../components/Button.tsx";
import { TextField } from "../../components/controls.tsx";
import { FormDialog } from "../../components/FormDialog.tsx";
import { formatThings, messageOf, plainText } from "../../lib/format.ts";
import { navigate } from "../../routes/navigation.ts";
import { runsRoute } from "../../routes/route.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { useEditor } from "./editorStore.ts";
import { valueAt } from "./form/formNodes.ts";
import type { RunChoices } from "./RunOptions.tsx";
import { startOptions, validValues } from "./startRun.ts";
import { type ChosenSweep, chosenSweep, type SweepChoices } from "./sweepChoices.ts";

const NONE: SweepChoices = { environments: "", algorithms: "", seeds: "1..3", others: "" };

const nameIn = (values: unknown, section: string): string =>
  plainText(valueAt(values, [section, "name"]) ?? "");

interface Props {
  readonly choices: RunChoices;
  readonly onClose: () => void;
}

/** Asks for lists of environments, algorithms, seeds and other values, and queues all their combinations. */
export function SweepDialog({ choices, onClose }: Props) {
  const workbench = useWorkbench();
  const values = useEditor(({ shown }) => shown.values);
  const [lists, setLists] = useState(NONE);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const chosen = useMemo((): ChosenSweep | string => {
    try {
      return chosenSweep(lists, values);
    } catch (error) {
      return messageOf(error);
    }
  }, [lists, values]);
  const change = (part: Partial<SweepChoices>): void => {
    setLists({ ...lists, ...part });
    setRefusal(null);
  };
  const queue = async (): Promise<void> => {
    if (busy || typeof chosen === "string") return;
    setBusy(true);
    try {
      const options = startOptions(choices);
      const count = await workbench.coordinator.sweep(validValues(), chosen.sweep, options);
      await workbench.refresh();
      onClose();
      navigate({ ...runsRoute, group: (chosen.sweep.seeds?.length ?? 1) > 1 ? "repeats" : null });
      workbench.toasts.show({
        tone: "info",
        message: `${formatThings(count, "run")} queued. They train one after another.`,
      });
    } catch (error) {
      setRefusal(messageOf(error));
      setBusy(false);
    }
  };
  const problem = typeof chosen === "string" ? chosen : refusal;
  return (
    <FormDialog
      title="Sweep"
      busy={busy}
      onSubmit={() => void queue()}
      onClose={onClose}
      actions={
        <Button type="submit" primary aria-disabled={busy || typeof chosen === "string"} aria-busy={busy}>
          {typeof chosen === "string" ? "Queue" : `Queue ${formatThings(chosen.runs, "run")}`}
        </Button>
      }
    >
      <p>Trains the manifest with every combination of these values, one run after another.</p>
      <label>
        Environments, with commas
        <TextField
          value={lists.environments}
          placeholder={nameIn(values, "environment")}
          onChange={(environments) => change({ environments })}
        />
      </label>
      <label>
        Algorithms, with commas; those other than the manifest's have their defaults
        <TextField
          value={lists.algorithms}
          placeholder={nameIn(values, "algorithm")}
          onChange={(algorithms) => change({ algorithms })}
        />
      </label>
      <label>
        Seeds
        <TextField
          value={lists.seeds}
          placeholder="1..5, or 1, 2, 5"
          onChange={(seeds) => change({ seeds })}
        />
      </label>
      <label>
        Other fields, each a line with a list
        <textarea
          className="field mono"
          rows={3}
          spellCheck={false}
          placeholder="lr: [0.001, 0.003]"
          value={lists.others}
          onChange={(event) => change({ others: event.currentTarget.value })}
        />
      </label>
      {problem !== null ? (
        <p className="callout callout--error" role="alert">
          {problem}
        </p>
      ) : (
        typeof chosen !== "string" && (
          <p aria-live="polite">
            {chosen.product}: {formatThings(chosen.runs, "run")}.
          </p>
        )
      )}
    </FormDialog>
  );
}
