import { type MouseEvent, useEffect, useRef } from "react";
import { ErrorBoundary } from "./components/ErrorBoundary.tsx";
import { Footer } from "./components/Footer.tsx";
import { Page } from "./pages/Page.tsx";
import { useRoute } from "./routes/navigation.ts";
import { formatRoute, pageKey } from "./routes/route.ts";
import { LossBanner } from "./shell/LossBanner.tsx";
import { PaletteHost } from "./shell/palette/PaletteHost.tsx";
import { Rail } from "./shell/Rail.tsx";
import { ShellEffects } from "./shell/ShellEffects.tsx";
import { Toasts } from "./shell/Toasts.tsx";
import type { Workbench } from "./state/Workbench.ts";
import { WorkbenchContext } from "./state/WorkbenchContext.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/shell.css";

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
