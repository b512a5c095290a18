import { useId } from "react";
import { TRACKER_SERVICES } from "../../../tracking/clients.ts";
import type { TrackerChoice } from "../../../workers/protocol.ts";

/** A tracker as the user enters it; `service` is "" for none. */
export interface TrackerFields {
  readonly service: TrackerChoice["service"] | "";
  readonly address: string;
  readonly key: string;
}

interface Props {
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
export function TrackerOptions({ tracker, onChange }: Props) {
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
