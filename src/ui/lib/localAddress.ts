/** Whether only this computer can open an address, such as one of `npm start`. */
export const isLocal = ({ hostname, protocol }: Pick<URL, "hostname" | "protocol">): boolean =>
  protocol === "file:" ||
  hostname === "[::1]" ||
  /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0)$/.test(hostname);
