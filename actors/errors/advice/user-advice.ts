/** Causes and remedies of what a person can mend. Those of agents and servers stand beside it. */
import type { AdviceOf } from "./kinds.ts";

type Beside = `USER.AGENT.${string}` | `USER.SERVE.${string}`;

export const USER: Omit<AdviceOf<`USER.${string}`>, Beside> = {
  "USER.INPUT.MISSING": [
    "A workflow wants an input that was not given.",
    "Give it: -i name=value, or key=value in a prompt.",
  ],
  "USER.INPUT.MISSING_FILE": [
    "A file that an input or a step names is not there.",
    "Look at the path; it is taken from the workflow's folder unless it says otherwise.",
  ],
  "USER.INPUT.MISSING_ROLE": [
    "A step names a role that has no file.",
    "Write the role's file, or name one that is there; `troupe validate` lists them.",
  ],
  "USER.INPUT.MISSING_SKILL": [
    "A step names a skill that has no folder.",
    "Put the skill where the message looks for it, or name another.",
  ],
  "USER.INPUT.INVALID_FORMAT": ["An input is no text of the form that is expected.", "Write it as the message says."],
  "USER.INPUT.VALIDATION_FAILED": [
    "An input breaks a rule of the workflow.",
    "Give a value that keeps the rule; `troupe run … --dry-run` shows the rules.",
  ],
  "USER.INPUT.UNKNOWN": [
    "An input that the workflow does not have.",
    "Look at its inputs with `troupe list`; the message names a similar one.",
  ],
  "USER.INPUT.EMPTY": ["There is nothing where something is needed.", "Give a text that is not empty."],
  "USER.FACADE.IDENTIFIER_EMPTY": ["No workflow was named.", "Name one of `troupe list`."],
  "USER.FACADE.IDENTIFIER_MALFORMED": [
    "A name that no workflow can have.",
    "A name is letters, digits, - and _, with the pack before a slash; or give a path.",
  ],
  "USER.FACADE.PACK_NOT_FOUND": [
    "There is no such pack here.",
    "`troupe pack list` shows those that are; `troupe pack install` adds one.",
  ],
  "USER.FACADE.WORKFLOW_NOT_FOUND": [
    "There is no workflow of this name here.",
    "`troupe list` shows what is; `troupe init` writes a first one.",
  ],
  "USER.FACADE.INVALID_REQUEST": [
    "A program called the library with a field that is missing, or is not as its type says.",
    "Mend the field that the message names.",
  ],
  "USER.FACADE.SESSION_CLOSED": ["The session, or the Troupe that it belongs to, was closed.", "Open it again."],
  "USER.FACADE.INPUT_REJECTED": [
    "An answer came where none is taken any more.",
    "Look at the run with `troupe status`.",
  ],
  "USER.FACADE.DUPLICATE_RESPONSE": [
    "The question was answered already.",
    "Look at the run with `troupe status`: the first answer counts.",
  ],
  "USER.RUN.NOT_FOUND": [
    "There is no such run in this store, or it is another user's.",
    "`troupe history --all` shows the runs; `TROUPE_HOME` chooses the store.",
  ],
  "USER.RUN.AMBIGUOUS": ["Several runs begin with these letters.", "Write more of the id."],
  "USER.RUN.NOT_RESUMABLE": [
    "The run has ended or is running; or it waits for an answer, and was given a budget.",
    "`troupe rerun` does one again; `troupe status` shows how it stands.",
  ],
  "USER.RUN.NOT_RERUNNABLE": [
    "The run has not ended, has no such step or no failure to begin with, or left too little to do it again.",
    "Do what the message says; or start it anew with `troupe run`.",
  ],
  "USER.RUN.CHANGED": [
    "The workflow is another one than when the run began.",
    "Say that this is meant, as the message shows, or start it anew.",
  ],
  "USER.RUN.INTERRUPTED": [
    "A crash cut the session's run off.",
    "`troupe resume` continues it; decide first what to do with the step that was cut off.",
  ],
  "USER.RUN.TOO_DEEP": ["Steps of runs start runs within each other.", "Stop that where `TROUPE_DEPTH` is set."],
  "USER.RUN.PARKED": ["The session's run waits for an answer.", "Answer it, or cancel it."],
  "USER.WORKTREE.NO_REPOSITORY": [
    "Worktrees are asked for in a folder that is in no git repository.",
    "Go to the repository whose worktrees you mean, and ask there.",
  ],
  "USER.WORKTREE.NOT_FOUND": [
    "There is no worktree of that name in this repository.",
    "`troupe worktrees list` shows those that are there; one without a change goes by itself.",
  ],
  "USER.WORKTREE.AMBIGUOUS": ["Several worktrees begin with that name.", "Give more of it: `troupe worktrees list`."],
  "USER.WORKTREE.IN_USE": [
    "The worktree belongs to a run that has not ended.",
    "Answer or end the run first: `troupe status` of it says how.",
  ],
  "USER.WORKTREE.CHANGED": [
    "Something in the worktree is in no commit, or on no branch, and would be lost.",
    "Commit it there, on a branch, merge the worktree, or throw the changes away yourself.",
  ],
  "USER.TELL.NOBODY": [
    "No agent works in that run, or at that step, at this moment.",
    "See `troupe status` for what works; answer what waits, or resume what a crash cut off.",
  ],
  "USER.TELL.AMBIGUOUS": [
    "Several agents work in the run, and none was named.",
    "Name one of the listed steps: `troupe tell <run> --step <name> …`.",
  ],
  "USER.SESSION.UNKNOWN": ["There is no such session, or it is another user's.", "Open one from the list."],
  "USER.SESSION.NOT_YOURS": ["Somebody else has begun it.", "Ask who began it; the run says with which token."],
  "USER.SESSION.BUSY_ELSEWHERE": [
    "Another process runs this session.",
    "Wait for its end, or cancel it: `troupe cancel`.",
  ],
  "USER.SESSION.CWD": [
    "The folder of a session is no absolute path, or not there.",
    "Give the absolute path of a folder that exists.",
  ],
  "USER.SESSION.CURSOR": ["A cursor of a list that this store did not give.", "Begin the list again."],
  "USER.SESSION.OPTION": ["An option or a value that the session does not have.", "Choose one that it offers."],
  "USER.SESSION.SETUP": [
    "What a session was opened with cannot be used.",
    "Give servers and folders as the message says.",
  ],
  "USER.CONVERSATION.UNKNOWN": ["There is no such conversation.", "`troupe sessions` lists those that are kept."],
  "USER.CONVERSATION.OPEN_ELSEWHERE": ["Another terminal has this conversation.", "Leave it there first."],
  "USER.CONVERSATION.VIEW_ONLY": [
    "The conversation cannot continue: its agent is gone, or cannot take it up again.",
    "Read it with `troupe sessions show`; begin a new one with its summary by `troupe chat --from`.",
  ],
  "USER.CONVERSATION.FILE": [
    "A file that a prompt names is too large, or cannot be read.",
    "Take a smaller one, or raise limits.attachment_bytes.",
  ],
  "USER.CONVERSATION.SETTING": ["The agent has no session to set this in.", "Say something to it first."],
  "USER.PROMPT.IN_FLIGHT": ["The session has a prompt already.", "Wait for its end, or cancel it."],
  "USER.PROMPT.NO_COMMAND": [
    "The prompt names no workflow, and nothing waits for a text.",
    "Begin with / and the name of a workflow.",
  ],
  "USER.PROMPT.TOO_LARGE": ["The prompt is larger than is taken.", "Shorten it, or put the text into a file."],
  "USER.PROMPT.UNSUPPORTED_BLOCK": [
    "The prompt holds a kind of content that is not taken.",
    "Send text, resources, or what the agent says that it takes.",
  ],
  "USER.TRUST.REQUIRED": [
    "The workflow is of a directory that you have not trusted, and nobody can be asked.",
    'Look at it, then `troupe trust add`, or say --trust once, in a program `consent: "yes"`.',
  ],
  "USER.TRUST.REFUSED": [
    "You said that the directory is not trusted.",
    "Look at the workflow; `troupe trust add` if you change your mind.",
  ],
  "USER.TRUST.UNKNOWN": ["The directory is not among those that are trusted.", "`troupe trust list` shows them."],
  "USER.TRUST.NOT_YOURS": ["Only the user of this machine decides this.", "Ask that user."],
  "USER.SCHEDULE.NONE": ["Its file does not say what starts it.", "Give it an `on:`; see docs/schedules.md."],
  "USER.SCHEDULE.NOT_FOUND": ["There is no such schedule.", "`troupe schedules list` shows them."],
  "USER.SCHEDULE.CHANGED": [
    "A file that a schedule reads is not what it was when you enabled it.",
    "Read the change, then `troupe schedules enable` it again.",
  ],
  "USER.SCHEDULE.TOO_MANY_FILES": [
    "A schedule reads more files than are watched for changes.",
    "Put what it does into fewer scripts, prompts and called workflows.",
  ],
  "USER.PACK.SOURCE": [
    "A pack's source is of no known form.",
    "Give a folder, an archive by path or URL, or a name with --index.",
  ],
  "USER.PACK.INDEX": ["An index of packs cannot be read.", "Look at the index; the message says what is wrong."],
  "USER.PACK.UNREACHABLE": ["A pack's source does not answer.", "Look at the address and the network, then try again."],
  "USER.PACK.TOO_LARGE": [
    "A pack is larger than is taken.",
    "Take a smaller one, or unpack it yourself and install the folder.",
  ],
  "USER.PACK.CHECKSUM_MISSING": [
    "An archive has no checksum beside it.",
    "Get its SHA-256 from who made it, and say --sha256.",
  ],
  "USER.PACK.CHECKSUM_MISMATCH": ["An archive is not what its checksum says.", "Do not use it: ask who made it."],
  "USER.PACK.INVALID": ["An archive is no pack.", "Look at the message; docs/packs.md has the form."],
  "USER.PACK.CHANGED": [
    "Files of the pack were changed since it was installed.",
    "Keep them elsewhere, then say --force.",
  ],
  "USER.CLI.USAGE": ["The command line cannot be understood.", "See --help of the command."],
  "USER.CLI.EXISTS": ["What would be written exists.", "Look at it; --force replaces it."],
  "USER.ACP.INVALID_PARAMS": [
    "A client's request has no form of the protocol.",
    "It is the client's to mend: its log has the request.",
  ],
  "USER.ACP.CONFIG": [
    "The file that says what `troupe acp` offers has a fault.",
    "Mend the place that the message names.",
  ],
  "USER.ACP.NOT_INITIALIZED": ["A client sent something before `initialize`.", "It is the client's to mend."],
  "USER.ACP.MESSAGE_TOO_LARGE": ["A client's message is larger than is taken.", "Send less at once."],
  "USER.CONFIG.INVALID": [
    "Your configuration has a fault, and is not used.",
    "Mend the line that the message names; `troupe doctor` looks again.",
  ],
  "USER.MCP.PINNED": [
    "An MCP server's tools are not those that were pinned.",
    "Look at what has changed, then pin them again.",
  ],
  "USER.MCP.INVALID_SERVER": ["An MCP server's description has a fault.", "Give command and args, or url."],
  "USER.CLIENT.AGENT_NOT_FOUND": ["The program of an agent is not there.", "Install it, or mend its command."],
  "USER.CLIENT.BUSY": ["The agent's session has a prompt already.", "Wait for its end."],
  "USER.CLIENT.UNSUPPORTED": ["The agent does not offer this.", "Use what it offers; its `initialize` tells."],
  "USER.MCP_PROXY.EMPTY_PROXY": ["A proxy of tools names none.", "Name tools, or leave it out."],
  "USER.MCP_PROXY.NAME_COLLISION": ["Two tools of a proxy have one name.", "Rename one of them."],
  "USER.MCP_PROXY.UNKNOWN_KEY": ["A proxy has a key that there is not.", "docs/operations.md has the keys."],
  "USER.MCP_PROXY.UNKNOWN_OPERATION": [
    "A proxy names an operation that there is not.",
    "docs/operations.md lists them.",
  ],
  "USER.MCP_PROXY.UNKNOWN_PLUGIN": ["A proxy names a plugin; there are none.", "Use an operation or an MCP server."],
  "USER.OPERATION.UNKNOWN": ["There is no such operation.", "docs/operations.md lists them."],
  "USER.OPERATION.INVALID_INPUT": [
    "An operation was given something that it does not take.",
    "docs/operations.md has what each takes.",
  ],
};
