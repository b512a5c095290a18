import { pictureOf } from "../../lib/drawnPicture.ts";
import { saveFile, saveText } from "../../lib/files.ts";
import { plotSlug } from "../../routes/plotViews.ts";
import type { PlotEntry } from "./PlotModel.ts";
import { plotDrawing } from "./plotDrawing.ts";
import type { PlotScene } from "./plotScene.ts";
import { plotTable } from "./plotTable.ts";
import { plotTheme } from "./plotTheme.ts";

interface SavedPlot {
  readonly title: string;
  readonly scene: PlotScene;
  readonly legend: readonly PlotEntry[];
  /** The chart's element, which has its colours. */
  readonly element: HTMLElement | null;
}

/**
 * Saves a chart as it is shown, or its numbers, through the browser's downloads.
 * @throws Error if the browser cannot make a PNG
 */
export async function savePlot(kind: "png" | "svg" | "csv", plot: SavedPlot): Promise<void> {
  const name = plotSlug(plot.title);
  if (kind === "csv") {
    saveText(`${name}.csv`, "text/csv", plotTable(plot.scene.model));
    return;
  }
  const theme = plotTheme(plot.element ?? document.body);
  const drawing = plotDrawing(plot, theme, theme.colour.surface);
  if (kind === "svg") saveText(`${name}.svg`, "image/svg+xml", drawing.svg);
  else saveFile({ name: `${name}.png`, type: "image/png", bytes: await pictureOf(drawing) });
}
