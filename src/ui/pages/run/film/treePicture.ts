import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { plotTheme } from "../../../components/plot/plotTheme.ts";
import type { LineageColours } from "../../../series/lineageColours.ts";
import { fitnessScale } from "../../../series/scales.ts";
import { deliveredAsOf, LineageGraph, lineageFate } from "../descent/LineageGraph.ts";
import { drawLineage } from "../lineage/drawLineage.ts";
import { placesOf } from "../lineage/treeLayout.ts";
import { whole } from "../lineage/viewport.ts";

/** Size of the picture in a poster, CSS pixels. */
const SIZE = { width: 864, height: 480 } as const;

/**
 * The family tree of a whole run.
 * @param champion identity of the agent whose line is on top; null for the elite
 * @param place element whose theme colours it
 */
export async function treePicture(
  columns: HistoryColumns,
  colours: LineageColours,
  champion: number | null,
  place: HTMLElement,
): Promise<ImageBitmap> {
  const graph = new LineageGraph();
  graph.catchUp(columns);
  const row = columns.generations - 1;
  const scale = fitnessScale(columns.fitness);
  const places = placesOf("lanes", "generation", graph, columns, scale);
  const scene = {
    graph,
    columns,
    colours,
    scale,
    places,
    fate: lineageFate(graph, columns, row, deliveredAsOf(columns, row, champion)),
    selected: null,
    lit: null,
    cursor: -1,
  };
  const canvas = document.createElement("canvas");
  canvas.width = 2 * SIZE.width;
  canvas.height = 2 * SIZE.height;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("This browser provides no 2D canvas, so there is no poster.");
  context.scale(2, 2);
  const stage = { ...SIZE, rows: columns.generations, lanes: places.lanes };
  drawLineage({ context, scene, theme: plotTheme(place), view: whole(stage), stage });
  return createImageBitmap(canvas);
}
