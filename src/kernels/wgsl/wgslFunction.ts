/**
 * A kernel in WGSL: a function that all invocations of a member's workgroup call together. Parameters are i32:
 * addresses in words of the heap, and sizes. `lid` is the invocation's number and WG their count; values are
 * read and written with loadF, storeF and so on (see prelude.ts). The caller adds a barrier after the call.
 */
export interface WgslFunction {
  readonly parameters: readonly string[];
  readonly code: string;
}

/** Code that runs once for each of `count` (an expression), spread over the workgroup. */
export const each = (index: string, count: string, code: string): string =>
  `for (var ${index} = lid; ${index} < ${count}; ${index} += WG) {\n${code}\n}`;
