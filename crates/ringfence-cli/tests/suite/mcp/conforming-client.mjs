// A client for the conformance suite: calls every tool of a server, with what its schema asks for.
//
// Arguments: the folder of the SDK, the gateway and its arguments where there is one, the URL of the
// server, which the suite adds.
import * as own from "./sdk.mjs";

const [sdk, ...words] = process.argv.slice(2);
const url = words.pop();
const [command, ...args] = words;
const types = await own.types(sdk);

const client = await own.client(sdk, { elicitation: { form: { applyDefaults: true } } });
client.setRequestHandler(types.ElicitRequestSchema, () => ({ action: "accept", content: {} }));
const transport = command
  ? await own.started(sdk, command, [...args, "--url", url])
  : await own.at(sdk, url);
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
