import { type PointerEvent, useEffect, useRef } from "react";
import { plotTheme } from "../../../components/plot/plotTheme.ts";
import { contextInPixels, onThemeChange } from "../../../lib/drawing.ts";
import { useElementWidth } from "../../../lib/useElement.ts";
import type { Range } from "../../../series/hyperparameterRanges.ts";
import { axisAt, drawParallel, type ParallelScene, yShare } from "./drawParallel.ts";
import { valueAt } from "./parallel.ts";

interface Props {
  readonly scene: ParallelScene;
  /** A description of the drawing for screen readers. */
  readonly summary: string;
  /** Called when the filter of an axis changes; null removes it. */
  readonly onBrush: (name: string, brush: Range | null) => void;
}

const HEIGHT = 320;

/** Parallel coordinates. Dragging along an axis filters agents by a range of its values. */
export function ParallelCanvas({ scene, summary, onBrush }: Props) {
  const { width, ref } = useElementWidth();
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useRef<{ readonly at: number; readonly y: number } | null>(null);
  const size = { width, height: HEIGHT };

  useEffect(() => {
    const element = canvas.current;
    if (element === null || width === 0) return undefined;
    const draw = (): void => {
      const context = contextInPixels(element);
      const theme = plotTheme(element.parentElement ?? document.body);
      if (context !== null) drawParallel(context, scene, theme, { width, height: HEIGHT });
    };
    const frame = requestAnimationFrame(draw);
    const forgetTheme = onThemeChange(draw);
    return () => {
      cancelAnimationFrame(frame);
      forgetTheme();
    };
  }, [scene, width]);

  const down = ({ nativeEvent: { offsetX, offsetY }, pointerId, currentTarget }: PointerEvent): void => {
    const at = axisAt(offsetX, scene.axes.length, size);
    if (at < 0) return;
    currentTarget.setPointerCapture(pointerId);
    drag.current = { at, y: offsetY };
  };
  const move = ({ nativeEvent: { offsetY } }: PointerEvent): void => {
    const held = drag.current;
    const axis = held === null ? undefined : scene.axes[held.at];
    if (held === null || axis === undefined || Math.abs(offsetY - held.y) < 3) return;
    const ends = [held.y, offsetY].map((y) => valueAt(axis.dimension, axis.setting.log, yShare(y, size)));
    onBrush(axis.dimension.name, { min: Math.min(...ends), max: Math.max(...ends) });
  };
  const up = ({ nativeEvent: { offsetY } }: PointerEvent): void => {
    const held = drag.current;
    drag.current = null;
    const axis = held === null ? undefined : scene.axes[held.at];
    // A click on an axis removes its filter.
    if (held !== null && axis !== undefined && Math.abs(offsetY - held.y) < 3)
      onBrush(axis.dimension.name, null);
  };

  return (
    <div ref={ref} className="parallel__stage">
      <canvas
        ref={canvas}
        style={{ height: `${HEIGHT}px` }}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={() => {
          drag.current = null;
        }}
      >
        {summary}
      </canvas>
    </div>
  );
}
