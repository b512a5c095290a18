/** Exposes the calls of a table to the thread that started this worker. */
import { expose, transfer } from "comlink";
import { installErrorTransfer } from "./errorTransfer.ts";
import {
  type Answer,
  type AnyCall,
  type CallsOf,
  type CallTable,
  callsBy,
  invoke,
} from "./protocol/callTable.ts";

/**
 * @param own Calls that this worker itself answers.
 * @param answer Answers any other call by its name. The arrays of its result may be moved, and are then gone here.
 */
export function serveCalls<T extends CallTable, Own extends Partial<CallsOf<T>>>(
  table: T,
  own: Own,
  answer: (name: Exclude<keyof T, keyof Own> & string, args: readonly unknown[]) => Promise<unknown>,
): void {
  installErrorTransfer();
  // A name that is not in `own` is one of the others.
  const calls = { ...callsBy(table, answer as Answer<T>), ...own } as Readonly<Record<string, AnyCall>>;
  expose(
    callsBy(table, async (name, args) => {
      const value = await invoke<string>(calls, name, args);
      const buffers = table[name]?.moves ? transferables(value) : [];
      return buffers.length === 0 ? value : transfer(value as object, buffers);
    }),
  );
}

/** The buffers of all typed arrays in plain data, each once, for transfer instead of copying. */
export function transferables(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    if (ArrayBuffer.isView(part)) {
      if (part.buffer instanceof ArrayBuffer) found.add(part.buffer);
      return;
    }
    for (const inner of Object.values(part)) visit(inner);
  };
  visit(value);
  return [...found];
}
