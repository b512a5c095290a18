import { useState } from "react";
import type { Template } from "../../specs/templates.ts";
import { navigate } from "../routes/navigation.ts";
import { runRoute } from "../routes/route.ts";
import { useWorkbench } from "../state/Workbench.ts";
import { preloadRunPage } from "./lazyPages.tsx";

/** Starts a run from a template and opens it. Ignores calls while starting. */
export function useStartTemplate({ id, title, manifest }: Template): {
  starting: boolean;
  start: () => Promise<void>;
} {
  const workbench = useWorkbench();
  const [starting, setStarting] = useState(false);
  const start = async (): Promise<void> => {
    if (starting) return;
    setStarting(true);
    preloadRunPage();
    const worked = await workbench.attempt(async () => {
      const run = await workbench.coordinator.start(manifest, { device: "auto", name: title });
      navigate(runRoute(run));
    }, `start ${id}`);
    if (!worked) setStarting(false);
  };
  return { starting, start };
}
