/** Another worker has claimed the run since: nothing more of it may be written here. */
export class LostRunError extends Error {
  constructor(run: string) {
    super(`run ${run} is another worker's now`);
    this.name = "LostRunError";
  }
}
