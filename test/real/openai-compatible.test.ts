/** The provider `openai_compatible` against the scripted model server, with Troupe's own tools in this process. */
import { agentCases } from "./cases.ts";
import { OPENAI_COMPATIBLE } from "./subjects/openai-compatible.ts";

agentCases(OPENAI_COMPATIBLE);
