"""An agent: asks its hook before each line, and runs what the hook answers as its shell would."""

import json
import os
import subprocess
import sys
import time

agent, program, policy, plan = sys.argv[1:5]
root = os.getcwd()
where = {"cwd": root}
keeps = agent in ("claude-code", "copilot")
# Codex tells its project in the record of the session.
record = os.path.join(os.environ["HOME"], "record.jsonl")
# Gemini CLI and Copilot CLI are packages.
packages = {"gemini": ("@google/gemini-cli", "0.61.0"), "copilot": ("@github/copilot", "1.0.102")}
if agent in packages:
    name, version = packages[agent]
    with open(os.path.join(os.environ["HOME"], "package.json"), "w") as file:
        json.dump({"name": name, "version": version}, file)
with open(record, "w") as file:
    file.write(json.dumps({"type": "session_meta", "payload": {"cwd": root, "cli_version": "0.166.0"}}) + "\n")


def event(line):
    cwd = where["cwd"]
    if agent == "copilot":
        call = json.dumps({"command": line, "description": "x"})
        return {"sessionId": "s", "cwd": cwd, "toolName": "bash", "toolArgs": call}
    if agent == "opencode":
        return {"tool": "bash", "args": {"command": line, "description": "x"}, "session": "s",
                "directory": cwd, "project": root, "servers": [], "rewrites": True}
    name = "run_shell_command" if agent == "gemini" else "Bash"
    stage = "BeforeTool" if agent == "gemini" else "PreToolUse"
    return {"session_id": "s", "cwd": cwd, "hook_event_name": stage, "tool_name": name,
            "transcript_path": record, "tool_use_id": "t", "tool_input": {"command": line}}


def answer(line):
    env = dict(os.environ, CLAUDE_PROJECT_DIR=root, GEMINI_PROJECT_DIR=root)
    hook = subprocess.run([program, "hook", agent, "--policy", policy], text=True, env=env,
                          input=json.dumps(event(line)), capture_output=True, cwd=root)
    said = json.loads(hook.stdout) if hook.stdout else {}
    own = said.get("hookSpecificOutput", {})
    allowed = (own.get("permissionDecision") or said.get("permissionDecision")
               or said.get("decision") or said.get("action"))
    changed = (own.get("updatedInput") or own.get("tool_input") or said.get("modifiedArgs")
               or said.get("args") or {})
    return allowed, changed.get("command"), hook.stdout


def run(line):
    if not keeps:
        return subprocess.run(["bash", "-c", line], cwd=where["cwd"], text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    end = os.path.join(os.environ["HOME"], "end-of-line")
    quoted = "'" + line.replace("'", "'\\''") + "'"
    done = subprocess.run(["bash", "-c", f"eval {quoted} && pwd -P >| {end}"], cwd=where["cwd"],
                          text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    if done.returncode == 0:
        with open(end) as file:
            where["cwd"] = file.read().rstrip("\n")
    return done


results, last = [], None
for step in json.loads(plan):
    if "write" in step:
        with open(step["write"], "w") as file:
            file.write(step["text"])
        results.append({})
        continue
    if "read" in step:
        with open(step["read"]) as file:
            results.append({"stdout": file.read()})
        continue
    if "sleep" in step:
        time.sleep(step["sleep"])
        results.append({})
        continue
    if "again" in step:
        allowed, rewritten, said = "allow", last, ""
    else:
        allowed, rewritten, said = answer(step["line"])
    last = rewritten
    result = {"allowed": allowed, "rewritten": rewritten, "said": said}
    if rewritten:
        done = run(rewritten)
        result.update(status=done.returncode, stdout=done.stdout, stderr=done.stderr)
    result["cwd"] = where["cwd"]
    results.append(result)
print(json.dumps(results))
