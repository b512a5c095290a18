import { type AddressInfo, createServer } from "node:net";

/** Finds a free port of an address. */
export const freePort = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, host, () => {
      // A server that listens on a TCP port has an AddressInfo.
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
