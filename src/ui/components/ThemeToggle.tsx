import { useState } from "react";
import { currentTheme, setTheme, type Theme } from "../state/theme.ts";
import { Segments } from "./Segments.tsx";

const THEMES: Readonly<Record<Theme, string>> = { system: "Auto", light: "Light", dark: "Dark" };

/** Chooses between the system's theme, light and dark. */
export function ThemeToggle() {
  const [theme, choose] = useState(currentTheme);
  return (
    <Segments
      label="Theme"
      options={THEMES}
      value={theme}
      onChange={(next) => {
        setTheme(next);
        choose(next);
      }}
    />
  );
}
