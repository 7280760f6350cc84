/** Causes and remedies of what a workflow's author can mend. `troupe validate` shows each with its place. */
import type { AdviceOf } from "./kinds.ts";

export const WORKFLOW: AdviceOf<`WORKFLOW.${string}`> = {
  "WORKFLOW.PARSE.YAML_SYNTAX": [
    "The file is no YAML.",
    "Mend the line; most often it is indentation, a tab, or a colon in a text without quotes.",
  ],
  "WORKFLOW.PARSE.UNKNOWN_FIELD": [
    "A field that there is not at this place.",
    "Look at the similar name of the message, or at docs/language.md.",
  ],
  "WORKFLOW.PARSE.INVALID_FIELD": ["A field has a value that it does not take.", "Write it as the message says."],
  "WORKFLOW.PARSE.TOO_LARGE": ["The file is larger than is read.", "Split it: a workflow can call others."],
  "WORKFLOW.PARSE.BAD_USE_OF_TEMPLATE": [
    "A template stands where only plain text is taken.",
    "Write the value itself.",
  ],
  "WORKFLOW.PARSE.LIMIT_EXCEEDED": [
    "The file goes beyond a limit of its form, such as depth or aliases.",
    "Make it simpler, or split it.",
  ],
  "WORKFLOW.PARSE.MISSING_FIELD": ["A field is not there that is needed.", "Add it; docs/language.md has an example."],
  "WORKFLOW.VALIDATION.BAD_CONVERSATION": [
    "A conversation is set up in a way that cannot work.",
    "Read the message; docs/guide.md has the rules.",
  ],
  "WORKFLOW.VALIDATION.UNDEFINED_NAME": [
    "A template or an expression names something that there is not.",
    "Take a name that the message lists.",
  ],
  "WORKFLOW.VALIDATION.UNDEFINED_PROPERTY": [
    "Something is asked for a part that it does not have.",
    "docs/language.md has the parts.",
  ],
  "WORKFLOW.VALIDATION.CYCLE_DETECTED": [
    "Steps go round in a circle with no way out.",
    "Use a loop with a bound, or a way that ends.",
  ],
  "WORKFLOW.VALIDATION.MISSING_STATE": [
    "`initial`, a way on, `body`, `parallel` or `depends_on` names a state that there is not.",
    "Take the similar name of the message, or write the state.",
  ],
  "WORKFLOW.VALIDATION.INVALID_TRANSITION": [
    "A way on leads where none may, or the workflow has no end.",
    "Lead it to a state beside its own, or give a state of type terminal.",
  ],
  "WORKFLOW.VALIDATION.UNREACHABLE_STATE": ["No way leads to a state.", "Lead one there, or take it out."],
  "WORKFLOW.VALIDATION.UNDEFINED_INPUT": ["An input is used that is not declared.", "Declare it under `inputs`."],
  "WORKFLOW.VALIDATION.UNDEFINED_STATE": [
    "A template, an expression, a conversation or a tree names a state that there is not, or none that it can use.",
    "Take a name that the message lists, or write the state.",
  ],
  "WORKFLOW.VALIDATION.FORWARD_REFERENCE": [
    "A step uses the result of one that cannot have run.",
    "Put that one before it.",
  ],
  "WORKFLOW.VALIDATION.BAD_EXPRESSION": [
    "A condition cannot be read, or is never true or false.",
    "Mend it at the place that the message shows.",
  ],
  "WORKFLOW.VALIDATION.BAD_TEMPLATE": ["A template cannot be read.", "Mend it at the place that the message shows."],
  "WORKFLOW.VALIDATION.SKIP_WITHOUT_WAY": [
    "A no skips a step, and nothing says where to go then: the run ends there as skipped.",
    "Give the step or parallel of the message `on_skip`, or a transition whose `when` names `skipped`; or let the no fail with `on_deny: error`.",
  ],
  "WORKFLOW.VALIDATION.NEVER_FOLLOWED": [
    "Another way on is always taken first: a `transitions` entry without `when`, `on_success` beside `continue_on_error`, or a loop's `on_complete`.",
    "Give that entry a `when`, or take one of the two ways out.",
  ],
  "WORKFLOW.VALIDATION.VALUE_AS_CODE": [
    "A value would be read as code of a shell.",
    "Hand it over beside the code, in a variable or an argument of its own, as the message shows.",
  ],
  "WORKFLOW.VALIDATION.SHORT_SECRET": ["A secret is too short to be hidden surely.", "Use a longer one."],
  "WORKFLOW.VALIDATION.FAILED": ["The workflow has faults.", "`troupe validate` shows all of them at once."],
  "WORKFLOW.PREFLIGHT.REFUSED": [
    "It cannot work on this machine, and was not started.",
    "Each line of the message says what to do.",
  ],
  "WORKFLOW.EXPRESSION.EVALUATION": [
    "A condition could not be worked out with these values.",
    "Guard it against values that are missing or of another type.",
  ],
  "WORKFLOW.TEMPLATE.RENDERING": [
    "A template could not be filled in with these values.",
    "Guard it against values that are missing.",
  ],
  "WORKFLOW.CALL.CIRCULAR": ["Workflows call each other in a circle.", "Take one of the calls out."],
  "WORKFLOW.CALL.TOO_DEEP": ["Workflows call each other too deep.", "Call fewer within each other."],
  "WORKFLOW.ASK.BAD_QUESTION": [
    "A question of an `ask` step has choices that are no list, or a default that is none of its answers.",
    "Give the choices as a list, and as the default one of them.",
  ],
  "WORKFLOW.LOOP.BAD_ITEMS": [
    "`for_each` was given something that is no list, or one that is too long or nested too deep.",
    "Give a list, or JSON of one.",
  ],
  "WORKFLOW.LOOP.BAD_BOUND": ["A loop's bound is no number that it takes.", "Give a whole number from 1 up."],
};
