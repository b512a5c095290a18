/** Hosts that a server listens on. */

/** Whether only this machine can reach the host. */
export const isThisMachine = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/.test(host);

/** The host as written in a URL. An address that stands for all interfaces becomes `localhost`. */
export function shownHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
