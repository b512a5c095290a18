import { useId } from "react";
import { TRACKER_SERVICES } from "../../../tracking/clients.ts";
import type { StartOptions, TrackerChoice } from "../../../workers/protocol.ts";

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
      <label htmlFor={`${id}-service`}>Tracker</label>
      <select
        id={`${id}-service`}
        className="field"
        value={service}
        onChange={(event) => {
          const { value } = event.currentTarget;
          // A key for one service must not go to the other.
          onChange({ service: isService(value) ? value : "", address: "", key: "" });
        }}
      >
        <option value="">None</option>
        {Object.entries(TRACKER_SERVICES).map(([value, { title }]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
      {service !== "" && (
        <>
          <label htmlFor={`${id}-address`}>Address</label>
          <input
            id={`${id}-address`}
            className="field"
            type="url"
            value={address}
            placeholder={TRACKER_SERVICES[service].address}
            autoComplete="off"
            title="The server must allow requests from this page's origin (CORS)"
            onChange={(event) => onChange({ ...tracker, address: event.currentTarget.value })}
          />
          <label htmlFor={`${id}-key`}>Key</label>
          <input
            // A new field for each service, and uncontrolled: React would write a value into the document.
            key={service}
            id={`${id}-key`}
            className="field"
            type="password"
            placeholder={TRACKER_SERVICES[service].key}
            autoComplete="off"
            title="Kept only in memory: you must enter it again after a reload"
            onChange={(event) => onChange({ ...tracker, key: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}

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
    <fieldset className="row quiet run-options">
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
