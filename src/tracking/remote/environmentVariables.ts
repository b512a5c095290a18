/** The value of an environment variable; null if it is unset or empty, or outside Node. */
export const environmentVariable = (name: string): string | null => {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  return process?.env?.[name] || null;
};
