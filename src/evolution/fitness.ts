/** Mean of the last `count` evaluations; NaN before the first. */
export function fitnessOf(history: readonly number[], count = 1): number {
  const last = history.slice(-count);
  return last.length === 0 ? Number.NaN : last.reduce((a, b) => a + b, 0) / last.length;
}

/** Slots from the fittest down. NaN comes last; ties go to the earlier slot. */
export function ranking(fitnesses: readonly number[]): number[] {
  const value = (slot: number): number => fitnesses[slot] as number;
  return fitnesses
    .map((_fitness, slot) => slot)
    .sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (Number.isNaN(x) || Number.isNaN(y))
        return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
      return x === y ? a - b : x < y ? 1 : -1;
    });
}
