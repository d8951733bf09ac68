// A client made with the official SDK: does what it is told, and prints each answer as a line.
//
// Arguments: the folder of the SDK, what to do (a JSON list), the server and its
// arguments, or its URL.
import * as own from "./sdk.mjs";

const [sdk, wanted, command, ...args] = process.argv.slice(2);
const types = await own.types(sdk);

const client = await own.client(sdk, { roots: {}, sampling: {}, elicitation: {} });
client.setRequestHandler(types.ListRootsRequestSchema, () => ({ roots: [] }));
client.setRequestHandler(types.CreateMessageRequestSchema, () => ({
  role: "assistant",
  model: "none",
  content: { type: "text", text: "sampled" },
}));
let elicited = { action: "decline" };
client.setRequestHandler(types.ElicitRequestSchema, () => elicited);
const transport = command.startsWith("http:")
  ? await own.at(sdk, command)
  : await own.started(sdk, command, args);
await client.connect(transport);

const doing = {
  list: () => client.listTools(),
  prompts: () => client.listPrompts(),
  resources: () => client.listResources(),
  prompt: (params) => client.getPrompt(params),
  read: (params) => client.readResource(params),
  complete: (params) => client.complete(params),
  ping: () => client.ping(),
  instructions: () => client.getInstructions(),
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
