import { type MouseEvent, Suspense } from "react";
import { Alerts } from "./components/Alerts.tsx";
import { ErrorBoundary } from "./components/ErrorBoundary.tsx";
import { Footer } from "./components/Footer.tsx";
import { Header } from "./components/Header.tsx";
import { MessagePage } from "./components/MessagePage.tsx";
import { HomePage } from "./pages/home/HomePage.tsx";
import { EditorPage, KernelsPage, RunPage } from "./pages/lazyPages.ts";
import { useRoute } from "./routes/navigation.ts";
import { formatRoute, type Route } from "./routes/route.ts";
import type { Workbench } from "./state/Workbench.ts";
import { WorkbenchContext } from "./state/WorkbenchContext.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/shell.css";

function Page({ route }: { readonly route: Route }) {
  switch (route.page) {
    case "home":
      return <HomePage />;
    case "editor":
      return <EditorPage route={route} />;
    case "run":
      return <RunPage key={route.id} route={route} />;
    case "kernels":
      return <KernelsPage key={route.id} route={route} />;
    case "unknown":
      return (
        <MessagePage title="There is no such page">
          <p>
            Nothing is found at <code>{route.path}</code>. The link may be mistyped or come from another
            version.
          </p>
          <a className="button button--primary" href="#/">
            Go to the runs
          </a>
        </MessagePage>
      );
  }
}

/** The whole page. */
export function App({ workbench }: { readonly workbench: Workbench }) {
  const route = useRoute();
  return (
    <WorkbenchContext value={workbench}>
      <a className="button skip-link" href={`${formatRoute(route)}`} onClick={focusMain}>
        Skip to content
      </a>
      <Header page={route.page} />
      <Alerts />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary place={"id" in route ? `${route.page} ${route.id}` : route.page}>
          <Suspense fallback={<p className="page loading">Loading …</p>}>
            <Page route={route} />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
    </WorkbenchContext>
  );
}

/** The hash is the route, so the link moves the focus itself instead of an anchor. */
function focusMain(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
