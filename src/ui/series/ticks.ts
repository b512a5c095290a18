/** A round step (1, 2 or 5 times a power of ten) that divides `span` into about `count` parts. */
function roundStep(span: number, count: number): number {
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10;
  return factor * power;
}

/** The multiples of a step from `first * step` to `last * step`, rounded to remove floating-point error. */
function multiples(first: number, last: number, step: number): number[] {
  const decimals = Math.min(100, Math.max(0, 1 - Math.floor(Math.log10(step))));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    Number(((first + index) * step).toFixed(decimals)),
  );
}

/** Round positions within [low, high], about `count` of them. */
export function ticksWithin(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  const step = roundStep(high - low, count);
  return multiples(Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9), step);
}

/** Round positions that enclose [low, high]; the first and last are the axis's ends. */
export function ticksAround(low: number, high: number, count: number): number[] {
  const [from, to] = high > low ? [low, high] : [low - 1, high + 1];
  const step = roundStep(to - from, count);
  return multiples(Math.floor(from / step), Math.ceil(to / step), step);
}
