const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** Shown where there is no number. */
export const NONE = "–";

/** A count in full, such as 12,345. */
export function formatCount(value: number): string {
  return Number.isFinite(value) ? whole.format(value) : NONE;
}

/** A count of things, such as "1 run" or "12,345 runs". @param thing in the singular; its plural ends in "s" */
export const formatThings = (count: number, thing: string): string =>
  `${formatCount(count)} ${thing}${count === 1 ? "" : "s"}`;

/** A compact number, such as 1.23M. */
export function formatShort(value: number | null): string {
  return value === null || !Number.isFinite(value) ? NONE : short.format(value);
}

/**
 * A score or fitness: one decimal place below a thousand, none above; three significant digits if its
 * magnitude is below 1.
 */
export function formatScore(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return NONE;
  if (value !== 0 && Math.abs(value) < 1) return String(Number(value.toPrecision(3)));
  return Math.abs(value) >= 1000 ? whole.format(value) : value.toFixed(1);
}

/** A change of a score, with its sign. */
export const formatChange = (change: number | null): string =>
  `${change !== null && change > 0 ? "+" : ""}${formatScore(change)}`;

/**
 * A hyperparameter: integers in full, others with at most four significant digits, or three and an exponent
 * if very small or large.
 */
export function formatHyperparameter(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value)) return whole.format(value);
  const size = Math.abs(value);
  return size < 0.001 || size >= 1e6
    ? value.toExponential(2).replace(/\.?0+e/, "e")
    : String(Number(value.toPrecision(4)));
}

/** Seconds as 45 s, 3 min 20 s or 2 h 05 min. */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return NONE;
  const total = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60];
  const two = (value: number): string => String(value).padStart(2, "0");
  if (hours > 0) return `${hours} h ${two(minutes)} min`;
  return minutes > 0 ? `${minutes} min ${two(rest)} s` : `${rest} s`;
}

/** A time in ms, with three significant digits in a suitable unit: 4.66 µs, 12.3 ms, 1.23 s, 3 min 20 s. */
export function formatMilliseconds(ms: number): string {
  if (!Number.isFinite(ms)) return NONE;
  if (ms >= 100_000) return formatDuration(ms / 1000);
  const precise = (value: number): string => String(Number(value.toPrecision(3)));
  if (ms > 0 && ms < 0.1) return `${precise(1000 * ms)} µs`;
  return ms >= 999.5 ? `${precise(ms / 1000)} s` : `${precise(ms)} ms`;
}

/** Bytes as 512 B, 3.4 MB and so on. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit] ?? ""}`;
}

/** How long ago a time was: "just now", "5 min ago", "3 h ago", else the date. */
export function formatAgo(moment: number, now: number): string {
  const minutes = Math.floor((now - moment) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return new Date(moment).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}

/** The message to show to the user for a thrown value. */
export function messageOf(error: unknown): string {
  if (error instanceof Error && error.message !== "") return error.message;
  return `Unexpected error: ${String(error)}`;
}

/** A value as text: scalars as they are, the rest as JSON. */
export function plainText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : (JSON.stringify(value) ?? "");
}
