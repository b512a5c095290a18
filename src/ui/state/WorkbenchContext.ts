import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { Workbench, WorkbenchState } from "./Workbench.ts";

export const WorkbenchContext = createContext<Workbench | null>(null);

/** The page's model. */
export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext);
  if (workbench === null) throw new Error("useWorkbench is used outside of WorkbenchContext.");
  return workbench;
}

/** A part of the page's model, kept up to date. */
export function useWorkbenchState<T>(select: (state: WorkbenchState) => T): T {
  return useStore(useWorkbench().state, select);
}
