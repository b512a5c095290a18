import { useEffect, useState } from "react";
import type { Rows } from "./forest.ts";
import type { ImportanceAnswer } from "./importance.ts";

/** The answer to a request, or why there is none. */
export type ImportanceState =
  | { readonly state: "computing" }
  | { readonly state: "known"; readonly rows: Rows; readonly answer: ImportanceAnswer }
  | { readonly state: "failed"; readonly problem: string };

const startWorker = (): Worker =>
  new Worker(new URL("./importance.worker.ts", import.meta.url), {
    type: "module",
    name: "rlkit importance",
  });

/** Asks a worker of its own. A new request ends the one before; its answer is shown until the next is known. */
export function useImportance(rows: Rows | null): ImportanceState {
  const [state, setState] = useState<ImportanceState>({ state: "computing" });
  useEffect(() => {
    if (rows === null) return;
    const worker = startWorker();
    worker.onmessage = ({ data }: MessageEvent<ImportanceAnswer>) =>
      setState({ state: "known", rows, answer: data });
    worker.onerror = ({ message }) => setState({ state: "failed", problem: message || "its worker ended" });
    const { inputs, outputs } = rows;
    worker.postMessage({ inputs, outputs });
    return () => worker.terminate();
  }, [rows]);
  return state;
}
