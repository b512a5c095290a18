interface NodeProcess {
  readonly getBuiltinModule?: (name: "node:os") => { readonly totalmem: () => number } | undefined;
  readonly constrainedMemory?: () => number;
}

/** Bytes that a run may take where a machine does not tell what it has. */
const UNKNOWN_BYTES = 17_179_869_184;

/** Bytes of memory that this machine has for the process, and whether it told them; browsers tell too little. */
export function machineMemory(): { readonly bytes: number; readonly known: boolean } {
  const { process } = globalThis as { readonly process?: NodeProcess };
  const total = process?.getBuiltinModule?.("node:os")?.totalmem();
  if (total === undefined) return { bytes: UNKNOWN_BYTES, known: false };
  // What a container allows; 0, or more than there is, where it allows all.
  const allowed = process?.constrainedMemory?.() ?? 0;
  return { bytes: allowed > 0 ? Math.min(total, allowed) : total, known: true };
}

/** Bytes as they stand in messages. */
export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;

/** "needs about 20 MB of memory, this machine has 10 MB". */
export function memoryNeed(needs: number): string {
  const { bytes, known } = machineMemory();
  const has = known ? "this machine has" : "allowed are";
  return `needs about ${megabytes(needs)} of memory, ${has} ${megabytes(bytes)}`;
}
