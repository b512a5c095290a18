import { strFromU8 } from "fflate";
import { messageOf } from "../lib/format.ts";
import { unpackBytes } from "../lib/packedBytes.ts";

/** A run in the link of live.html. */
export interface LinkedRun {
  /** What tells it from the other run of the link; "" if it is alone. */
  readonly title: string;
  /** Its manifest as YAML or JSON; null if it cannot be read. */
  readonly manifest: string | null;
  /** Why it cannot be read. */
  readonly problem: string | null;
}

interface LiveLink {
  readonly runs: readonly LinkedRun[];
  readonly theme: "light" | "dark" | null;
}

/** At most a run and its pair. */
const MOST = 2;
/** The manifests of documents have less than a kilobyte each. */
const LIMITS = { letters: 10_000, bytes: 50_000 };

function linkedRun(letters: string, title: string): LinkedRun {
  try {
    return { title, manifest: strFromU8(unpackBytes(letters, LIMITS)), problem: null };
  } catch (error) {
    const problem = `The manifest in this link cannot be read: ${messageOf(error)}.`;
    return { title, manifest: null, problem };
  }
}

/** Reads `#/live?spec=...&title=...&theme=dark`, with one or two runs. */
export function readLiveLink(hash: string): LiveLink {
  const parameters = new URLSearchParams(hash.split("?")[1] ?? "");
  const titles = parameters.getAll("title");
  const specs = parameters.getAll("spec").slice(0, MOST);
  const theme = parameters.get("theme");
  return {
    runs: specs.map((letters, at) => linkedRun(letters, titles[at] ?? "")),
    theme: theme === "light" || theme === "dark" ? theme : null,
  };
}

/** Whether a page of the same origin shows this one in a frame, after a click there. */
export function isFramedByOwnSite(): boolean {
  if (window.parent === window) return false;
  try {
    return window.parent.location.origin === window.location.origin;
  } catch {
    // The frame's page belongs to another origin.
    return false;
  }
}
