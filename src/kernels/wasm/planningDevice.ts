/** A device without memory, which finds out how much of it programs need on wasm. */
import { ArenaBuffers, arenaLayout, type BufferPlace } from "../arenaLayout.ts";
import { BlockAllocator } from "../blockAllocator.ts";
import type { Arena, BoundProgram, Data, Device, Executable } from "../device.ts";
import { type Binding, evalDim } from "../dim.ts";
import type { TableEntry } from "../lowering/memoryTable.ts";
import { planScratch } from "../lowering/placement.ts";
import type { Program } from "../program.ts";
import type { StateDecl } from "../tensor.ts";
import { assemble } from "./assemble.ts";
import { SCRATCH_RESERVE } from "./device.ts";
import { FIRST_BYTES } from "./memory.ts";
import { PAGE } from "./SharedHeap.ts";

class PlannedArena extends ArenaBuffers<BufferPlace> implements Arena {
  readonly bytes: number;
  readonly #start: number;
  readonly #blocks: BlockAllocator;

  constructor(blocks: BlockAllocator, states: Iterable<StateDecl>, binding: Binding, shared?: PlannedArena) {
    super(binding, shared);
    const { places, bytes } = arenaLayout(states, binding, (name) => shared?.has(name) ?? false);
    this.bytes = bytes;
    this.#blocks = blocks;
    this.#start = blocks.allocate(bytes);
    for (const [name, place] of places) this.own.set(name, place);
  }

  write(): void {}

  /** Zeros. */
  read(name: string): Data {
    const { length, dtype } = this.buffer(name);
    return dtype === "f32" ? new Float32Array(length) : new Int32Array(length);
  }

  protected free(): void {
    this.#blocks.free(this.#start, this.bytes);
  }
}

/**
 * Takes the calls of a run in place of a `WasmDevice`, with the same allocations, but computes nothing: buffers are read
 * as zeros. Afterwards, `claimed` is what the run would have claimed.
 */
export class PlanningDevice implements Device {
  readonly kind = "wasm";
  readonly #blocks = new BlockAllocator(FIRST_BYTES, (missing) => {
    const start = this.#claimed;
    this.#claimed += Math.ceil(missing / PAGE) * PAGE;
    return { start, end: this.#claimed };
  });
  readonly #programs = new Map<Program, readonly TableEntry[]>();
  #claimed = FIRST_BYTES;
  #scratch = { start: 0, bytes: 0 };
  #needed = 0;
  #largest = 0;

  get bytes(): number {
    return this.#blocks.used;
  }

  /** Bytes of linear memory that would be claimed from the engine. */
  get claimed(): number {
    return this.#claimed;
  }

  /** Those of them that would be written, without the room that temporaries are given but do not use. */
  get touched(): number {
    return this.#claimed - (this.#scratch.bytes - this.#needed);
  }

  /** Bytes of temporaries of the program that needs most. */
  get scratch_bytes(): number {
    return this.#needed;
  }

  /** Bytes of the largest temporary. */
  get largest_bytes(): number {
    return this.#largest;
  }

  compile(program: Program): Executable {
    const table = this.#programs.get(program) ?? assemble(program).table;
    this.#programs.set(program, table);
    return { bind: (arena, symbols = {}) => this.#bind(table, { ...arena.binding, ...symbols }) };
  }

  arena(states: Iterable<StateDecl>, binding: Binding, shared?: Arena): Arena {
    // Arenas of one device are of one kind.
    return new PlannedArena(this.#blocks, states, binding, shared as PlannedArena | undefined);
  }

  #bind(table: readonly TableEntry[], binding: Binding): BoundProgram {
    const { bytes } = planScratch(table, binding);
    for (const entry of table)
      if (entry.kind === "temp") this.#largest = Math.max(this.#largest, 4 * evalDim(entry.words, binding));
    this.#needed = Math.max(this.#needed, bytes);
    if (bytes > this.#scratch.bytes) {
      const { start, bytes: before } = this.#scratch;
      if (before > 0) this.#blocks.free(start, before);
      const room = Math.ceil(bytes * SCRATCH_RESERVE);
      this.#scratch = { start: this.#blocks.allocate(room), bytes: room };
    }
    const own = table.length * 4;
    const at = this.#blocks.allocate(own);
    return { run: () => undefined, release: () => this.#blocks.free(at, own) };
  }

  age(): void {}

  kernels(): readonly never[] {
    return [];
  }

  close(): void {
    this.#programs.clear();
  }
}
