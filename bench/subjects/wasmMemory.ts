const memories: WebAssembly.Memory[] = [];

/** Tracks every linear memory that is created from now on. */
export function watchWasmMemory(): void {
  WebAssembly.Memory = new Proxy(WebAssembly.Memory, {
    construct(target, args: [WebAssembly.MemoryDescriptor]) {
      const memory = new target(...args);
      memories.push(memory);
      return memory;
    },
  });
}

/** Bytes of all linear memories, and of the JavaScript heap after garbage collection. */
export function memoryInUse(): { readonly pages: number; readonly heap: number } {
  if (!globalThis.gc) throw new Error("memory is measured with node --expose-gc");
  globalThis.gc();
  globalThis.gc();
  const pages = memories.reduce((bytes, memory) => bytes + memory.buffer.byteLength, 0);
  return { pages, heap: process.memoryUsage().heapUsed };
}
