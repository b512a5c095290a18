import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/primitives.css";
import { X } from "lucide-react";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { Button, IconButton } from "./components/Button.tsx";
import { ErrorBoundary } from "./components/ErrorBoundary.tsx";
import { loadable } from "./lib/loadable.tsx";
import { listenForShortcuts, useShortcut } from "./lib/shortcuts.ts";
import { Page } from "./pages/Page.tsx";
import { navigate, useRoute } from "./routes/navigation.ts";
import { editorRoute, formatRoute, pageKey, runsRoute } from "./routes/route.ts";
import { Rail } from "./shell/Rail.tsx";
import { liveRun } from "./state/runList.ts";
import { nextTheme } from "./state/theme.ts";
import type { Toast } from "./state/toasts.ts";
import { useWorkbench, useWorkbenchState, type Workbench, WorkbenchContext } from "./state/Workbench.ts";
import "./styles/shell.css";

/** Browsers ask only after a user interaction, and log a warning if asked to before that. */
function warn(event: BeforeUnloadEvent): void {
  if (navigator.userActivation?.hasBeenActive !== false) event.preventDefault();
}

/** Makes the browser ask for confirmation before closing a tab in which a run trains or is not saved. */
function useLeaveWarning(): void {
  const trains = useWorkbenchState(({ list, leaving }) => {
    const run = liveRun(list, leaving);
    const isUnsaved = list.runs?.some(({ unsaved, live_elsewhere }) => unsaved !== null && !live_elsewhere);
    return isUnsaved === true || (run?.state === "running" && !run.live_elsewhere);
  });
  useEffect(() => {
    if (!trains) return undefined;
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [trains]);
}

/** Invisible behaviour of all pages: global shortcuts, and the warning before a training tab closes. */
function ShellEffects() {
  useLeaveWarning();
  useEffect(listenForShortcuts, []);
  useShortcut("g r", () => navigate(runsRoute));
  useShortcut("g n", () => navigate(editorRoute()));
  useShortcut("?", () => navigate({ page: "help" }));
  useShortcut("t", nextTheme);
  return null;
}

const reload = (): void => window.location.reload();

/** An error banner, shown after the coordinator is lost. */
function LossBanner() {
  const loss = useWorkbenchState((state) => state.loss);
  if (loss === null) return null;
  return (
    <div className="shell__banner" role="alert">
      <div className="callout callout--error">
        <p>
          {loss}
          {"\n"}Your saved data is safe. Reload the page; you can then resume a run that was training from its
          last checkpoint.
        </p>
        <Button onClick={reload}>Reload</Button>
      </div>
    </div>
  );
}

/**
 * Toast messages at the bottom right, each shown until it is dismissed, its cause is resolved or the page
 * changes.
 */
function Toasts() {
  const { toasts } = useWorkbench();
  const shown = useStore(toasts.state);
  const errors = shown.filter(({ tone }) => tone === "error");
  const others = shown.filter(({ tone }) => tone === "info");
  const row = (toast: Toast) => (
    <ToastRow key={toast.id} toast={toast} onClose={() => toasts.dismiss(toast.id)} />
  );
  return (
    <div className="toasts grid gap-2">
      <div aria-live="polite">{others.map(row)}</div>
      {errors.length > 0 && <div role="alert">{errors.map(row)}</div>}
    </div>
  );
}

function ToastRow({ toast, onClose }: { readonly toast: Toast; readonly onClose: () => void }) {
  const { message, action, tone } = toast;
  return (
    <div className={`toast toast--${tone}`}>
      <p>{message}</p>
      {action !== null && (
        <Button
          small
          onClick={() => {
            action.perform();
            onClose();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label="Dismiss" icon={X} onClick={onClose} />
    </div>
  );
}

/** Links to the notices of third-party code; the build writes the file (scripts/lib/notices.mjs). */
function Footer() {
  return (
    <footer className="page footer tiny">
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
        <div className="fill shell__column shrinks">
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
