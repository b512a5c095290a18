/** The manifest's mutation section as callers give it: a spec without fields is the default mutation, where an empty section is none. */
export function mutationSection(mutation: object | null | undefined): unknown {
  return mutation && Object.keys(mutation).length === 0 ? { probabilities: {} } : (mutation ?? null);
}
