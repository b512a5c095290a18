import type { NamedEnvironment } from "./NamedEnvironment.ts";
import { SyncVectorEnvironment } from "./SyncVectorEnvironment.ts";

/** Lanes of a host environment known by name. Made by `makeVector`. */
export class NamedVectorEnvironment extends SyncVectorEnvironment {
  /** Whether the lanes are as the name says, without options that make them others. */
  readonly isPlain: boolean;

  /** @throws RangeError without a factory. */
  constructor(factories: readonly (() => NamedEnvironment)[], isPlain: boolean) {
    super(factories);
    this.isPlain = isPlain;
  }
}
