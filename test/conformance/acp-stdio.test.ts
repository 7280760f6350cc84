/** The scenarios under the profile `acp` over standard input and output. */
import { stage } from "./scenario.ts";
import "./scenarios/all.ts";

stage("acp", "stdio");
