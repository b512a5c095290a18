/**
 * Runs `write` while the clock that h5wasm reads stands still. HDF5 notes in each object when it was changed, in seconds,
 * and h5wasm (0.10.3) cannot be told to leave that out: the same rows, written a second later, would have another hash.
 * To be deleted when h5wasm's `create_dataset` takes HDF5's `track_times`.
 *
 * @param write Must not be asynchronous: all code of the thread reads this clock.
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
