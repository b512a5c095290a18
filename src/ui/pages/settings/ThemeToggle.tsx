import { useSyncExternalStore } from "react";
import { Segments } from "../../components/buttons.tsx";
import { currentTheme, onTheme, setTheme, type Theme } from "../../state/theme.ts";

const THEMES: Readonly<Record<Theme, string>> = { system: "Auto", light: "Light", dark: "Dark" };

/** Chooses between the system's theme, light and dark. */
export function ThemeToggle() {
  const theme = useSyncExternalStore(onTheme, currentTheme);
  return <Segments label="Theme" options={THEMES} value={theme} onChange={setTheme} />;
}
