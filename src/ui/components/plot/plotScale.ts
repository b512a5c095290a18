import type { PlotRange } from "../../routes/plotViews.ts";
import { ticksWithin } from "../../series/scales.ts";

/** An axis: its ends as values and as pixels. */
export interface PlotScale {
  readonly domain: PlotRange;
  /** The pixels of `domain`; descending for a vertical axis. */
  readonly pixels: readonly [number, number];
  readonly log: boolean;
  readonly ticks: readonly number[];
}

type Ends = Pick<PlotScale, "domain" | "pixels" | "log">;

/** The pixel of a value. */
export function toPixel({ domain: [low, high], pixels: [from, to], log }: Ends, value: number): number {
  const share = log
    ? (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))
    : (value - low) / (high - low);
  return from + share * (to - from);
}

/** The value at a pixel, which may lie beyond the axis. */
export function toValue({ domain: [low, high], pixels: [from, to], log }: Ends, pixel: number): number {
  const share = (pixel - from) / (to - from);
  return log ? low * (high / low) ** share : low + share * (high - low);
}

/** The ends of an axis whose pixels `from` and `to` become its ends. */
export function zoomedTo(scale: Ends, from: number, to: number): PlotRange {
  const ends = [toValue(scale, from), toValue(scale, to)];
  return [Math.min(...ends), Math.max(...ends)];
}

/** The ends of an axis after a zoom around a pixel. @param factor below 1 to see less */
export const zoomedAround = (scale: Ends, pixel: number, factor: number): PlotRange =>
  zoomedTo(scale, pixel + (scale.pixels[0] - pixel) * factor, pixel + (scale.pixels[1] - pixel) * factor);

const FEW = 3;

/** Round positions on a logarithmic axis: powers of ten, or 1, 2 and 5 times them if there are few. */
function logTicks([low, high]: PlotRange, count: number): readonly number[] {
  const powers = Array.from(
    { length: Math.max(0, Math.floor(Math.log10(high)) - Math.floor(Math.log10(low)) + 1) },
    (_, at) => 10 ** (Math.floor(Math.log10(low)) + at),
  );
  const within = (ticks: readonly number[]) => ticks.filter((tick) => tick >= low && tick <= high);
  const whole = within(powers);
  if (whole.length >= FEW) {
    const step = Math.ceil(whole.length / Math.max(FEW, count));
    return whole.filter((_, at) => at % step === 0);
  }
  const parts = within(powers.flatMap((power) => [power, 2 * power, 5 * power]));
  return parts.length >= 2 ? parts : ticksWithin(low, high, count);
}

/** An axis with round positions. @param space pixels that a label needs @param whole whether they are integers */
export function plotScale(ends: Ends, space: number, whole = false): PlotScale {
  const { domain, pixels, log } = ends;
  const count = Math.max(2, Math.abs(pixels[1] - pixels[0]) / space);
  const ticks = log ? logTicks(domain, count) : ticksWithin(domain[0], domain[1], count);
  return { ...ends, ticks: whole ? ticks.filter(Number.isInteger) : ticks };
}
