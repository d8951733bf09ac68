// Asks ringfence before every tool. Written by `ringfence hook opencode --setup`.
import { spawn } from "node:child_process"

const RINGFENCE = "@PROGRAM@"
const LIMIT_MS = 120_000

// What ringfence says to a call. Whatever goes wrong on the way is a no.
function ask(event) {
  return new Promise((resolve) => {
    const no = (reason) => resolve({ action: "block", message: `ringfence: ${reason}` })
    let out = ""
    const child = spawn(RINGFENCE, ["hook", "opencode"], { stdio: ["pipe", "pipe", "ignore"] })
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      no("no answer in time")
    }, LIMIT_MS)
    child.on("error", (error) => {
      clearTimeout(timer)
      no(`it cannot be run: ${error.message}`)
    })
    child.stdout.on("data", (chunk) => (out += chunk))
    child.on("close", (status) => {
      clearTimeout(timer)
      if (status !== 0) return no(`it ended with status ${status}`)
      try {
        resolve(JSON.parse(out))
      } catch {
        no("its answer cannot be read")
      }
    })
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(event))
  })
}

export const Ringfence = async ({ directory, worktree }) => {
  let servers = []
  return {
    config: async (config) => {
      servers = Object.keys(config.mcp ?? {})
    },
    "tool.execute.before": async (input, output) => {
      const answer = await ask({
        tool: input.tool,
        args: output.args ?? {},
        session: input.sessionID,
        directory,
        project: worktree && worktree !== "/" ? worktree : directory,
        servers,
        rewrites: true,
      })
      if (answer?.action !== "allow") throw new Error(answer?.message ?? "ringfence refused this")
      // The same call in the fence. opencode runs the object that it handed over.
      if (typeof answer.args?.command === "string") output.args.command = answer.args.command
    },
  }
}
