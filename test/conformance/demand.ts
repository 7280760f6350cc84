/**
 * The 75 scenarios of the older WebSocket specification, numbered from 1 on (it uses some numbers twice), and where
 * each has to be shown: under which profiles, over which transports.
 *
 * I1. Every scenario is shown under `ski`, over a socket unless it is about the other transport alone, and over
 *     standard input and output where that makes sense. What both profiles have in common is shown under both.
 */
export type Profile = "acp" | "ski";
export type Transport = "stdio" | "ws";
export type Row = { id: string; profile: Profile; transport: Transport };

const WHERE = {
  both: ["ski ws", "ski stdio", "acp ws", "acp stdio"],
  "both, ws": ["ski ws", "acp ws"],
  "both, stdio": ["ski stdio", "acp stdio"],
  ski: ["ski ws", "ski stdio"],
  "ski, ws": ["ski ws"],
} as const;

export const SCENARIOS: readonly (readonly [id: string, where: keyof typeof WHERE, title: string])[] = [
  ["S1", "both, ws", "A client of `serve` is sent updates and then the result of its prompt, `end_turn`"],
  ["S2", "both, stdio", "`serve --transport stdio` says word for word what `troupe acp` says"],
  ["S3", "both, ws", "Output of a server while no client is connected is lost, and nothing crashes"],
  ["S4", "both, ws", "After a temporary error a client connects again, and later requests work"],
  ["S5", "both", "Sends above `maxInFlightSends` wait"],
  ["S6", "both", "A message of more than 512 KiB arrives as it was sent"],
  ["S7", "ski", "A second prompt of a session while one runs is refused: -32602"],
  ["S8", "both", "A client finds answers by their id: swapped, repeated and unknown ones do no harm"],
  ["S9", "both", "40 `session/new` at once, answered in another order: all succeed and nothing is left over"],
  ["S10", "both", "`close()` fails every request in flight with `eof`"],
  ["S11", "both", "Of `close()` and a time limit the first decides, and only it"],
  ["S12", "both", "A second `close()` does nothing; calls after it fail with `notConnected`"],
  [
    "S13",
    "both",
    "Updates of a prompt come before its result; of a cancelled one none (`ski`), or the ends of its cards (`acp`)",
  ],
  ["S14", "both", "200 requests at once have ids that are unique and without a gap"],
  ["S15", "both", "1,000 calls in a row leave nothing pending and no timer"],
  ["S16", "both", "A call that is cancelled while it waits for its send takes no place"],
  ["S17", "both", "With a scripted factory of connections: a send fails, and the next connection works"],
  [
    "S18",
    "both",
    "200 requests and a `close()`: success, `eof`, `notConnected` or `requestTimeout`, and nothing left over",
  ],
  ["S19", "both, ws", "Two clients on one port each get the answers to their own requests"],
  ["S20", "both, ws", "An answer goes to the connection that asked, also where ids are the same"],
  ["S21", "ski, ws", "Notifications reach all connections"],
  ["S22", "both", "A client with a handler answers `session/request_permission` under its id"],
  ["S23", "ski", "`initialize` for another version is refused: -32602"],
  ["S24", "both", "`session/load` where it is not offered: -32601"],
  ["S25", "ski", "A prompt whose permission is denied ends `cancelled`: no update, nothing called"],
  ["S26", "both", "A prompt whose permission is given continues to `end_turn`"],
  ["S27", "both", "When the link is lost, what waits for a permission ends at once"],
  ["S28", "ski", "`permissive`: where a question of permission gets no answer, the prompt continues"],
  ["S29", "both", "`required`: where a permission is refused or gets no answer, nothing runs"],
  ["S30", "both", "`authenticate` succeeds for a method that is offered; another one: -32602"],
  ["S31", "both", "`session/set_mode` sets the mode and announces it by `current_mode_update`"],
  ["S32", "both", "`session/set_config_option` sets an option and announces it by `config_option_update`"],
  ["S33", "both", "`fs/read_text_file` is answered by path, line and limit; bad parameters: -32602"],
  ["S34", "both", "`fs/write_text_file` writes; where it fails: -32603"],
  ["S35", "both", "`terminal/create`, `output`, `wait_for_exit`, `release`; an update may name the terminal"],
  ["S36", "both", "Output and exit of a killed terminal can be read until its release"],
  ["S37", "both", "A permission is answered by an `outcome`"],
  ["S38", "both", "`session/new` answers with a `sessionId` and what there is to choose"],
  ["S39", "both", "`session/load` answers with an object"],
  ["S40", "both", "`terminal/output` has `output`, `truncated` and `exitStatus`"],
  ["S41", "both", "`terminal/wait_for_exit` answers with an exit code or a signal"],
  ["S42", "ski", "`tool_call`, then `tool_call_update`, then `agent_message_chunk`"],
  ["S43", "ski", "`available_commands_update` and `plan` before any tool"],
  ["S44", "both", "Tool calls carry the protocol's fields; an update may carry what has changed alone"],
  [
    "S45",
    "both",
    "Blocks that are no text: links are taken; what is not offered is refused by name; a client takes all kinds",
  ],
  ["S46", "both", "Every update has the fields that its kind demands"],
  ["S47", "both", "Read and written again, `tool_call_update` and `agent_message_chunk` are the same"],
  ["S48", "both", "The kinds of updates and the end are the same over both transports"],
  ["S49", "ski", "`session/set_model` sets a model; one that is not offered: -32602"],
  ["S50", "both", "`session/list` names `sessionId` and `cwd` of each session"],
  ["S51", "both", "`session/resume` takes a session up without repeating it"],
  ["S52", "both", "`session/fork` makes a session with the same choices"],
  ["S53", "both", "`session/list` answers in pages; the last has no cursor"],
  ["S54", "both", "A cursor that is none: -32602, and no first page"],
  ["S55", "both", "Read and written again, `available_commands_update` and `current_mode_update` are the same"],
  ["S56", "both", "`session/delete` may be repeated; what is deleted is not listed"],
  ["S57", "both", "`session/delete` where it is not offered: -32601"],
  ["S58", "both", "A title is announced by `session_info_update`"],
  ["S59", "both", "`$/cancel_request` ends the prompt it names, and no other"],
  ["S60", "both", "`logout` succeeds and lets go of what was authenticated"],
  ["S61", "both", "A request that was taken back is answered with -32800"],
  ["S62", "ski", "The methods are the protocol's, and those that are listed here"],
  ["S63", "ski", "`session/export` answers with lines of JSON: a header, then the messages"],
  ["S64", "ski", "A fork is listed with its `parentSessionId`"],
  ["S65", "both, ws", "Where a port is taken, another one is used"],
  ["S66", "both, ws", "After the end of a server no socket and no process is left"],
  ["S67", "both", "Where states are announced: `queued`, `running`, then how it ended"],
  ["S68", "both", "Where they are not, none is sent"],
  ["S69", "both", "A failure that may pass is tried again, that is announced, and the prompt ends `end_turn`"],
  ["S70", "both", "Where every try fails, the prompt fails, and so does its state"],
  ["S71", "both", "Policy `allow`: no one is asked"],
  ["S72", "both", "Policy `deny`: refused, and no one is asked"],
  ["S73", "both", "An answer for good holds for the same call in its session"],
  ["S74", "both", "`session/delete` and `logout` forget such answers"],
  ["S75", "both", "`session/stop` ends what runs: `cancelled`, over both transports"],
];

/** Every row that the table must have. */
export const DEMANDED: readonly Row[] = SCENARIOS.flatMap(([id, where]) =>
  WHERE[where].map((text) => {
    const [profile, transport] = text.split(" ") as [Profile, Transport];
    return { id, profile, transport };
  }),
);

/** Those that have no test yet. */
export const NOT_YET: readonly string[] = [];
