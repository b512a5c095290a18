import type { FetchProgress as Progress } from "../../workers/pages.ts";
import { formatBytes } from "../lib/format.ts";

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
