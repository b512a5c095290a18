export function exportManifest(_m: unknown, _f: string): string {
  return "";
}
