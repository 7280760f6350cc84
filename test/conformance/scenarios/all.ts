/** Every group of scenarios. */
import "./clients.ts";
import "./desk.ts";
import "./permissions.ts";
import "./prompts.ts";
import "./serving.ts";
import "./sessions.ts";
