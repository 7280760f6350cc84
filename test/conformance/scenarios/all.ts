/** Every group of scenarios. */
import "./client-ends.ts";
import "./clients.ts";
import "./desk.ts";
import "./execution-states.ts";
import "./methods.ts";
import "./permissions.ts";
import "./prompts.ts";
import "./serving.ts";
import "./sessions.ts";
