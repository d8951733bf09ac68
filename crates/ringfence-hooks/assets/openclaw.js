// Asks ringfence before every tool. Written by `ringfence hook openclaw --setup`.
import { spawn } from "node:child_process"

const RINGFENCE = "@PROGRAM@"
const LIMIT_MS = 120_000

// Why a call is refused, or nothing where it may be made. Whatever goes wrong on the way is a no.
function refusal(tool, args, session, directory) {
  return new Promise((resolve) => {
    let said = ""
    const child = spawn(RINGFENCE, ["hook", "openclaw"], { stdio: ["pipe", "pipe", "ignore"] })
    const late = setTimeout(() => {
      child.kill("SIGKILL")
      resolve("ringfence: it took too long")
    }, LIMIT_MS)
    const end = (reason) => {
      clearTimeout(late)
      resolve(reason)
    }
    child.on("error", (error) => end(`ringfence: it cannot be run: ${error.message}`))
    child.stdin.on("error", () => {})
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (part) => (said += part))
    child.on("close", (status) => {
      if (status !== 0) return end(`ringfence: it ended with status ${status}`)
      try {
        const answer = JSON.parse(said)
        end(answer.action === "allow" ? undefined : (answer.message ?? "ringfence refused this"))
      } catch {
        end("ringfence: its answer cannot be read")
      }
    })
    child.stdin.end(JSON.stringify({ tool, args: args ?? {}, session, directory }))
  })
}

// pi works in the directory in which it was started.
function inPi(agent) {
  agent.on("tool_call", async (event, context) => {
    const session = context?.sessionManager?.getSessionId?.()
    const reason = await refusal(event.toolName, event.input, session, process.cwd())
    return reason === undefined ? undefined : { block: true, reason }
  })
}

// OpenClaw works in the workspace of the agent that calls, and no event says where that is.
function inOpenClaw(api) {
  const judge = async (event, context) => {
    // Tools that share a name are told apart by their kind: `exec` may take a line or code.
    const tool = event.toolKind ?? event.toolName
    const directory = api.runtime.agent.resolveAgentWorkspaceDir(api.config, context?.agentId)
    if (typeof directory !== "string") return "ringfence: the agent's workspace cannot be told"
    return refusal(tool, event.params, context?.sessionId, directory)
  }
  const hook = async (event, context) => {
    const reason = await judge(event, context)
    return reason === undefined ? undefined : { block: true, blockReason: reason }
  }
  api.on("before_tool_call", hook, { timeoutMs: LIMIT_MS + 10_000 })
}

// Both call what a file exports, each with an interface of its own.
export default function ringfence(api) {
  if (typeof api.registerHook === "function") inOpenClaw(api)
  else inPi(api)
}
