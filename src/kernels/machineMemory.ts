interface NodeProcess {
  readonly getBuiltinModule?: (name: "node:os") => { readonly totalmem: () => number } | undefined;
  readonly constrainedMemory?: () => number;
}

/** Bytes that a run may use if the machine's memory is unknown. */
const UNKNOWN_BYTES = 17_179_869_184;

/** Bytes of memory available to the process, and whether they are known; browsers reveal too little. */
export function machineMemory(): { readonly bytes: number; readonly known: boolean } {
  const { process } = globalThis as { readonly process?: NodeProcess };
  const total = process?.getBuiltinModule?.("node:os")?.totalmem();
  if (total === undefined) return { bytes: UNKNOWN_BYTES, known: false };
  // The container's limit; 0, or more than the total, if there is no limit.
  const allowed = process?.constrainedMemory?.() ?? 0;
  return { bytes: allowed > 0 ? Math.min(total, allowed) : total, known: true };
}

/** Formats bytes for messages. */
export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;

/** "needs about 20 MB of memory, this machine has 10 MB". */
export function memoryNeed(needs: number): string {
  const { bytes, known } = machineMemory();
  const has = known ? "this machine has" : "the limit is";
  return `needs about ${megabytes(needs)} of memory, ${has} ${megabytes(bytes)}`;
}
