/**
 * The address of a page of the documentation, such as "evolution.html"; null where the workbench is served without one.
 * Whoever serves both says so by a `<link rel="help">` in the page, because the page may not ask a server.
 */
export function documentationAddress(page: string): string | null {
  const link = document.querySelector<HTMLLinkElement>('link[rel="help"]');
  return link && new URL(page, link.href).href;
}
