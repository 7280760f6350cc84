/** The provider `github_copilot` against the real program and the scripted model server. */
import { agentCases } from "./cases.ts";
import { GITHUB_COPILOT } from "./subjects/github-copilot.ts";

agentCases(GITHUB_COPILOT);
