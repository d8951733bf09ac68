// A client of the SDK's second version for the conformance suite, which knows the revisions without
// sessions: uses all that a server has.
//
// Arguments: the folder of the SDK's packages, the gateway and its arguments where there is one, the
// URL of the server, which the suite adds. A gateway with `--http` is spoken to over HTTP.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [packages, ...words] = process.argv.slice(2);
const url = words.pop();
const [command, ...args] = words;
const load = (file) => import(pathToFileURL(join(packages, "client/dist", file)));
const { Client, StreamableHTTPClientTransport } = await load("index.mjs");
const { StdioClientTransport } = await load("stdio.mjs");
const { SkillsClient } = await load("ext/skills/index.mjs");

// A gateway that serves over HTTP, and its address.
const served = async () => {
  const gateway = spawn(command, [...args, "--url", url], { stdio: ["ignore", "inherit", "pipe"] });
  process.on("exit", () => gateway.kill());
  const lines = createInterface({ input: gateway.stderr });
  const address = await new Promise((found) => {
    lines.on("line", (line) => line.startsWith("ringfence: serving ") && found(line.split(" ").pop()));
  });
  return new StreamableHTTPClientTransport(new URL(address));
};
const way = async () => {
  if (!command) return new StreamableHTTPClientTransport(new URL(url));
  if (args.includes("--http")) return served();
  return new StdioClientTransport({ command, args: [...args, "--url", url], stderr: "inherit", env: process.env });
};

const alone = (process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? "") >= "2026";
const client = new Client(
  { name: "peer", version: "1" },
  {
    capabilities: { roots: {}, sampling: {}, elicitation: { form: { applyDefaults: true } } },
    versionNegotiation: { mode: alone ? "auto" : "legacy" },
  },
);
client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));
client.setRequestHandler("roots/list", () => ({ roots: [] }));
// The suite ends the shell that it has started this with, and nothing else.
setTimeout(() => process.exit(1), 50_000).unref();
await client.connect(await way());

// What a server refuses must not keep the client from the rest.
const attempt = async (doing) => {
  try {
    return await doing();
  } catch (error) {
    console.error(`${doing}: ${error.message}`);
  }
};
const can = client.getServerCapabilities() ?? {};
const { tools = [] } = (await attempt(() => client.listTools())) ?? {};
// The suite wants to see a schema again that it has shown.
const values = { number: 2, integer: 2, string: "x", boolean: true, object: tools[0]?.inputSchema };
const filled = ({ name, inputSchema }) => {
  const fields = Object.entries(inputSchema.properties ?? {});
  return { name, arguments: Object.fromEntries(fields.map(([key, schema]) => [key, values[schema.type] ?? null])) };
};
const { toolCalls } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
for (const call of toolCalls ?? tools.map(filled)) await attempt(() => client.callTool(call));
if (can.resources) {
  const { resources = [] } = (await attempt(() => client.listResources())) ?? {};
  for (const { uri } of resources) await attempt(() => client.readResource({ uri }));
}
if (can.prompts) {
  const { prompts = [] } = (await attempt(() => client.listPrompts())) ?? {};
  for (const { name } of prompts) await attempt(() => client.getPrompt({ name }));
}
const skills = new SkillsClient(client);
if (skills.supported) {
  const listing = await attempt(() => skills.list());
  // A skill that nobody needs yet is only listed.
  const needed = process.env.MCP_CONFORMANCE_SCENARIO?.includes("verify") ? (listing?.skills ?? []) : [];
  for (const skill of needed) {
    const whole = await attempt(() => skills.read(skill));
    for (const { uri } of whole ? skill.resources : []) await attempt(() => skills.read(skill, uri));
  }
}
await client.close();
process.exit(0);
