/** How an agent searches before it moves. */
export interface LookAhead {
  /** Positions that the search of a move adds to its tree. */
  readonly simulations: number;
}
