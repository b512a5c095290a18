/** Keeps a device's compiled programs, and counts what they do, for its kernel reports. */
import { AgingCache } from "./agingCache.ts";
import type { DeviceKind } from "./device.ts";
import type { KernelReport } from "./kernelReport.ts";
import { type Program, programText } from "./program.ts";

/** Start and factor of the 32-bit FNV-1a hash (Fowler, Noll, Vo). */
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** A second start value, for 64 bits in total. */
const OTHER_START = 0x9747b28c;

/** 16 hexadecimal digits that distinguish texts. Not safe against deliberately constructed collisions. */
export function textId(text: string): string {
  let [a, b] = [FNV_START, OTHER_START];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, FNV_PRIME);
    b = Math.imul(b ^ unit, FNV_PRIME);
    // Without this, the first hash would determine the second.
    b ^= b >>> 15;
  }
  const hex = (value: number) => (value >>> 0).toString(16).padStart(8, "0");
  return hex(a) + hex(b);
}

/** Result of a compilation. */
export type CompiledCode = Pick<KernelReport, "code_bytes" | "kernels" | "source">;

/** The counts of one compiled program. */
export class ProgramMeter {
  readonly #name: string;
  readonly #id: string;
  readonly #target: DeviceKind;
  /** Slots and structures that requested it, with the number of ages since. */
  readonly #slots = new Map<number, number>();
  readonly #structures = new Map<string, number>();
  readonly #requested = performance.now();
  #code: CompiledCode = { code_bytes: 0, kernels: [], source: null };
  #compiledMs: number | null = null;
  #runs = 0;
  #timedRuns = 0;
  #ms: number | null;

  constructor(name: string, text: string, target: DeviceKind, timed: boolean) {
    this.#name = name;
    this.#id = textId(text);
    this.#target = target;
    this.#ms = timed ? 0 : null;
  }

  asked(structure: string, slot?: number): void {
    if (structure !== "") this.#structures.set(structure, 0);
    if (slot !== undefined) this.#slots.set(slot, 0);
  }

  compiled(code: CompiledCode): void {
    this.#code = code;
    this.#compiledMs = performance.now() - this.#requested;
  }

  started(): void {
    this.#runs++;
  }

  /** Adds the time of `runs` started runs. */
  took(ms: number, runs = 1): void {
    this.#ms = (this.#ms ?? 0) + ms;
    this.#timedRuns += runs;
  }

  age(): void {
    grow(this.#slots);
    grow(this.#structures);
  }

  report(): KernelReport {
    return {
      id: this.#id,
      name: this.#name,
      target: this.#target,
      structures: [...this.#structures.keys()],
      members: [...this.#slots.keys()].toSorted((a, b) => a - b),
      ...this.#code,
      compile_ms: this.#compiledMs,
      copies: 1,
      runs: this.#runs,
      timed_runs: this.#timedRuns,
      time_ms: this.#ms,
    };
  }
}

/** Increments all ages and drops entries that reach 2. */
function grow<K>(ages: Map<K, number>): void {
  for (const [key, age] of ages) {
    if (age > 0) ages.delete(key);
    else ages.set(key, age + 1);
  }
}

/** A device's compiled programs by their text, and their meters, which are kept as long. */
export class CompiledPrograms<E> {
  readonly #executables = new AgingCache<E>();
  readonly #meters = new AgingCache<ProgramMeter>();
  readonly #texts = new WeakMap<Program, string>();
  readonly #target: DeviceKind;
  readonly #timed: boolean;

  /** @param timed Whether the device can measure how long programs run. */
  constructor(target: DeviceKind, timed: boolean) {
    this.#target = target;
    this.#timed = timed;
  }

  /** The compiled program, which counts as used; `slot` is that of the requesting member, if any. */
  get(program: Program, slot: number | undefined, compile: (meter: ProgramMeter, text: string) => E): E {
    const text = this.#texts.get(program) ?? programText(program);
    this.#texts.set(program, text);
    const { name, structure } = program;
    const meter = this.#meters.get(text, () => new ProgramMeter(name, text, this.#target, this.#timed));
    meter.asked(structure, slot);
    return this.#executables.get(text, () => compile(meter, text));
  }

  /** Marks the end of a generation. */
  age(): void {
    this.#executables.age();
    this.#meters.age();
    for (const meter of this.#meters.values()) meter.age();
  }

  reports(): KernelReport[] {
    return [...this.#meters.values()].map((meter) => meter.report());
  }

  clear(): void {
    this.#executables.clear();
    this.#meters.clear();
  }
}
