import { useId } from "react";
import type { StartOptions } from "../../../workers/protocol.ts";
import { type TrackerFields, TrackerOptions } from "./TrackerOptions.tsx";

/** Start options of a run that are not in its manifest. The seed is the text that the user typed. */
export interface RunChoices {
  readonly name: string;
  readonly seed: string;
  readonly device: NonNullable<StartOptions["device"]>;
  readonly tracker: TrackerFields;
}

export const FIRST_CHOICES: RunChoices = {
  name: "",
  seed: "",
  device: "auto",
  tracker: { service: "", address: "", key: "" },
};

interface Props {
  readonly choices: RunChoices;
  /** Shown as a placeholder for an empty name. */
  readonly defaultName: string;
  readonly onChange: (choices: RunChoices) => void;
}

const DEVICES: readonly { readonly value: RunChoices["device"]; readonly label: string }[] = [
  { value: "auto", label: "Auto" },
  { value: "wasm", label: "WebAssembly" },
  { value: "webgpu", label: "WebGPU" },
];

/** Inputs for the start options that are not part of the manifest. */
export function RunOptions({ choices, defaultName, onChange }: Props) {
  const id = useId();
  return (
    <fieldset className="run-options">
      <legend className="visually-hidden">Run options</legend>
      <label htmlFor={`${id}-name`}>Name</label>
      <input
        id={`${id}-name`}
        className="field"
        value={choices.name}
        placeholder={defaultName}
        autoComplete="off"
        onChange={(event) => onChange({ ...choices, name: event.currentTarget.value })}
      />
      <label htmlFor={`${id}-seed`}>Seed</label>
      <input
        id={`${id}-seed`}
        className="field run-options__seed"
        value={choices.seed}
        placeholder="rand_seed"
        inputMode="numeric"
        autoComplete="off"
        title="Defaults to mutation.rand_seed, or to 42 if that is unset"
        onChange={(event) => onChange({ ...choices, seed: event.currentTarget.value })}
      />
      <label htmlFor={`${id}-device`}>Device</label>
      <select
        id={`${id}-device`}
        className="field"
        value={choices.device}
        onChange={(event) => {
          const device = DEVICES.find(({ value }) => value === event.currentTarget.value)?.value ?? "auto";
          onChange({ ...choices, device });
        }}
      >
        {DEVICES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <TrackerOptions tracker={choices.tracker} onChange={(tracker) => onChange({ ...choices, tracker })} />
    </fieldset>
  );
}
