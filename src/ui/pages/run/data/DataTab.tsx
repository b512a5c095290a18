import { useStore } from "zustand";
import { RowsPanel } from "../../../languageModels/RowsPanel.tsx";
import type { RunView } from "../../../state/RunView.ts";

/** The rows of a run's data set, as its members read them. */
export function DataTab({ session }: { readonly session: RunView }) {
  const manifest = useStore(session.view, (view) => view.manifest);
  return <RowsPanel manifest={manifest} />;
}
