/**
 * A run as a file that a theatre plays: its generations, who came from whom, and quantised policies. A member's policy is one
 * of the `structures` and a part of the bytes ({@link joined}, deflated).
 */
import { joined, parted } from "./joined.ts";

export type * from "./champion.ts";
export * from "./clip.ts";
export { parted };

/** A member of a recorded generation. */
export interface RecordedMember {
  readonly index: number;
  /** Index of the member that it was cloned from, or its own if it stayed; null in the first generation. */
  readonly parent: number | null;
  readonly fitness: number;
  /** Its mutation in words; null if it has none. */
  readonly note: string | null;
  /** Position of its policy's header in `structures`. */
  readonly structure: number;
  /** Bytes of its policy's body; the bodies follow one another. */
  readonly size: number;
}

/** Where a recording comes from. */
export interface Provenance {
  /** The command that trains the run and writes the file. */
  readonly command: string;
  readonly seed: number;
  /** SHA-256 of the manifest as JSON. */
  readonly manifest_sha256: string;
  /** Weights of a tensor have at most 2 levels + 1 values. */
  readonly levels: number;
}

export interface RecordedRun {
  readonly version: 1;
  readonly environment: string;
  readonly provenance: Provenance;
  /** Headers of packed policies, as JSON. */
  readonly structures: readonly string[];
  readonly generations: readonly {
    readonly generation: number;
    readonly members: readonly RecordedMember[];
  }[];
}

/** A recording and the policies of its members, by generation and slot. */
export interface Recording {
  readonly run: RecordedRun;
  readonly policies: readonly (readonly Uint8Array<ArrayBuffer>[])[];
}

/** @param bodies Of all members, in order. */
export const encodeRecording = (run: RecordedRun, bodies: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(bodies.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const body of bodies) {
    whole.set(body, at);
    at += body.length;
  }
  return joined(JSON.stringify(run), whole);
};

/** @throws Error for bytes that {@link encodeRecording} did not write. */
export function decodeRecording(bytes: Uint8Array): Recording {
  const { header, body } = parted(bytes);
  const run: RecordedRun = JSON.parse(header());
  if (run.version !== 1)
    throw new Error(
      `The recording has version ${run.version}, and this build reads version 1; build the site again.`,
    );
  let at = 0;
  const policies = run.generations.map(({ members }) =>
    members.map(({ structure, size }) => {
      at += size;
      return joined(run.structures[structure] ?? "", body.subarray(at - size, at));
    }),
  );
  if (at !== body.length)
    throw new Error(
      `The recording has ${body.length} bytes of policies, and its members ${at}; build the site again.`,
    );
  return { run, policies };
}
