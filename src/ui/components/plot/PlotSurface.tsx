import { memo, useId, useMemo } from "react";
import { plotSurface } from "./plotDrawing.ts";
import type { PlotScene } from "./plotScene.ts";

/** Axes, bands and lines of a chart, in the same drawing that files have. */
export const PlotSurface = memo(function PlotSurface({ scene }: { readonly scene: PlotScene }) {
  const clip = useId();
  const drawn = useMemo(() => plotSurface(scene, (name) => `var(--${name})`, clip), [scene, clip]);
  return (
    <svg
      className="plot__surface cover cropped"
      width={scene.width}
      height={scene.height}
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: plotSurface escapes each text.
      dangerouslySetInnerHTML={{ __html: drawn }}
    />
  );
});
