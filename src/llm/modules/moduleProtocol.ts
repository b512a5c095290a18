/** Messages to and from a loaded module. */
import { z } from "zod";

/** Calls an export, or a method of an object that an export made. */
export type ModuleTask =
  | { readonly kind: "type"; readonly name: string }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: "make"; readonly name: string; readonly args: readonly unknown[] }
  | {
      readonly kind: "method";
      readonly object: number;
      readonly name: string;
      readonly args: readonly unknown[];
    };

const count = z.number().optional().catch(undefined);

/** Properties of a module's object; `null` for a value that is not an object. */
export const objectFacts = z.object({ dataset_size: count, num_epochs: count }).nullable();
