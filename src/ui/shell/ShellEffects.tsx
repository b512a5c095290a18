import { useEffect } from "react";
import { listenForShortcuts } from "../lib/shortcuts.ts";
import { useShortcut } from "../lib/useShortcut.ts";
import { navigate } from "../routes/navigation.ts";
import { editorRoute, runsRoute } from "../routes/route.ts";
import { nextTheme } from "../state/theme.ts";
import { useLeaveWarning } from "./useLeaveWarning.ts";

/** Invisible behaviour of all pages: global shortcuts, and the warning before a training tab closes. */
export function ShellEffects() {
  useLeaveWarning();
  useEffect(listenForShortcuts, []);
  useShortcut("g r", () => navigate(runsRoute));
  useShortcut("g n", () => navigate(editorRoute()));
  useShortcut("?", () => navigate({ page: "help" }));
  useShortcut("t", nextTheme);
  return null;
}
