/** The provider `opencode` against the real program and the scripted model server. */
import { agentCases } from "./cases.ts";
import { OPENCODE } from "./subjects/opencode.ts";

agentCases(OPENCODE);
