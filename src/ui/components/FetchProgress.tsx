import type { FetchProgress as Progress } from "../../workers/protocol/data.ts";
import { formatBytes } from "../lib/format.ts";

interface Props extends Progress {
  /** Id of the element that says what is fetched. */
  readonly labelledBy: string;
}

/** Bytes of a download so far, and of how many. */
export const fetchedBytes = ({ received, total }: Progress): string =>
  `${formatBytes(received)}${total === null ? "" : ` of ${formatBytes(total)}`}`;

/** How far a download is, as a bar and in words. */
export function FetchProgress({ labelledBy, received, total }: Props) {
  return (
    <>
      <progress aria-labelledby={labelledBy} {...(total === null ? {} : { value: received, max: total })} />
      <span className="fetched-bytes">
        {received === 0 ? "asking …" : received === total ? "checking …" : fetchedBytes({ received, total })}
      </span>
    </>
  );
}
