import { useMemo, useState } from "react";
import type { MemberReport } from "../../../../tracking/observer.ts";
import { Button } from "../../../components/Button.tsx";
import { Select, TextField } from "../../../components/controls.tsx";
import { FormDialog } from "../../../components/FormDialog.tsx";
import { formatHyperparameter } from "../../../lib/format.ts";
import { hyperparameterRanges } from "../../../series/hyperparameterRanges.ts";
import { placeInRange, SLIDER_STEPS, valueAtPlace } from "./geneSlider.ts";

interface Props {
  readonly member: Pick<MemberReport, "index" | "hyperparameters">;
  /** Of the run; its ranges are those of the slider. */
  readonly manifest: unknown;
  readonly onSet: (hyperparameter: string, value: number, all: boolean) => void;
  readonly onClose: () => void;
}

/** A dialog that asks for a hyperparameter and its value; the run itself checks whether the value is allowed. */
export function SetHyperparameter({ member, manifest, onSet, onClose }: Props) {
  const { index, hyperparameters } = member;
  const [name, setName] = useState(Object.keys(hyperparameters)[0] ?? "");
  const [text, setText] = useState<string | null>(null);
  const [all, setAll] = useState(false);
  const ranges = useMemo(() => hyperparameterRanges(manifest), [manifest]);
  const range = ranges[name] ?? null;
  const now = hyperparameters[name] ?? Number.NaN;
  const shown = text ?? String(hyperparameters[name] ?? "");
  const value = Number(shown);
  const isNumber = shown.trim() !== "" && Number.isFinite(value);
  const set = (): void => {
    if (!isNumber) return;
    onSet(name, value, all);
    onClose();
  };
  return (
    <FormDialog
      title={`Set a hyperparameter of #${index}`}
      onSubmit={set}
      onClose={onClose}
      actions={
        <Button type="submit" primary aria-disabled={!isNumber}>
          Set
        </Button>
      }
    >
      <label>
        Hyperparameter
        <Select
          value={name}
          options={Object.keys(hyperparameters)}
          onChange={(chosen) => {
            setName(chosen);
            setText(null);
          }}
        />
      </label>
      <label>
        Value
        <TextField inputMode="decimal" aria-invalid={!isNumber} value={shown} onChange={setText} />
      </label>
      {range !== null && (
        <label>
          {formatHyperparameter(range.min)} to {formatHyperparameter(range.max)}, now{" "}
          {formatHyperparameter(now)}
          <input
            type="range"
            min={0}
            max={SLIDER_STEPS}
            value={placeInRange(isNumber ? value : now, range)}
            aria-valuetext={shown}
            onChange={(event) => setText(String(valueAtPlace(Number(event.currentTarget.value), range, now)))}
          />
        </label>
      )}
      <label className="dialog__check">
        <input type="checkbox" checked={all} onChange={() => setAll(!all)} /> Apply to all members
      </label>
      <p>The change waits until this generation ends, and the run records it.</p>
    </FormDialog>
  );
}
