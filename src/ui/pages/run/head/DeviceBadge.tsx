import { useId, useState } from "react";
import type { DeviceInfo } from "../../../../workers/protocol.ts";

/** The run's training device; pressing it shows why it was chosen. */
export function DeviceBadge({ device }: { readonly device: Pick<DeviceInfo, "label" | "reason"> }) {
  const [open, setOpen] = useState(false);
  const reason = useId();
  return (
    <>
      <button
        type="button"
        className="device-badge"
        title={device.reason}
        aria-expanded={open}
        aria-controls={reason}
        onClick={() => setOpen(!open)}
      >
        {device.label}
      </button>
      <p id={reason} className="device-reason" hidden={!open}>
        {device.reason}
      </p>
    </>
  );
}
