import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { onTestFinished, vi } from "vitest";
import { App } from "../../../../src/ui/App.tsx";
import { Workbench } from "../../../../src/ui/state/Workbench.ts";
import { FakeCoordinator } from "./fakeCoordinator.ts";

/** As long as a timer can wait: no test depends on the clock. */
const NEVER = 2 ** 31 - 1;

export interface RenderedApp {
  readonly fake: FakeCoordinator;
  readonly workbench: Workbench;
  /** What React and the page complained of. */
  readonly complaints: readonly unknown[][];
}

/**
 * Shows the workbench on a pretended coordinator, at a place such as "#/runs/run-1", until the test ends.
 *
 * @param prepare fills the coordinator before the page opens
 */
export function renderApp(
  hash: string,
  prepare: (fake: FakeCoordinator) => void = () => undefined,
): RenderedApp {
  const complaints: unknown[][] = [];
  const hear = (...words: unknown[]): void => void complaints.push(words);
  const spies = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
  for (const spy of spies) spy.mockImplementation(hear);
  window.history.replaceState(null, "", hash);
  const fake = new FakeCoordinator();
  prepare(fake);
  const workbench = new Workbench(fake, NEVER);
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  root.render(
    <StrictMode>
      <App workbench={workbench} />
    </StrictMode>,
  );
  onTestFinished(() => {
    root.unmount();
    container.remove();
    workbench.close();
    fake.close();
    for (const spy of spies) spy.mockRestore();
    window.history.replaceState(null, "", "#/");
  });
  return { fake, workbench, complaints };
}
