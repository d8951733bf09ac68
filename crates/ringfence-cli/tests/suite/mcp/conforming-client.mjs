// A client for the conformance suite: calls every tool of a server, with what its schema asks for.
//
// Arguments: the folder of the SDK, the gateway and its arguments where there is one, the URL of the
// server, which the suite adds.
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [sdk, ...words] = process.argv.slice(2);
const url = words.pop();
const [command, ...args] = words;
const load = (file) => import(pathToFileURL(join(sdk, "dist/esm", file)));
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");
const types = await load("types.js");

const client = new Client(
  { name: "peer", version: "1" },
  { capabilities: { elicitation: { form: { applyDefaults: true } } } },
);
client.setRequestHandler(types.ElicitRequestSchema, () => ({ action: "accept", content: {} }));
const transport = command
  ? new StdioClientTransport({ command, args: [...args, "--url", url], stderr: "inherit", env: process.env })
  : new StreamableHTTPClientTransport(new URL(url));
await client.connect(transport);

const { tools } = await client.listTools();
// The suite wants to see a schema again that it has shown.
const values = { number: 2, integer: 2, string: "x", boolean: true, object: tools[0]?.inputSchema };
for (const { name, inputSchema } of tools) {
  const fields = Object.entries(inputSchema.properties ?? {});
  const filled = fields.map(([key, schema]) => [key, values[schema.type] ?? null]);
  await client.callTool({ name, arguments: Object.fromEntries(filled) });
}
await client.close();
