// Deciding what to answer: by the tags of the newest user message, or by the queue of replies.
import { id, tokens } from "./words.mjs";

const failures = new Map(); // prompt -> how often an [[error:SxN]] has been answered
let queue = []; // replies from POST /__script
/** Replies that are used first, in order; how many there are now is returned. */
export function script(replies) {
  queue = [...queue, ...replies];
  return queue.length;
}
/** Forgets them. */
export function unscript() {
  queue = [];
  return 0;
}

// Context blocks that agents put around or before the person's words (<system-reminder>...</system-reminder> and its like).
const WRAP =
  "system-reminder|environment_context|user_instructions|permissions|session_context|current_datetime|reminder|system_notification|skills|INSTRUCTIONS|user_info|recommended_plugins|apps_instructions|plugins_instructions|skills_instructions";
const unwrap = (t) => t.replace(new RegExp(`<(${WRAP})\\b[\\s\\S]*?</\\1[^>]*>`, "gi"), "").trim();
const isNoise = (t) => unwrap(t) === "" || /^# AGENTS\.md|^This is the Gemini CLI/.test(unwrap(t));
const SHELL = /^(bash|shell|shell_command|exec_command|run_shell_command|local_shell|execute_command|terminal)$/i;
const READ = /^(read|read_file|view|view_file|open_file)$/i;

// Arguments for a tool the agent declared: known names get our value, other required fields a filler of their type.
function argsFor(tool, value) {
  const props = tool.schema?.properties ?? {};
  const out = {};
  const fill = (k) => {
    const t = [props[k]?.type].flat()[0];
    return (
      props[k]?.enum?.[0] ??
      { number: 1, integer: 1, boolean: false, array: [], object: {} }[t?.toLowerCase?.()] ??
      "stub"
    );
  };
  const main = ["command", "cmd", "file_path", "filePath", "absolute_path", "path", "script"].find((k) => k in props);
  for (const k of tool.schema?.required ?? []) out[k] = fill(k);
  if (main) out[main] = [props[main].type].flat()[0]?.toLowerCase?.() === "array" ? ["bash", "-lc", value] : value;
  return out;
}
const findTool = (req, re) => req.tools.find((t) => re.test(t.name ?? ""));

/** What a request is answered with; `delayMs` is the time between deltas where no tag says another. */
export function plan(req, delayMs) {
  // the current turn: everything after the last assistant message that called no tool
  let start = 0;
  req.items.forEach((it, i) => {
    if (it.role === "assistant" && !it.call && !req.items[i + 1]?.call) start = i + 1;
  });
  const turn = req.items.slice(start);
  const users = (list) => list.filter((i) => i.role === "user" && !isNoise(i.text));
  const prompt = unwrap(users(turn).at(-1)?.text ?? users(req.items).at(-1)?.text ?? "");
  const results = turn.filter((i) => i.role === "tool");
  const turns = req.items.filter((it, i) => it.role === "assistant" && !it.call && !req.items[i + 1]?.call).length + 1;
  const tags = [...prompt.matchAll(/\[\[(\w+)(?::([\s\S]*?))?\]\]/g)].map((m) => ({ name: m[1], value: m[2] }));
  const tag = (n) => tags.find((t) => t.name === n);
  const p = {
    prompt,
    delay: Number(tag("delay")?.value ?? delayMs),
    cut: tag("cut"),
    hang: tag("hang"),
    calls: [],
    input: tokens(JSON.stringify(req.items)),
    turns,
  };
  [p.input, p.output] = (tag("usage")?.value ?? `${p.input},0`).split(",").map(Number);

  const side = req.tools.length === 0; // title makers, classifiers, summarisers: no tools offered
  const err = tag("error") && /^(\d+)(?:x(\d+))?$/.exec(tag("error").value ?? "");
  if (err && !(side && err[2])) {
    const n = failures.get(prompt) ?? 0;
    if (!err[2] || n < Number(err[2])) {
      failures.set(prompt, n + 1);
      return { ...p, status: Number(err[1]) };
    }
  }
  if (!side && queue.length) {
    const q = queue.shift();
    return {
      ...p,
      status: q.status,
      retryAfter: q.retryAfter,
      delay: q.delay ?? p.delay,
      ...(q.usage && { input: q.usage[0], output: q.usage[1] }),
      think: q.think,
      text: q.text ?? "",
      calls: (q.calls ?? []).map((c) => ({ ...c, id: id("call") })),
    };
  }
  if (req.json) return { ...p, text: JSON.stringify(argsFor({ schema: req.jsonSchema ?? {} }, "stub")) };
  if (side) return { ...p, text: "Stub title" };
  if (tag("think") && results.length === 0)
    p.think = tag("think").value ?? "Let me think about this. The user wants something simple. I will answer directly.";
  const wanted = tags.filter((t) => ["tool", "read", "call"].includes(t.name))[results.length];
  if (wanted) {
    let tool, args;
    const m = /^(\S+)\s*([\s\S]*)$/.exec(wanted.value ?? "");
    if (wanted.name === "call" && m) {
      tool = req.tools.find((t) => t.name === m[1]) ?? req.tools.find((t) => t.name?.endsWith(m[1]));
      args = m[2] ? JSON.parse(m[2]) : {};
    }
    if (wanted.name === "tool") {
      tool = findTool(req, SHELL);
      args = tool && argsFor(tool, wanted.value ?? "echo hi");
    }
    if (wanted.name === "read") {
      tool = findTool(req, READ);
      args = tool && argsFor(tool, wanted.value ?? "README.md");
    }
    if (tool)
      return {
        ...p,
        text: "I will use a tool.",
        calls: [{ id: id("call"), name: tool.name, namespace: tool.namespace, freeform: tool.freeform, args }],
      };
    return {
      ...p,
      text: `stub-model: the agent offers no tool for [[${wanted.name}:${wanted.value ?? ""}]]; it offers ${req.tools.map((t) => t.name).join(", ")}`,
    };
  }
  const text = results.at(-1)?.text;
  const last = text === undefined ? undefined : unwrap(text);
  const first = unwrap(users(req.items)[0]?.text ?? "");
  p.text =
    tag("say")?.value ??
    (last !== undefined
      ? `The tool returned: ${last.slice(0, 600)}. All done.`
      : `Hello from the stub model, turn ${turns}. You said: ${plain(prompt, 120)}. First prompt was: ${plain(first, 60)}`);
  return p;
}
const plain = (s, max) =>
  s
    .replace(/\[\[[\s\S]*?\]\]\s*/g, "")
    .trim()
    .slice(0, max);
