import { writeStored } from "../lib/stored.ts";
/** The user's theme setting; "system" follows the operating system and is not stored. */
export type Theme = "system" | "light" | "dark";

// Also read by public/theme.js, before this module loads.
const KEY = "rlkit.theme";

const listeners = new Set<() => void>();

/** Subscribes to changes of the theme. The returned function unsubscribes. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The current theme setting. */
export function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Applies a theme, and stores the choice if the browser allows it. */
export function setTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
  writeStored(KEY, theme === "system" ? null : theme);
}

/** Switches to the next theme. */
export function nextTheme(): void {
  const themes: readonly Theme[] = ["system", "light", "dark"];
  setTheme(themes[(themes.indexOf(currentTheme()) + 1) % themes.length] ?? "system");
}
