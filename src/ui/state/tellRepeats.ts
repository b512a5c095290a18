import { navigate } from "../routes/navigation.ts";
import { runsRoute } from "../routes/route.ts";
import type { Workbench } from "./Workbench.ts";

/** Says that repeats of a run wait in the queue, with a button that shows their group. */
export function tellRepeats({ toasts }: Workbench, group: string): void {
  toasts.show({
    tone: "info",
    message: `The repeats of “${group}” train one after another.`,
    lasting: true,
    action: { label: "Show the group", perform: () => navigate({ ...runsRoute, group: "repeats" }) },
  });
}
