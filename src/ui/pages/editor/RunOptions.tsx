import { type ComponentProps, useId } from "react";
import { TRACKER_SERVICES } from "../../../tracking/clients.ts";
import type { StartOptions, TrackerChoice } from "../../../workers/protocol.ts";
import { Select, TextField } from "../../components/controls.tsx";
import { manifestSeed } from "../../lib/configurations.ts";
import { useEditor } from "./editorStore.ts";

/** A tracker as the user enters it; `service` is "" for none. */
interface TrackerFields {
  readonly service: TrackerChoice["service"] | "";
  readonly address: string;
  readonly key: string;
}

interface TrackerProps {
  readonly tracker: TrackerFields;
  readonly onChange: (tracker: TrackerFields) => void;
}

const isService = (value: string): value is TrackerChoice["service"] => value in TRACKER_SERVICES;

/** The entered address, or the service's default if the field is empty. */
export const trackerAddress = ({ service, address }: TrackerFields): string =>
  address.trim() || (service === "" ? "" : TRACKER_SERVICES[service].address);

/**
 * Inputs for an experiment tracker that also receives the run's metrics. The key stays in this page's memory.
 */
function TrackerOptions({ tracker, onChange }: TrackerProps) {
  const id = useId();
  const { service, address } = tracker;
  return (
    <>
      <label htmlFor={id}>Tracker</label>
      <Select
        id={id}
        value={service}
        options={[
          ["", "None"],
          ...Object.entries(TRACKER_SERVICES).map(([value, { title }]) => [value, title] as const),
        ]}
        // A key for one service must not go to the other.
        onChange={(value) => onChange({ service: isService(value) ? value : "", address: "", key: "" })}
      />
      {service !== "" && (
        <>
          <RunOption
            label="Address"
            type="url"
            value={address}
            placeholder={TRACKER_SERVICES[service].address}
            title="The server must allow requests from this page's origin (CORS)"
            onChange={(text) => onChange({ ...tracker, address: text })}
          />
          <RunOption
            // A new field for each service, and uncontrolled: React would write a value into the document.
            key={service}
            label="Key"
            type="password"
            placeholder={TRACKER_SERVICES[service].key}
            title="Kept only in memory: you must enter it again after a reload"
            onChange={(key) => onChange({ ...tracker, key })}
          />
        </>
      )}
    </>
  );
}

/** A text field with its label beside it. */
export function RunOption({
  label,
  ...field
}: { readonly label: string } & Omit<ComponentProps<typeof TextField>, "id" | "autoComplete">) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <TextField id={id} autoComplete="off" {...field} />
    </>
  );
}

/** Start options of a run that are not in its manifest. The seed is the text that the user typed. */
export interface RunChoices {
  readonly name: string;
  readonly seed: string;
  /** Number of seeds as the user typed it; empty for one. */
  readonly seeds: string;
  readonly device: NonNullable<StartOptions["device"]>;
  readonly tracker: TrackerFields;
}

export const FIRST_CHOICES: RunChoices = {
  name: "",
  seed: "",
  seeds: "",
  device: "auto",
  tracker: { service: "", address: "", key: "" },
};

interface Props {
  readonly choices: RunChoices;
  /** Shown as a placeholder for an empty name. */
  readonly defaultName: string;
  readonly onChange: (choices: RunChoices) => void;
}

/** The seed of a run whose manifest names none. */
const DEFAULT_SEED = 42;

const DEVICES: readonly (readonly [RunChoices["device"], string])[] = [
  ["auto", "Auto"],
  ["wasm", "WebAssembly"],
  ["webgpu", "WebGPU"],
];

/** Inputs for the start options that are not part of the manifest. */
export function RunOptions({ choices, defaultName, onChange }: Props) {
  const id = useId();
  const seed = useEditor(({ shown }) => manifestSeed(shown.values) ?? DEFAULT_SEED);
  return (
    <fieldset className="row quiet run-options">
      <legend className="visually-hidden">Run options</legend>
      <RunOption
        label="Name"
        className="run-options__name"
        value={choices.name}
        placeholder={defaultName}
        onChange={(name) => onChange({ ...choices, name })}
      />
      <RunOption
        label="Seed"
        className="run-options__seed"
        value={choices.seed}
        placeholder={String(seed)}
        inputMode="numeric"
        title="Of all random draws. Defaults to the manifest's seed, or to 42 if it names none"
        onChange={(text) => onChange({ ...choices, seed: text })}
      />
      <RunOption
        label="Repeats"
        className="run-options__repeats"
        value={choices.seeds}
        placeholder="1"
        inputMode="numeric"
        title="Number of seeds to train with, one run after another, as one group with a mean and an interval"
        onChange={(seeds) => onChange({ ...choices, seeds })}
      />
      <label htmlFor={id}>Device</label>
      <Select
        id={id}
        value={choices.device}
        options={DEVICES}
        onChange={(value) => {
          const [device] = DEVICES.find(([known]) => known === value) ?? ["auto"];
          onChange({ ...choices, device });
        }}
      />
      <TrackerOptions tracker={choices.tracker} onChange={(tracker) => onChange({ ...choices, tracker })} />
    </fieldset>
  );
}
