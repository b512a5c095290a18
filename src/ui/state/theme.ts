/** The person's choice of theme; "system" follows the operating system and is not stored. */
export type Theme = "system" | "light" | "dark";

// Read by public/theme.js too, before this module loads.
const KEY = "rlkit.theme";

const listeners = new Set<() => void>();

/** Hears of every other theme until the returned function is called. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The theme that the page shows. */
export function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Shows a theme and remembers it where the browser allows. */
export function setTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be blocked; the choice then lasts as long as the page.
  }
}

/** Goes on to the next theme. */
export function nextTheme(): void {
  const themes: readonly Theme[] = ["system", "light", "dark"];
  setTheme(themes[(themes.indexOf(currentTheme()) + 1) % themes.length] ?? "system");
}
