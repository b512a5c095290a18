/** Lowers scans: the steps of a loop, its carried values and its results. */
import type { Dim } from "../dim.ts";
import { sizeOf } from "../dim.ts";
import {
  bodyValues,
  captures,
  type ScanRole,
  scanAttrs,
  scanInputs,
  scanResultOp,
  writtenStates,
} from "../scan.ts";
import type { Tensor } from "../tensor.ts";
import { isConstant, RegionSteps } from "./RegionSteps.ts";
import type { Location, LoopStep } from "./schedule.ts";

/** @param lowerNodes Creates the steps of the body's operations. */
export function lowerScan<Body>(
  region: RegionSteps<Body>,
  node: Tensor,
  lowerNodes: (body: RegionSteps<Body>) => void,
): void {
  const attrs = scanAttrs(node);
  const { count, carry, xs } = scanInputs(node);
  const results = region.shared.users.get(node) ?? [];
  const carried = carry.map((c) => region.temp(sizeOf(c.shape)));
  /** Whether each carried value changes or is read. */
  const inUse = attrs.carryParameters.map((parameter, i) => {
    const readers = (region.shared.users.get(parameter) ?? []).filter((user) => user !== node);
    const returned = [
      ...attrs.carryResults.filter((_, j) => j !== i),
      ...attrs.yResults,
      attrs.until,
    ].includes(parameter);
    const result = results.some((r) => r.attrs.role === "carry" && r.attrs.index === i);
    return result || returned || readers.length > 0 || attrs.carryResults[i] !== parameter;
  });
  carry.forEach((c, i) => inUse[i] && region.writeTo(c, carried[i] as Location));
  const loop: LoopStep = {
    kind: "loop",
    count: count ? { location: region.locate(count) } : { dim: attrs.count as Dim },
    reverse: attrs.reverse,
    t: null,
    until: null,
    held: [],
    staged: [],
    body: [],
  };
  const row = (location: Location, words: Dim): Location => ({
    memory: location.memory,
    offsets: [...location.offsets, { loop, words }],
  });
  const written = writtenStates(attrs.region);
  for (const name of written) region.keepOldValue(region.state(name), node);
  /** The value's location, or that of a copy if the body writes there. */
  const constantDuring = (t: Tensor): Location => {
    const location = region.locate(t);
    if (location.memory.kind !== "state" || !written.has(location.memory.name)) return location;
    const copy = region.temp(sizeOf(t.shape));
    region.copy(location, copy, sizeOf(t.shape));
    return copy;
  };
  const where = new Map<Tensor, Location>();
  attrs.carryParameters.forEach((p, i) => where.set(p, carried[i] as Location));
  attrs.xParameters.forEach((p, i) => where.set(p, row(constantDuring(xs[i] as Tensor), sizeOf(p.shape))));
  if (region.shared.users.has(attrs.t)) {
    loop.t = region.temp(1);
    where.set(attrs.t, loop.t);
  }
  const stack = (role: ScanRole, values: readonly Tensor[]) =>
    values.map((value, i) => {
      const result = results.find((r) => r.attrs.role === role && r.attrs.index === i);
      return result ? { value, to: region.temp(sizeOf([attrs.count as Dim, ...value.shape])) } : null;
    });
  const stacked = stack("ys", attrs.yResults);
  const kept = stack("body", bodyValues(attrs));
  // Values from outside must be in memory before the loop starts, safe from writes in the body.
  for (const t of captures(attrs, (n) => region.shared.live.has(n)))
    if (!isConstant(t)) where.set(t, constantDuring(t));

  const body = new RegionSteps(region.shared, attrs.region, where, region, loop);
  const keep = (values: typeof kept) => {
    for (const v of values) if (v) body.writeTo(v.value, row(v.to, sizeOf(v.value.shape)));
  };
  // Carried values first: the sooner they are read, the sooner they can be overwritten.
  keep(kept.slice(0, carry.length));
  lowerNodes(body);
  keep([...kept.slice(carry.length), ...stacked]);
  // The condition may be a carried value from the start of this iteration.
  loop.until = attrs.until ? (keptFrom(body, attrs.until, carried) ?? body.locate(attrs.until)) : null;
  writeCarry(body, attrs.carryParameters, attrs.carryResults, carried);
  loop.body = body.steps;
  loop.held = [
    ...carried.filter((_, i) => inUse[i]),
    ...[...kept, ...stacked].flatMap((v) => (v ? [v.to] : [])),
  ];

  const index = region.steps.length;
  region.steps.push(loop);
  region.madeBy.set(node, index);
  noteBody(region, body, index);
  const places: Record<ScanRole, readonly (Location | undefined)[]> = {
    carry: carried,
    body: kept.map((v) => v?.to),
    ys: stacked.map((y) => y?.to),
  };
  for (const result of results) {
    if (result.op !== scanResultOp) continue;
    const { role, index: i } = result.attrs as { role: ScanRole; index: number };
    region.where.set(result, places[role][i] as Location);
  }
}

function writeCarry<Body>(
  region: RegionSteps<Body>,
  parameters: readonly Tensor[],
  results: readonly Tensor[],
  carried: readonly Location[],
): void {
  // A result that is another carried value must be copied before that one is overwritten.
  const values = results.map((value, i) =>
    keptFrom(
      region,
      value,
      carried.filter((_, j) => j !== i),
    ),
  );
  results.forEach((value, i) => {
    const to = carried[i] as Location;
    const kept = values[i];
    if (value === parameters[i]) return;
    if (kept) region.copy(kept, to, sizeOf(value.shape));
    else region.writeTo(value, to);
  });
}

/** Copies a value that is located in one of `places`; null if it is located elsewhere. */
function keptFrom<Body>(
  region: RegionSteps<Body>,
  value: Tensor,
  places: readonly Location[],
): Location | null {
  const location = region.find(value);
  if (!location || !places.some(({ memory }) => memory === location.memory)) return null;
  const copy = region.temp(sizeOf(value.shape));
  region.copy(location, copy, sizeOf(value.shape));
  return copy;
}

/** Counts the reads and writes of a loop's body at the loop's own position. */
function noteBody<Body>(region: RegionSteps<Body>, body: RegionSteps<Body>, index: number): void {
  for (const memory of [...body.lastRead.keys(), ...body.pointReads.keys()]) {
    region.lastRead.set(memory, Math.max(index, region.lastRead.get(memory) ?? -1));
  }
  for (const memory of body.lastWrite.keys()) region.lastWrite.set(memory, index);
}
