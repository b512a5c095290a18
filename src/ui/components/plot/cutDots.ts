import { formatThings } from "../../lib/format.ts";
import type { PlotScene } from "./plotScene.ts";

/** How many dots between the horizontal ends of a chart lie above and below its vertical axis, in words; "" for none. */
export function cutDots({ x, y, content }: Pick<PlotScene, "x" | "y" | "content">): {
  readonly above: string;
  readonly below: string;
} {
  const told = (isCut: (value: number) => boolean): string =>
    content.dots
      .flatMap((dots) => {
        const { length } = Array.from(dots.y).filter((value, at) => {
          const place = dots.x[at] ?? Number.NaN;
          return isCut(value) && place >= x.domain[0] && place <= x.domain[1];
        });
        return length === 0 ? [] : [formatThings(length, dots.label)];
      })
      .join(", ");
  return { above: told((value) => value > y.domain[1]), below: told((value) => value < y.domain[0]) };
}
