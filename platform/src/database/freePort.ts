import { type AddressInfo, createServer } from "node:net";

/** A port of an address that nobody listens at. */
export const freePort = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, host, () => {
      // A server that listens at a port has an address with one.
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
