// Asks ringfence before every tool. Written by `ringfence hook openclaw --setup`.
import { spawnSync } from "node:child_process"

const RINGFENCE = "@PROGRAM@"
const LIMIT_MS = 120_000

// Why a call is refused, or nothing where it may be made. Whatever goes wrong on the way is a no.
function refusal(tool, args, session) {
  const directory = process.cwd()
  const input = JSON.stringify({ tool, args: args ?? {}, session, directory })
  const child = spawnSync(RINGFENCE, ["hook", "openclaw"], {
    input,
    encoding: "utf8",
    timeout: LIMIT_MS,
  })
  if (child.error) return `ringfence: it cannot be run: ${child.error.message}`
  if (child.status !== 0) return `ringfence: it ended with status ${child.status}`
  try {
    const answer = JSON.parse(child.stdout)
    return answer.action === "allow" ? undefined : (answer.message ?? "ringfence refused this")
  } catch {
    return "ringfence: its answer cannot be read"
  }
}

// pi: an extension is a function.
export default function ringfence(agent) {
  agent.on("tool_call", async (event, context) => {
    const reason = refusal(event.toolName, event.input, context?.sessionManager?.getSessionId?.())
    return reason === undefined ? undefined : { block: true, reason }
  })
}

// OpenClaw: a plugin registers its hooks.
ringfence.id = "ringfence"
ringfence.register = (api) => {
  api.on("before_tool_call", async (event, context) => {
    const reason = refusal(event.toolName, event.params, context?.sessionId)
    return reason === undefined ? undefined : { block: true, blockReason: reason }
  })
}
