/** Thrown if another worker has since claimed the run, so this worker may no longer write to it. */
export class LostRunError extends Error {
  constructor(run: string) {
    super(`run ${run} was claimed by another worker`);
    this.name = "LostRunError";
  }
}
