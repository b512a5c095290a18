/** The message to show to the user for a thrown value. */
export function messageOf(error: unknown): string {
  if (error instanceof Error && error.message !== "") return error.message;
  return `Unexpected error: ${String(error)}`;
}
