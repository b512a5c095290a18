import type { HostEnvironmentDefinition } from "../definition/hostEnvironmentDefinition.ts";
import type { NamedEnvironment } from "../face/NamedEnvironment.ts";
import type { NamedParallelEnvironment } from "../face/NamedParallelEnvironment.ts";
import { SyncVectorEnvironment } from "./SyncVectorEnvironment.ts";

/** Lanes of a registered host environment. Created by `makeVector`. */
export class NamedVectorEnvironment extends SyncVectorEnvironment {
  /** The environment of the lanes, with its options. */
  readonly environment: HostEnvironmentDefinition;

  /** @throws RangeError when there is no factory. */
  constructor(
    factories: readonly (() => NamedEnvironment | NamedParallelEnvironment)[],
    environment: HostEnvironmentDefinition,
  ) {
    super(factories);
    this.environment = environment;
  }
}
