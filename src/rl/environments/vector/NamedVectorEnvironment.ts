import type { HostEnvironmentDefinition } from "../definition/hostEnvironmentDefinition.ts";
import type { NamedEnvironment } from "../face/NamedEnvironment.ts";
import type { NamedParallelEnvironment } from "../face/NamedParallelEnvironment.ts";
import { SyncVectorEnvironment } from "./SyncVectorEnvironment.ts";

/** Lanes of a host environment known by name. Made by `makeVector`. */
export class NamedVectorEnvironment extends SyncVectorEnvironment {
  /** What they are lanes of, with its options. */
  readonly environment: HostEnvironmentDefinition;

  /** @throws RangeError without a factory. */
  constructor(
    factories: readonly (() => NamedEnvironment | NamedParallelEnvironment)[],
    environment: HostEnvironmentDefinition,
  ) {
    super(factories);
    this.environment = environment;
  }
}
