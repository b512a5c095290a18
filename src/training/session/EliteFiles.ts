/** The elites of a run's generations as files, to be kept. */
import type { NewElite } from "../../storage/index.ts";
import { halfAgentFile } from "../files/halfAgentFile.ts";
import type { Kinds } from "../loop/Workload.ts";
import type { RunFiles } from "../loop/WorkloadDefinition.ts";
import type { Boundary } from "./RunSink.ts";

/** Most bytes of a policy of which every generation's is kept: encoding more would slow training down. */
const MOST_BYTES = 4_000_000;

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** A policy's file. Of its evaluations the last suffices, so that an elite that stays the same is the same file. */
export const policyFile = <K extends Kinds>(
  files: Pick<RunFiles<K>, "encodeAgent">,
  policy: K["agent"],
  facts: object,
): Uint8Array => halfAgentFile(files.encodeAgent({ ...policy, fitness: policy.fitness.slice(-1) }, facts));

/** Encodes elites. If one is too large, it says so, and encodes none from then on. */
export class EliteFiles<K extends Kinds = Kinds> {
  readonly #files: Pick<RunFiles<K>, "encodeAgent">;
  readonly #facts: object;
  readonly #warn: (message: string) => void;
  #isTooLarge = false;

  /** @param facts Additional information for the files. */
  constructor(files: Pick<RunFiles<K>, "encodeAgent">, facts: object, warn: (message: string) => void) {
    this.#files = files;
    this.#facts = facts;
    this.#warn = warn;
  }

  /** The file of an elite; null if it is too large. */
  encode(
    policy: K["agent"],
    { generation, global_step, fitness }: Pick<Boundary<K>, "generation" | "global_step" | "fitness">,
  ): NewElite | null {
    if (this.#isTooLarge) return null;
    const file = policyFile(this.#files, policy, this.#facts);
    this.#isTooLarge = file.byteLength > MOST_BYTES;
    if (!this.#isTooLarge) return { generation, global_step, fitness, index: policy.index, policy: file };
    this.#warn(
      `Elites of past generations are not kept any more: a policy takes ${megabytes(file.byteLength)}, allowed ${megabytes(MOST_BYTES)}. Past generations show the nearest elite or checkpoint that is kept`,
    );
    return null;
  }
}
