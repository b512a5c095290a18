import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/primitives.css";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { ErrorBoundary } from "./components/ErrorBoundary.tsx";
import { loadable } from "./lib/loadable.tsx";
import { Page } from "./pages/Page.tsx";
import { useRoute } from "./routes/navigation.ts";
import { formatRoute, pageKey } from "./routes/route.ts";
import { Rail } from "./shell/Rail.tsx";
import { LossBanner, ShellEffects } from "./shell/ShellEffects.tsx";
import { Toasts } from "./shell/Toasts.tsx";
import { type Workbench, WorkbenchContext } from "./state/Workbench.ts";
import "./styles/shell.css";

/** Links to the notices of third-party code; the build writes the file (scripts/lib/notices.mjs). */
function Footer() {
  return (
    <footer className="page footer">
      <a href="./third-party-notices.txt">Third-party notices</a>
    </footer>
  );
}

const CommandPalette = loadable(
  async () => (await import("./shell/palette/CommandPalette.tsx")).CommandPalette,
);

/** Opens the command palette on Ctrl+K or Cmd+K, wherever the focus is. */
function PaletteHost() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (
        event.key.toLowerCase() !== "k" ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
      )
        return;
      event.preventDefault();
      setOpen((isOpen) => !isOpen);
    };
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  }, []);
  return open && <CommandPalette onClose={() => setOpen(false)} />;
}

/** The workbench's root component. */
export function App({ workbench }: { readonly workbench: Workbench }) {
  const route = useRoute();
  const place = pageKey(route);
  useEffect(() => void workbench.refresh(), [workbench]);
  const left = useRef(place);
  useEffect(() => {
    if (left.current !== place) workbench.toasts.leavePage();
    left.current = place;
  }, [workbench, place]);
  return (
    <WorkbenchContext value={workbench}>
      <ShellEffects />
      <nav aria-label="Skip links">
        <a className="button skip-link" href={`${formatRoute(route)}`} onClick={focusMain}>
          Skip to content
        </a>
      </nav>
      <div className="shell">
        <Rail route={route} />
        <div className="shell__column">
          <LossBanner />
          <main id="main" tabIndex={-1}>
            <ErrorBoundary place={place}>
              <Page route={route} />
            </ErrorBoundary>
          </main>
          <Footer />
        </div>
      </div>
      <Toasts />
      <PaletteHost />
    </WorkbenchContext>
  );
}

/** The URL hash holds the route, so the link moves the focus itself instead of using an anchor. */
function focusMain(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
