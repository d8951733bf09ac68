// The official SDK from its folder, and a client made with it.
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const load = (sdk, file) => import(pathToFileURL(join(sdk, "dist/esm", file)));

export const types = (sdk) => load(sdk, "types.js");

export async function client(sdk, capabilities) {
  const { Client } = await load(sdk, "client/index.js");
  return new Client({ name: "peer", version: "1" }, { capabilities });
}

// The way to a server that is started, or to one at a URL.
export async function started(sdk, command, args) {
  const { StdioClientTransport } = await load(sdk, "client/stdio.js");
  return new StdioClientTransport({ command, args, stderr: "inherit", env: process.env });
}

export async function at(sdk, url) {
  const { StreamableHTTPClientTransport } = await load(sdk, "client/streamableHttp.js");
  return new StreamableHTTPClientTransport(new URL(url));
}
