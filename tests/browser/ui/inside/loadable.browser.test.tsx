/** Components whose code is loaded when they are shown first. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished, vi } from "vitest";
import { ErrorBoundary } from "../../../../src/ui/components/ErrorBoundary.tsx";
import { loadable } from "../../../../src/ui/lib/loadable.tsx";
import { Workbench, WorkbenchContext } from "../../../../src/ui/state/Workbench.ts";
import { FakeCoordinator } from "../../../ui/inside/support/fakeCoordinator.ts";

const Greeting = ({ name }: { readonly name: string }) => <p>Hello {name}</p>;

/** Shows `children` behind an error boundary, until the test ends; another place tries again. */
function shown() {
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  const fake = new FakeCoordinator();
  const workbench = new Workbench(fake, 2 ** 31 - 1);
  onTestFinished(() => {
    root.unmount();
    container.remove();
    workbench.close();
    fake.close();
  });
  const show = (children: React.ReactNode, place = "here"): void =>
    root.render(
      <StrictMode>
        <WorkbenchContext value={workbench}>
          <ErrorBoundary place={place}>{children}</ErrorBoundary>
        </WorkbenchContext>
      </StrictMode>,
    );
  return { show, text: () => container.textContent };
}

/** Texts that an element has had. */
function texts(): { readonly seen: Set<string>; readonly Watch: () => React.ReactNode } {
  const seen = new Set<string>();
  return { seen, Watch: () => <i ref={(element) => void (element && seen.add("waiting"))} /> };
}

it("shows what it waits with until its code is there", async () => {
  let give: (component: typeof Greeting) => void = () => undefined;
  const load = vi.fn<() => Promise<typeof Greeting>>(
    () => new Promise<typeof Greeting>((resolve) => (give = resolve)),
  );
  const Late = loadable(load, <p>Waiting</p>);
  const { show, text } = shown();
  show(
    <>
      <Late name="Ada" />
      <Late name="Bo" />
    </>,
  );
  await expect.poll(text).toBe("WaitingWaiting");
  // It is asked for by an effect, which may run after what waits is there.
  await expect.poll(() => load.mock.calls.length).toBe(1);
  give(Greeting);
  await expect.poll(text).toBe("Hello AdaHello Bo");
  expect(load).toHaveBeenCalledTimes(1);
});

it("draws at once what was loaded ahead", async () => {
  const { seen, Watch } = texts();
  const load = vi.fn<() => Promise<typeof Greeting>>(async () => Greeting);
  const Early = loadable(load, <Watch />);
  Early.preload();
  await load.mock.results[0]?.value;
  await Promise.resolve();
  const { show, text } = shown();
  show(<Early name="Ada" />);
  await expect.poll(text).toBe("Hello Ada");
  expect(seen).toEqual(new Set());
  expect(load).toHaveBeenCalledTimes(1);
});

it("complains where its code cannot be loaded, and asks for it again when it is shown again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const load = vi
    .fn<() => Promise<typeof Greeting>>(async () => Greeting)
    .mockRejectedValueOnce(new Error("no network"));
  const Broken = loadable(load);
  const { show, text } = shown();
  show(<Broken name="Ada" />);
  await expect.poll(text).toContain("no network");
  show(<Broken name="Ada" />, "elsewhere");
  await expect.poll(text).toBe("Hello Ada");
});
