/** @throws Error saying that a logger comes later. */
export function refuseLoggers({ wb, board }: { readonly wb?: boolean; readonly board?: boolean }): void {
  if (wb) throw new Error("wb: experiment tracking is not available yet; leave it out");
  if (board) throw new Error("board: scalar logs are not available yet; leave it out");
}
