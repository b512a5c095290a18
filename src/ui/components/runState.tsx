import type { FetchProgress as Progress } from "../../workers/pages.ts";
import type { RunStatus, RunSummary } from "../../workers/protocol.ts";
import { formatBytes } from "../lib/format.ts";
import { useRemotePlatform } from "../state/remotePlatform.ts";
import "./components.css";

/**
 * The displayed state of a run: "fetching" while its data set downloads and "queued" while it waits for other
 * runs, because it has not been stopped.
 */
export const shownState = ({
  state,
  fetch,
  waiting,
}: Pick<RunSummary, "state" | "fetch" | "waiting">): RunStatus | "fetching" =>
  fetch !== null ? "fetching" : waiting ? "queued" : state;

/** A run's state, as a word and a colour. */
export function StateBadge({ state }: { readonly state: RunStatus | "fetching" }) {
  return (
    <span className={`state-badge state-badge--${state}`}>
      <span className="state-badge__dot" aria-hidden="true" />
      {state}
    </span>
  );
}

interface Props extends Progress {
  /** Id of the element that names the download. */
  readonly labelledBy: string;
}

/** Bytes received so far, and the total if known. */
export const fetchedBytes = ({ received, total }: Progress): string =>
  `${formatBytes(received)}${total === null ? "" : ` of ${formatBytes(total)}`}`;

/** The progress of a download, as a bar and as text. */
export function FetchProgress({ labelledBy, received, total }: Props) {
  return (
    <>
      <progress aria-labelledby={labelledBy} {...(total === null ? {} : { value: received, max: total })} />
      <span className="fetched-bytes">
        {received === 0
          ? "connecting…"
          : received === total
            ? "verifying…"
            : fetchedBytes({ received, total })}
      </span>
    </>
  );
}

/** A notice shown while the platform is disconnected or not answering. */
export function LinkNote() {
  const { platform, silence } = useRemotePlatform();
  if (platform !== null && silence === null) return null;
  return (
    <output className="callout callout--warning">
      {platform === null
        ? "The platform is disconnected. This page shows the last data received."
        : `Reconnecting… This page shows the last data received. ${silence}`}
    </output>
  );
}
