/** The steps of a region under construction, the locations of its values, and the order of effects. */
import type { Dim } from "../dim.ts";
import { sameShape, shapeKey, sizeOf } from "../dim.ts";
import { writtenStates } from "../scan.ts";
import { writeRowsOp } from "../state.ts";
import type { Region, Tensor } from "../tensor.ts";
import { reducesRows } from "./iteration.ts";
import type { Target } from "./kernelRequest.ts";
import type { GroupStep, Location, LoopStep, Memory, Step } from "./schedule.ts";
import { at } from "./schedule.ts";

/** Data shared by the regions of a program. */
export interface Shared<Body> {
  readonly target: Target<Body>;
  readonly live: ReadonlySet<Tensor>;
  readonly users: ReadonlyMap<Tensor, readonly Tensor[]>;
  readonly states: Map<string, Memory>;
}

export const isConstant = (t: Tensor): boolean => t.op.name === "constant";

export class RegionSteps<Body> {
  readonly steps: Step[] = [];
  readonly shared: Shared<Body>;
  readonly parent: RegionSteps<Body> | null;
  /** The loop whose body this region is; null outside all loops. */
  readonly loop: LoopStep | null;
  readonly region: Region;
  readonly where: Map<Tensor, Location>;
  /** Index of the step after which a value of this region exists; absent: from the start. */
  readonly madeBy = new Map<Tensor, number>();
  readonly groupOf = new Map<Tensor, GroupStep>();
  readonly indexOf = new Map<GroupStep, number>();
  /** The groups of each iteration space, by its key. */
  readonly #groups = new Map<string, GroupStep[]>();
  /** Last step that reads or writes a mutable buffer. */
  readonly lastRead = new Map<Memory, number>();
  readonly lastWrite = new Map<Memory, number>();
  /** Reads of a mutable buffer by groups that read it only at the element they write. */
  readonly pointReads = new Map<Memory, Set<number>>();
  readonly deferred = new Set<Tensor>();
  readonly prepared = new Map<Tensor, Map<string, readonly Location[]>>();
  /** States that the region writes, directly or in nested loops. */
  readonly written: ReadonlySet<string>;

  constructor(
    shared: Shared<Body>,
    region: Region,
    where: Map<Tensor, Location>,
    parent: RegionSteps<Body> | null = null,
    loop: LoopStep | null = null,
  ) {
    this.shared = shared;
    this.region = region;
    this.parent = parent;
    this.loop = loop;
    this.written = writtenStates(region);
    this.where = where;
  }

  state(name: string): Memory {
    const known = this.shared.states.get(name);
    if (known) return known;
    const memory: Memory = { kind: "state", name };
    this.shared.states.set(name, memory);
    return memory;
  }

  temp(words: Dim): Location {
    return at({ kind: "temp", words });
  }

  /** The location of a value. If it has none yet, its group stores it. */
  locate(t: Tensor): Location {
    const known = this.find(t);
    if (known) return known;
    if (isConstant(t)) {
      const group = this.newGroup(t.shape);
      group.nodes.push(t);
      const location = this.temp(sizeOf(t.shape));
      group.stores.push({ value: t, to: location });
      // Not remembered: the constant may be needed before this step by code lowered later.
      return location;
    }
    for (let lowering: RegionSteps<Body> | null = this; lowering; lowering = lowering.parent) {
      const group = lowering.groupOf.get(t);
      if (!group) continue;
      const location = this.temp(sizeOf(t.shape));
      group.stores.push({ value: t, to: location });
      lowering.where.set(t, location);
      return location;
    }
    throw new Error(`lowering: no value for ${t}`);
  }

  find(t: Tensor): Location | undefined {
    return this.where.get(t) ?? (this.parent ? this.parent.find(t) : undefined);
  }

  noteRead(location: Location, step: number): void {
    this.lastRead.set(location.memory, Math.max(step, this.lastRead.get(location.memory) ?? -1));
  }

  /** Defers chains that only a column reduction reads: they run inside its loop. */
  findDeferred(nodes: readonly Tensor[]): void {
    for (const node of [...nodes].reverse()) {
      if (node.op.kind !== "elementwise" || isConstant(node)) continue;
      const users = this.shared.users.get(node) ?? [];
      const [user] = users;
      if (users.length !== 1 || !user || user.region !== node.region) continue;
      const toColumn = user.op.kind === "reduction" && !reducesRows(user);
      const toChain = this.deferred.has(user) && sameShape(user.shape, node.shape);
      if (toColumn || toChain) this.deferred.add(node);
    }
  }

  newGroup(space: GroupStep["space"]): GroupStep {
    const group: GroupStep = {
      kind: "group",
      space,
      nodes: [],
      stores: [],
      reductions: [],
      operands: new Map(),
    };
    this.indexOf.set(group, this.steps.length);
    const key = shapeKey(space);
    const alike = this.#groups.get(key);
    if (alike) alike.push(group);
    else this.#groups.set(key, [group]);
    this.steps.push(group);
    return group;
  }

  /** Step after which the value can be read; -1 means from the start. */
  available(t: Tensor): number {
    return this.madeBy.get(t) ?? -1;
  }

  canJoin(node: Tensor, group: GroupStep): boolean {
    if (
      group.operands.size >= this.shared.target.mostInGroup ||
      group.nodes.length >= this.shared.target.mostInGroup
    )
      return false;
    const index = this.indexOf.get(group) ?? -1;
    return node.inputs.every(
      (t) => isConstant(t) || this.groupOf.get(t) === group || this.available(t) < index,
    );
  }

  groupFor(node: Tensor, space: GroupStep["space"]): GroupStep {
    const candidates = this.#groups.get(shapeKey(space)) ?? [];
    const own = candidates.findLast(
      (g) => node.inputs.some((t) => this.groupOf.get(t) === g) && this.canJoin(node, g),
    );
    return own ?? candidates.findLast((g) => this.canJoin(node, g)) ?? this.newGroup(space);
  }

  join(node: Tensor, group: GroupStep): void {
    const index = this.indexOf.get(group) ?? -1;
    for (const t of node.inputs) {
      if (this.groupOf.get(t) === group) continue;
      if (isConstant(t)) {
        if (!group.nodes.includes(t)) group.nodes.push(t);
        continue;
      }
      const location = this.locate(t);
      group.operands.set(t, location);
      if (sameShape(t.shape, group.space)) {
        const reads = this.pointReads.get(location.memory) ?? new Set();
        this.pointReads.set(location.memory, reads.add(index));
      } else this.noteRead(location, index);
    }
    group.nodes.push(node);
  }

  /** Called before a buffer changes: copies values read from it that are used later. */
  keepOldValue(memory: Memory, write: Tensor): void {
    for (const [t, location] of this.where) {
      if (location.memory !== memory || location.offsets.length > 0) continue;
      if (!(this.shared.users.get(t) ?? []).some((user) => this.usedAfter(user, write))) continue;
      const copy = this.temp(sizeOf(t.shape));
      this.copy(location, copy, sizeOf(t.shape));
      this.where.set(t, copy);
      this.madeBy.set(t, this.steps.length - 1);
    }
  }

  /** Whether the user's code runs after the write: later in trace order, or deferred into a column loop. */
  usedAfter(user: Tensor, write: Tensor): boolean {
    if (user.op.kind === "view")
      return (this.shared.users.get(user) ?? []).some((u) => this.usedAfter(u, write));
    if (this.deferred.has(user))
      return (this.shared.users.get(user) ?? []).some((u) => this.usedAfter(u, write));
    // Rows are written one by one, so even the write itself must not read from where it writes.
    return user.id > write.id || (user === write && write.op === writeRowsOp);
  }

  copy(from: Location, to: Location, words: Dim): void {
    this.noteRead(from, this.steps.length);
    this.steps.push({ kind: "copy", to, from, words });
  }

  /** Writes a value to a buffer: from its own group if the order allows it, otherwise with a copy. */
  writeTo(value: Tensor, to: Location): void {
    const { memory } = to;
    const group = this.groupOf.get(value);
    const index = group ? (this.indexOf.get(group) ?? -1) : -1;
    const readsBefore = (this.lastRead.get(memory) ?? -1) < index;
    const pointReadsBefore = [...(this.pointReads.get(memory) ?? [])].every((read) => read <= index);
    if (
      group &&
      group.stores.length < this.shared.target.mostInGroup &&
      sameShape(value.shape, group.space) &&
      readsBefore &&
      pointReadsBefore &&
      (this.lastWrite.get(memory) ?? -1) < index
    ) {
      group.stores.push({ value, to });
      this.lastWrite.set(memory, index);
      return;
    }
    if (isConstant(value)) {
      const constants = this.newGroup(value.shape);
      constants.nodes.push(value);
      constants.stores.push({ value, to });
    } else {
      const from = this.locate(value);
      if (from.memory === memory && from.offsets.length === to.offsets.length) return;
      this.copy(from, to, sizeOf(value.shape));
    }
    this.lastWrite.set(memory, this.steps.length - 1);
  }
}
