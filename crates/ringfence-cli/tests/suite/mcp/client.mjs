// A client made with the official SDK: does what it is told, and prints each answer as a line.
//
// Arguments: the folder of the SDK, what to do (a JSON list), the server and its
// arguments, or its URL.
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [sdk, wanted, command, ...args] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(join(sdk, "dist/esm", file)));
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");
const types = await load("types.js");

const client = new Client(
  { name: "peer", version: "1" },
  { capabilities: { roots: {}, sampling: {}, elicitation: {} } },
);
client.setRequestHandler(types.ListRootsRequestSchema, () => ({ roots: [] }));
client.setRequestHandler(types.CreateMessageRequestSchema, () => ({
  role: "assistant",
  model: "none",
  content: { type: "text", text: "sampled" },
}));
let elicited = { action: "decline" };
client.setRequestHandler(types.ElicitRequestSchema, () => elicited);
const transport = command.startsWith("http:")
  ? new StreamableHTTPClientTransport(new URL(command))
  : new StdioClientTransport({ command, args, stderr: "inherit", env: process.env });
await client.connect(transport);

const doing = {
  list: () => client.listTools(),
  prompts: () => client.listPrompts(),
  resources: () => client.listResources(),
  prompt: (params) => client.getPrompt(params),
  read: (params) => client.readResource(params),
  complete: (params) => client.complete(params),
  ping: () => client.ping(),
  answers: (answer) => (elicited = answer),
  call: (params) => client.callTool(params),
};
for (const [what, params] of JSON.parse(wanted)) {
  let answer;
  try {
    answer = { result: await doing[what](params) };
  } catch (error) {
    answer = { error: { code: error.code, message: error.message, data: error.data } };
  }
  console.log(JSON.stringify(answer));
}
await transport.terminateSession?.();
await client.close();
