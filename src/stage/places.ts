/** Door: places of members by rank and descent, and the grid of the wall. */
export { nextSeats, seated } from "./seats.ts";
export { tileGrid } from "./tileGrid.ts";
