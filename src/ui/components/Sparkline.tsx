const [WIDTH, HEIGHT] = [80, 20];

/** An SVG path through the values, scaled to the full height; gaps where a value is not finite. */
function lineOf(values: ArrayLike<number>): string {
  const all = Array.from(values);
  const known = all.filter(Number.isFinite);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (at: number): number => 1 + ((WIDTH - 2) * at) / Math.max(1, all.length - 1);
  const y = (value: number): number =>
    high === low ? HEIGHT / 2 : HEIGHT - 2 - ((HEIGHT - 4) * (value - low)) / (high - low);
  let pen = "M";
  let path = "";
  for (const [at, value] of all.entries()) {
    if (Number.isFinite(value)) path += `${pen}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = Number.isFinite(value) ? "L" : "M";
  }
  return path;
}

/** A small line chart, hidden from screen readers: the numbers are shown beside it. */
export function Sparkline({ values }: { readonly values: ArrayLike<number> }) {
  return (
    <svg
      className="sparkline block"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {values.length > 1 && <path d={lineOf(values)} />}
    </svg>
  );
}
