/**
 * From operations to steps. Element-wise operations join a group with the same iteration space whenever
 * the order of effects allows; everything else is a step of its own. Values stay in registers unless
 * somebody outside their group needs them in memory.
 */
import type { Dim } from "../dim.ts";
import { sameShape, shapeKey, sizeOf } from "../dim.ts";
import type { KernelOp } from "../op.ts";
import type { Program } from "../program.ts";
import { bodyValues, captures, type ScanRole, scanAttrs, scanInputs, scanResultOp } from "../scan.ts";
import { readOp, writeOp, writeRowsOp } from "../state.ts";
import type { Region, Tensor } from "../tensor.ts";
import { columnClasses, reducesRows } from "./iteration.ts";
import type { KernelArg, KernelRequest } from "./kernelRequest.ts";
import { liveNodes, usersOf, writtenStates } from "./liveness.ts";
import type { GroupStep, Location, LoopStep, Memory, Staged, Step, StepArg } from "./schedule.ts";
import { at, sameLocation } from "./schedule.ts";

export interface Lowered {
  readonly steps: readonly Step[];
}

/** How kernels are written; `Body` is a target's code of one. */
export interface Target<Body> {
  /** Adds a kernel to the module and returns its index. `build` writes it the first time its name is met. */
  addKernel(name: string, build: () => Body): number;
  /** Has the operation ask for its kernels. */
  ask(op: KernelOp, node: Tensor, request: KernelRequest<Body>): void;
  /** Operands, and stores, that a group may have. */
  readonly mostInGroup: number;
  /** Whether it has faster memory for matrices. */
  readonly stages: boolean;
  /** Kernel with arguments (state, index, rows, count, row length) that writes rows by index. */
  writeRows(): Body;
}

export function lower<Body>(program: Program, target: Target<Body>): Lowered {
  const live = liveNodes(program.region);
  const users = usersOf(program.region, live);
  const shared = { target, live, users, states: new Map() };
  const lowering = new RegionLowering(shared, program.region, new Map());
  lowering.lowerNodes();
  return { steps: lowering.steps };
}

interface Shared<Body> {
  readonly target: Target<Body>;
  readonly live: ReadonlySet<Tensor>;
  readonly users: ReadonlyMap<Tensor, readonly Tensor[]>;
  readonly states: Map<string, Memory>;
}

const isConstant = (t: Tensor): boolean => t.op.name === "constant";

class RegionLowering<Body> {
  readonly steps: Step[] = [];
  readonly #shared: Shared<Body>;
  readonly #parent: RegionLowering<Body> | null;
  /** The loop whose body it is; null outside all loops. */
  readonly #loop: LoopStep | null;
  readonly #region: Region;
  readonly #where: Map<Tensor, Location>;
  /** Index of the step after which a value of this region exists; absent: from the start. */
  readonly #madeBy = new Map<Tensor, number>();
  readonly #groupOf = new Map<Tensor, GroupStep>();
  readonly #indexOf = new Map<GroupStep, number>();
  /** Last step that reads or writes a mutable buffer. */
  readonly #lastRead = new Map<Memory, number>();
  readonly #lastWrite = new Map<Memory, number>();
  /** Reads of a mutable buffer by groups that read it only at the element they write. */
  readonly #pointReads = new Map<Memory, Set<number>>();
  readonly #deferred = new Set<Tensor>();
  readonly #prepared = new Map<Tensor, Map<string, readonly Location[]>>();
  /** States that the region writes, itself or in loops within. */
  readonly #written: ReadonlySet<string>;

  constructor(
    shared: Shared<Body>,
    region: Region,
    where: Map<Tensor, Location>,
    parent: RegionLowering<Body> | null = null,
    loop: LoopStep | null = null,
  ) {
    this.#shared = shared;
    this.#region = region;
    this.#parent = parent;
    this.#loop = loop;
    this.#written = writtenStates(region);
    this.#where = where;
  }

  lowerNodes(): void {
    const nodes = this.#region.nodes.filter((n) => this.#shared.live.has(n));
    this.#findDeferred(nodes);
    for (const node of nodes) {
      if (this.#deferred.has(node)) continue;
      switch (node.op.kind) {
        case "elementwise":
          if (!isConstant(node)) this.#place(node);
          break;
        case "reduction":
          if (reducesRows(node)) this.#placeReduction(node);
          else this.#column(node);
          break;
        case "view":
          this.#view(node, node.inputs[0] as Tensor);
          break;
        case "kernel":
          this.#kernel(node, node.op);
          break;
        case "source":
          this.#source(node);
          break;
        case "effect":
          this.#effect(node);
          break;
        case "scan":
          this.#scan(node);
          break;
      }
    }
  }

  // ---- memory -------------------------------------------------------------------------------

  #state(name: string): Memory {
    const known = this.#shared.states.get(name);
    if (known) return known;
    const memory: Memory = { kind: "state", name };
    this.#shared.states.set(name, memory);
    return memory;
  }

  #temp(words: Dim): Location {
    return at({ kind: "temp", words });
  }

  /** The memory of a value, made by its group when it had none. */
  locate(t: Tensor): Location {
    const known = this.#find(t);
    if (known) return known;
    if (isConstant(t)) {
      const group = this.#newGroup(t.shape);
      group.nodes.push(t);
      const location = this.#temp(sizeOf(t.shape));
      group.stores.push({ value: t, to: location });
      // Not remembered: the constant may be needed before this step by code lowered later.
      return location;
    }
    for (let lowering: RegionLowering<Body> | null = this; lowering; lowering = lowering.#parent) {
      const group = lowering.#groupOf.get(t);
      if (!group) continue;
      const location = this.#temp(sizeOf(t.shape));
      group.stores.push({ value: t, to: location });
      lowering.#where.set(t, location);
      return location;
    }
    throw new Error(`wasm target: no value for ${t}`);
  }

  #find(t: Tensor): Location | undefined {
    return this.#where.get(t) ?? (this.#parent ? this.#parent.#find(t) : undefined);
  }

  #noteRead(location: Location, step: number): void {
    this.#lastRead.set(location.memory, Math.max(step, this.#lastRead.get(location.memory) ?? -1));
  }

  // ---- element-wise groups --------------------------------------------------------------------

  /** Chains that only a column reduction reads run inside its loop. */
  #findDeferred(nodes: readonly Tensor[]): void {
    for (const node of [...nodes].reverse()) {
      if (node.op.kind !== "elementwise" || isConstant(node)) continue;
      const users = this.#shared.users.get(node) ?? [];
      const [user] = users;
      if (users.length !== 1 || !user || user.region !== node.region) continue;
      const toColumn = user.op.kind === "reduction" && !reducesRows(user);
      const toChain = this.#deferred.has(user) && sameShape(user.shape, node.shape);
      if (toColumn || toChain) this.#deferred.add(node);
    }
  }

  #newGroup(space: GroupStep["space"]): GroupStep {
    const group: GroupStep = {
      kind: "group",
      space,
      nodes: [],
      stores: [],
      reductions: [],
      operands: new Map(),
    };
    this.#indexOf.set(group, this.steps.length);
    this.steps.push(group);
    return group;
  }

  /** Step after which the value can be read; -1 when from the start. */
  #available(t: Tensor): number {
    return this.#madeBy.get(t) ?? -1;
  }

  #canJoin(node: Tensor, group: GroupStep): boolean {
    if (
      group.operands.size >= this.#shared.target.mostInGroup ||
      group.nodes.length >= this.#shared.target.mostInGroup
    )
      return false;
    const index = this.#indexOf.get(group) ?? -1;
    return node.inputs.every(
      (t) => isConstant(t) || this.#groupOf.get(t) === group || this.#available(t) < index,
    );
  }

  #groupFor(node: Tensor, space: GroupStep["space"]): GroupStep {
    const key = shapeKey(space);
    const candidates = [...this.#indexOf.keys()].filter((g) => shapeKey(g.space) === key).reverse();
    const own = candidates.find(
      (g) => node.inputs.some((t) => this.#groupOf.get(t) === g) && this.#canJoin(node, g),
    );
    return own ?? candidates.find((g) => this.#canJoin(node, g)) ?? this.#newGroup(space);
  }

  #join(node: Tensor, group: GroupStep): void {
    const index = this.#indexOf.get(group) ?? -1;
    for (const t of node.inputs) {
      if (this.#groupOf.get(t) === group) continue;
      if (isConstant(t)) {
        if (!group.nodes.includes(t)) group.nodes.push(t);
        continue;
      }
      const location = this.locate(t);
      group.operands.set(t, location);
      if (sameShape(t.shape, group.space)) {
        const reads = this.#pointReads.get(location.memory) ?? new Set();
        this.#pointReads.set(location.memory, reads.add(index));
      } else this.#noteRead(location, index);
    }
    group.nodes.push(node);
  }

  #place(node: Tensor): void {
    const group = this.#groupFor(node, node.shape);
    this.#join(node, group);
    this.#groupOf.set(node, group);
    this.#madeBy.set(node, this.#indexOf.get(group) ?? -1);
  }

  #placeReduction(node: Tensor): void {
    const x = node.inputs[0] as Tensor;
    const group = this.#groupFor(node, x.shape);
    this.#join(node, group);
    group.nodes.pop();
    const to = this.#temp(sizeOf(node.shape));
    group.reductions.push({ node, to });
    if (isConstant(x) && !group.nodes.includes(x)) group.nodes.push(x);
    this.#where.set(node, to);
    this.#madeBy.set(node, this.#indexOf.get(group) ?? -1);
  }

  #column(node: Tensor): void {
    const chain: Tensor[] = [];
    const operands = new Map<Tensor, Location>();
    const gather = (t: Tensor) => {
      if (this.#deferred.has(t) || isConstant(t)) {
        if (chain.includes(t)) return;
        t.inputs.forEach(gather);
        chain.push(t);
      } else operands.set(t, this.locate(t));
    };
    const x = node.inputs[0] as Tensor;
    gather(x);
    if (!columnClasses(x.shape, node.attrs.axis as number, [...operands.keys()])) {
      for (const t of chain) {
        this.#deferred.delete(t);
        if (!isConstant(t)) this.#place(t);
      }
      chain.length = 0;
      operands.clear();
      operands.set(x, this.locate(x));
    }
    const to = this.#temp(sizeOf(node.shape));
    const index = this.steps.length;
    for (const location of operands.values()) this.#noteRead(location, index);
    this.steps.push({ kind: "column", node, chain, operands, to });
    this.#where.set(node, to);
    this.#madeBy.set(node, index);
  }

  // ---- kernels --------------------------------------------------------------------------------

  #kernel(node: Tensor, op: KernelOp): void {
    const to = this.#temp(sizeOf(node.shape));
    const inputs = node.inputs.map((t) => this.locate(t));
    const scratch = new Map<KernelArg, Location>();
    const resolve = (arg: KernelArg): StepArg => {
      switch (arg.kind) {
        case "input":
          return { location: inputs[arg.index] as Location };
        case "output":
          return { location: to };
        case "dim":
          return { dim: arg.dim };
        case "state":
          return { location: at(this.#state(arg.name)) };
        case "scratch": {
          const known = scratch.get(arg) ?? this.#temp(arg.size);
          scratch.set(arg, known);
          return { location: known };
        }
        case "staged":
          return { staged: this.#stage(node.inputs[arg.index] as Tensor, arg) };
      }
    };
    const call = (
      home: RegionLowering<Body>,
      reads: readonly Location[],
      args: readonly StepArg[],
      func: number,
    ) => {
      for (const location of reads) home.#noteRead(location, home.steps.length);
      home.steps.push({ kind: "kernel", func, args });
    };
    this.#shared.target.ask(op, node, {
      node,
      call: (name, args, build) =>
        call(this, inputs, args.map(resolve), this.#shared.target.addKernel(name, build)),
      prepare: (from, name, args, build) => {
        const t = node.inputs[from] as Tensor;
        const { home, location } = this.#origin(t);
        const places = args.filter(({ kind }) => kind === "scratch");
        const prepared = home.#preparedOf(t);
        const known = prepared.get(name);
        if (known) {
          places.forEach((arg, i) => scratch.set(arg, known[i] as Location));
          return;
        }
        const resolved = args.map((arg) => (arg.kind === "input" ? { location } : resolve(arg)));
        call(home, [location], resolved, this.#shared.target.addKernel(name, build));
        prepared.set(
          name,
          places.map((arg) => scratch.get(arg) as Location),
        ); // All were resolved above.
      },
      isStageable: (index) =>
        this.#shared.target.stages && this.#origin(node.inputs[index] as Tensor).home !== this,
    });
    this.#where.set(node, to);
    this.#madeBy.set(node, this.steps.length - 1);
  }

  /** The region that a value is made in, or for a state the outermost one in which it is the same, and where it lies. */
  #origin(t: Tensor): { home: RegionLowering<Body>; location: Location } {
    let root = t;
    while (root.op.kind === "view") root = root.inputs[0] as Tensor;
    let home: RegionLowering<Body> = this;
    while (home.#parent && home.#region !== root.region) home = home.#parent;
    const location = home.locate(root);
    if (root.op === readOp)
      while (home.#parent && !home.#written.has(root.attrs.name as string)) home = home.#parent;
    return { home, location };
  }

  /** What was prepared from a value of this region: scratch memory by the kernel's name. */
  #preparedOf(t: Tensor): Map<string, readonly Location[]> {
    const known = this.#prepared.get(t) ?? new Map<string, readonly Location[]>();
    this.#prepared.set(t, known);
    return known;
  }

  /** Has a matrix staged before the outermost loop that leaves it as it is. */
  #stage(t: Tensor, { rows, columns }: Pick<Staged, "rows" | "columns">): Staged {
    const { home, location: there } = this.#origin(t);
    let body: RegionLowering<Body> = this;
    while (body.#parent && body.#parent !== home) body = body.#parent;
    // As the body sees it: a copy where it writes to the matrix, since a loop may be left and entered again.
    let seen = t;
    while (seen.op.kind === "view" && !body.#where.has(seen)) seen = seen.inputs[0] as Tensor;
    const location = body.#find(seen) ?? there;
    const { staged } = body.#loop as LoopStep; // Its home lies further out, so it is a loop's body.
    const known = staged.find(
      (other) =>
        sameLocation(other.location, location) && sameShape([other.rows, other.columns], [rows, columns]),
    );
    if (known) return known;
    const added = { location, rows, columns };
    staged.push(added);
    return added;
  }

  #view(node: Tensor, of: Tensor): void {
    this.#where.set(node, this.locate(of));
    this.#madeBy.set(node, isConstant(of) ? this.steps.length - 1 : this.#available(of));
  }

  #source(node: Tensor): void {
    if (node.op === readOp) {
      const memory = this.#state(node.attrs.name as string);
      this.#where.set(node, at(memory));
      this.#madeBy.set(node, this.#lastWrite.get(memory) ?? -1);
    } else if (node.op === scanResultOp) {
      this.#madeBy.set(node, this.#available(node.inputs[0] as Tensor));
    }
  }

  // ---- effects --------------------------------------------------------------------------------

  #effect(node: Tensor): void {
    const memory = this.#state(node.attrs.name as string);
    this.#keepOldValue(memory, node);
    if (node.op === writeOp) {
      const value = node.inputs[0] as Tensor;
      this.#writeTo(value, at(memory));
      return;
    }
    const [index, rows] = node.inputs as [Tensor, Tensor];
    const sources = [index, rows].map((t) => this.locate(t));
    const args: StepArg[] = [
      { location: at(memory) },
      ...sources.map((location) => ({ location })),
      { dim: index.shape[0] as Dim },
      { dim: sizeOf(rows.shape.slice(1)) },
    ];
    const step = this.steps.length;
    for (const location of sources) this.#noteRead(location, step);
    this.steps.push({
      kind: "kernel",
      func: this.#shared.target.addKernel("writeRows", () => this.#shared.target.writeRows()),
      args,
    });
    this.#lastWrite.set(memory, step);
  }

  /** Before a buffer changes: reads of it that are still to be used get a copy of their own. */
  #keepOldValue(memory: Memory, write: Tensor): void {
    for (const [t, location] of [...this.#where]) {
      if (location.memory !== memory || location.offsets.length > 0) continue;
      if (!(this.#shared.users.get(t) ?? []).some((user) => this.#usedAfter(user, write))) continue;
      const copy = this.#temp(sizeOf(t.shape));
      this.#copy(location, copy, sizeOf(t.shape));
      this.#where.set(t, copy);
      this.#madeBy.set(t, this.steps.length - 1);
    }
  }

  /** Whether the user's code runs after the write: later in trace order, or put off into a column loop. */
  #usedAfter(user: Tensor, write: Tensor): boolean {
    if (user.op.kind === "view")
      return (this.#shared.users.get(user) ?? []).some((u) => this.#usedAfter(u, write));
    if (this.#deferred.has(user))
      return (this.#shared.users.get(user) ?? []).some((u) => this.#usedAfter(u, write));
    // Rows are written one by one, so even the write itself must not read from where it writes.
    return user.id > write.id || (user === write && write.op === writeRowsOp);
  }

  #copy(from: Location, to: Location, words: Dim): void {
    this.#noteRead(from, this.steps.length);
    this.steps.push({ kind: "copy", to, from, words });
  }

  /** Puts a value into a buffer: by its own group when order allows, else by a copy. */
  #writeTo(value: Tensor, to: Location): void {
    const { memory } = to;
    const group = this.#groupOf.get(value);
    const index = group ? (this.#indexOf.get(group) ?? -1) : -1;
    const readsBefore = (this.#lastRead.get(memory) ?? -1) < index;
    const pointReadsBefore = [...(this.#pointReads.get(memory) ?? [])].every((read) => read <= index);
    if (
      group &&
      group.stores.length < this.#shared.target.mostInGroup &&
      sameShape(value.shape, group.space) &&
      readsBefore &&
      pointReadsBefore &&
      (this.#lastWrite.get(memory) ?? -1) < index
    ) {
      group.stores.push({ value, to });
      this.#lastWrite.set(memory, index);
      return;
    }
    if (isConstant(value)) {
      const constants = this.#newGroup(value.shape);
      constants.nodes.push(value);
      constants.stores.push({ value, to });
    } else {
      const from = this.locate(value);
      if (from.memory === memory && from.offsets.length === to.offsets.length) return;
      this.#copy(from, to, sizeOf(value.shape));
    }
    this.#lastWrite.set(memory, this.steps.length - 1);
  }

  // ---- scan -----------------------------------------------------------------------------------

  #scan(node: Tensor): void {
    const attrs = scanAttrs(node);
    const { count, carry, xs } = scanInputs(node);
    const results = this.#shared.users.get(node) ?? [];
    const carried = carry.map((c) => this.#temp(sizeOf(c.shape)));
    /** Carried values that change, or that somebody reads. */
    const inUse = attrs.carryParameters.map((parameter, i) => {
      const readers = (this.#shared.users.get(parameter) ?? []).filter((user) => user !== node);
      const returned = [
        ...attrs.carryResults.filter((_, j) => j !== i),
        ...attrs.yResults,
        attrs.until,
      ].includes(parameter);
      const result = results.some((r) => r.attrs.role === "carry" && r.attrs.index === i);
      return result || returned || readers.length > 0 || attrs.carryResults[i] !== parameter;
    });
    carry.forEach((c, i) => inUse[i] && this.#writeTo(c, carried[i] as Location));
    const loop: LoopStep = {
      kind: "loop",
      count: count ? { location: this.locate(count) } : { dim: attrs.count as Dim },
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
    for (const name of written) this.#keepOldValue(this.#state(name), node);
    /** The value's memory, or a copy of it when the body writes there. */
    const constantDuring = (t: Tensor): Location => {
      const location = this.locate(t);
      if (location.memory.kind !== "state" || !written.has(location.memory.name)) return location;
      const copy = this.#temp(sizeOf(t.shape));
      this.#copy(location, copy, sizeOf(t.shape));
      return copy;
    };
    const where = new Map<Tensor, Location>();
    attrs.carryParameters.forEach((p, i) => where.set(p, carried[i] as Location));
    attrs.xParameters.forEach((p, i) => where.set(p, row(constantDuring(xs[i] as Tensor), sizeOf(p.shape))));
    if (this.#shared.users.has(attrs.t)) {
      loop.t = this.#temp(1);
      where.set(attrs.t, loop.t);
    }
    const stack = (role: ScanRole, values: readonly Tensor[]) =>
      values.map((value, i) => {
        const result = results.find((r) => r.attrs.role === role && r.attrs.index === i);
        return result ? { value, to: this.#temp(sizeOf([attrs.count as Dim, ...value.shape])) } : null;
      });
    const stacked = stack("ys", attrs.yResults);
    const kept = stack("body", bodyValues(attrs));
    // Values from outside must be in memory before the loop starts, out of reach of writes in the body.
    for (const t of captures(attrs, (n) => this.#shared.live.has(n)))
      if (!isConstant(t)) where.set(t, constantDuring(t));

    const body = new RegionLowering(this.#shared, attrs.region, where, this, loop);
    const keep = (values: typeof kept) => {
      for (const v of values) if (v) body.#writeTo(v.value, row(v.to, sizeOf(v.value.shape)));
    };
    // Carried values at once: the sooner they are read, the sooner they can be overwritten.
    keep(kept.slice(0, carry.length));
    body.lowerNodes();
    keep([...kept.slice(carry.length), ...stacked]);
    // The condition may be a carried value as this iteration found it.
    loop.until = attrs.until ? (body.#keptFrom(attrs.until, carried) ?? body.locate(attrs.until)) : null;
    body.#writeCarry(attrs.carryParameters, attrs.carryResults, carried);
    loop.body = body.steps;
    loop.held = [
      ...carried.filter((_, i) => inUse[i]),
      ...[...kept, ...stacked].flatMap((v) => (v ? [v.to] : [])),
    ];

    const index = this.steps.length;
    this.steps.push(loop);
    this.#madeBy.set(node, index);
    this.#noteBody(body, index);
    const places: Record<ScanRole, readonly (Location | undefined)[]> = {
      carry: carried,
      body: kept.map((v) => v?.to),
      ys: stacked.map((y) => y?.to),
    };
    for (const result of results) {
      if (result.op !== scanResultOp) continue;
      const { role, index: i } = result.attrs as { role: ScanRole; index: number };
      this.#where.set(result, places[role][i] as Location);
    }
  }

  #writeCarry(parameters: readonly Tensor[], results: readonly Tensor[], carried: readonly Location[]): void {
    // A result that is another carried value must be kept before that one is overwritten.
    const values = results.map((value, i) =>
      this.#keptFrom(
        value,
        carried.filter((_, j) => j !== i),
      ),
    );
    results.forEach((value, i) => {
      const to = carried[i] as Location;
      const kept = values[i];
      if (value === parameters[i]) return;
      if (kept) this.#copy(kept, to, sizeOf(value.shape));
      else this.#writeTo(value, to);
    });
  }

  /** A copy of a value that lies in one of `places`; null when it lies elsewhere. */
  #keptFrom(value: Tensor, places: readonly Location[]): Location | null {
    const location = this.#find(value);
    if (!location || !places.some(({ memory }) => memory === location.memory)) return null;
    const copy = this.#temp(sizeOf(value.shape));
    this.#copy(location, copy, sizeOf(value.shape));
    return copy;
  }

  /** A loop reads and writes, at its own position, whatever its body does. */
  #noteBody(body: RegionLowering<Body>, index: number): void {
    for (const memory of [...body.#lastRead.keys(), ...body.#pointReads.keys()]) {
      this.#lastRead.set(memory, Math.max(index, this.#lastRead.get(memory) ?? -1));
    }
    for (const memory of body.#lastWrite.keys()) this.#lastWrite.set(memory, index);
  }
}
