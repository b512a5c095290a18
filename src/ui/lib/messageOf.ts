/** What to tell the person about something that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof Error && error.message !== "") return error.message;
  return `Something unexpected was thrown: ${String(error)}`;
}
