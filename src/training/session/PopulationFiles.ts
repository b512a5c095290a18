/** The policies of all members of a run's generations as files, to be kept. */
import { encodeSafetensors, type NewElite, safetensorsHeader } from "../../storage/index.ts";
import { memberFile } from "../loop/runFiles.ts";
import type { Kinds } from "../loop/Workload.ts";
import type { RunFiles } from "../loop/WorkloadDefinition.ts";
import { megabytes, policyFile } from "./EliteFiles.ts";
import type { Boundary } from "./RunSink.ts";

/** Greatest part of a run's time that is spent on these files, after the first milliseconds, which are free. */
const [SHARE, FREE] = [0.02, 500] as const;
/** Most bytes of a generation, so that some of them fit into the usual limit of a run. */
const MOST_BYTES = 8_000_000;

interface PopulationFilesParts<K extends Kinds> {
  readonly files: Pick<RunFiles<K>, "encodeAgent" | "policyOf">;
  /** Additional information for the files. */
  readonly facts: object;
  readonly warn: (message: string) => void;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Encodes populations. If one is too large, it says so, and encodes none from then on. */
export class PopulationFiles<K extends Kinds = Kinds> {
  readonly #parts: PopulationFilesParts<K>;
  /** When the first one was encoded, and milliseconds spent since. */
  #begin: number | null = null;
  #spent = 0;
  #isTooLarge = false;

  constructor(parts: PopulationFilesParts<K>) {
    this.#parts = parts;
  }

  /** The file of a generation: all its members by slot. Null if it would take too much time, or is too large. */
  encode({ state, generation, global_step, fitness }: Boundary<K>): NewElite | null {
    const { files, facts, warn, now } = this.#parts;
    const { policyOf } = files;
    const start = now();
    this.#begin ??= start;
    const isLate = this.#spent > FREE + SHARE * (start - this.#begin);
    if (!policyOf || !state.elite || this.#isTooLarge || isLate) return null;
    const policy = encodeSafetensors(
      state.members.map((member, slot) => {
        const data = policyFile(files, policyOf(member), facts);
        return [memberFile(slot), { shape: [data.length], data }] as const;
      }),
    );
    this.#spent += now() - start;
    this.#isTooLarge = policy.length > MOST_BYTES;
    if (!this.#isTooLarge) return { generation, global_step, fitness, index: state.elite.index, policy };
    warn(
      `Of past generations only elites and checkpoints are kept: the policies of all members take ${megabytes(policy.length)}, allowed ${megabytes(MOST_BYTES)}`,
    );
    return null;
  }
}

/**
 * The members in a file of {@link PopulationFiles}, by slot.
 * @param path Names the file in errors.
 * @throws StorageError like `decodeAgent`.
 */
export function decodePopulation<K extends Kinds>(
  bytes: Uint8Array,
  { decodeAgent }: Pick<RunFiles<K>, "decodeAgent">,
  path: string,
): readonly K["agent"][] {
  return safetensorsHeader(bytes, path).places.map(({ name, begin, end }) =>
    decodeAgent(bytes.slice(begin, end), `${path}/${name}`),
  );
}
