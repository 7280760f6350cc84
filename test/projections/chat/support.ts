import type { ChatQuestion } from "../../../machines/conversation/event.ts";

export const QUESTION: ChatQuestion = {
  ...{ id: "q", title: "Write\u202e it?", message: "why\nso", input: { command: "rm" }, diffs: [] },
  locations: [{ path: "/a", line: 3 }, { path: "/b" }],
  options: [
    { id: "yes", name: "Allow\u202e", kind: "allow_once" },
    { id: "ever", name: "Always", kind: "allow_always" },
    { id: "no", name: "Reject", kind: "reject_once" },
    { id: "never", name: "Never", kind: "reject_always" },
  ],
};
