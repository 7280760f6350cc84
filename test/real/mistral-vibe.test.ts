/**
 * The provider `mistral_vibe` against the real program and the scripted model server. The program needs Python 3.12 or
 * newer; where there is none, or it cannot be installed, the tests are skipped and say why.
 */
import { describe, inject } from "vitest";
import { agentCases } from "./cases.ts";
import { MISTRAL_VIBE } from "./subjects/mistral-vibe.ts";

const missing = inject("noVibe");

describe.skipIf(missing !== null)(missing === null ? "Mistral Vibe" : `Mistral Vibe, skipped: ${missing}`, () => {
  agentCases(MISTRAL_VIBE);
});
