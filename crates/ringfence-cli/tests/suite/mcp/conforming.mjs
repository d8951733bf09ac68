// A server of the official SDK that has what the conformance suite asks servers for.
//
// Arguments: the folder of the SDK's packages, and a port to serve at; without one it speaks on
// standard input and output. Of both kinds of revisions: with sessions, and without.
import { createServer } from "node:http";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [packages, port] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(join(packages, file)));
const { Server, createMcpHandler, inputRequired, createRequestStateCodec } = await load("server/dist/index.mjs");
const { serveStdio } = await load("server/dist/stdio.mjs");
const { NodeStreamableHTTPServerTransport, toNodeHandler, hostHeaderValidation } = await load("node/dist/index.mjs");

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQAAAAA=";
const pause = () => new Promise((done) => setTimeout(done, 50));
const text = (text) => ({ content: [{ type: "text", text }] });
const object = (properties = {}, required = Object.keys(properties)) => ({ type: "object", properties, required });
const string = { type: "string" };
const form = (message, properties) => ({
  method: "elicitation/create",
  params: { mode: "form", message, requestedSchema: object(properties) },
});
const sampling = (prompt) => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text: prompt } }], maxTokens: 100 },
});
const ROOTS = { method: "roots/list", params: {} };
const codec = createRequestStateCodec({ key: Buffer.alloc(32, 7) });

// Asks for what is missing among these requests; nothing where all of it is there.
const lacks = async (wanted, ctx, state) => {
  const given = ctx.mcpReq.inputResponses ?? {};
  if (Object.keys(wanted).every((key) => typeof given[key] === "object")) return;
  return inputRequired({ inputRequests: wanted, ...(state && { requestState: await codec.mint(state, ctx) }) });
};
const elicits = async (ctx, message, properties) => {
  const answer = await ctx.mcpReq.elicitInput({ message, requestedSchema: object(properties) });
  return text(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content)}`);
};
const titled = (...own) => own.map((name, at) => ({ const: `value${at + 1}`, title: name }));
const OPTIONS = ["option1", "option2", "option3"];

const tools = {
  test_simple_text: () => text("This is a simple text response for testing."),
  test_image_content: () => ({ content: [{ type: "image", data: PNG, mimeType: "image/png" }] }),
  test_audio_content: () => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] }),
  test_embedded_resource: () => ({
    content: [{ type: "resource", resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "This is an embedded resource content." } }],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      { type: "image", data: PNG, mimeType: "image/png" },
      { type: "resource", resource: { uri: "test://mixed-content-resource", mimeType: "application/json", text: '{"test":"data","value":123}' } },
    ],
  }),
  test_error_handling: () => ({ ...text("This tool intentionally returns an error for testing"), isError: true }),
  test_tool_with_logging: async (_, ctx) => {
    for (const said of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await ctx.mcpReq.log("info", said);
      await pause();
    }
    return text("logged");
  },
  test_tool_with_progress: async (_, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      await pause();
    }
    return text("done");
  },
  test_sampling: async ({ prompt }, ctx) => {
    const answer = await ctx.mcpReq.requestSampling(sampling(prompt).params);
    return text(`LLM response: ${answer.content.text}`);
  },
  test_elicitation: async ({ message }, ctx) => {
    const answer = await ctx.mcpReq.elicitInput(form(message, { username: string, email: string }).params);
    return text(`User response: ${answer.action} ${JSON.stringify(answer.content)}`);
  },
  test_elicitation_sep1034_defaults: (_, ctx) =>
    elicits(ctx, "defaults", {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true },
    }),
  test_elicitation_sep1330_enums: (_, ctx) =>
    elicits(ctx, "enums", {
      untitledSingle: { type: "string", enum: OPTIONS },
      titledSingle: { type: "string", oneOf: titled("First Option", "Second Option", "Third Option") },
      legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["Option One", "Option Two", "Option Three"] },
      untitledMulti: { type: "array", items: { type: "string", enum: OPTIONS } },
      titledMulti: { type: "array", items: { anyOf: titled("First Choice", "Second Choice", "Third Choice") } },
    }),
  test_input_required_result_elicitation: async (_, ctx) =>
    (await lacks({ user_name: form("What is your name?", { name: string }) }, ctx)) ??
    text(`Hello, ${ctx.mcpReq.inputResponses.user_name.content?.name}!`),
  test_input_required_result_sampling: async (_, ctx) =>
    (await lacks({ capital_question: sampling("What is the capital of France?") }, ctx)) ?? text("sampled"),
  test_input_required_result_list_roots: async (_, ctx) => (await lacks({ client_roots: ROOTS }, ctx)) ?? text("rooted"),
  test_input_required_result_request_state: async (_, ctx) =>
    (await lacks({ confirm: form("Please confirm", { ok: { type: "boolean" } }) }, ctx, "one")) ??
    text(ctx.mcpReq.requestState() === "one" ? "state-ok" : "state-lost"),
  test_input_required_result_multiple_inputs: async (_, ctx) =>
    (await lacks({ user_name: form("What is your name?", { name: string }), greeting: sampling("Generate a greeting"), client_roots: ROOTS }, ctx, "all")) ??
    text("all of it"),
  test_input_required_result_multi_round: async (_, ctx) => {
    if (ctx.mcpReq.requestState() === "two") return text("both steps");
    const first = await lacks({ step1: form("Step 1: What is your name?", { name: string }) }, ctx, "one");
    return first ?? inputRequired({ inputRequests: { step2: form("Step 2: What is your favorite color?", { color: string }) }, requestState: await codec.mint("two", ctx) });
  },
  test_input_required_result_tampered_state: async (_, ctx) =>
    (await lacks({ confirm: form("Please confirm", { ok: { type: "boolean" } }) }, ctx, "sealed")) ?? text("whole"),
};
const schemas = { test_sampling: object({ prompt: string }), test_elicitation: object({ message: string }) };
const prompts = {
  test_simple_prompt: () => [{ type: "text", text: "This is a simple prompt for testing." }],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [{ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    { type: "resource", resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." } },
    { type: "text", text: "Please process the embedded resource above." },
  ],
  test_prompt_with_image: () => [
    { type: "image", data: PNG, mimeType: "image/png" },
    { type: "text", text: "Please analyze the image above." },
  ],
};
const parameters = { test_prompt_with_arguments: ["arg1", "arg2"], test_prompt_with_embedded_resource: ["resourceUri"] };
const resources = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PNG },
  "test://watched-resource": { mimeType: "text/plain", text: "watched" },
};

const make = (era) => {
  const listed = { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, prompts: { listChanged: true }, completions: {}, logging: {} };
  const server = new Server({ name: "conforming", version: "1" }, { capabilities: listed, requestState: { verify: codec.verify } });
  const missing = (code, message, data) => Object.assign(new Error(message), { code, data });
  server.setRequestHandler("tools/list", () => ({
    tools: Object.keys(tools).map((name) => ({ name, description: `The tool ${name}`, inputSchema: schemas[name] ?? object() })),
  }));
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    if (!Object.hasOwn(tools, params.name)) throw missing(-32602, "there is no such tool");
    return tools[params.name](params.arguments ?? {}, ctx);
  });
  server.setRequestHandler("prompts/list", () => ({
    prompts: Object.keys(prompts).map((name) => ({ name, description: `The prompt ${name}`, arguments: (parameters[name] ?? []).map((own) => ({ name: own, required: true })) })),
  }));
  server.setRequestHandler("prompts/get", ({ params }) => {
    if (!Object.hasOwn(prompts, params.name)) throw missing(-32602, "there is no such prompt");
    return { messages: prompts[params.name](params.arguments ?? {}).map((content) => ({ role: "user", content })) };
  });
  server.setRequestHandler("resources/list", () => ({
    resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri, description: `The resource ${uri}`, mimeType })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template", description: "A template", mimeType: "application/json" }],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    const own = id ? { mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) } : resources[uri];
    if (!own) throw missing(-32602, "Resource not found", { uri });
    return { contents: [{ uri, ...own }] };
  });
  server.setRequestHandler("completion/complete", () => ({ completion: { values: ["paris", "park"], total: 2, hasMore: false } }));
  if (era !== "modern") {
    for (const method of ["resources/subscribe", "resources/unsubscribe", "logging/setLevel"]) server.setRequestHandler(method, () => ({}));
  }
  return server;
};

if (port === undefined) {
  serveStdio(({ era }) => make(era));
} else {
  const alone = toNodeHandler(createMcpHandler(({ era }) => make(era)));
  const sessions = new Map();
  const local = hostHeaderValidation(["localhost", "127.0.0.1"]);
  const serve = async (request, response) => {
    if ((request.headers["mcp-protocol-version"] ?? "") >= "2026") return alone(request, response);
    const known = sessions.get(request.headers["mcp-session-id"]);
    if (known) return known.handleRequest(request, response);
    if (request.headers["mcp-session-id"]) return response.writeHead(404).end();
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await make("legacy").connect(transport);
    return transport.handleRequest(request, response);
  };
  createServer((request, response) => {
    if (local(request, response)) void serve(request, response);
  }).listen(Number(port), "127.0.0.1");
}
