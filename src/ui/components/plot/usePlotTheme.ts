import { type RefObject, useEffect, useState } from "react";
import { onThemeChange } from "../../lib/drawing.ts";
import { type PlotTheme, plotTheme } from "./plotTheme.ts";

/** The colours that apply to an element, kept up to date; null before it is there. */
export function usePlotTheme(element: RefObject<HTMLElement | null>): PlotTheme | null {
  const [theme, setTheme] = useState<PlotTheme | null>(null);
  useEffect(() => {
    const read = (): void => {
      if (element.current !== null) setTheme(plotTheme(element.current));
    };
    read();
    return onThemeChange(read);
  }, [element]);
  return theme;
}
