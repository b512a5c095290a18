/** Hosts that a server listens at. */

/** Whether only this machine reaches it. */
export const isThisMachine = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/.test(host);

/** The host as an address has it; one that stands for all of this machine's is called by a name that works here. */
export function shownHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
