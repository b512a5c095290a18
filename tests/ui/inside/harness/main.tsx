/** The workbench on a coordinator that only pretends to train: `npx vite tests/ui/harness`. For looks, not for tests. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { templates } from "../../../../src/manifests/templates.ts";
import { App } from "../../../../src/ui/App.tsx";
import { Workbench } from "../../../../src/ui/state/Workbench.ts";
import { FakeCoordinator } from "../support/fakeCoordinator.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("The harness has no root.");

const parameters = new URLSearchParams(window.location.search);
const fake = new FakeCoordinator({ interval: Number(parameters.get("interval") ?? 250) });
const past = Number(parameters.get("past") ?? 12);
if (!parameters.has("empty")) {
  for (const [position, template] of templates.slice(0, 5).entries()) {
    const run = fake.add({ ...template.manifest }, { name: template.title });
    for (let generation = 0; generation < past; generation += 1) run.generation();
    run.setState(
      (["running", "paused", "interrupted", "finished", "failed"] as const)[position] ?? "stopped",
    );
    if (run.state === "failed") {
      run.setState(
        "failed",
        "Member 2 had weights that are no numbers after generation 12. Resume goes on from the last checkpoint; a lower learning rate usually helps.",
      );
    }
    if (position === 0)
      run.notice("warning", "A generation (4,000 steps) is shorter than 16 full episodes of CartPole-v1.");
  }
}
Object.assign(window, { fake });
createRoot(root).render(
  <StrictMode>
    <App workbench={new Workbench(fake)} />
  </StrictMode>,
);
