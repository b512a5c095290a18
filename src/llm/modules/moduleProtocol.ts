/** Messages between a module's thread and its owner. */
import { z } from "zod";

/** Tasks of the thread: load the module; call an export, or a method of an object that an export made. */
export type ModuleTask =
  | { readonly kind: "load"; readonly url: string }
  | { readonly kind: "type"; readonly name: string }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: "make"; readonly name: string; readonly args: readonly unknown[] }
  | {
      readonly kind: "method";
      readonly object: number;
      readonly name: string;
      readonly args: readonly unknown[];
    };

export interface ToModule {
  readonly id: number;
  readonly task: ModuleTask;
}

const count = z.number().optional().catch(undefined);

/** Properties of a module's object; `null` for a value that is not an object. */
export const objectFacts = z.object({ dataset_size: count, num_epochs: count }).nullable();

/** The module shares the thread, so the owner validates every message. */
export const FromModule = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("begun"), id: z.int() }),
  z.object({
    kind: z.literal("done"),
    id: z.int(),
    value: z.unknown(),
    facts: objectFacts,
  }),
  z.object({ kind: z.literal("failed"), id: z.int(), message: z.string() }),
]);
export type FromModule = z.output<typeof FromModule>;
