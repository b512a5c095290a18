/**
 * Runs `write` while the clock that h5wasm reads is stopped. HDF5 stores the modification time of each
 * object, in seconds, and h5wasm (0.10.3) cannot disable that. The same rows written a second later would
 * have a different hash. Delete this function when h5wasm's `create_dataset` supports HDF5's `track_times`.
 *
 * @param write Must be synchronous, because all code of the thread reads this clock.
 */
export function withoutClock<Written>(write: () => Written): Written {
  const { now } = Date;
  Date.now = () => 0;
  try {
    return write();
  } finally {
    Date.now = now;
  }
}
