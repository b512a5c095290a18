/** A round step (1, 2 or 5 times a power of ten) that cuts `span` into about `count` parts. */
function roundStep(span: number, count: number): number {
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10;
  return factor * power;
}

/** Round positions within [low, high], about `count` of them. */
export function ticksWithin(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  const step = roundStep(high - low, count);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  // Multiples of the step, rounded to shed the error of decimal fractions.
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

/** Round positions that enclose [low, high]; the first and last are the axis' ends. */
export function ticksAround(low: number, high: number, count: number): number[] {
  const [from, to] = high > low ? [low, high] : [low - 1, high + 1];
  const step = roundStep(to - from, count);
  return ticksWithin(Math.floor(from / step) * step, Math.ceil(to / step) * step, count);
}
